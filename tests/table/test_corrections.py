"""Corrections: any tracked value, by hand, in the open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.games import discover
from companion.kit.ruling import Refusal
from companion.kit.text import speak
from companion.table.problem import Problem
from companion.table.store import Store
from companion.table.tables import Tables
from tests.support.toy_tables import Sitting

if TYPE_CHECKING:
    from pathlib import Path


def said(table: Sitting, seat: str) -> list[str]:
    return [speak(reason.text, str) for reason in table.seen(seat).log[0].reasons]


def test_a_correction_names_who_what_before_and_after(table: Sitting) -> None:
    done = table.correct("blue", "points.red", " 12 ")
    assert table.points() == "12 to 0"
    assert done.headline is not None
    assert speak(done.headline, str) == "Blue corrects: Points · red: 0 → 12"
    line = table.seen("screen").log[0]
    assert (line.kind, line.who) == ("correction", "Blue")
    assert said(table, "screen") == ["Points, red: 0 → 12"]


def test_a_correction_is_the_last_ruling_until_it_is_taken_back(table: Sitting) -> None:
    table.act("red", "draw", count=1)
    before = table.seen("blue").last
    done = table.correct("blue", "points.red", "12")
    for seat in ("red", "blue", "screen"):
        last = table.seen(seat).last
        assert last is not None
        assert last.headline == done.headline
    table.take_back("blue")
    assert table.seen("blue").last == before


def test_a_hidden_correction_is_large_without_its_cards(table: Sitting) -> None:
    done = table.correct("red", "hand.red", "4z")
    assert done.headline is not None
    assert speak(done.headline, str) == "Red corrects: Hand · red"


def test_choices_ticks_and_lists_are_named_in_words(table: Sitting) -> None:
    table.correct("red", "turn", "blue")
    assert said(table, "red") == ["Turn, turn: red → blue"]
    table.correct("red", "over", "on")
    assert said(table, "red") == ["Turn, over: no → yes"]
    table.correct("red", "over", "no")
    table.correct("red", "hand.red", "1x, 2x,3y")
    assert said(table, "red")[1] == "Hand, red: nothing → 1x, 2x, 3y"
    assert table.hand("red") == ["1x", "2x", "3y"]


def test_the_turn_order_is_left_alone(table: Sitting) -> None:
    before = table.seen("red").view.to_move
    table.correct("blue", "points.blue", "3")
    assert table.seen("red").view.to_move == before


def test_a_hidden_value_is_corrected_without_being_shown(table: Sitting) -> None:
    table.act("red", "draw", count=2)
    hand = table.hand("red")
    table.correct("rulekeeper", "hand.red", "4z")
    for seat in ("blue", "rulekeeper", "screen"):
        assert said(table, seat) == ["Hand, red: what it was and is now stays hidden."]
    assert said(table, "red")[1] == f"Hand, red: {', '.join(hand)} → 4z"


def test_a_hidden_value_is_not_offered_to_others(table: Sitting) -> None:
    table.act("red", "draw", count=2)

    def shown(seat: str) -> Any:
        return next(one for one in table.tables.tracked(table.id, seat) if one.path == "hand.red").field.value

    assert list(shown("red")) == table.hand("red")
    assert [shown(seat) for seat in ("blue", "rulekeeper", "screen")] == [None] * 3


def test_a_guess_at_a_hidden_value_is_told_nothing(table: Sitting) -> None:
    table.act("red", "draw", count=1)
    (card,) = table.hand("red")
    right = table.correct("blue", "hand.red", card)
    wrong = table.correct("blue", "hand.red", "4z" if card != "4z" else "3z")
    assert (right.headline, right.reasons) == (wrong.headline, wrong.reasons)


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ("points.green", "1", "path"),
        ("", "1", "path"),
        ("\ud800" * 100, "1", "path"),
        ("points.red", "many", "value"),
        ("points.red", "", "value"),
        ("points.red", "-", "value"),
        ("points.red", "²", "value"),
        ("points.red", "1000", "value"),
        ("points.red", "-1", "value"),
        ("points.red", "9" * 300, "value"),
        ("points.red", "0", "value"),
        ("turn", "green", "value"),
        ("over", "perhaps", "value"),
        ("hand.red", "1x,9q", "value"),
    ],
)
def test_what_can_not_be_is_refused_by_field(table: Sitting, path: str, value: str, field: str) -> None:
    version = table.seen("red").version
    with pytest.raises(Problem) as wrong:
        table.correct("red", path, value)
    assert wrong.value.field == field
    assert table.seen("red").version == version


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("points.red", "many", "red: a whole number from 0 to 999."),
        ("turn", "green", "turn: that is not one of the choices."),
        ("hand.red", "c1,joker", "red: that is not one of the choices."),
        ("over", "perhaps", "over: yes or no."),
    ],
)
def test_what_belongs_there_is_said_as_in_any_form(table: Sitting, path: str, value: str, sentence: str) -> None:
    with pytest.raises(Problem) as wrong:
        table.correct("red", path, value)
    assert speak(wrong.value.text, str) == sentence


def test_a_barred_value_is_refused_with_its_clause(table: Sitting) -> None:
    with pytest.raises(Refusal) as refused:
        table.correct("red", "odd", "x")
    assert refused.value.clause == "TOY-8"


def test_nothing_is_corrected_while_an_action_waits(table: Sitting) -> None:
    table.act("red", "hit")
    with pytest.raises(Problem) as wrong:
        table.correct("red", "points.red", "3")
    assert wrong.value.status == 409
    table.answer("blue", value="no")
    table.correct("red", "points.red", "19")  # three dice never make it so already


def test_a_repeated_correction_is_made_once(table: Sitting) -> None:
    first = table.tables.correct(table.id, "red", "points.red", "3", "k")
    assert table.tables.correct(table.id, "red", "points.red", "3", "k").repeated
    assert table.seen("red").version == first.version


def test_a_value_is_told_as_it_was_set_even_where_the_game_numbers_its_values_anew(tmp_path: Path) -> None:
    tables = Tables(Store(tmp_path / "tables.sqlite"), discover())
    made = tables.create("two_cities", "", {}, {"rulekeeper": "Ruth"}, "app")
    for place in ("forest.2", "forest.1", "hill.2", "hill.1"):
        tables.correct(made.table, "rulekeeper", f"terrain.{place}", "off", f"off-{place}")
    for number, square in ((1, "c4"), (2, "e3")):
        tables.correct(made.table, "rulekeeper", f"terrain.forest.{number}", square, f"on-{number}")
    tables.correct(made.table, "rulekeeper", "terrain.forest.1", "off", "off-again")
    told = speak(tables.seen(made.table, "rulekeeper").log[0].reasons[0].text, str)
    assert told.endswith("c4 → off the board"), told


def test_what_changed_since_the_page_was_read_is_not_overwritten(table: Sitting) -> None:
    seen = table.seen("red").version
    table.correct("blue", "points.red", "12", seen)
    with pytest.raises(Problem) as raised:
        table.correct("red", "points.red", "3", seen)
    assert (raised.value.status, raised.value.field) == (409, "value")
    assert speak(raised.value.text, str) == "red was changed in the meantime: now it is 12. Look again."
    table.correct("red", "points.blue", "5", seen)
    table.correct("red", "points.red", "3", table.seen("red").version)


def test_what_was_changed_and_put_back_may_be_corrected_from_an_old_page(table: Sitting) -> None:
    table.act("red", "draw", count=1)
    seen = table.seen("red").version
    table.correct("red", "points.red", "12")
    table.take_back("red")
    table.correct("red", "points.red", "3", seen)
    after = table.seen("red").version
    table.take_back("red")
    with pytest.raises(Problem, match="meantime"):
        table.correct("red", "points.red", "4", after)


def test_a_hidden_value_that_changed_in_play_is_not_given_away(table: Sitting) -> None:
    table.act("red", "draw", count=1)
    seen = table.seen("blue").version
    table.act("red", "draw", count=2)
    # Two cards are never the one card of then, whichever it was.
    table.correct("blue", "hand.red", "3z,4z", seen)
    with pytest.raises(Problem) as raised:
        table.correct("rulekeeper", "hand.red", "1x", seen)
    assert raised.value.status == 409
    with pytest.raises(Problem) as raised:
        table.correct("red", "hand.red", "1x", seen)
    assert "3z, 4z" in speak(raised.value.text, str)
