"""A board of squares: places, distances, lines, and what blocks the sight between two of them."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cache, lru_cache

import msgspec

ACROSS_A_SIDE = ((0, 1), (1, 0), (0, -1), (-1, 0))


class Grid(msgspec.Struct, frozen=True):
    """A board of squares named by a file's letter and a rank's number from 1: ``a1`` is at the lower left."""

    files: str
    ranks: int

    def squares(self) -> tuple[str, ...]:
        """List every square, rank by rank from the lowest, files left to right."""
        return tuple(f"{file}{rank}" for rank in range(1, self.ranks + 1) for file in self.files)

    def place(self, square: str) -> tuple[int, int]:
        """Return a square's (file, rank), both from 0; raise ValueError when it is not on the board."""
        place = _places(self).get(square)
        if place is None:
            raise ValueError(square)
        return place

    def __contains__(self, square: object) -> bool:
        return isinstance(square, str) and square in _places(self)

    def step(self, square: str, across: int, up: int) -> str | None:
        """Return the square so many files to the right and ranks up; None beyond the edge."""
        file, rank = self.place(square)
        file, rank = file + across, rank + up
        if 0 <= file < len(self.files) and 0 <= rank < self.ranks:
            return f"{self.files[file]}{rank + 1}"
        return None

    def ray(self, square: str, across: int, up: int) -> Iterator[str]:
        """Walk from a square to the edge, the square itself left out."""
        ahead = self.step(square, across, up)
        while ahead is not None:
            yield ahead
            ahead = self.step(ahead, across, up)

    def beside(self, square: str) -> tuple[str, ...]:
        """List the squares that share a side with a square."""
        return _beside(self, square)

    def apart(self, start: str, goal: str) -> int:
        """Count the squares from a square to another through sides."""
        (file, rank), (goal_file, goal_rank) = self.place(start), self.place(goal)
        return abs(file - goal_file) + abs(rank - goal_rank)

    def around(self, square: str) -> tuple[str, ...]:
        """List the squares that share a side or a corner with a square."""
        return _around(self, square)

    def moves_apart(self, start: str, goal: str) -> int:
        """Count the squares from a square to another through sides and corners, as a chess king walks."""
        (file, rank), (goal_file, goal_rank) = self.place(start), self.place(goal)
        return max(abs(file - goal_file), abs(rank - goal_rank))

    def share_a_corner(self, start: str, goal: str) -> bool:
        """Tell whether two squares touch at a corner only."""
        (file, rank), (goal_file, goal_rank) = self.place(start), self.place(goal)
        return abs(file - goal_file) == abs(rank - goal_rank) == 1

    def reach(self, start: str, limit: int, closed: Container[str]) -> dict[str, tuple[str, ...]]:
        """Find every square within ``limit`` steps through sides that avoid ``closed`` squares.

        Returns square -> the squares entered on a shortest way to it; the start itself is left out.
        """
        paths: dict[str, tuple[str, ...]] = {start: ()}
        edge = [start]
        for _ in range(limit):
            ahead: list[str] = []
            for here in edge:
                for there in self.beside(here):
                    if there not in closed and there not in paths:
                        paths[there] = (*paths[here], there)
                        ahead.append(there)
            edge = ahead
        del paths[start]
        return paths

    def shortest(self, start: str, goal: str, closed: Container[str]) -> int | None:
        """Count the steps of the shortest way whose squares between start and goal are not closed; None if none is."""
        reached, edge, steps = {start}, {start}, 0
        while edge:
            steps += 1
            beside = {there for here in edge for there in self.beside(here)}
            if goal in beside:
                return steps
            edge = {there for there in beside - reached if there not in closed}
            reached |= edge
        return None


@cache
def _places(grid: Grid) -> dict[str, tuple[int, int]]:
    return {f"{name}{rank + 1}": (file, rank) for rank in range(grid.ranks) for file, name in enumerate(grid.files)}


@cache
def _beside(grid: Grid, square: str) -> tuple[str, ...]:
    return tuple(there for side in ACROSS_A_SIDE if (there := grid.step(square, *side)) is not None)


@cache
def _around(grid: Grid, square: str) -> tuple[str, ...]:
    steps = ((across, up) for up in (1, 0, -1) for across in (-1, 0, 1) if (across, up) != (0, 0))
    return tuple(there for step in steps if (there := grid.step(square, *step)) is not None)


CHESSBOARD = Grid("abcdefgh", 8)


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
