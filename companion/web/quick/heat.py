"""Heat maps: a chart of odds that lies on a board, sorted for drawing it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import msgspec

from companion.kit.odds import Bar, Chart, hundredths

PALEST, DEEPEST = 0.1, 0.4
"""How much of the colour the smallest and the largest chance have: words stay legible on both."""
SIDE = 10
"""How wide a square is drawn."""
BESIDE = 6
"""The room for names beside the board."""
LARGEST = 5.4
"""Letters at most, where a square is ten: three of them fit beside each other."""


class Square(msgspec.Struct, frozen=True):
    """One square: its place as (column, row) from the top left, 1-based, its chance, how deep its colour is.

    ``whole`` is how many of a hundred its chance is.
    """

    bar: Bar
    whole: int
    column: int
    row: int
    shade: float

    @property
    def corner(self) -> str:
        """Say where its upper left corner is drawn."""
        return f"{self.column * SIDE - SIDE} {self.row * SIDE - SIDE}"


class Heat(msgspec.Struct, frozen=True):
    """A chart as a board: the squares that anything falls on, and the bars of no square, of so many in a hundred.

    ``dark`` are the dark squares as one path, where a square is ten; ``letters`` the size of what is written on them.
    """

    files: tuple[str, ...]
    ranks: tuple[str, ...]
    squares: tuple[Square, ...]
    others: tuple[tuple[Bar, int], ...]
    dark: str
    letters: float

    @property
    def across(self) -> int:
        """Return how wide the board is drawn."""
        return len(self.files) * SIDE

    @property
    def down(self) -> int:
        """Return how high the board is drawn."""
        return len(self.ranks) * SIDE

    @property
    def view(self) -> str:
        """Return what is seen: the board, with the ranks left of it and the files beneath."""
        return f"-{BESIDE} 0 {self.across + BESIDE} {self.down + BESIDE}"

    @property
    def named_files(self) -> list[tuple[str, int, int]]:
        """List the files, each with the middle of its name."""
        return [(file, at * SIDE - SIDE // 2, self.down + BESIDE // 2) for at, file in enumerate(self.files, 1)]

    @property
    def named_ranks(self) -> list[tuple[str, int, int]]:
        """List the ranks, each with the middle of its name."""
        return [(rank, -BESIDE // 2, at * SIDE - SIDE // 2) for at, rank in enumerate(self.ranks, 1)]

    @property
    def under(self) -> str:
        """Draw what lies under the squares, so that a chance has the same colour on dark ones and on light ones."""
        return "".join(f"M{one.corner}h{SIDE}v{SIDE}h-{SIDE}z" for one in self.squares)


def heat(chart: Chart) -> Heat | None:
    """Sort a chart for drawing it on its board; None where it has none."""
    board = chart.map
    if board is None:
        return None
    files = board.files[::-1] if board.turned else board.files
    ranks = board.ranks if board.turned else board.ranks[::-1]
    places = {file + rank: (column, row) for row, rank in enumerate(ranks, 1) for column, file in enumerate(files, 1)}
    bars = tuple(zip(chart.bars, hundredths(bar.chance for bar in chart.bars), strict=True))
    most = max((bar.chance for bar, _ in bars if bar.place in places), default=Fraction(0))
    squares = tuple(
        Square(bar, whole, *places[bar.place], round(PALEST + (DEEPEST - PALEST) * float(bar.chance / most), 2))
        for bar, whole in bars
        if bar.place in places and bar.chance > 0
    )
    others = tuple((bar, whole) for bar, whole in bars if bar.place not in places)
    a1 = len(files if board.turned else ranks) - 1  # which is dark, from whichever side the board is seen
    dark = "".join(
        f"M{column * 10} {row * 10}h10v10h-10z"
        for row, column in product(range(len(ranks)), range(len(files)))
        if (column + row - a1) % 2 == 0
    )
    return Heat(files, ranks, squares, others, dark, min(LARGEST, 0.45 * max(len(files), len(ranks))))
