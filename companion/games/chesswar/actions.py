"""What a seat may do."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.games.chesswar.armies import ArmyId, Spell
from companion.games.chesswar.around import Place
from companion.games.chesswar.state import Phase
from companion.kit.action import Action as Doing

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Square = Annotated[str, Meta(min_length=2, max_length=3)]
Number = Annotated[int, Meta(ge=0, le=99)]


class ChooseArmy(Doing, frozen=True, tag="choose_army"):
    """Say which army you lead, for all to hear (CW-11)."""

    army: ArmyId


class RaiseArmy(Doing, frozen=True, tag="raise_army"):
    """Buy an army: how many of each piece, beside the general (CW-13 to CW-16)."""

    army: ArmyId
    queen: Number = 0
    rook: Number = 0
    bishop: Number = 0
    knight: Number = 0
    pawn: Number = 0


class Deploy(Doing, frozen=True, tag="deploy"):
    """Put one of your units on a home square; two units change places (CW-19, CW-23)."""

    unit: Name
    to: Square


class PlaceTerrain(Doing, frozen=True, tag="place_terrain"):
    """Put a forest or a hill on a square before the first turn, or take it away (CW-168)."""

    to: Square
    kind: Literal["forest", "hill", "open"]


class Ready(Doing, frozen=True, tag="ready"):
    """Say that your army is deployed (CW-20), or rearranged (CW-23).

    A page names the ``phase`` that it showed, so that an old page never says more than its reader meant.
    """

    phase: Phase | None = None


class Move(Doing, frozen=True, tag="move"):
    """Move a unit; ``path`` lists the squares it enters, where the way matters (CW-28 to CW-35).

    On a table whose board is not mirrored there is no square to name.
    """

    unit: Name
    to: Square | None = None
    path: Annotated[tuple[Square, ...], Meta(min_length=1, max_length=32)] | None = None


class TakeBack(Doing, frozen=True, tag="take_back"):
    """Put a unit back where it began its move in this phase, as long as nothing came of it."""

    unit: Name


class Charge(Doing, frozen=True, tag="charge"):
    """Charge an enemy beside the unit (CW-36)."""

    unit: Name
    target: Name


class Shoot(Doing, frozen=True, tag="shoot"):
    """Shoot a bow at an enemy (CW-45 to CW-65). What only the real board knows comes with it."""

    unit: Name
    target: Name
    distance: Number | None = None
    direct: bool | None = None
    moved: bool | None = None


class Bombard(Doing, frozen=True, tag="bombard"):
    """Throw at a square (CW-66 to CW-81); where the board is not mirrored its distance is told instead.

    There ``target`` is who stands on it, ``enemies`` and ``own`` are squares around it with units, for the odds.
    """

    unit: Name
    square: Square | None = None
    distance: Number | None = None
    direct: bool | None = None
    target: Name | None = None
    enemies: Annotated[tuple[Place, ...], Meta(max_length=8)] = ()
    own: Annotated[tuple[Place, ...], Meta(max_length=8)] = ()


class Attack(Doing, frozen=True, tag="attack"):
    """Attack an opponent in melee (CW-83)."""

    unit: Name
    target: Name


class Cast(Doing, frozen=True, tag="cast"):
    """Cast a spell of your own turn: at whom, where to, which effect, over whom, as it needs (CW-122 to CW-163)."""

    unit: Name
    spell: Spell
    target: Name | None = None
    to: Square | None = None
    effect: Name | None = None
    covers: Annotated[tuple[Name, ...], Meta(max_length=30)] = ()


class Cover(Doing, frozen=True, tag="cover"):
    """Say who stands in the field of a Protection, where only the real board knows (CW-153)."""

    unit: Name
    covers: Annotated[tuple[Name, ...], Meta(max_length=30)] = ()


class EndPhase(Doing, frozen=True, tag="end_phase"):
    """End the phase; after the combat phase the turn is over (CW-25).

    A page names the ``phase`` and the ``round`` that it showed, so that an old page never ends a later one.
    """

    phase: Phase | None = None
    round: Annotated[int, Meta(ge=1)] | None = None


class Answering(Doing, frozen=True, tag="answering"):
    """Say how you like to be asked for instant spells: each time, for five seconds, or never."""

    replies: Literal["ask", "wait", "never"]


class HealEnemy(Doing, frozen=True, tag="heal_enemy"):
    """Say beforehand which enemy unit a mage heals if it falls in this turn, or ``nobody`` (CW-Q30)."""

    unit: Name
    target: Name


class Surrender(Doing, frozen=True, tag="surrender"):
    """Give up."""


Action = (
    ChooseArmy
    | RaiseArmy
    | Deploy
    | PlaceTerrain
    | Ready
    | Move
    | TakeBack
    | Charge
    | Shoot
    | Bombard
    | Attack
    | Cast
    | Cover
    | EndPhase
    | Answering
    | HealEnemy
    | Surrender
)
