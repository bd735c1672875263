"""What follows from a state is worked out once for that very state, and never shown for another one."""

from __future__ import annotations

import gc
import weakref

import msgspec
import pytest

from companion.kit.game import Frozen
from companion.kit.once import once


class State(Frozen, frozen=True, dict=True, weakref=True):
    points: int = 0


def test_it_is_worked_out_once_for_a_state_and_what_else_is_given() -> None:
    asked = []

    @once
    def times(state: State, factor: int) -> int:
        asked.append((state.points, factor))
        return state.points * factor

    @once
    def same(state: State, factor: int) -> int:
        return factor

    state = State(3)
    assert [times(state, factor) for factor in (2, 4, 2)] == [6, 12, 6]
    assert [times(one, 2) for one in (state.but(points=5), State(3))] == [10, 6]
    assert same(state, 2) == 2
    assert asked == [(3, 2), (3, 4), (5, 2), (3, 2)]


def test_what_is_kept_is_no_part_of_a_state_and_goes_with_it() -> None:
    class Board:
        pass

    @once
    def board(state: State) -> Board:
        return Board()

    state = State(3)
    before = msgspec.json.encode(state), hash(state)
    made = weakref.ref(board(state))
    assert (msgspec.json.encode(state), hash(state)) == before
    assert state == State(3)
    assert made() is not None
    del state
    gc.collect()
    assert made() is None


def test_a_mistake_is_not_kept() -> None:
    tries = iter([1, 0])

    @once
    def fragile(state: State) -> int:
        if next(tries):
            raise LookupError
        return state.points

    state = State(3)
    with pytest.raises(LookupError):
        fragile(state)
    assert fragile(state) == 3
