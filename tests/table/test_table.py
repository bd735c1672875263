"""A table: actions, questions and answers, each applied exactly once."""

from __future__ import annotations

import random
from threading import Barrier, Thread
from typing import TYPE_CHECKING, Any

import pytest

from companion.kit.ruling import Refusal
from companion.kit.text import speak
from companion.table.problem import Problem
from tests.support.toy_tables import Sitting, open_tables, sit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.table.tables import Tables


@pytest.fixture
def changes() -> list[str]:
    return []


@pytest.fixture
def tables(tmp_path: Path, changes: list[str]) -> Iterator[Tables]:
    with open_tables(tmp_path, random.Random(1), changes.append) as found:
        yield found


def problem(do: Callable[[], Any]) -> Problem:
    with pytest.raises(Problem) as raised:
        do()
    return raised.value


def test_an_action_is_ruled_on_and_logged(table: Sitting) -> None:
    done = table.act("red", "roll", dice=3)
    assert done.headline is not None
    assert speak(done.headline, str) == "red acts"
    (reason,) = done.reasons
    assert reason.clause == "TOY-2"
    assert len(reason.faces) == 3
    assert table.points() == f"{sum(reason.faces)} to 0"
    seen = table.seen("blue")
    assert seen.last is not None
    assert (seen.last.seq, seen.last.who, seen.last.seat) == (done.seq, "Red", "red")
    assert seen.log[0] == seen.last
    assert seen.version == done.version


def test_everybody_is_told_after_a_change_and_not_after_a_refusal(table: Sitting, changes: list[str]) -> None:
    changes.clear()
    table.act("red", "add")
    assert changes == [table.id]
    with pytest.raises(Refusal):
        table.act("blue", "add")
    assert changes == [table.id]


def test_a_refusal_names_its_clause_and_changes_nothing(table: Sitting) -> None:
    before = table.seen("red")
    with pytest.raises(Refusal) as refused:
        table.act("blue", "add")
    assert refused.value.clause == "TOY-1"
    assert table.seen("red") == before


@pytest.mark.parametrize(
    ("action", "field"),
    [
        ({"action": "fly"}, "action"),
        ({}, "action"),
        ({"action": "add", "points": "many"}, "points"),
        ({"action": "add", "points": 10}, "points"),
        ({"action": "add", "wings": 2}, "wings"),
        ({"action": ["add"]}, "action"),
        ("add", None),
        ([], None),
        (None, None),
        ({"action": "add", "note": "\ud800"}, None),
    ],
)
def test_an_action_that_can_not_be_read_is_refused_by_field(table: Sitting, action: Any, field: str | None) -> None:
    version = table.seen("red").version
    wrong = problem(lambda: table.tables.act(table.id, "red", action, "key"))
    assert (wrong.status, wrong.field) == (400, field)
    assert table.seen("red").version == version


def test_a_form_sends_numbers_as_text(table: Sitting) -> None:
    table.act("red", "add", points="4")
    assert table.points() == "4 to 0"


@pytest.mark.parametrize("key", ["", "x" * 129, "\ud800", "ñ", "a\nb", None, 5])
def test_a_request_needs_a_key(table: Sitting, key: Any) -> None:
    wrong = problem(lambda: table.tables.act(table.id, "red", {"action": "add"}, key))
    assert (wrong.status, wrong.field) == (400, "key")


def test_a_repeated_key_gets_the_first_answer_again(table: Sitting, changes: list[str]) -> None:
    first = table.act("red", "roll", key="once")
    changes.clear()
    again = table.act("red", "roll", key="once")
    assert again.repeated
    assert not first.repeated
    assert (again.version, again.seq, again.headline, again.reasons) == (
        first.version,
        first.seq,
        first.headline,
        first.reasons,
    )
    assert changes == []
    assert table.seen("red").version == first.version


def test_another_seat_with_the_same_key_gets_nothing_of_the_answer(table: Sitting) -> None:
    table.act("red", "draw", count=3, key="same")
    with pytest.raises(Refusal):
        table.act("blue", "draw", count=3, key="same")


def test_a_refused_key_may_be_used_again(table: Sitting) -> None:
    with pytest.raises(Refusal):
        table.act("blue", "add", key="again")
    table.act("red", "pass")
    assert not table.act("blue", "add", key="again").repeated


def test_a_repeated_answer_is_applied_once(table: Sitting) -> None:
    table.act("red", "hit")
    first = table.tables.answer(table.id, "blue", {"value": "no"}, "k")
    assert table.tables.answer(table.id, "blue", {"value": "no"}, "k").repeated
    assert table.seen("red").version == first.version


