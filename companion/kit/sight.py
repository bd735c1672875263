"""Lines of sight over a square board, from centre to centre, in whole numbers."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Container

    from companion.kit.squares import Grid


class Crossed(msgspec.Struct, frozen=True):
    """Hold the squares between two others that the line between their centres meets.

    ``inside`` are those whose interior it runs through for sure. ``even`` are pairs of neighbours that it crosses for
    equal lengths (a knight's-move line), ``corners`` pairs that it passes between, touching both at one point only;
    a square beyond the edge is None.
    """

    inside: tuple[str, ...]
    even: tuple[tuple[str, str], ...]
    corners: tuple[tuple[str | None, str | None], ...]


@cache
def crossed(grid: Grid, start: str, goal: str) -> Crossed:
    """Find what the line between two squares meets; the two squares themselves are left out."""
    (file, rank), (goal_file, goal_rank) = grid.place(start), grid.place(goal)
    across, up = goal_file - file, goal_rank - rank
    long, short = max(abs(across), abs(up)), min(abs(across), abs(up))

    def square(ahead: int, aside: int) -> str | None:
        wide, high = (ahead, aside) if abs(across) >= abs(up) else (aside, ahead)
        return grid.step(start, wide if across >= 0 else -wide, high if up >= 0 else -high)

    inside: list[str] = []
    even: list[tuple[str, str]] = []
    corners: list[tuple[str | None, str | None]] = []
    for ahead in range(long):
        # In units of 1/(2 * long): the line enters the column ``ahead`` at low and leaves it at high.
        low, high = (2 * ahead - 1) * short, (2 * ahead + 1) * short
        if ahead:
            met = [aside for aside in range(short + 1) if _overlap(low, high, aside, long)]
            pair = tuple(found for aside in met if (found := square(ahead, aside)) is not None)
            if len(pair) == 2 and (2 * ahead * short) % (2 * long) == long:
                even.append((pair[0], pair[1]))
            else:
                inside.extend(pair)
        if high % (2 * long) == long:
            aside = high // (2 * long)
            corners.append((square(ahead, aside + 1), square(ahead + 1, aside)))
    return Crossed(tuple(inside), tuple(even), tuple(corners))


def _overlap(low: int, high: int, aside: int, long: int) -> bool:
    if low == high:
        return aside == 0
    return low < (2 * aside + 1) * long and high > (2 * aside - 1) * long


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
