"""Square boards: names, neighbours, distance, reach and shortest ways."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.kit.squares import CHESSBOARD, Grid

SQUARES = some.sampled_from(CHESSBOARD.squares())
CLOSED = some.frozensets(SQUARES, max_size=30)


def test_squares_are_named_by_file_and_rank() -> None:
    assert len(CHESSBOARD.squares()) == 64
    assert CHESSBOARD.squares()[:2] == ("a1", "b1")
    assert CHESSBOARD.place("h8") == (7, 7)
    assert CHESSBOARD.step("d4", 1, -1) == "e3"
    assert CHESSBOARD.step("h4", 1, 0) is None
    assert list(CHESSBOARD.ray("d6", 0, 1)) == ["d7", "d8"]
    assert Grid("ab", 12).place("b12") == (1, 11)


@pytest.mark.parametrize("wrong", ["", "a", "a0", "a9", "i1", "a01", "aa", "1a", "a1 ", "a-1", "a²", "a10", "A1"])
def test_what_is_no_square_is_none(wrong: str) -> None:
    assert wrong not in CHESSBOARD
    with pytest.raises(ValueError, match=r".*"):
        CHESSBOARD.place(wrong)


def test_other_things_are_no_squares() -> None:
    assert None not in CHESSBOARD
    assert 5 not in CHESSBOARD


@given(SQUARES, SQUARES)
def test_distance_and_contact_agree(one: str, other: str) -> None:
    assert CHESSBOARD.apart(one, other) == CHESSBOARD.apart(other, one)
    assert (other in CHESSBOARD.beside(one)) == (CHESSBOARD.apart(one, other) == 1)
    if CHESSBOARD.share_a_corner(one, other):
        assert CHESSBOARD.apart(one, other) == 2


@given(SQUARES, SQUARES)
def test_on_an_empty_board_the_shortest_way_is_the_distance(one: str, other: str) -> None:
    if one != other:
        assert CHESSBOARD.shortest(one, other, ()) == CHESSBOARD.apart(one, other)
        assert (other in CHESSBOARD.reach(one, 5, ())) == (CHESSBOARD.apart(one, other) <= 5)


@given(SQUARES, CLOSED, some.integers(0, 6))
def test_every_way_is_open_connected_and_as_short_as_can_be(start: str, closed: frozenset[str], limit: int) -> None:
    found = CHESSBOARD.reach(start, limit, closed)
    assert start not in found
    for goal, way in found.items():
        assert way[-1] == goal
        assert len(way) <= limit
        assert not closed & set(way)
        assert all(CHESSBOARD.apart(a, b) == 1 for a, b in zip((start, *way), way, strict=False))
        assert CHESSBOARD.shortest(start, goal, closed) == len(way)


@given(SQUARES, SQUARES, CLOSED)
def test_the_ends_of_a_way_never_close_it(one: str, other: str, closed: frozenset[str]) -> None:
    if one != other:
        assert CHESSBOARD.shortest(one, other, closed) == CHESSBOARD.shortest(one, other, closed - {one, other})


def test_a_wall_without_a_gap_is_not_passed() -> None:
    wall = {f"{file}4" for file in "abcdefgh"}
    assert CHESSBOARD.shortest("d3", "d5", wall) is None
    assert CHESSBOARD.shortest("d3", "d5", wall - {"h4"}) == 10