def test_a_stale_action_is_applied_where_it_still_is_legal(table: Sitting) -> None:
    old = table.seen("red").version
    table.act("red", "add")
    table.act("red", "add", seen=old)
    assert table.points() == "2 to 0"


def test_a_stale_action_that_is_not_legal_any_more_says_that_the_table_moved_on(table: Sitting) -> None:
    old = table.seen("red").version
    table.act("red", "pass")
    wrong = problem(lambda: table.act("red", "add", seen=old))
    assert (wrong.status, wrong.clause) == (409, "TOY-1")
    assert speak(wrong.text, str) == "The table has moved on: It is not your turn."
    with pytest.raises(Refusal):
        table.act("red", "add", seen=table.seen("red").version)


def test_a_question_waits_for_the_seat_it_belongs_to(table: Sitting) -> None:
    done = table.act("red", "hit")
    assert done.headline is None
    assert done.asked is None
    assert [waiting.seat for waiting in done.waiting] == ["blue"]
    red, blue, screen = (table.seen(seat) for seat in ("red", "blue", "screen"))
    assert blue.asked is not None
    assert blue.asked.question.key == "dodge"
    assert red.asked is None
    assert screen.asked is None
    assert [seen.waiting[0].seat for seen in (red, blue, screen)] == ["blue"] * 3
    assert red.offers == ()
    assert problem(lambda: table.answer("red", value="no")).status == 403
    assert problem(lambda: table.answer("screen", value="no")).status == 403
    assert problem(lambda: table.act("red", "add")).status == 409
    done = table.answer("blue", value="no")
    assert done.headline is not None
    assert table.seen("blue").asked is None


def test_the_story_so_far_is_told_while_a_rule_waits(table: Sitting) -> None:
    table.dice("typed")
    table.act("red", "hit")
    table.answer("blue", value="yes")
    table.answer("blue", faces=[2])
    seen = table.seen("screen")
    assert [reason.clause for reason in seen.story] == ["TOY-3"]
    asked = table.seen("red").asked
    assert asked is not None
    assert [reason.faces for reason in asked.reasons] == [(2,)]


@pytest.mark.parametrize(
    ("answer", "field"),
    [({"value": "maybe"}, "dodge"), ({"faces": [1]}, "value"), ({}, "value"), ({"value": 3}, "value")],
)
def test_a_choice_takes_one_of_the_options(table: Sitting, answer: dict[str, Any], field: str) -> None:
    table.act("red", "hit")
    with pytest.raises((Problem, Refusal)) as wrong:
        table.answer("blue", **answer)
    assert wrong.value.field == field
    assert table.seen("blue").asked is not None


def test_nothing_is_asked_so_nothing_is_answered(table: Sitting) -> None:
    assert problem(lambda: table.answer("red", value="yes")).status == 409


def test_an_answer_from_an_older_page_is_for_another_question(table: Sitting) -> None:
    table.dice("typed")
    old = table.act("red", "hit").version
    table.answer("blue", value="yes", seen=old)
    assert problem(lambda: table.answer("blue", faces=[3], seen=old)).status == 409
    table.answer("blue", faces=[3], seen=old + 1)


def test_companion_rolls(table: Sitting) -> None:
    done = table.act("red", "roll")
    assert done.headline is not None
    assert not table.seen("red").log[0].typed


def test_typed_dice_are_checked(table: Sitting) -> None:
    table.dice("typed")
    done = table.act("red", "roll", dice=2)
    assert done.asked is not None
    assert (done.asked.may_roll, done.asked.may_type) == (False, True)
    for faces in ([1], [1, 2, 3], [0, 6], [7, 1]):
        with pytest.raises(Refusal) as refused:
            table.answer("red", faces=faces)
        assert (refused.value.clause, refused.value.field) == ("TOY-2", "faces")
    for odd in ({"faces": ["x", 1]}, {"faces": [True, 1]}, {"faces": "12"}, {"faces": None}, {"value": "6"}):
        assert problem(lambda odd=odd: table.answer("red", **odd)).field == "faces"
    assert problem(lambda: table.answer("red", roll=True)).status == 409
    table.answer("red", faces=["3", 4])
    assert table.points() == "7 to 0"
    assert table.seen("red").log[0].typed


def test_dice_may_be_asked_for_at_each_throw(table: Sitting) -> None:
    table.dice("ask")
    done = table.act("red", "roll")
    assert done.asked is not None
    assert (done.asked.may_roll, done.asked.may_type) == (True, True)
    table.answer("red", roll=True)
    assert not table.seen("red").log[0].typed
    table.act("red", "roll")
    table.answer("red", faces=[1, 1])
    assert table.seen("red").log[0].typed


