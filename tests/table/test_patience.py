"""Questions that wait only for a while: the time is kept by the table, and any seat may say that it is up."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.games.free_table.game import GAME as FREE_TABLE
from companion.kit.text import speak
from companion.table.problem import Problem
from companion.table.records import ActionWaiting
from companion.table.tables import Tables
from companion.table.transactions import SteadyClock
from tests.support.export_files import export, folded, opened
from tests.support.toy_tables import Clock, Sitting, open_tables, sit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tables(tmp_path: Path, clock: Clock) -> Iterator[Tables]:
    with open_tables(tmp_path, random.Random(1), clock=clock) as found:
        yield found


@pytest.fixture
def table(tables: Tables) -> Sitting:
    """Red has cast a spell, which Blue may counter within five seconds."""
    sitting = sit(tables)
    sitting.act("red", "spell")
    return sitting


def told(table: Sitting) -> list[str]:
    last = table.seen("red").last
    assert last is not None
    return [speak(reason.text, str) for reason in last.reasons]


def left(table: Sitting) -> list[float | None]:
    return [waited.left for waited in table.seen("red").waiting]


def refused(table: Sitting, seat: str = "red", **how: Any) -> str:
    version = table.seen(seat).version
    with pytest.raises(Problem) as wrong:
        table.silence(seat, **how)
    assert wrong.value.status == 409
    assert table.seen(seat).version == version
    return speak(wrong.value.text, str)


def test_everybody_sees_how_long_a_question_still_waits(table: Sitting, clock: Clock) -> None:
    clock.wait(1.75)
    for seat in ("red", "rulekeeper", "screen"):
        seen = table.seen(seat)
        assert [(waited.seat, waited.patience, waited.left) for waited in seen.waiting] == [("blue", 5, 3.25)]
        assert seen.asked is None
    asked = table.seen("blue").asked
    assert asked is not None
    assert asked.left == 3.25
    clock.wait(60)
    assert left(table) == [0]


@pytest.mark.parametrize("seat", ["red", "blue", "rulekeeper"])
def test_when_the_time_is_up_any_seat_may_say_so_and_silence_counts(table: Sitting, clock: Clock, seat: str) -> None:
    clock.wait(5)
    done = table.silence(seat)
    assert done.seq is not None
    assert not done.repeated
    assert told(table) == ["a spell", "cast", "Blue did not answer in time."]
    assert table.seen("red").waiting == ()
    entry = table.seen("red").log[0]
    assert (entry.seat, entry.who) == ("red", "Red")


def test_silence_is_the_same_game_as_the_answer_it_counts_as(tables: Tables, clock: Clock) -> None:
    points = []
    for silent in (True, False):
        sitting = sit(tables)
        tables._luck.seed(7)
        sitting.act("red", "spell")
        clock.wait(5)
        if silent:
            sitting.silence("red")
        else:
            sitting.answer("blue", value="no")
        points.append(sitting.points())
        with tables._store.read() as books:
            row = books.row(sitting.id)
            assert row
            (entry,) = books.entries(sitting.id, row.last, row.last)
        assert entry.answers[0] == msgspec.convert(
            {"type": "choice", "key": "counter", "value": "no", "seat": "blue"}, type(entry.answers[0])
        )
    assert points[0] == points[1]


def test_while_there_is_time_nobody_can_say_that_it_is_up(table: Sitting, clock: Clock) -> None:
    assert refused(table) == "Blue may answer for 5 s more."
    clock.wait(4.9)
    assert refused(table, "blue") == "Blue may answer for 1 s more."
    table.answer("blue", value="yes")
    assert told(table) == ["a spell"]


def test_an_answer_is_taken_until_somebody_says_that_the_time_is_up(table: Sitting, clock: Clock) -> None:
    clock.wait(60)
    table.answer("blue", value="yes")
    assert told(table) == ["a spell"]


def test_who_says_it_later_changes_nothing_any_more(table: Sitting, clock: Clock) -> None:
    seen = table.seen("red").version
    clock.wait(5)
    first = table.silence("red", seen, "up")
    after = table.seen("red").version
    assert msgspec.structs.replace(first, repeated=True) == table.silence("red", seen, "up")
    assert table.silence("blue", seen).repeated
    assert table.seen("red").version == after
    table.act("red", "spell")
    clock.wait(5)
    assert table.silence("blue", seen).repeated
    assert [waited.seat for waited in table.seen("red").waiting] == ["blue"]


def test_phones_that_say_it_at_once_end_the_question_once(table: Sitting, clock: Clock) -> None:
    seen, before = table.seen("red").version, table.seen("red").log[0].seq
    clock.wait(5)
    with ThreadPoolExecutor(3) as phones:
        done = list(phones.map(lambda seat: table.silence(seat, seen), ("red", "blue", "rulekeeper")))
    assert sorted(one.repeated for one in done) == [False, True, True]
    assert table.seen("red").log[0].seq == before + 1
    assert table.seen("red").version == seen + 1


def test_a_question_without_a_limit_waits_for_good(tables: Tables, clock: Clock) -> None:
    sitting = sit(tables)
    sitting.act("red", "hit")
    clock.wait(3600)
    assert left(sitting) == [None]
    assert refused(sitting) == "The table waits for Blue, however long it takes."


def test_nothing_is_asked_so_nothing_is_late(tables: Tables) -> None:
    sitting = sit(tables)
    version = sitting.seen("red").version
    assert sitting.silence("red").repeated
    assert sitting.seen("red").version == version


def test_the_screen_says_nothing(table: Sitting, clock: Clock) -> None:
    clock.wait(5)
    with pytest.raises(Problem) as wrong:
        table.silence("screen")
    assert wrong.value.status == 403


def test_the_time_runs_on_while_companion_is_started_again(tmp_path: Path, clock: Clock) -> None:
    with open_tables(tmp_path, clock=clock) as tables:
        before = sit(tables)
        before.act("red", "spell")
    clock.wait(2)
    with open_tables(tmp_path, clock=clock) as tables:
        after = Sitting(tables, before.id, before.tokens)
        assert left(after) == [3]
        assert refused(after, key="again") == "Blue may answer for 3 s more."
        clock.wait(3)
        after.silence("red", key="once more")
        assert told(after)[-1] == "Blue did not answer in time."


def test_a_clock_that_is_set_back_keeps_nobody_waiting(table: Sitting, clock: Clock) -> None:
    clock.wait(-3600)
    table.silence("red")
    assert told(table)[-1] == "Blue did not answer in time."


@pytest.mark.parametrize("rest", ["pause", "end"])
def test_while_the_table_rests_no_time_passes(table: Sitting, clock: Clock, rest: str) -> None:
    clock.wait(4)
    getattr(table, rest)(on=True)
    clock.wait(600)
    assert refused(table)
    assert table.seen("red").left is None
    getattr(table, rest)(on=False)
    assert left(table) == [5]
    assert table.seen("red").left == 5


def test_where_several_are_asked_each_has_a_time_of_its_own(tables: Tables, clock: Clock) -> None:
    sitting = sit(tables)
    sitting.act("red", "rush")
    seen = sitting.seen("red").version
    clock.wait(5)
    assert left(sitting) == [0, 3]
    assert sitting.silence("blue", seen).seq is None
    assert left(sitting) == [3]
    assert refused(sitting, seen=seen) == "Blue may answer for 3 s more."
    sitting.answer("blue", value="yes", seen=seen)
    assert told(sitting) == ["red ducks: no", "blue ducks: yes", "Red did not answer in time."]


def test_one_after_the_other_may_be_late(tables: Tables, clock: Clock) -> None:
    sitting = sit(tables)
    sitting.act("red", "rush")
    for seconds in (5, 3):
        clock.wait(seconds)
        sitting.silence("blue")
    assert told(sitting)[2:] == ["Red did not answer in time.", "Blue did not answer in time."]


def test_where_only_who_has_all_the_time_is_left_nothing_is_late(tables: Tables, clock: Clock) -> None:
    sitting = sit(tables)
    sitting.act("red", "rush", calm=True)
    seen = sitting.seen("red").version
    clock.wait(5)
    sitting.silence("blue", seen)
    assert left(sitting) == [None]
    assert sitting.silence("red", seen).repeated
    assert sitting.seen("red").version == seen + 1


def test_all_who_are_late_are_passed_over_at_once(tables: Tables, clock: Clock) -> None:
    sitting = sit(tables)
    sitting.act("red", "rush")
    clock.wait(8)
    sitting.silence("red")
    assert told(sitting)[2:] == ["Red did not answer in time.", "Blue did not answer in time."]


def test_taking_back_and_doing_again_puts_the_question_anew(table: Sitting, clock: Clock) -> None:
    clock.wait(5)
    table.silence("red")
    table.take_back("red")
    table.consent("blue", yes=True)
    assert table.points() == "0 to 0"
    table.act("red", "spell")
    assert left(table) == [5]
    table.take_back("red")
    assert table.seen("red").waiting == ()


def test_a_table_that_was_carried_away_puts_its_question_anew(
    table: Sitting, tables: Tables, clock: Clock, tmp_path: Path
) -> None:
    clock.wait(3)
    taken = export(tables, table.id)
    clock.wait(3600)
    with open_tables(tmp_path / "elsewhere", clock=clock) as others:
        created = others.import_(taken)
        again = Sitting(others, created.table, created.tokens)
        assert left(again) == [5]
        clock.wait(5)
        again.silence("rulekeeper")
        assert told(again) == ["a spell", "cast", "Blue did not answer in time."]
        more = others.import_(export(others, created.table))
        assert told(Sitting(others, more.table, more.tokens)) == told(again)


def test_a_file_names_nobody_as_silent_who_does_not_play(tables: Tables, clock: Clock) -> None:
    sitting = sit(tables)
    sitting.act("red", "rush")
    clock.wait(5)
    sitting.silence("red")
    sitting.end()
    whole = opened(export(tables, sitting.id))
    assert whole["contents"]["held"]["silent"] == ["red"]
    whole["contents"]["held"]["silent"] = ["somebody else"]
    with pytest.raises(Problem) as wrong:
        tables.import_(folded(whole))
    assert wrong.value.field == "held"


def test_a_question_that_was_stored_before_there_was_a_time_to_it_still_opens(table: Sitting, tables: Tables) -> None:
    table.answer("blue", value="yes")
    table.act("red", "hit")
    with tables._store.write() as books:
        (kept,) = books._run("select held from tables where id = ?", (table.id,)).fetchone()
        old = {name: value for name, value in json.loads(kept).items() if name not in {"put", "silent"}}
        assert old.keys() < json.loads(kept).keys()
        books._run("update tables set held = ? where id = ?", (json.dumps(old), table.id))
    assert msgspec.convert(old, ActionWaiting).put is None
    assert left(table) == [None]
    table.answer("blue", value="no")
    assert table.seen("red").waiting == ()


class Laptop:
    """A laptop whose clock may be set, while seconds go on."""

    def __init__(self) -> None:
        self.wall = Clock()
        self.passed = 1000.0

    def wait(self, seconds: float) -> None:
        self.wall.wait(seconds)
        self.passed += seconds

    def started(self) -> SteadyClock:
        """Start Companion: its clock begins by the laptop's."""
        return SteadyClock(self.wall, lambda: self.passed)


