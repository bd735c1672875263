"""Who is called: seats for which the table waits through what others have done, once for each thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from companion.kit.game import RULEKEEPER, SCREEN
from tests.support.toy_game import TOY
from tests.support.toy_tables import Clock, Sitting, open_tables, sit

if TYPE_CHECKING:
    from pathlib import Path

    from companion.table.tables import Tables

SEATS = ("red", "blue", RULEKEEPER, SCREEN)


def calls(table: Sitting) -> dict[str, int]:
    """Return the seats that are called, each with the version by which it is."""
    return {seat: call for seat in SEATS if (call := table.seen(seat).call)}


def test_whose_turn_it_is_by_anothers_doing_is_called_once(table: Sitting) -> None:
    assert calls(table) == {}, "who sat down last has just done so"
    passed = table.act("red", "pass").version
    assert calls(table) == {"blue": passed}
    table.act("blue", "add", points=2)
    table.tables.rename(table.id, "red", "Rita", table.key())
    assert calls(table) == {"blue": passed}, "it goes on"
    back = table.act("blue", "pass").version
    assert calls(table) == {"red": back}


def test_who_is_asked_is_called_and_not_who_asked_himself(table: Sitting) -> None:
    asked = table.act("red", "hit").version
    assert calls(table) == {"blue": asked}
    answered = table.answer("blue", value="no").version
    assert calls(table) == {"red": answered}, "the turn goes on where another one has answered"


def test_dice_that_are_typed_call_nobody_who_rolls_them_himself(tables: Tables) -> None:
    table = sit(tables, "typed")
    table.act("red", "roll", dice=1)
    assert calls(table) == {}
    table.answer("red", faces=[3])
    assert calls(table) == {}
    passed = table.act("red", "pass").version
    table.act("blue", "roll", dice=1)
    assert calls(table) == {"blue": passed}, "the own question is none of a new call"
    table.answer("blue", faces=[3])
    assert calls(table) == {"blue": passed}


def test_of_a_question_to_several_each_is_called_for_all_of_it(table: Sitting) -> None:
    asked = table.act("red", "bid").version
    assert calls(table) == {"blue": asked}
    table.answer("red", value="none")
    assert calls(table) == {"blue": asked}, "what others answered meanwhile is nothing new"
    ended = table.answer("blue", value="none").version
    assert calls(table) == {"red": ended}


def test_who_is_asked_to_end_the_table_is_called_also_while_it_rests(table: Sitting) -> None:
    table.act("red", "pass")
    turn = calls(table)
    table.tables.pause(table.id, RULEKEEPER, on=True, key=table.key())
    assert calls(table) == {}
    wished = table.tables.end(table.id, RULEKEEPER, table.key()).version
    assert calls(table) == {"red": wished, "blue": wished}
    table.tables.consent_to_end(table.id, "red", yes=False, key=table.key())
    assert calls(table) == {}
    resumed = table.tables.pause(table.id, RULEKEEPER, on=False, key=table.key()).version
    assert calls(table) == {"blue": resumed}
    assert turn != calls(table)


def test_a_table_that_the_laptop_ends_calls_nobody_any_more(table: Sitting) -> None:
    passed = table.act("red", "pass").version
    table.tables.retitle_any(table.id, "Saturday")
    assert calls(table) == {"blue": passed}, "a new name is no news"
    table.tables.end_any(table.id)
    assert calls(table) == {}


def test_who_is_asked_for_a_yes_is_called_and_again_for_another_wish(table: Sitting) -> None:
    table.act("red", "roll", dice=1)
    wished = table.take_back("red").version
    assert calls(table) == {"blue": wished, RULEKEEPER: wished}
    table.consent("red", yes=False)
    assert calls(table) == {}
    again = table.take_back("red").version
    assert again > wished
    assert calls(table) == {"blue": again, RULEKEEPER: again}
    table.consent("blue", yes=True)
    assert calls(table) == {}, "who wished has his turn by the other one's yes"


def test_a_yes_that_brings_ones_turn_back_calls(table: Sitting) -> None:
    table.act("red", "draw", count=1)
    table.act("red", "pass")
    table.take_back("blue")
    agreed = table.consent(RULEKEEPER, yes=True).version
    assert calls(table) == {"red": agreed}
    table.act("red", "pass")
    table.take_back("red")
    assert calls(table) == {}, "who takes his own step back looks at it"


def test_a_pause_ends_every_call_and_going_on_calls(table: Sitting) -> None:
    table.act("red", "pass")
    table.pause(on=True)
    assert calls(table) == {}
    assert table.seen(SCREEN).since == ""
    on = table.pause(on=False).version
    assert calls(table) == {"blue": on}
    table.end()
    assert calls(table) == {}


def test_the_rulekeeper_is_called_for_a_seat_that_is_free_and_by_who_knocks(tables: Tables) -> None:
    table = sit(tables, seats=("blue",))
    assert calls(table) == {}, "he has set the table up himself"
    passed = table.act(RULEKEEPER, "pass", **{"for": "red"}).version
    assert calls(table) == {"blue": passed}
    back = table.act("blue", "pass").version
    assert calls(table) == {RULEKEEPER: back}
    table.tables.knock(table.id, "blue", "Bo")
    knocked = table.tables.version(table.id)
    assert calls(table) == {RULEKEEPER: knocked}
    (knock,) = table.seen(RULEKEEPER).knocks
    table.tables.grant(table.id, RULEKEEPER, knock.id, yes=False, key=table.key())
    assert calls(table) == {RULEKEEPER: knocked}, "the free seat is still to move"


def test_a_wish_about_seats_calls_who_may_say_yes(table: Sitting) -> None:
    tables = table.tables
    tables.change_seats(table.id, "red", "blue", table.key())
    asked = tables.version(table.id)
    assert calls(table) == {"blue": asked}
    (wish,) = table.seen("blue").proposals
    tables.answer_wish(table.id, "blue", wish.id, yes=True, key=table.key())
    assert calls(table) == {}, "whoever agreed sits there now, and has just tapped"
    tables.propose_rulekeeper(table.id, "red", "blue", table.key())
    proposed = tables.version(table.id)
    assert calls(table) == {"blue": proposed, RULEKEEPER: proposed}
    (wish,) = table.seen(RULEKEEPER).proposals
    tables.answer_wish(table.id, RULEKEEPER, wish.id, yes=False, key=table.key())
    assert calls(table) == {}


def test_a_wish_to_end_the_table_calls_the_players(table: Sitting) -> None:
    asked = table.tables.end(table.id, RULEKEEPER, table.key()).version
    assert calls(table) == {"red": asked, "blue": asked}
    table.tables.consent_to_end(table.id, "blue", yes=False, key=table.key())
    assert calls(table) == {"red": asked}, "it is still red's turn"


def test_who_takes_the_seat_that_is_waited_for_is_not_called_for_that(tables: Tables) -> None:
    table = sit(tables, seats=("red",))
    passed = table.act("red", "pass").version
    assert calls(table) == {RULEKEEPER: passed}
    tables.change_seats(table.id, "red", "blue", table.key())
    assert calls(table) == {}


def test_who_did_not_answer_in_time_does_not_hide_a_call(tmp_path: Path) -> None:
    clock = Clock()
    with open_tables(tmp_path, clock=clock) as tables:
        table = sit(tables)
        table.act("red", "spell")
        clock.wait(6)
        silent = table.silence("red").version
        assert calls(table) == {"red": silent}, "a script said that the time was up, and nobody tapped"


def test_since_when_the_table_waits_is_the_last_thing_that_was_done(tmp_path: Path) -> None:
    clock = Clock()
    with open_tables(tmp_path, clock=clock) as tables:
        table = sit(tables)
        clock.wait(60)
        table.act("red", "add", points=1)
        moved = clock().isoformat(timespec="seconds")
        clock.wait(60)
        table.dice("ask")
        table.dice("app")
        assert {table.seen(seat).since for seat in SEATS} == {moved}, "a setting is nothing that was waited for"
        table.act("red", "hit")
        asked = clock().isoformat(timespec="seconds")
        clock.wait(60)
        assert {table.seen(seat).since for seat in SEATS} == {asked}
        table.pause(on=True)
        assert {table.seen(seat).since for seat in SEATS} == {""}
        table.pause(on=False)
        on = clock().isoformat(timespec="seconds")
        assert {table.seen(seat).since for seat in SEATS} == {on}, "nobody could answer before"
        table.answer("blue", value="no")
        clock.wait(60)
        table.pause(on=True)
        table.pause(on=False)
        assert table.seen(SCREEN).since == clock().isoformat(timespec="seconds")
        table.act("red", "stop")
        assert table.seen(SCREEN).since == "", "nobody is waited for any more"


def test_calls_outlive_a_restart(tmp_path: Path) -> None:
    with open_tables(tmp_path) as tables:
        table = sit(tables)
        passed = table.act("red", "pass").version
    with open_tables(tmp_path) as tables:
        table = Sitting(tables, table.id, table.tokens)
        assert calls(table) == {"blue": passed}
        table.act("blue", "add", points=1)
        assert calls(table) == {"blue": passed}


def test_who_was_waited_for_before_anybody_looked_is_not_called_for_that(tmp_path: Path) -> None:
    with open_tables(tmp_path) as tables:
        table = sit(tables)
        table.act("red", "pass")
        for change in (
            lambda: tables.rename(table.id, "red", "Rita", table.key()),
            lambda: tables.archive_any(table.id, on=True),
        ):
            with tables.store.write() as db:
                row = db.row(table.id)
                assert row is not None
                db.put_row(msgspec.structs.replace(row, awaited=None))
            assert calls(table) == {}, "as a table of older days"
            change()
            assert calls(table) == {}
        back = table.act("blue", "pass").version
        assert calls(table) == {"red": back}


@pytest.mark.parametrize("fault", [ValueError, AssertionError])
def test_a_position_that_can_not_be_shown_calls_nobody_and_is_told_in_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: type[Exception]
) -> None:
    with open_tables(tmp_path) as tables:
        table = sit(tables)

        def blind(*_: object) -> None:
            raise fault

        with monkeypatch.context() as patched:
            patched.setattr(TOY, "view", blind)
            table.act("red", "pass")
        assert f"nobody is called at table {table.id}" in caplog.text
        assert ("Traceback" in caplog.text) == (fault is AssertionError), "what a damaged position raises is no fault"
        assert calls(table) == {}
        back = table.act("blue", "pass").version
        assert calls(table) == {"red": back}
