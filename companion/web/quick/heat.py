"""Heat maps: a chart of odds that lies on a board, sorted for drawing it."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import msgspec

from companion.kit.odds import Bar, Chart, hundredths

PALEST, DEEPEST = 0.1, 0.4
"""How much of the colour the smallest and the largest chance have: words stay legible on both."""
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
