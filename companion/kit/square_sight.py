"""Lines of sight over a square board, from centre to centre, in whole numbers."""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache

import msgspec

from companion.kit.squares import Grid


class Crossed(msgspec.Struct, frozen=True):
    """The squares between two others that the line between their centres meets.

    ``inside`` are those whose interior it runs through for sure. ``even`` are pairs of neighbours that it crosses for
    equal lengths (a knight's-move line), ``corners`` pairs that it passes between, touching both at one point only.
    """

    inside: tuple[str, ...]
    even: tuple[tuple[str, str], ...]
    corners: tuple[tuple[str, str], ...]


Steps = tuple[int, int]
"""How many files to the right and ranks up, from where the line starts."""


# A chessboard has 4,096 pairs of squares; a board of 16 x 16, where there are 16 times as many, keeps the latest.
@lru_cache(maxsize=4096)
def crossed(grid: Grid, start: str, goal: str) -> Crossed:
    """Find what the line between two squares meets; the two squares themselves are left out."""
    (file, rank), (goal_file, goal_rank) = grid.place(start), grid.place(goal)
    inside, even, corners = _course(goal_file - file, goal_rank - rank)
    names = _names(grid)
    return Crossed(
        tuple([names[file + across][rank + up] for across, up in inside]),
        tuple([(names[file + a][rank + b], names[file + c][rank + d]) for (a, b), (c, d) in even]),
        tuple([(names[file + a][rank + b], names[file + c][rank + d]) for (a, b), (c, d) in corners]),
    )


@lru_cache(maxsize=1024)
def _course(across: int, up: int) -> tuple[list[Steps], list[tuple[Steps, Steps]], list[tuple[Steps, Steps]]]:
    """Find what a line so long meets, wherever it starts: all of it lies between its two ends."""
    long, short = max(abs(across), abs(up)), min(abs(across), abs(up))

    def steps(ahead: int, aside: int) -> Steps:
        wide, high = (ahead, aside) if abs(across) >= abs(up) else (aside, ahead)
        return wide if across >= 0 else -wide, high if up >= 0 else -high

    inside: list[Steps] = []
    even: list[tuple[Steps, Steps]] = []
    corners: list[tuple[Steps, Steps]] = []
    for ahead in range(long):
        # In units of 1/(2 * long): the line enters the column ``ahead`` at low and leaves it at high.
        low, high = (2 * ahead - 1) * short, (2 * ahead + 1) * short
        if ahead:
            met = [steps(ahead, aside) for aside in range(short + 1) if _overlap(low, high, aside, long)]
            if len(met) == 2 and (2 * ahead * short) % (2 * long) == long:
                even.append((met[0], met[1]))
            else:
                inside.extend(met)
        if high % (2 * long) == long:
            aside = high // (2 * long)
            corners.append((steps(ahead, aside + 1), steps(ahead + 1, aside)))
    return inside, even, corners


def _overlap(low: int, high: int, aside: int, long: int) -> bool:
    if low == high:
        return aside == 0
    return low < (2 * aside + 1) * long and high > (2 * aside - 1) * long


@lru_cache(maxsize=64)
def _names(grid: Grid) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(f"{file}{rank + 1}" for rank in range(grid.ranks)) for file in grid.files)


def clear(grid: Grid, start: str, goal: str, closed: Container[str], *, strict: bool = False) -> bool:
    """Tell whether nothing closes the line between two squares.

    A square inside the line closes it; of a pair that it passes evenly between, both must be closed, unless ``strict``
    lets each square of an even pair close it by itself. The two ends never do.
    """
    met = crossed(grid, start, goal)
    if any(square in closed for square in met.inside):
        return False
    if any(all(square in closed for square in pair) for pair in met.corners):
        return False
    both = any if strict else all
    return not any(both(square in closed for square in pair) for pair in met.even)
