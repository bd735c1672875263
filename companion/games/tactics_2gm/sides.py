"""Sides, seats and the battlefield: who plays for whom, and how lines are counted (G2-72, G2-146, G2-157, 2.2)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Literal

from companion.games.tactics_2gm.options import Side
from companion.kit.squares import Grid

if TYPE_CHECKING:
    from companion.games.tactics_2gm.options import Options

Seat = Literal["allies", "axis", "allies_1", "allies_2", "axis_1", "axis_2"]

SIDES: tuple[Side, ...] = ("allies", "axis")
LINES = 6
"""Lines of the battlefield, counted from their owner's deployment line; the enemy sees line ``7 - line``."""
MIDDLE = (4, 5)
"""Columns in whose middle the headquarters lies, behind line 1 (G2-72)."""
WIDTH = 8
FILES = "abcdefghijklmnop"


def other(side: Side) -> Side:
    """Return the enemy."""
    return "axis" if side == "allies" else "allies"


def paired(options: Options, side: Side) -> bool:
    """Tell whether two players lead a side (G2-146, G2-157)."""
    return options.players == "four" or (options.players == "three" and options.pair == side)


def seats_of(options: Options, side: Side) -> tuple[Seat, ...]:
    """List the seats of a side."""
    if not paired(options, side):
        return (side,)
    return ("allies_1", "allies_2") if side == "allies" else ("axis_1", "axis_2")


def seats(options: Options) -> tuple[Seat, ...]:
    """List the seats of the battle, the Allies first."""
    return tuple(seat for side in SIDES for seat in seats_of(options, side))


def side_of(seat: Seat) -> Side:
    """Return the side that a seat plays for."""
    return "allies" if seat.startswith("allies") else "axis"


@cache
def _grid(columns: int) -> Grid:
    return Grid(FILES[:columns], LINES)


def grid(options: Options) -> Grid:
    """Return the battlefield; the Allies play from its lower edge."""
    return _grid(options.columns)


def square(options: Options, side: Side, column: int, line: int) -> str:
    """Return the square of a column (from 1) and a line as that side counts it (2.2)."""
    rank = line if side == "allies" else LINES + 1 - line
    return f"{FILES[: options.columns][column - 1]}{rank}"


def column_of(place: str) -> int:
    """Return a square's column, from 1."""
    return FILES.index(place[0]) + 1


def line_of(side: Side, place: str) -> int:
    """Return a square's line as a side counts it (2.2)."""
    rank = int(place[1:])
    return rank if side == "allies" else LINES + 1 - rank


def in_line(options: Options, side: Side, line: int) -> tuple[str, ...]:
    """List the squares of a line as a side counts it."""
    return tuple(square(options, side, column, line) for column in range(1, options.columns + 1))


def distance(one: str, two: str) -> int:
    """Count the squares between two squares as for movement (G2-102, G2-A20)."""
    return abs(column_of(one) - column_of(two)) + abs(int(one[1:]) - int(two[1:]))


def hq_distance(place: str, owner: Side, board: int = 0) -> int:
    """Count the squares from a square to a headquarters; ``board`` is which of two copies it lies on (2.2)."""
    beside = min(abs(column_of(place) - column - WIDTH * board) for column in MIDDLE)
    return line_of(owner, place) + beside


def hq_place(side: Side, board: int = 0) -> str:
    """Return the square of the drawn board where a headquarters stands, one line behind line 1 (2.2)."""
    return f"{FILES[MIDDLE[0] - 1 + WIDTH * board]}{0 if side == 'allies' else LINES + 1}"