HOUR = 3600


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_wait_is_as_long_as_it_should_be_while_the_clock_is_set(tmp_path: Path, jump: int) -> None:
    laptop = Laptop()
    with open_tables(tmp_path, clock=laptop.started()) as tables:
        table = sit(tables)
        table.act("red", "spell")
        laptop.wait(2)
        assert left(table) == [3.0]
        laptop.wall.wait(jump)
        assert left(table) == [3.0]
        assert "3 s" in refused(table)
        laptop.wait(1)
        laptop.wall.wait(-2 * jump)
        assert left(table) == [2.0]
        laptop.wait(2)
        table.silence("red")
        assert not left(table)


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_chess_clock_takes_only_the_time_that_passes_while_the_clock_is_set(tmp_path: Path, jump: int) -> None:
    laptop = Laptop()
    with open_tables(tmp_path, clock=laptop.started(), free_table=FREE_TABLE) as tables:
        made = tables.create("free_table", "", {"begin": "chess_clock", "seats": 2}, {})
        table = Sitting(tables, made.table, dict(made.tokens))
        for seat in ("player_1", "player_2"):
            tables.join(made.table, seat, seat)

        def kept(seat: str) -> float:
            """Return the seconds that a player has now."""
            (panel,) = (one for one in table.seen(seat).view.panels if getattr(one, "rows", ()))
            (clock,) = (row.clock for row in panel.rows if row.side == seat)
            gone = 0 if clock.since is None else tables.instant() - clock.since
            return (clock.left - gone) / 1000

        table.act("player_1", "run_clock", tracker="t1")
        laptop.wait(10)
        laptop.wall.wait(jump)
        laptop.wait(10)
        assert kept("player_1") == 580
        table.act("player_1", "press_clock", tracker="t1", line="player_1", to="player_2")
        laptop.wall.wait(-jump)
        laptop.wait(30)
        table.act("player_2", "press_clock", tracker="t1", line="player_2", to="player_1")
        assert (kept("player_1"), kept("player_2")) == (585, 575), "five seconds are added after each move"


def test_a_clock_that_was_set_while_companion_ran_counts_from_the_next_start(tmp_path: Path) -> None:
    laptop = Laptop()
    begun = laptop.started()
    laptop.wall.wait(HOUR)
    laptop.wait(5)
    assert (laptop.started()() - begun()).total_seconds() == HOUR


def test_the_tables_go_by_a_clock_that_cannot_be_set(tables: Tables, tmp_path: Path) -> None:
    assert isinstance(Tables(tables._store, {})._now, SteadyClock)
    assert abs((SteadyClock()() - datetime.now(UTC)).total_seconds()) < HOUR
