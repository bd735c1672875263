"""Sides of the battle: who is with whom, from which edge of the board each one plays, and its home squares."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal

from companion.kit.squares import Grid

if TYPE_CHECKING:
    from companion.games.chesswar.options import Options

Side = Literal["white", "black", "red", "blue"]
Edge = Literal["south", "north", "west", "east"]

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
EDGES: dict[Side, Edge] = {"white": "south", "black": "north", "red": "west", "blue": "east"}
TEAM_EDGES: dict[Side, Edge] = {"white": "south", "red": "south", "black": "north", "blue": "north"}

AHEAD: dict[Edge, tuple[int, int]] = {"south": (0, 1), "north": (0, -1), "west": (1, 0), "east": (-1, 0)}
"""One square away from a player who sits at that edge, as (files, ranks)."""


def teams(options: Options) -> tuple[tuple[Side, ...], ...]:
    """List the teams of a battle (CW-01, CW-178, CW-179)."""
    return TEAMS[options.sides]


def sides(options: Options) -> tuple[Side, ...]:
    """List the sides of a battle."""
    return tuple(side for side in ALL if any(side in team for team in teams(options)))


def partners(options: Options, side: Side) -> tuple[Side, ...]:
    """List the other sides that fight on the same team."""
    return tuple(one for team in teams(options) if side in team for one in team if one != side)


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
    found = [(file, rank) for rank in ranks for file in files]
    found.sort(key=lambda at: (-(at[0] * across + at[1] * up), at))
    return tuple(f"{board.files[file]}{rank + 1}" for file, rank in found)


def shift(options: Options, side: Side, face: int) -> tuple[int, int]:
    """Return how far a scatter die moves the impact, as (files, ranks), seen by that side (CW-70, CW-71, table 2.3)."""
    across, up = AHEAD[edge(options, side)]
    return {1: (across, up), 2: (up, -across), 3: (-across, -up), 4: (-up, across)}.get(face, (0, 0))
