"""What is the same for every seat of a free table is listed once, and what is a seat's own is not in it."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.free_table import kinds
from companion.games.free_table.game import GAME
from companion.games.free_table.kinds import roles
from companion.games.free_table.start import PRESETS
from companion.games.free_table.trackers import State
from companion.kit.game import RULEKEEPER, SCREEN

SEATS = roles(9)


def table(*begin: str) -> State:
    people = {seat: ("Ana", "ANA", "Ben")[at % 3] for at, seat in enumerate(SEATS)}
    made: Any = State(len(SEATS), people)
    for tracker in (one for name in begin for one in PRESETS[name]):
        made = made.add(tracker)
    return made


def shown(state: State, seat: str) -> bytes:
    return msgspec.json.encode((GAME.view(state, seat), GAME.offers(state, seat)))


@pytest.mark.parametrize("begin", PRESETS)
def test_no_seat_is_shown_or_offered_anything_else_for_who_looked_before(begin: str) -> None:
    state = table(begin)
    for seat in (*SEATS, RULEKEEPER, SCREEN):
        assert shown(state, seat) == shown(table(begin), seat)


def test_lines_of_players_are_listed_once_for_all_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[str] = []
    called = kinds.Table.called
    monkeypatch.setattr(kinds.Table, "called", lambda self, seat: (named.append(seat), called(self, seat))[1])
    state = table("scores", "initiative")
    shown(state, SEATS[0])
    once = len(named)
    for seat in SEATS[1:]:
        shown(state, seat)
    assert 0 < once == len(named)


def test_of_two_people_of_a_name_both_are_told_with_their_seats() -> None:
    state = State(4, {"player_1": "Ana", "player_2": "aNA", "player_3": "Ben"})
    said = [msgspec.json.encode(state.called(seat)).decode() for seat in roles(4)]
    assert ["(" in one for one in said] == [True, True, False, False]