def test_where_companion_rolls_nobody_types(table: Sitting) -> None:
    wrong = problem(lambda: table.act("red", "roll", answers=[{"faces": [6, 6]}]))
    assert (wrong.status, wrong.field, wrong.clause) == (409, "faces", "TOY-2")


def test_a_throw_that_waited_can_be_rolled_when_the_dice_change_hands(table: Sitting) -> None:
    table.dice("typed")
    table.act("red", "roll")
    table.dice("app")
    asked = table.seen("red").asked
    assert asked is not None
    assert (asked.may_roll, asked.may_type) == (True, False)
    table.answer("red", roll=True)
    assert not table.seen("red").log[0].typed


def test_answers_may_be_given_ahead(table: Sitting) -> None:
    table.dice("typed")
    done = table.act("red", "roll", answers=[{"faces": [2, 3]}])
    assert done.headline is not None
    assert table.points() == "5 to 0"


@pytest.mark.parametrize("answers", [[{"faces": [1, 1]}, {"faces": [1, 1]}], [3], "no", [{"value": "x"}]])
def test_answers_that_nobody_asked_for_are_refused(table: Sitting, answers: Any) -> None:
    table.dice("typed")
    version = table.seen("red").version
    assert problem(lambda: table.act("red", "roll", answers=answers)).status == 400
    assert table.seen("red").version == version


def test_nobody_answers_ahead_for_somebody_else(table: Sitting) -> None:
    assert problem(lambda: table.act("red", "hit", answers=[{"value": "no"}])).field == "answers"
    assert table.seen("blue").asked is None


def test_together_answers_stay_sealed_until_all_are_in(table: Sitting) -> None:
    table.act("red", "draw", count=2)
    card = table.hand("red")[0]
    done = table.act("red", "bid")
    assert [waiting.seat for waiting in done.waiting] == ["red", "blue"]
    table.answer("red", value=card)
    assert [waiting.seat for waiting in table.seen("screen").waiting] == ["blue"]
    assert table.seen("red").asked is None
    assert problem(lambda: table.answer("red", value="none")).status == 403
    done = table.answer("blue", value="none")
    assert [speak(reason.text, str) for reason in done.reasons] == [f"red bids {card}", "blue bids none"]
    assert table.points() == "5 to 0"


def test_a_sealed_answer_is_checked_when_it_is_given(table: Sitting) -> None:
    table.act("red", "bid")
    with pytest.raises(Refusal):
        table.answer("red", value="4z")
    assert [waiting.seat for waiting in table.seen("screen").waiting] == ["red", "blue"]


def test_both_may_throw_at_once_round_after_round(table: Sitting) -> None:
    table.dice("ask")
    table.act("red", "race")
    table.answer("blue", faces=[5])
    table.answer("red", faces=[1])
    assert [waiting.seat for waiting in table.seen("screen").waiting] == ["red", "blue"]
    table.answer("red", faces=[2])
    table.answer("blue", faces=[6])
    assert table.points() == "3 to 11"
    shown = [reason.text.say for reason in table.seen("screen").log[0].reasons if reason.faces]
    assert shown == ["red", "blue"] * 2, "the order must not tell who answered first"


def test_each_throw_and_draw_of_an_action_has_its_own_luck(table: Sitting) -> None:
    def race() -> tuple[list[str], list[int]]:
        reasons = table.act("red", "race").reasons
        cards = [str(reason.text.places["card"]) for reason in reasons if reason.text.places]
        return cards, [reason.faces[0] for reason in reasons if reason.faces]

    races = [race() for _ in range(20)]
    assert all(len(cards) == 2 and len(faces) == 4 for cards, faces in races)
    assert any(cards[0] != cards[1] for cards, _ in races)
    for one in range(4):
        for other in range(one):
            assert any(faces[one] != faces[other] for _, faces in races)


def test_a_together_answer_may_come_from_a_page_older_than_the_others_answer(table: Sitting) -> None:
    version = table.act("red", "bid").version
    table.answer("red", value="none", seen=version)
    assert table.answer("blue", value="none", seen=version).headline is not None


