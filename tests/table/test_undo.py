"""Taking back: free in public facts, with a yes after dice, and meeting the same fate again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import say, speak
from companion.table.problem import Problem
from tests.support.export_files import contents, export
from tests.support.toy_game import Doing, Toy
from tests.support.toy_tables import Sitting, open_tables, sit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.kit.asking import Ask
    from companion.table.tables import Tables


class Note(Doing, frozen=True, tag="note"):
    """Note down what a seat wishes for itself; after the first point it can not be called late."""

    note: str = "quick"


class Noting(Toy):
    """Toy in which a seat sets something for itself."""

    slug = "toy"
    actions = Toy.actions | Note

    def rule(self, state: Any, seat: str, action: Any, ask: Ask) -> Ruling[Any]:
        if not isinstance(action, Note):
            return super().rule(state, seat, action, ask)
        if action.note == "late" and not state.points[seat]:
            raise Refusal(say("Too early."))
        notes = (*state.notes, f"{seat}: {action.note}")
        return Ruling(msgspec.structs.replace(state, notes=notes), say("noted"), quiet=True)


@pytest.fixture
def noting(tmp_path: Path) -> Iterator[Sitting]:
    with open_tables(tmp_path, toy=Noting()) as tables:
        yield sit(tables)


def notes(table: Sitting) -> list[str]:
    table.end()
    kept = contents(export(table.tables, table.id))["log"]
    found: list[str] = next(entry["state"] for entry in reversed(kept) if "state" in entry).get("notes", [])
    return found


def faces(table: Sitting, dice: int, seat: str = "red") -> tuple[int, ...]:
    return table.act(seat, "roll", dice=dice).reasons[0].faces


def take_back(table: Sitting) -> None:
    table.take_back("rulekeeper")


def test_a_step_in_public_facts_is_taken_back_at_once(table: Sitting) -> None:
    before = table.seen("red")
    added = table.act("red", "add", points=3)
    offered = table.seen("red").take_back
    assert offered is not None
    assert (offered.seq, offered.needs_consent) == (added.seq, False)
    done = table.take_back("red")
    seen = table.seen("red")
    assert seen.view == before.view
    assert [(line.kind, line.undone) for line in seen.log[:2]] == [("undo", False), ("action", True)]
    assert done.headline is not None
    assert speak(done.headline, str) == "Red undoes: red acts"
    assert seen.last is None


def test_steps_are_taken_back_one_after_the_other_and_never_twice(table: Sitting) -> None:
    for points in (1, 2, 4):
        table.act("red", "add", points=points)
    table.take_back("red")
    assert table.points() == "3 to 0"
    table.take_back("red")
    assert table.points() == "1 to 0"
    table.act("red", "add", points=9)
    table.take_back("red")
    table.take_back("red")
    assert table.points() == "0 to 0"
    with pytest.raises(Problem) as wrong:
        table.take_back("red")
    assert wrong.value.status == 409
    assert table.seen("red").take_back is None


def test_settings_in_between_do_not_matter(table: Sitting) -> None:
    table.act("red", "add")
    table.dice("typed")
    table.take_back("red")
    assert table.points() == "0 to 0"
    assert table.seen("red").dice == "typed"


def test_what_a_seat_sets_for_itself_is_neither_the_last_ruling_nor_a_step_to_take_back(noting: Sitting) -> None:
    noting.act("blue", "note")
    assert noting.seen("blue").take_back is None
    assert noting.seen("red").last is None
    added = noting.act("red", "add", points=3)
    noting.act("blue", "note", note="slow")
    noting.act("red", "note", note="late")
    seen = noting.seen("red")
    assert seen.last is not None
    assert seen.take_back is not None
    assert (seen.last.seq, seen.take_back.seq, seen.take_back.needs_consent) == (added.seq, added.seq, False)
    assert [line.kind for line in seen.log[:3]] == ["setting", "setting", "action"]
    noting.take_back("red")
    assert noting.points() == "0 to 0"
    assert noting.seen("red").last is None
    assert notes(noting) == ["blue: quick", "blue: slow"], "what the rules allow there is set again"


def test_what_a_seat_sets_for_itself_is_no_way_to_throw_again(noting: Sitting) -> None:
    first = faces(noting, 6)
    take_back(noting)
    noting.act("red", "note")
    assert faces(noting, 6) == first


def test_who_waits_for_a_yes_waits_on_when_a_seat_sets_something(noting: Sitting) -> None:
    noting.act("red", "roll")
    noting.take_back("red")
    noting.act("blue", "note")
    assert noting.seen("blue").consent is not None
    noting.consent("blue", yes=True)
    assert noting.points() == "0 to 0"
    assert notes(noting) == ["blue: quick"]


def test_a_table_with_settings_is_carried_away_and_taken_in(noting: Sitting) -> None:
    noting.act("red", "note")
    noting.act("red", "add")
    noting.act("blue", "note")
    noting.act("red", "note", note="slow")
    noting.take_back("red")
    noting.act("red", "add", points=2)
    noting.act("blue", "note", note="slow")
    again = Sitting(noting.tables, *_opened(noting))
    assert again.seen("rulekeeper").take_back == noting.seen("rulekeeper").take_back
    again.take_back("rulekeeper")
    assert again.points() == "0 to 0"
    assert notes(again) == ["red: quick", "blue: quick", "red: slow", "blue: slow"]


def _opened(table: Sitting) -> tuple[str, dict[str, str]]:
    made = table.tables.import_(export(table.tables, table.id))
    return made.table, made.tokens


def test_after_a_throw_somebody_else_has_to_agree(table: Sitting) -> None:
    rolled = table.act("red", "roll")
    offered = table.seen("red").take_back
    assert offered is not None
    assert offered.needs_consent
    table.take_back("red")
    assert table.points() != "0 to 0"
    red, blue, screen = (table.seen(seat).consent for seat in ("red", "blue", "screen"))
    assert red is not None
    assert blue is not None
    assert screen is not None
    assert (red.mine_to_give, blue.mine_to_give, screen.mine_to_give) == (False, True, False)
    assert (blue.by, blue.seq) == ("red", rolled.seq)
    with pytest.raises(Problem) as wrong:
        table.consent("red", yes=True)
    assert wrong.value.status == 403
    done = table.consent("blue", yes=True)
    assert [speak(reason.text, str) for reason in done.reasons] == ["Blue agrees."]
    assert table.points() == "0 to 0"
    assert table.seen("blue").consent is None
    assert table.seen("screen").log[0].kind == "undo"


def test_a_no_stays_visible_and_changes_nothing(table: Sitting) -> None:
    table.act("red", "roll")
    points = table.points()
    table.take_back("red")
    table.consent("blue", yes=False)
    seen = table.seen("red")
    assert table.points() == points
    assert seen.consent is None
    assert (seen.log[0].kind, seen.log[1].undone) == ("undo", False)


def test_who_asked_may_give_it_up(table: Sitting) -> None:
    table.act("red", "roll")
    table.take_back("red")
    table.consent("red", yes=False)
    assert table.seen("blue").consent is None


def test_a_wish_lapses_when_play_goes_on(table: Sitting) -> None:
    table.act("red", "roll")
    table.take_back("red")
    table.act("red", "add")
    assert table.seen("blue").consent is None
    with pytest.raises(Problem) as wrong:
        table.consent("blue", yes=True)
    assert wrong.value.status == 409


def ended(table: Sitting, seat: str) -> str | None:
    text = table.seen(seat).undo_ended
    return None if text is None else speak(text, lambda key: key)


def test_whoever_asked_is_told_that_an_undo_was_refused_until_he_has_read_it(table: Sitting) -> None:
    table.act("red", "roll")
    table.take_back("red")
    assert ended(table, "red") is None
    table.consent("blue", yes=False)
    assert ended(table, "red") == "Blue refuses to undo: red acts"
    assert [ended(table, seat) for seat in ("blue", SCREEN, RULEKEEPER)] == [None] * 3
    assert table.seen("blue").consent is table.seen("red").consent is None
    with pytest.raises(Problem) as wrong:
        table.consent("blue", yes=False)
    assert wrong.value.status == 409
    table.consent("red", yes=False)
    assert ended(table, "red") is None


def test_whoever_asked_is_told_that_somebody_has_played_on_until_he_does_something(table: Sitting) -> None:
    table.act("red", "roll")
    table.take_back("blue")
    table.act("red", "add")
    assert ended(table, "blue") == "Red has played on: the undo is off"
    assert table.seen("red").consent is None
    table.act("red", "add")
    assert ended(table, "blue") is not None
    table.act("blue", "hit")
    assert ended(table, "blue") is None


def test_whoever_asked_is_told_that_an_action_has_begun_that_waits(table: Sitting) -> None:
    table.act("red", "roll")
    table.take_back("red")
    table.act("blue", "hit")
    assert ended(table, "red") == "Blue has played on: the undo is off"


def test_whoever_plays_on_himself_needs_no_telling(table: Sitting) -> None:
    table.act("red", "roll")
    table.take_back("red")
    table.act("red", "add")
    assert ended(table, "red") is None


def test_after_a_refusal_an_undo_can_be_asked_for_again(table: Sitting) -> None:
    table.act("red", "roll")
    table.take_back("red")
    table.consent("blue", yes=False)
    table.take_back("red")
    assert ended(table, "red") is None
    table.consent("blue", yes=True)
    assert ended(table, "red") is None


def test_a_wish_lapses_when_an_action_begins_that_waits(table: Sitting) -> None:
    table.act("red", "roll")
    points = table.points()
    table.take_back("red")
    table.act("blue", "hit")
    assert table.seen("blue").consent is None
    with pytest.raises(Problem) as wrong:
        table.consent("blue", yes=True)
    assert wrong.value.status == 409
    assert table.seen("red").asked is not None
    assert table.points() == points


def test_a_wish_to_take_back_what_is_under_way_outlives_its_answers(table: Sitting) -> None:
    table.dice("typed")
    table.act("red", "hit")
    table.answer("blue", value="yes")
    table.take_back("red")
    table.answer("blue", faces=[2])
    assert table.seen("blue").consent is not None
    table.consent("blue", yes=True)
    assert table.seen("screen").waiting == ()


def test_only_one_wish_waits_at_a_time(table: Sitting) -> None:
    table.act("red", "roll")
    table.take_back("red")
    with pytest.raises(Problem) as wrong:
        table.take_back("blue")
    assert wrong.value.status == 409


def test_the_other_players_step_needs_their_yes(table: Sitting) -> None:
    table.act("red", "add")
    table.take_back("blue")
    assert table.points() == "1 to 0"
    table.consent("red", yes=True)
    assert table.points() == "0 to 0"


@pytest.mark.parametrize("action", ["roll", "draw", "peek"])
def test_what_reveals_needs_consent(table: Sitting, action: str) -> None:
    table.act("red", action)
    offered = table.seen("red").take_back
    assert offered is not None
    assert offered.needs_consent


def test_an_answer_of_the_other_needs_consent(table: Sitting) -> None:
    table.act("red", "bid")
    table.answer("red", value="none")
    table.answer("blue", value="none")
    offered = table.seen("red").take_back
    assert offered is not None
    assert offered.needs_consent


def test_the_rulekeeper_overrides(table: Sitting) -> None:
    table.act("red", "roll")
    table.take_back("red")
    table.consent("rulekeeper", yes=True)
    table.act("red", "roll")
    table.take_back("rulekeeper")
    assert table.points() == "0 to 0"


def test_without_another_player_the_rulekeeper_decides(tables: Tables) -> None:
    table = sit(tables, seats=("red",))
    table.act("red", "roll")
    table.take_back("red")
    consent = table.seen("rulekeeper").consent
    assert consent is not None
    assert consent.mine_to_give
    with pytest.raises(Problem):
        table.consent("blue", yes=True)
    table.consent("rulekeeper", yes=True)
    assert table.points() == "0 to 0"


def test_a_rulekeeper_alone_needs_nobody(tables: Tables) -> None:
    table = sit(tables, seats=())
    table.act("rulekeeper", "roll", **{"for": "red"})
    table.take_back("rulekeeper")
    assert table.points() == "0 to 0"


def test_a_correction_is_taken_back_too(table: Sitting) -> None:
    table.correct("red", "points.blue", "7")
    table.take_back("red")
    assert table.points() == "0 to 0"


def test_a_stale_wish_takes_nothing_newer_back(table: Sitting) -> None:
    table.act("red", "add")
    old = table.seen("red").version
    table.act("red", "add")
    with pytest.raises(Problem) as wrong:
        table.take_back("red", seen=old)
    assert wrong.value.status == 409
    assert table.points() == "2 to 0"
    now = table.seen("red").version
    table.tables.rename(table.id, "blue", "Bob", "k")
    table.take_back("red", seen=now)
    assert table.points() == "1 to 0"


def test_a_stale_yes_agrees_to_nothing_else(table: Sitting) -> None:
    table.act("red", "roll")
    old = table.take_back("red").version
    table.act("red", "roll")
    table.take_back("red")
    with pytest.raises(Problem) as wrong:
        table.tables.consent(table.id, "blue", yes=True, key="k", seen=old)
    assert wrong.value.status == 409


def test_the_action_under_way_is_taken_back_freely_while_nothing_came_of_it(table: Sitting) -> None:
    table.act("red", "hit")
    offered = table.seen("red").take_back
    assert offered is not None
    assert not offered.needs_consent
    table.take_back("red")
    assert table.seen("red").waiting == ()


def test_the_action_under_way_needs_a_yes_after_an_answer_and_stays_visible(table: Sitting) -> None:
    table.dice("typed")
    table.act("red", "hit")
    table.answer("blue", value="yes")
    table.answer("blue", faces=[2])
    table.take_back("red")
    assert table.seen("red").waiting != ()
    table.consent("blue", yes=True)
    seen = table.seen("screen")
    assert seen.waiting == ()
    assert seen.log[0].kind == "undo"
    assert seen.log[0].reasons[0].faces == (2,)
    table.act("red", "add")


def test_a_sealed_answer_of_the_other_needs_a_yes(table: Sitting) -> None:
    table.act("red", "bid")
    table.answer("blue", value="none")
    offered = table.seen("red").take_back
    assert offered is not None
    assert offered.needs_consent


def test_repeating_meets_the_same_faces(table: Sitting) -> None:
    first = faces(table, 6)
    for _ in range(3):
        take_back(table)
        assert faces(table, 6) == first


def test_another_throw_from_the_same_point_begins_with_the_same_faces(table: Sitting) -> None:
    first = faces(table, 3)
    take_back(table)
    longer = faces(table, 6)
    take_back(table)
    assert longer[:3] == first
    assert faces(table, 2) == first[:2]
    take_back(table)
    table.act("red", "hit")
    assert table.answer("blue", value="no").reasons[0].faces == first


def test_going_on_meets_fresh_faces(table: Sitting) -> None:
    assert len({faces(table, 6) for _ in range(12)}) > 6


def test_another_way_to_the_same_position_meets_other_faces(table: Sitting) -> None:
    met = set()
    for points in range(10):
        table.act("red", "add", points=points)
        met.add(faces(table, 6))
        take_back(table)
        take_back(table)
    assert len(met) > 5


def test_each_throw_of_an_action_has_its_own_faces(table: Sitting) -> None:
    def dodge() -> list[tuple[int, ...]]:
        table.act("red", "hit")
        return [reason.faces for reason in table.answer("blue", value="yes").reasons]

    first = dodge()
    take_back(table)
    assert dodge() == first


def test_repeating_draws_the_same_cards(table: Sitting) -> None:
    table.act("red", "draw", count=3)
    hand = table.hand("red")
    take_back(table)
    assert table.hand("red") == []
    table.act("red", "draw", count=3)
    assert table.hand("red") == hand
    take_back(table)
    table.act("red", "draw", count=2)
    assert set(table.hand("red")) < set(hand)
    take_back(table)
    table.act("red", "draw", count=5)
    assert set(table.hand("red")) > set(hand)


def test_a_refused_request_is_no_way_to_throw_again(table: Sitting) -> None:
    for _ in range(5):
        with pytest.raises(Problem):
            table.act("red", "roll", dice=6, answers=[{"value": "no"}])
    first = faces(table, 6)
    take_back(table)
    with pytest.raises(Problem):
        table.act("red", "roll", dice=6, answers=[{"value": "no"}])
    assert faces(table, 6) == first


def test_fates_outlive_a_restart(tmp_path: Path) -> None:
    with open_tables(tmp_path) as tables:
        table = sit(tables)
        first = faces(table, 6)
        take_back(table)
    with open_tables(tmp_path) as tables:
        again = Sitting(tables, table.id, table.tokens)
        assert tables.act(again.id, "red", {"action": "roll", "dice": 6}, "new").reasons[0].faces == first
