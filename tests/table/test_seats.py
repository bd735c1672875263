"""Seats: private links, knocking at taken seats, handing over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.kit.text import speak
from companion.table.problem import Problem
from companion.table.seats import is_code
from tests.support.export_files import export
from tests.support.toy_tables import Sitting, open_tables, sit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.table.tables import Tables


def status(do: Callable[[], object]) -> int:
    with pytest.raises(Problem) as raised:
        do()
    return raised.value.status


def test_a_code_is_short_and_not_mistaken(table: Sitting) -> None:
    assert is_code(table.id)
    assert not set(table.id) & set("01IOLU")
    for wrong in ("", table.id.lower() + "x", table.id[:5], "00000O", "\ud800" * 6):
        assert not is_code(wrong)


def test_only_the_rulekeepers_seat_is_taken_at_first(tables: Tables) -> None:
    created = tables.create("toy", names={"red": "Ana"})
    assert set(created.tokens) == {"rulekeeper"}
    assert [person.seat for person in tables.summary(created.table).people if person.taken] == ["rulekeeper"]
    assert tables.seat_of(created.table, created.tokens["rulekeeper"]) == "rulekeeper"


def test_a_token_opens_its_seat_and_no_other(table: Sitting) -> None:
    tokens = table.tokens
    assert len(set(tokens.values())) == 3
    assert all(len(token) >= 43 for token in tokens.values())
    for seat, token in tokens.items():
        assert table.tables.seat_of(table.id, token) == seat
        assert table.tables.private_link(table.id, seat) == token
    for wrong in ("", "None", "\ud800", "ñ", tokens["red"][:-1], tokens["red"] + "x"):
        assert table.tables.seat_of(table.id, wrong) is None


def test_tokens_of_one_table_open_nothing_at_another(tables: Tables, table: Sitting) -> None:
    assert tables.seat_of(sit(tables).id, table.tokens["red"]) is None


def test_a_private_link_brings_the_seat_and_the_hand_back_after_a_restart(tmp_path: Path) -> None:
    with open_tables(tmp_path) as tables:
        table = sit(tables)
        table.act("red", "draw", count=3)
        link, hand = tables.private_link(table.id, "red"), table.hand("red")
    with open_tables(tmp_path) as tables:
        again = Sitting(tables, table.id, {})
        assert tables.seat_of(table.id, link) == "red"
        assert again.hand("red") == hand


def test_a_taken_seat_can_not_be_taken(table: Sitting) -> None:
    assert status(lambda: table.tables.join(table.id, "red", "Eve")) == 409
    assert status(lambda: table.tables.join(table.id, "rulekeeper", "Eve")) == 409
    assert status(lambda: table.tables.join(table.id, "screen", "Eve")) == 403
    assert status(lambda: table.tables.join(table.id, "green", "Eve")) == 404
    assert status(lambda: table.tables.join(table.id, "\ud800", "Eve")) == 404


def test_sitting_down_shows_everywhere(tables: Tables) -> None:
    created = tables.create("toy", names={"red": "Ana"})
    tables.join(created.table, "red", "")
    seen = tables.seen(created.table, "screen")
    assert [(person.seat, person.name, person.taken) for person in seen.people] == [
        ("red", "Ana", True),
        ("blue", "", False),
        ("rulekeeper", "", True),
    ]
    assert speak(seen.log[0].headline, str) == "Ana has joined: red"


def test_the_rulekeeper_hands_a_seat_over(table: Sitting) -> None:
    knock = table.tables.knock(table.id, "red", "Eve")
    assert table.tables.knocked(table.id, knock) is None
    assert table.seen("red").knocks == ()
    assert table.seen("screen").knocks == ()
    (waiting,) = table.seen("rulekeeper").knocks
    assert (waiting.seat, waiting.name) == ("red", "Eve")
    assert status(lambda: table.tables.grant(table.id, "red", waiting.id, yes=True, key="k")) == 403
    table.tables.grant(table.id, "rulekeeper", waiting.id, yes=True, key="k")
    token = table.tables.knocked(table.id, knock)
    assert token is not None
    assert table.tables.seat_of(table.id, token) == "red"
    assert table.tables.seat_of(table.id, table.tokens["red"]) is None
    assert table.seen("rulekeeper").knocks == ()
    assert speak(table.seen("screen").log[0].headline, str) == "Eve takes over from Red: red"


def test_the_rulekeeper_says_no(table: Sitting) -> None:
    knock = table.tables.knock(table.id, "red", "Eve")
    (waiting,) = table.seen("rulekeeper").knocks
    table.tables.grant(table.id, "rulekeeper", waiting.id, yes=False, key="k")
    assert table.tables.knocked(table.id, knock) == "no"
    assert table.tables.seat_of(table.id, table.tokens["red"]) == "red"
    assert status(lambda: table.tables.grant(table.id, "rulekeeper", waiting.id, yes=True, key="k2")) == 409


def test_a_seat_handed_on_is_not_given_to_the_one_before(table: Sitting) -> None:
    knock = table.tables.knock(table.id, "red", "Eve")
    table.tables.grant(table.id, "rulekeeper", table.seen("rulekeeper").knocks[0].id, yes=True, key="k")
    table.tables.release(table.id, "rulekeeper", "red", "k2")
    assert table.tables.knocked(table.id, knock) == "no"


def test_knocking_has_its_limits(table: Sitting) -> None:
    assert status(lambda: table.tables.knock(table.id, "green", "Eve")) == 404
    assert status(lambda: table.tables.knock(table.id, "rulekeeper", "Eve")) == 403
    assert status(lambda: table.tables.knocked(table.id, "\ud800")) == 404
    assert status(lambda: table.tables.knocked(table.id, "")) == 404
    for _ in range(8):
        table.tables.knock(table.id, "red", "Eve")
    assert status(lambda: table.tables.knock(table.id, "red", "Eve")) == 429


def test_old_knocks_are_forgotten(table: Sitting) -> None:
    first = table.tables.knock(table.id, "red", "Eve")
    for number in range(50):
        (waiting, *_) = table.seen("rulekeeper").knocks or (None,)
        if waiting is not None:
            table.tables.grant(table.id, "rulekeeper", waiting.id, yes=False, key=f"k{number}")
        table.tables.knock(table.id, "red", "Eve")
    assert status(lambda: table.tables.knocked(table.id, first)) == 404


def test_a_free_seat_needs_no_knocking(tables: Tables) -> None:
    table = sit(tables, seats=("red",))
    assert status(lambda: table.tables.knock(table.id, "blue", "Eve")) == 409


def test_a_released_seat_is_free_and_its_link_opens_nothing(table: Sitting) -> None:
    assert status(lambda: table.tables.release(table.id, "blue", "red", "k")) == 403
    table.tables.release(table.id, "rulekeeper", "red", "k")
    assert table.tables.seat_of(table.id, table.tokens["red"]) is None
    assert status(lambda: table.tables.private_link(table.id, "red")) == 409
    assert status(lambda: table.tables.release(table.id, "rulekeeper", "red", "k2")) == 409
    assert status(lambda: table.tables.release(table.id, "rulekeeper", "rulekeeper", "k3")) == 409
    token = table.tables.join(table.id, "red", "Eve")
    assert table.tables.seat_of(table.id, token) == "red"


def test_people_and_tables_can_be_renamed(table: Sitting) -> None:
    table.tables.rename(table.id, "red", "Ana", "k")
    table.tables.retitle(table.id, "rulekeeper", "Sunday", "k")
    assert status(lambda: table.tables.retitle(table.id, "red", "Mine", "k1")) == 403
    assert status(lambda: table.tables.rename(table.id, "red", "x" * 41, "k2")) == 400
    seen = table.seen("blue")
    assert (seen.people[0].name, seen.title) == ("Ana", "Sunday")
    assert table.tables.seat_of(table.id, table.tokens["red"]) == "red"


def test_what_was_made_under_a_key_is_given_again_after_a_restart(tmp_path: Path) -> None:
    key = "k" * 16
    with open_tables(tmp_path) as tables:
        made = tables.create("toy", names={"red": "Ana"}, key=key)
        token = tables.join(made.table, "red", "Ana", key)
        file = export(tables, made.table)
        copy = tables.import_(file, key)
    with open_tables(tmp_path) as tables:
        assert tables.create("toy", names={"red": "Ana"}, key=key) == made
        assert tables.join(made.table, "red", "Ana", key) == token
        assert tables.import_(file, key) == copy
        assert status(lambda: tables.join(made.table, "red", "Bo", key)) == 409
        assert len({one.table for one in tables.summaries()}) == 2


def test_people_of_one_name_are_told_apart_in_the_log_and_in_what_is_refused(table: Sitting) -> None:
    table.tables.rename(table.id, "red", "Ana", "k1")
    table.tables.rename(table.id, "blue", "ana", "k2")
    table.tables.release(table.id, "rulekeeper", "red", "k3")
    table.tokens["red"] = table.tables.join(table.id, "red", "Ana")
    table.correct("red", "turn", "blue")
    told = [speak(line.headline, str) for line in table.seen("screen").log[:3]]
    assert told[0].startswith("Ana (red) corrects")
    assert told[1:] == ["Ana has joined: red", "Ana gets up: red is free"], "the seat is said once"
    table.tables.rename(table.id, "blue", "Ben", "k4")
    table.correct("red", "turn", "red")
    assert speak(table.seen("screen").log[0].headline, str).startswith("Ana corrects")