def test_the_rulekeeper_plays_for_seats_that_nobody_took(tables: Tables) -> None:
    table = sit(tables, seats=())
    offers = table.seen("rulekeeper").offers
    assert [speak(offer.label, str) for offer in offers] == ["Add", "Roll", "Stop"]
    own = speak(table.seen("red").view.headline, str)
    assert speak(table.seen("rulekeeper").view.headline, str) == f"red: {own}"
    offer = offers[1]
    table.act("rulekeeper", offer.action, **offer.given)
    table.act("rulekeeper", "hit", **{"for": "red"})
    asked = table.seen("rulekeeper").asked
    assert asked is not None
    assert asked.seat == "blue"
    table.answer("rulekeeper", value="no")
    assert table.seen("screen").log[0].who == "Keeper"
    assert table.seen("screen").log[0].seat == "red"
    table.act("rulekeeper", "bid", **{"for": "red"})
    table.answer("rulekeeper", seat="blue", value="none")
    assert [waiting.seat for waiting in table.seen("screen").waiting] == ["red"]
    table.answer("rulekeeper", value="none")
    assert table.seen("screen").waiting == ()


def test_the_rulekeeper_does_not_play_for_seats_that_are_taken(table: Sitting) -> None:
    assert table.seen("rulekeeper").offers == ()
    assert problem(lambda: table.act("rulekeeper", "add", **{"for": "red"})).status == 403
    assert problem(lambda: table.act("rulekeeper", "add", **{"for": "nobody"})).status == 400
    assert problem(lambda: table.act("rulekeeper", "add", **{"for": 3})).status == 400
    with pytest.raises(Refusal):
        table.act("rulekeeper", "add")
    table.act("red", "hit")
    assert problem(lambda: table.answer("rulekeeper", value="no")).status == 403


def test_a_player_names_no_other_seat(table: Sitting) -> None:
    assert problem(lambda: table.act("red", "add", **{"for": "blue"})).field == "for"


def test_the_screen_only_looks(table: Sitting) -> None:
    assert problem(lambda: table.act("screen", "add")).status == 403
    assert problem(lambda: table.correct("screen", "points.red", "3")).status == 403
    assert problem(lambda: table.take_back("screen")).status == 403
    assert table.seen("screen").take_back is None


@pytest.mark.parametrize("code", ["", "NOTHIN", "222222", "x" * 99, "\ud800", "22222 "])
def test_an_unknown_table_is_a_problem(tables: Tables, code: str) -> None:
    for do in (
        lambda: tables.seen(code, "red"),
        lambda: tables.act(code, "red", {"action": "add"}, "k"),
        lambda: tables.version(code),
        lambda: tables.seat_of(code, "x"),
        lambda: tables.summary(code),
    ):
        wrong = problem(do)
        assert (wrong.status, wrong.field) == (404, "table")


@pytest.mark.parametrize("seat", ["", "green", "\ud800", "x" * 500])
def test_an_unknown_seat_is_a_problem(table: Sitting, seat: str) -> None:
    assert problem(lambda: table.seen(seat)).status == 404
    assert problem(lambda: table.act(seat, "add")).status == 404


def test_an_action_can_be_withdrawn_while_nothing_came_of_it(table: Sitting) -> None:
    table.act("red", "hit")
    lines = len(table.seen("red").log)
    assert problem(lambda: table.tables.withdraw(table.id, "blue", "k")).status == 403
    table.tables.withdraw(table.id, "red", table.key())
    seen = table.seen("red")
    assert seen.waiting == ()
    assert len(seen.log) == lines
    table.act("red", "add")
    assert problem(lambda: table.tables.withdraw(table.id, "red", "k3")).status == 409


def test_an_action_that_others_answered_can_only_be_dropped_by_the_rulekeeper(table: Sitting) -> None:
    table.dice("typed")
    table.act("red", "hit")
    table.answer("blue", value="yes")
    assert problem(lambda: table.tables.withdraw(table.id, "red", "k")).status == 409
    table.tables.withdraw(table.id, "rulekeeper", "k")
    seen = table.seen("red")
    assert seen.waiting == ()
    assert seen.log[0].kind == "undo"


def test_a_paused_table_waits(table: Sitting) -> None:
    assert problem(lambda: table.tables.pause(table.id, "red", on=True, key="k")).status == 403
    table.pause(on=True)
    seen = table.seen("red")
    assert seen.paused
    assert seen.offers == ()
    assert problem(lambda: table.act("red", "add")).status == 409
    table.correct("red", "points.red", "5")
    table.pause(on=False)
    table.act("red", "add")
    assert table.points() == "6 to 0"


def test_an_ended_table_is_only_read_until_it_is_opened_again(table: Sitting) -> None:
    table.end()
    assert table.tables.summary(table.id).over
    assert problem(lambda: table.act("red", "add")).status == 409
    assert problem(lambda: table.correct("red", "points.red", "5")).status == 409
    assert problem(lambda: table.take_back("red")).status == 409
    table.end(on=False)
    table.act("red", "add")


