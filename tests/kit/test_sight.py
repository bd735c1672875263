"""Lines of sight: what they meet, told by exact geometry, and what looking costs."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as some

from companion.kit.squares import CHESSBOARD, Grid, clear, crossed

LARGEST = Grid("abcdefghijklmnop", 16)
SQUARES = some.sampled_from(LARGEST.squares())


def within(start: str, goal: str, square: str) -> Fraction | None:
    """The part of the line from centre to centre that runs inside a square; None when it does not even touch it."""
    (x, y), (to_x, to_y), middle = LARGEST.place(start), LARGEST.place(goal), LARGEST.place(square)
    enter, leave = Fraction(0), Fraction(1)
    for begin, way, centre in ((x, to_x - x, middle[0]), (y, to_y - y, middle[1])):
        if way == 0:
            if begin != centre:
                return None
            continue
        edges = sorted((Fraction(2 * (centre - begin) + side, 2 * way)) for side in (-1, 1))
        enter, leave = max(enter, edges[0]), min(leave, edges[1])
    return leave - enter if leave >= enter else None


@given(SQUARES, SQUARES)
def test_a_line_meets_the_squares_that_geometry_says(start: str, goal: str) -> None:
    found = crossed(LARGEST, start, goal)
    told = {square: part for square in LARGEST.squares() if (part := within(start, goal, square)) is not None}
    del told[start]
    told.pop(goal, None)
    even = [square for pair in found.even for square in pair]
    touched = {square for pair in found.corners for square in pair}
    assert {*found.inside, *even} == {square for square, part in told.items() if part}
    assert touched >= {square for square, part in told.items() if not part}
    assert touched <= {start, goal, *told}
    assert all(told[one] == told[other] for one, other in found.even)
    assert len({*found.inside, *even}) == len(found.inside) + len(even)


@given(SQUARES, SQUARES, some.frozensets(SQUARES, max_size=40), some.booleans())
def test_a_line_is_as_clear_in_either_direction(start: str, goal: str, closed: frozenset[str], strict: bool) -> None:
    assert clear(LARGEST, start, goal, closed, strict=strict) == clear(LARGEST, goal, start, closed, strict=strict)


def test_a_pair_closes_a_line_only_together() -> None:
    assert crossed(CHESSBOARD, "a1", "b3").even == (("a2", "b2"),)
    assert clear(CHESSBOARD, "a1", "b3", {"a2"})
    assert not clear(CHESSBOARD, "a1", "b3", {"a2"}, strict=True)
    assert not clear(CHESSBOARD, "a1", "b3", {"a2", "b2"})
    assert crossed(CHESSBOARD, "a1", "c3").corners == (("a2", "b1"), ("b3", "c2"))
    assert clear(CHESSBOARD, "a1", "c3", {"a2", "b3"})
    assert not clear(CHESSBOARD, "a1", "c3", {"b2"})


def test_looking_over_the_whole_of_a_large_board_keeps_little() -> None:
    squares = LARGEST.squares()
    crossed.cache_clear()
    tracemalloc.start()
    try:
        for start in squares:
            for goal in squares:
                crossed(LARGEST, start, goal)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 6_000_000
