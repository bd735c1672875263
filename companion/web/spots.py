"""Where the squares of a board lie in its drawing: squares of ten units, or hexagons that are about as high."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.kit.panels import Board

WIDTH, HEIGHT = 12, 10.4
"""A hexagon that lies on a side; its columns overlap by a quarter of its width."""
SIDES = ((0, -5.2), (4.5, -2.6), (4.5, 2.6), (0, 5.2), (-4.5, 2.6), (-4.5, -2.6))
"""The middle of each side of a hexagon as seen from its own, from the upper one clockwise."""
CHANNELS = ("M0 0V-5.2", "M0 0l4.5-2.6", "M0 0l4.5 2.6", "M0 0V5.2", "M0 0l-4.5 2.6", "M0 0l-4.5-2.6")
WALLS = (
    "M-2.6-4.6h5.2",
    "M2.7-4.5l2.6 4.5",
    "M5.3 0l-2.6 4.5",
    "M2.6 4.6h-5.2",
    "M-2.7 4.5l-2.6-4.5",
    "M-5.3 0l2.6-4.5",
)


class Spot(msgspec.Struct, frozen=True):
    """Tell where a square lies: its centre in the drawing, and the classes of what lies over it (column and row)."""

    x: float
    y: float
    cell: str


class Spots(msgspec.Struct, frozen=True):
    """Tell where every square lies in a seat's own view of a board, whose drawing is ``across`` wide and ``down`` high.

    ``files`` and ``ranks`` begin at the top left; the files that are ``low`` lie half a hexagon lower than the others.
    """

    files: tuple[str, ...]
    ranks: tuple[str, ...]
    low: tuple[str, ...]
    across: float
    down: float
    at: Mapping[str, Spot]
    turned: bool

    def side(self, number: int) -> int:
        """Return where a side of a hexagon is seen, from 0 (up) clockwise."""
        return (number + (2 if self.turned else -1)) % 6

    def beyond(self, square: str, number: int) -> str | None:
        """Name the hexagon across a side of another, None where the board ends."""
        (x, y), here = SIDES[self.side(number)], self.at.get(square)
        if here is None:
            return None
        there = (here.x + 2 * x, here.y + 2 * y)
        return next((name for name, at in self.at.items() if abs(at.x - there[0]) + abs(at.y - there[1]) < 1), None)


def spots(board: Board) -> Spots:
    """Find where every square of a board lies."""
    files = board.files[::-1] if board.turned else board.files
    ranks = board.ranks if board.turned else board.ranks[::-1]
    if not board.hexes:
        at = {
            file + rank: Spot(column * 10 - 5, row * 10 - 5, f"f{column} r{row}")
            for row, rank in enumerate(ranks, 1)
            for column, file in enumerate(files, 1)
        }
        return Spots(files, ranks, (), len(files) * 10, len(ranks) * 10, at, board.turned)
    low = tuple(file for file in files if (file in board.raised) == board.turned)
    if len(low) == len(files):
        low = ()
    at = {
        file + rank: Spot(
            column * 9 - 3,
            round(HEIGHT * (row if file in low else row - 0.5), 1),
            f"f{column} r{row}{' low' if file in low else ''}",
        )
        for row, rank in enumerate(ranks, 1)
        for column, file in enumerate(files, 1)
    }
    down = round(HEIGHT * (len(ranks) + (0.5 if low else 0)), 1)
    return Spots(files, ranks, low, len(files) * 9 + WIDTH - 9, down, at, board.turned)
