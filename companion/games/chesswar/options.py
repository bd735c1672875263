"""What a table may agree on before it starts: the optional rules, and the rulings on unclear points."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.kit.options import ticked

ENOUGH_FOR_MORE = 14
"""Squares along a side of the board that more than two armies need, or two extended ones."""


class Options(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Hold what the players agreed on; the defaults are the printed rules on a chessboard."""

    board: Annotated[
        Literal["mirrored", "table"],
        Meta(
            title="The board",
            description="Mirrored: Companion knows where every unit stands, and works everything out. "
            "On the table: only the real board knows; Companion keeps the rosters and asks for the facts.",
        ),
    ] = "mirrored"
    race: Annotated[
        Literal["declared", "secret"],
        Meta(
            title="Choosing an army",
            description="Openly: each player says which army it is before buying units. "
            "In secret: nobody knows before all have deployed.",
        ),
    ] = "declared"
    sides: Annotated[
        Literal["two", "three", "four", "teams"],
        Meta(
            title="Armies",
            description="More than two play on a board of at least 14 squares a side, as total massacre.",
        ),
    ] = "two"
    size: Annotated[
        int,
        Meta(
            title="Size of the board",
            description="Squares along a side. Catapults reach 8 squares on a board of more than 8.",
            ge=8,
            le=16,
            extra={"rare": True},
        ),
    ] = 8
    terrain: Annotated[bool, ticked("Forests and hills", "They are placed on the board before the first turn.")] = False
    massacre: Annotated[
        bool, ticked("Total massacre", "The game goes on until only one side is left, with or without generals.")
    ] = False
    extended_armies: Annotated[
        bool,
        ticked(
            "Extended armies",
            "Two armies with double points, double maxima and two generals each, on at least 14 squares a side.",
        ),
    ] = False
    dread_natural_six_only: Annotated[
        bool,
        ticked("Dread stops only a thrown 6", "A total of 6 or more still destroys a dreadful defender outright."),
    ] = False
    pass_friends: Annotated[
        bool, ticked("Pass through friends", "A unit may pass over squares that hold units of its own side.")
    ] = False
    strict_sight: Annotated[
        bool,
        ticked("Strict sight", "On a knight's-move line each of the two middle squares blocks by itself."),
    ] = False
    catapult_needs_enemy: Annotated[
        bool, ticked("Catapults aim at enemies", "Only a square that holds an enemy unit can be chosen.")
    ] = False
    bombs_two_dice: Annotated[bool, ticked("Plague bombs scatter with two dice", "As the summary sheet says.")] = False
    continuation_strict: Annotated[
        bool,
        ticked("Strict continuation", "No enemy may stand beside the square that the winner moves into."),
    ] = False
    plague_melee_only: Annotated[
        bool, ticked("Plague by melee attacks only", "A shot or a spell into a melee spreads no plague.")
    ] = False
    healing_any_side: Annotated[
        bool,
        ticked("Healing for enemy units too", "You say beforehand which enemy unit your mage heals if it falls."),
    ] = False

    @property
    def squares(self) -> int:
        """Return the squares along a side of the board: many units need room to deploy (CW-19, CW-167, CW-178)."""
        crowded = self.sides != "two" or self.extended
        return max(self.size, ENOUGH_FOR_MORE) if crowded and self.board == "mirrored" else self.size

    @property
    def extended(self) -> bool:
        """Tell whether armies are doubled; three or four of those would find no room on any board (CW-180)."""
        return self.extended_armies and self.sides == "two"

    @property
    def total_massacre(self) -> bool:
        """Tell whether play goes on after a general has fallen (CW-173, CW-178, CW-179)."""
        return self.massacre or self.sides != "two"
