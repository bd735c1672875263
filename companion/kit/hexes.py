"""Hexagons in axial coordinates, flat-top: directions, distance, and the names that a board gives them."""

from __future__ import annotations

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


def named(name: str) -> Hex:
    """Return the hexagon of a name; raise ValueError when there is no such column."""
    q, rank = FILES.index(name[0]) - _MIDDLE, int(name[1:])
    height = 2 * (rank - 1) + q % 2
    return Hex(q, -(height + q) // 2)


def opposite(direction: int) -> int:
    """Return the direction back."""
    return (direction + 2) % 6 + 1
