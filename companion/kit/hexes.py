"""A map of hexagons: places, directions, distances, and who sees whom along the straight line between two middles."""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import lru_cache
from typing import NamedTuple

DIRECTIONS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""What lies beyond the six sides, clockwise from the upper one (north); they are numbered from 1."""
FILES = "abcdefghijklmnopqrstuvwxy"
"""Names of the columns; ``m`` is the one through the origin."""
_MIDDLE = FILES.index("m")


class Hex(NamedTuple):
    """A hexagon: ``q`` counts columns to the right, ``r`` hexagons down along a column; the origin is ``m1``."""

    q: int
    r: int

    @property
    def height(self) -> int:
        """Return how far up it lies, in half hexagons."""
        return -(2 * self.r + self.q)

    @property
    def name(self) -> str:
        """Return the name of its column and the number of its rank; raise ValueError beyond the last column."""
        if not 0 <= self.q + _MIDDLE < len(FILES):
            raise ValueError(self)
        return f"{FILES[self.q + _MIDDLE]}{self.height // 2 + 1}"

    def beyond(self, direction: int) -> Hex:
        """Return the neighbour across a side, 1 (north) to 6 clockwise."""
        q, r = DIRECTIONS[direction - 1]
        return Hex(self.q + q, self.r + r)

    @property
    def beside(self) -> tuple[Hex, ...]:
        """List the six neighbours, clockwise from the north."""
        return tuple(self.beyond(direction) for direction in range(1, 7))

    def apart(self, other: Hex) -> int:
        """Count the steps to another hexagon."""
        q, r = self.q - other.q, self.r - other.r
        return max(abs(q), abs(r), abs(q + r))

    def towards(self, other: Hex) -> int:
        """Return the direction in which a neighbour lies; raise ValueError for any other hexagon."""
        return self.beside.index(other) + 1


@lru_cache(maxsize=1024)
def named(name: str) -> Hex:
    """Return the hexagon of a name; raise ValueError when there is no such column."""
    q, rank = FILES.index(name[0]) - _MIDDLE, int(name[1:])
    height = 2 * (rank - 1) + q % 2
    return Hex(q, -(height + q) // 2)


def opposite(direction: int) -> int:
    """Return the direction back."""
    return (direction + 2) % 6 + 1


CORNERS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
"""Corners of a hexagon, seen from its centre, where ``_centre`` puts that; being straight needs no more exact scale."""


def stretches(start: Hex, goal: Hex) -> tuple[tuple[Hex, ...], ...]:
    """List what the line between two centres runs over, in its order, both ends included.

    A stretch is one hexagon that it runs through, or the two that it runs exactly between, along their shared side.
    From each stretch to the next it crosses the side that they share. A hexagon that it only touches at a corner is
    none of them.
    """
    course = _course(goal.q - start.q, goal.r - start.r)
    return tuple(tuple(Hex(start.q + q, start.r + r) for q, r in stretch) for stretch in course)


def clear(start: Hex, goal: Hex, present: Container[Hex], passable: Callable[[Hex, Hex], bool]) -> bool:
    """Tell whether nothing closes the line between two hexagons.

    Each one that it runs through must be ``present``, and each side that it crosses ``passable``. Where it runs along
    a shared side, one of the two hexagons is enough.
    """
    reached: tuple[Hex, ...] = (start,)
    for stretch in stretches(start, goal)[1:]:
        reached = tuple(
            here for here in stretch if here in present and any(passable(before, here) for before in reached)
        )
    return bool(reached)


@lru_cache(maxsize=4096)
def _course(q: int, r: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Find what a line so long runs over, wherever it starts."""
    goal = _centre(q, r)
    met: dict[int, list[tuple[int, int]]] = {}
    for column in range(min(q, 0), max(q, 0) + 1):
        for row in range(min(r, 0), max(r, 0) + 1):
            across, along = _centre(column, row)
            sides = [goal[0] * (along + up) - goal[1] * (across + right) for right, up in CORNERS]
            if min(sides) < 0 < max(sides) or sides.count(0) == 2:
                # How far along the line the centre lies: rows are the square root of three closer than columns.
                met.setdefault(across * goal[0] + 3 * along * goal[1], []).append((column, row))
    return tuple(tuple(sorted(met[far])) for far in sorted(met)) or (((0, 0),),)


def _centre(q: int, r: int) -> tuple[int, int]:
    return 3 * q, 2 * r + q
