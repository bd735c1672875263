"""What a table may agree on before it starts, and what comes of it: the sides, the board and their places on it."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from companion.kit.forms import seldom
from companion.kit.squares import Grid
from companion.kit.text import Text, listed, numbered, say

Side = Literal["white", "black", "red", "blue"]
Edge = Literal["south", "north", "west", "east"]
ENOUGH_FOR_MORE = 14
"""Squares along a side of the board that more than two armies need, or two extended ones."""
WHITE: Side = "white"
BLACK: Side = "black"
ALL: tuple[Side, ...] = ("white", "black", "red", "blue")
FILES = "abcdefghijklmnop"
DEPTH = 3
TEAMS: dict[str, tuple[tuple[Side, ...], ...]] = {
    "two": (("white",), ("black",)),
    "three": (("white",), ("black",), ("red",)),
    "four": (("white",), ("black",), ("red",), ("blue",)),
    "teams": (("white", "red"), ("black", "blue")),
}
TEAM_OF: dict[str, dict[Side, tuple[Side, ...]]] = {
    battle: {side: team for team in teams for side in team} for battle, teams in TEAMS.items()
}
SIDES: dict[str, tuple[Side, ...]] = {
    battle: tuple(side for side in ALL if side in fighting) for battle, fighting in TEAM_OF.items()
}
EDGES: dict[Side, Edge] = {"white": "south", "black": "north", "red": "west", "blue": "east"}
TEAM_EDGES: dict[Side, Edge] = {"white": "south", "red": "south", "black": "north", "blue": "north"}
AHEAD: dict[Edge, tuple[int, int]] = {"south": (0, 1), "north": (0, -1), "west": (1, 0), "east": (-1, 0)}
"""One square away from a player who sits at that edge, as (files, ranks)."""


class Options(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the players agreed on; the defaults are the printed rules on a chessboard."""

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
            description=numbered(
                "More than two play on a board of at least [enough] squares a side, as total massacre.",
                enough=ENOUGH_FOR_MORE,
            ).say,
        ),
    ] = "two"
    size: Annotated[
        int,
        seldom(
            "Size of the board",
            "Squares along a side. Catapults reach 8 squares on a board of more than 8.",
            ge=8,
            le=16,
        ),
    ] = 8
    terrain: Annotated[bool, seldom("Forests and hills", "They are placed on the board before the first turn.")] = False
    massacre: Annotated[
        bool, seldom("Total massacre", "The game goes on until only one side is left, with or without generals.")
    ] = False
    extended_armies: Annotated[
        bool,
        seldom(
            "Extended armies",
            numbered(
                "Two armies with double points, double maxima and two generals each, "
                "on at least [enough] squares a side.",
                enough=ENOUGH_FOR_MORE,
            ).say,
        ),
    ] = False
    dread_natural_six_only: Annotated[
        bool, seldom("Dread stops only a rolled 6", "A total of 6 or more still destroys a dreadful defender outright.")
    ] = False
    pass_friends: Annotated[
        bool, seldom("Pass through friends", "A unit may pass over squares that hold units of its own side.")
    ] = False
    strict_sight: Annotated[
        bool, seldom("Strict sight", "On a knight's-move line each of the two middle squares blocks by itself.")
    ] = False
    catapult_needs_enemy: Annotated[
        bool, seldom("Catapults aim at enemies", "Only a square that holds an enemy unit can be chosen.")
    ] = False
    bombs_two_dice: Annotated[bool, seldom("Plague bombs scatter with two dice", "As the summary sheet says.")] = False
    continuation_strict: Annotated[
        bool, seldom("Strict continuation", "No enemy may stand beside the square that the winner moves into.")
    ] = False
    plague_melee_only: Annotated[
        bool, seldom("Plague by melee attacks only", "A shot or a spell into a melee spreads no plague.")
    ] = False
    healing_any_side: Annotated[
        bool, seldom("Healing for enemy units too", "You say beforehand which enemy unit your mage heals if it falls.")
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


def teams(options: Options) -> tuple[tuple[Side, ...], ...]:
    """List the teams of a battle (CW-01, CW-178, CW-179)."""
    return TEAMS[options.sides]


def sides(options: Options) -> tuple[Side, ...]:
    """List the sides of a battle."""
    return SIDES[options.sides]


def allied(options: Options, side: Side) -> Text | None:
    """Say who fights at a side's side; nothing where nobody does."""
    mates = tuple(mate for team in teams(options) if side in team for mate in team if mate != side)
    return say("with {side}", side=named(mates)) if mates else None


def named(of: tuple[Side, ...]) -> Text:
    """Name sides that do something together."""
    if len(of) < 2:
        return Text(of[0]) if of else say("nobody")
    return say("{one} and {two}", one=listed(tuple(map(Text, of[:-1])), say("nobody")), two=Text(of[-1]))


def edge(options: Options, side: Side) -> Edge:
    """Return the edge of the board that a side plays from."""
    return TEAM_EDGES[side] if options.sides == "teams" else EDGES[side]


def grid(options: Options) -> Grid:
    """Return the board (CW-01, CW-167)."""
    return _grid(options.squares)


@cache
def _grid(size: int) -> Grid:
    return Grid(FILES[:size], size)


def home(options: Options, side: Side) -> tuple[str, ...]:
    """List a side's home squares, those nearest the enemy first: its three first ranks (CW-19).

    Partners share their ranks half and half; a side that plays from a flank leaves the corners to the others.
    """
    board, size = grid(options), options.squares
    ranks, files = range(size), range(size)
    match edge(options, side):
        case "south":
            ranks = range(DEPTH)
        case "north":
            ranks = range(size - DEPTH, size)
        case "west":
            ranks, files = range(DEPTH, size - DEPTH), range(DEPTH)
        case "east":
            ranks, files = range(DEPTH, size - DEPTH), range(size - DEPTH, size)
    if options.sides == "teams":
        half = size // 2
        files = range(half) if side in {"white", "black"} else range(half, size)
    across, up = AHEAD[edge(options, side)]
    squares = [(file, rank) for rank in ranks for file in files]
    squares.sort(key=lambda at: (-(at[0] * across + at[1] * up), at))
    return tuple(f"{board.files[file]}{rank + 1}" for file, rank in squares)


def shift(options: Options, side: Side, face: int) -> tuple[int, int]:
    """Return how far a scatter die moves the impact, as (files, ranks), seen by that side (CW-70, CW-71, table 2.3)."""
    across, up = AHEAD[edge(options, side)]
    return {1: (across, up), 2: (up, -across), 3: (-across, -up), 4: (-up, across)}.get(face, (0, 0))


Place = Literal["ahead_left", "ahead", "ahead_right", "left", "right", "back_left", "back", "back_right"]
"""A square beside the one that is aimed at, as the shooter sees it (CW-70, CW-71)."""
Drift = tuple[int, int]
"""How far an impact is from the square aimed at: to the shooter's right, and away from the shooter."""
AROUND: dict[Place, tuple[Drift, Text]] = {
    "ahead_left": ((-1, 1), say("↖")),
    "ahead": ((0, 1), say("↑")),
    "ahead_right": ((1, 1), say("↗")),
    "left": ((-1, 0), say("←")),
    "right": ((1, 0), say("→")),
    "back_left": ((-1, -1), say("↙")),
    "back": ((0, -1), say("↓")),
    "back_right": ((1, -1), say("↘")),
}
"""Where each square beside it lies, and the arrow that points there."""


class Around(NamedTuple):
    """Who stands on the square aimed at, and on which squares beside it enemies and own units stand."""

    target: Text | None = None
    enemies: tuple[Place, ...] = ()
    own: tuple[Place, ...] = ()


def scattered(faces: tuple[int, ...]) -> Drift:
    """Add up scatter dice as the shooter sees them; their order does not matter (CW-70, CW-72)."""
    return faces.count(2) - faces.count(4), faces.count(1) - faces.count(3)


def drift_between(options: Options, side: Side, aimed_at: str, landed: str) -> Drift:
    """Return how far an impact is from the square aimed at, as a side sees it."""
    board, (across, up) = grid(options), AHEAD[edge(options, side)]
    (file, rank), (aimed_file, aimed_rank) = board.place(landed), board.place(aimed_at)
    files, ranks = file - aimed_file, rank - aimed_rank
    return files * up - ranks * across, files * across + ranks * up


class Impact(msgspec.Struct, frozen=True):
    """Where a shot came down, and on what.

    The square is None off the board, and where only the real board tells: there ``drift`` says how far from the one
    that was aimed at.
    """

    square: str | None
    result: Literal["hit", "empty", "own_square", "off_board"]
    unit: str | None = None
    drift: Drift | None = None