def test_settings_stand_in_the_log(table: Sitting) -> None:
    table.dice("typed")
    assert problem(lambda: table.tables.set_dice(table.id, "red", "app", "k")).status == 403
    assert problem(lambda: table.dice("loaded")).field == "dice"
    line = table.seen("red").log[0]
    assert (line.kind, line.who, line.headline.say) == ("setting", "Keeper", "You roll the dice and type the faces.")


def test_a_table_is_summed_up_for_the_lobby(tables: Tables) -> None:
    table = sit(tables, seats=("red",))
    other = sit(tables)
    assert {one.table for one in tables.summaries()} == {table.id, other.id}
    summary = tables.summary(table.id)
    assert [person.seat for person in summary.people] == ["red", "blue", "rulekeeper"]
    assert [person.seat for person in summary.people if not person.taken] == ["blue"]
    assert (summary.title, summary.game, summary.over) == ("A table", "toy", False)
    table.act("red", "stop")
    assert tables.summary(table.id).over


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"game": "chess"}, "game"),
        ({"options": {"goal": "lots"}}, "goal"),
        ({"options": {"speed": 3}}, "speed"),
        ({"options": {"mood": "sad"}}, "mood"),
        ({"names": {"green": "Eve"}}, "seats.green"),
        ({"names": {"red": "x" * 41}}, "seats.red"),
        ({"title": "x" * 81}, "title"),
        ({"dice": "loaded"}, "dice"),
    ],
)
def test_a_table_that_can_not_be_is_not_made(tables: Tables, wanted: dict[str, Any], field: str) -> None:
    wrong = problem(lambda: tables.create(**{"game": "toy", **wanted}))
    assert wrong.field == field
    assert tables.summaries() == ()


def test_names_are_tidied_up(tables: Tables) -> None:
    created = tables.create("toy", "  Friday\n night ", names={"red": " Ana\u0000  María\ud800 "})
    summary = tables.summary(created.table)
    assert summary.title == "Friday night"
    assert summary.people[0].name == "Ana María"


def test_the_set_up_may_throw(tables: Tables) -> None:
    first = {sit(tables, mood="wild").seen("screen").view.to_move for _ in range(20)}
    assert first == {("red",), ("blue",)}


def test_odds_are_foreseen_without_doing_anything(table: Sitting) -> None:
    version = table.seen("red").version
    (chart,) = table.tables.foresee(table.id, "red", {"action": "roll"})
    assert chart.title.say == "red"
    assert table.tables.foresee(table.id, "red", {"action": "add"}) == ()
    assert problem(lambda: table.tables.foresee(table.id, "red", {"action": "rol"})).status == 400
    assert table.seen("red").version == version


def test_the_log_is_read_in_pages(table: Sitting) -> None:
    for _ in range(30):
        table.act("red", "add")
    seen = table.seen("red")
    assert len(seen.log) == 20
    assert seen.more_log
    older = table.tables.log(table.id, "red", seen.log[-1].seq)
    assert [line.seq for line in (*seen.log, *older)] == list(range(33, 0, -1))
    assert table.tables.log(table.id, "red", 10**40, 10**40)[0].seq == 33
    assert table.tables.log(table.id, "red", -5, -5) == ()
    assert [line.seq for line in table.tables.report(table.id, "red")] == list(range(1, 34))


def test_the_last_ruling_is_found_however_far_back(table: Sitting) -> None:
    assert table.seen("red").last is None
    seq = table.act("red", "add").seq
    for number in range(25):
        table.dice("typed" if number % 2 else "app")
    last = table.seen("red").last
    assert last is not None
    assert last.seq == seq


def test_four_phones_at_once_apply_every_action_exactly_once(table: Sitting) -> None:
    start, failed = Barrier(4), []

    def tap(phone: int) -> None:
        start.wait()
        for tap in range(100):
            for _ in range(2):  # a double tap
                try:
                    table.tables.act(table.id, "red", {"action": "add", "note": f"{phone}.{tap}"}, f"{phone}.{tap}")
                except Exception as wrong:  # noqa: BLE001
                    failed.append(wrong)

    threads = [Thread(target=tap, args=(phone,)) for phone in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert table.points() == "400 to 0"
    lines = table.tables.report(table.id, "red")
    assert sum(line.kind == "action" for line in lines) == 400
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))


def test_two_phones_with_one_form_apply_it_once(table: Sitting) -> None:
    start, done = Barrier(8), []

    def tap() -> None:
        start.wait()
        done.append(table.tables.act(table.id, "red", {"action": "roll"}, "one form"))

    threads = [Thread(target=tap) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.repeated for one in done) == [False] + [True] * 7
    assert all(one.reasons == done[0].reasons for one in done)
