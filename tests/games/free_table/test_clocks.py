"""The clocks of the free table: what is left at given moments, passing it on, and the moment as the table tells it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import discover
from companion.games.free_table.timers import LONGEST, Timer
from companion.games.free_table.trackers import State
from companion.kit.asking import Ask, Pending
from companion.kit.panels import Clock, Row
from companion.kit.questions import Choice, Instant, Moment
from companion.kit.ruling import Refusal
from companion.kit.text import speak
from companion.table.store import Store
from companion.table.tables import Tables
from tests.support.export_files import contents, export

GAME: Any = discover()["free_table"]
NOON = 1_800_000_000_000
PEOPLE = {"player_1": "Ana", "player_2": "Ben", "player_3": "Cleo"}


def do(state: State, action: str, at: float | None = None, **rest: Any) -> State:
    """Do something at a moment, in seconds after noon."""
    answers = [] if at is None else [Instant("clock", NOON + round(at * 1000))]
    ask = Ask(answers)
    after: State = GAME.rule(state, "player_1", msgspec.convert({"action": action, **rest}, GAME.actions), ask).outcome
    ask.finish()
    return after


def act(state: State, action: str, at: float | None = None, **rest: Any) -> State:
    return do(state, action, at, tracker="t1", **rest)


def set_up(how: str, minutes: int = 1, seats: int = 2, **rest: Any) -> State:
    people = dict(list(PEOPLE.items())[:seats])
    return do(State(4, people=people), "set_timer", how=how, minutes=minutes, **rest)


def press(state: State, at: float | None = None, to: str | None = None) -> State:
    """Pass a clock on, as it is offered."""
    offers = [one for one in GAME.offers(state, "player_1") if one.action == "press_clock"]
    given_ = next(one.given for one in offers if to is None or one.given["to"] == to)
    return do(state, "press_clock", at, **given_)


def rows(state: State) -> tuple[Row, ...]:
    found: tuple[Row, ...] = GAME.view(state, "screen").panels[0].rows
    return found


def clocks(state: State, at: float) -> list[str | None]:
    """Read the clocks as a phone shows them at a moment."""
    return [row.clock and shown(row.clock, at) for row in rows(state)]


def shown(clock: Clock, at: float) -> str:
    gone = 0 if clock.since is None else max(NOON + round(at * 1000) - clock.since, 0)
    return Clock(clock.left - gone, None, clock.upward).says


def whose(state: State) -> list[str]:
    return [speak(row.name, str) for row in rows(state) if row.current]


@pytest.mark.parametrize(
    ("left", "upward", "says"),
    [
        (60_000, False, "1:00"),
        (59_001, False, "1:00"),
        (59_000, False, "0:59"),
        (1, False, "0:01"),
        (0, False, "0:00"),
        (-999, False, "0:00"),
        (-61_000, False, "−1:01"),
        (3_599_001, False, "1:00:00"),
        (359_999_000, False, "99:59:59"),
        (0, True, "0:00"),
        (-999, True, "0:00"),
        (-61_999, True, "1:01"),
    ],
)
def test_a_clock_says_minutes_and_seconds(left: int, says: str, *, upward: bool) -> None:
    assert Clock(left, None, upward).says == says


def test_a_chess_clock_takes_time_from_whose_turn_it_is_only() -> None:
    state = act(set_up("chess", 10), "run_clock", 0)
    assert (clocks(state, 5), whose(state)) == (["9:55", "10:00"], ["Ana"])
    state = press(state, 30)
    assert (clocks(state, 40), whose(state)) == (["9:30", "9:50"], ["Ben"])
    assert GAME.view(state, "player_2").to_move == ("player_2",)
    state = press(state, 45)
    assert (clocks(state, 50), whose(state)) == (["9:25", "9:45"], ["Ana"])


def test_an_increment_is_added_after_the_move() -> None:
    state = press(act(set_up("chess", 10, increment=5), "run_clock", 0), 2)
    assert clocks(state, 2) == ["10:03", "10:00"]


def test_whoever_is_out_of_time_is_marked_gains_nothing_and_plays_on() -> None:
    state = press(act(set_up("chess", 1, increment=5), "run_clock", 0), 61)
    assert clocks(state, 61) == ["−0:01", "1:00"]
    assert [row.note and row.note.say for row in rows(state)] == ["out of time", None]
    assert not GAME.view(state, "screen").over
    assert clocks(press(state, 70), 72) == ["−0:03", "0:56"]


def test_whoever_runs_out_is_told_so_once_the_clock_is_pressed() -> None:
    state = act(set_up("chess", 1), "run_clock", 0)
    sent = msgspec.convert(
        {"action": "press_clock", "tracker": "t1", "line": "player_1", "to": "player_2"}, GAME.actions
    )
    for at, told in ((59_999, []), (60_000, ["{who} is out of time"])):
        ruling = GAME.rule(state, "player_2", sent, Ask([Instant("clock", NOON + at)]))
        assert [reason.text.say for reason in ruling.reasons] == told


def test_a_delay_costs_nothing_and_does_not_begin_again_after_a_pause() -> None:
    state = act(set_up("chess", 1, delay=10), "run_clock", 0)
    assert [clocks(state, at)[0] for at in (9, 10, 12)] == ["1:00", "1:00", "0:58"]
    state = act(act(state, "stop_clock", 6), "run_clock", 100)
    assert [clocks(state, at)[0] for at in (104, 105)] == ["1:00", "0:59"]
    state = press(state, 105)
    assert clocks(state, 116) == ["0:59", "0:59"]


def test_with_more_than_two_anybody_can_be_next() -> None:
    state = press(act(set_up("chess", 1, seats=3), "run_clock", 0), 5, to="player_3")
    assert (clocks(state, 10), whose(state)) == (["0:55", "1:00", "0:55"], ["Cleo"])
    assert whose(press(state, 11)) == ["Ana"]


def test_two_phones_that_press_at_once_pass_it_on_once() -> None:
    state = press(act(set_up("chess"), "run_clock", 0), 5)
    with pytest.raises(Refusal, match="already with"):
        act(state, "press_clock", 5.1, line="player_1", to="player_2")


@pytest.mark.parametrize("to", ["player_1", "player_4", "9", ""])
def test_a_clock_goes_only_to_somebody_else_who_is_there(to: str) -> None:
    with pytest.raises(Refusal) as refused:
        act(set_up("chess"), "press_clock", line="player_1", to=to)
    assert refused.value.field == "to"


def test_who_begins_is_chosen_while_the_clock_stands_and_costs_nothing() -> None:
    state = press(set_up("chess", increment=5))
    assert (clocks(state, 500), whose(state)) == (["1:00", "1:00"], ["Ben"])
    assert GAME.view(state, "player_2").to_move == ()


def test_a_pause_takes_nothing_away() -> None:
    state = act(act(set_up("chess"), "run_clock", 0), "stop_clock", 18)
    assert clocks(state, 1000) == ["0:42", "1:00"]
    assert clocks(act(state, "run_clock", 1000), 1002) == ["0:40", "1:00"]


def test_a_clock_is_started_and_stopped_once() -> None:
    state = set_up("stopwatch")
    with pytest.raises(Refusal, match="stands already"):
        act(state, "stop_clock")
    with pytest.raises(Refusal, match="runs already"):
        act(act(state, "run_clock", 0), "run_clock")


def test_each_turn_has_its_time_anew() -> None:
    state = act(set_up("turn", seats=3), "run_clock", 0)
    assert clocks(state, 50) == ["0:10", None, None]
    state = press(state, 50)
    assert (clocks(state, 55), whose(state)) == ([None, "0:55", None], ["Ben"])
    assert clocks(press(press(state, 60), 60), 61) == ["0:59", None, None]


def test_turns_of_typed_names_have_their_time_too() -> None:
    state = act(set_up("turn", each="name", names="North, South"), "run_clock", 0)
    assert whose(press(state, 5)) == ["South"]
    assert GAME.view(state, "screen").to_move == ()
    with pytest.raises(Refusal) as refused:
        set_up("turn", each="name")
    assert refused.value.field == "names"


def test_a_stopwatch_counts_up_and_goes_on_where_it_stood() -> None:
    state = act(act(set_up("stopwatch"), "run_clock", 0), "stop_clock", 61.9)
    assert clocks(state, 500) == ["1:01"]
    assert clocks(act(state, "run_clock", 1000), 1000.1) == ["1:02"]


def test_a_countdown_is_the_tables_and_begins_again_by_a_tap() -> None:
    state = act(set_up("countdown", 5), "run_clock", 0)
    assert clocks(state, 301) == ["−0:01"]
    assert clocks(act(state, "restart_clock"), 400) == ["5:00"]
    assert not any(one.action == "press_clock" for one in GAME.offers(state, "player_1"))


def test_a_clock_needs_some_time_but_a_stopwatch_none() -> None:
    with pytest.raises(Refusal) as refused:
        set_up("countdown", 0)
    assert refused.value.field == "minutes"
    assert clocks(set_up("stopwatch", 0), 0) == ["0:00"]


def test_a_clock_set_back_gives_no_time_and_a_forgotten_one_counts_no_further_than_it_can_show() -> None:
    state = act(set_up("countdown"), "run_clock", 0)
    assert clocks(act(state, "stop_clock", -3600), 0) == ["1:00"]
    delayed = act(act(set_up("chess", delay=5), "run_clock", 0), "stop_clock", -3600)
    assert clocks(act(delayed, "run_clock", 0), 10) == ["0:55", "1:00"]
    forgotten = act(state, "stop_clock", 10**7)
    assert clocks(forgotten, 0) == [Clock(-LONGEST * 1000).says]
    assert GAME.tracked(forgotten)[0].field.value == -LONGEST


def test_the_clock_of_somebody_who_goes_does_not_run_on_as_somebody_elses() -> None:
    state = press(act(set_up("chess"), "run_clock", 0), 0)
    sit = msgspec.convert({"action": "sit", "name": None}, GAME.actions)
    away = GAME.rule(state, "player_2", sit, Ask()).outcome
    assert clocks(away, 10) == ["1:00", "0:50"]
    assert len(rows(act(away, "stop_clock", 10))) == 1


def test_changing_a_clock_keeps_what_is_left_as_long_as_it_is_the_same_kind() -> None:
    state = act(set_up("chess"), "run_clock", 0)
    longer = do(state, "set_timer", tracker="t1", how="chess", minutes=2, name="Big one")
    assert clocks(longer, 10) == ["1:50", "2:00"]
    assert clocks(do(state, "set_timer", tracker="t1", how="turn", minutes=2), 10) == ["2:00", None]


def of_names(names: str, state: State | None = None, how: str = "chess") -> State:
    if state is None:
        return set_up(how, each="name", names=names)
    return do(state, "set_timer", tracker="t1", how=how, minutes=1, each="name", names=names)


def times(state: State, at: float) -> dict[str, str | None]:
    return dict(zip((speak(row.name, str) for row in rows(state)), clocks(state, at), strict=True))


def test_time_follows_its_name_and_a_clock_that_runs_runs_on() -> None:
    state = press(act(of_names("North, South"), "run_clock", 0), 20)
    after = of_names("West, South, North", state)
    assert (times(after, 30), whose(after)) == ({"West": "1:00", "South": "0:50", "North": "0:40"}, ["South"])
    left = of_names("West, North", state)
    assert (times(left, 90), whose(left)) == ({"West": "1:00", "North": "0:40"}, ["West"])
    assert whose(press(of_names("South, North, West", after), 40)) == ["North"]


def test_who_has_more_names_for_a_clock_that_stands_finds_it_as_it_stood() -> None:
    state = act(press(act(of_names("North, South"), "run_clock", 0), 20), "stop_clock", 30)
    after = of_names("South, East, North", state)
    assert (times(after, 99), whose(after)) == ({"South": "0:50", "East": "1:00", "North": "0:40"}, ["South"])


def test_a_new_game_begins_with_all_the_time_and_standing_clocks() -> None:
    state = do(press(act(set_up("chess"), "run_clock", 0), 30), "renew")
    assert (clocks(state, 99), whose(state)) == (["1:00", "1:00"], ["Ana"])


def test_the_end_of_the_game_stops_the_clocks_that_run() -> None:
    state = act(set_up("countdown"), "run_clock", 0)
    ruling = GAME.rule(
        state, "player_1", msgspec.convert({"action": "end"}, GAME.actions), Ask([Instant("end", NOON + 20_000)])
    )
    assert rows(ruling.outcome)[0].clock == Clock(40_000)
    assert do(set_up("countdown"), "end").over


def test_corrections_set_what_is_left_now_and_whose_turn_it_is() -> None:
    state = act(set_up("chess"), "run_clock", 0)
    after = GAME.correct(state, "t1.of.player_1", "30", Ask([Instant("clock", NOON + 40_000)]))
    assert clocks(after, 41) == ["0:29", "1:00"]
    after = GAME.correct(after, "t1.line", "player_2", Ask([Instant("clock", NOON + 45_000)]))
    assert (clocks(after, 50), whose(after)) == (["0:25", "0:55"], ["Ben"])
    again = GAME.correct(state, "t1.of.player_1", "60", Ask([Instant("clock", NOON + 40_000)]))
    assert clocks(again, 41) == ["0:59", "1:00"]
    standing = GAME.correct(set_up("stopwatch"), "t1.of.all", "90", Ask())
    assert clocks(standing, 0) == ["1:30"]


WHAT = st.sampled_from(["run_clock", "stop_clock", "press"])


@given(st.lists(st.tuples(WHAT, st.integers(0, 20_000)), max_size=25), st.integers(0, 5), st.integers(0, 5))
def test_time_is_neither_made_nor_lost(steps: list[tuple[str, int]], increment: int, delay: int) -> None:
    """What is left of all is what there was, and what was added, less the time that ran and cost something."""
    state = set_up("chess", 600, increment=increment, delay=delay)
    now, since, free = 0, None, delay * 1000
    whole = 2 * 600_000 * 60
    for what, passes in steps:
        now += passes
        running = since is not None
        try:
            if what == "press":
                state = press(state, now / 1000 if running else None)
            else:
                state = act(state, what, now / 1000 if running != (what == "run_clock") else None)
        except Refusal:
            continue
        if since is not None:
            whole -= max(now - since - free, 0)
            free = max(free - (now - since), 0)
        if what == "press":
            whole += increment * 1000 if running else 0
            free = delay * 1000
        since = now if what == "run_clock" or (what == "press" and running) else None
    timer = state.trackers[0]
    assert isinstance(timer, Timer)
    gone = max(now - since - free, 0) if since is not None else 0
    lefts = [row.clock.left for row in rows(state) if row.clock]
    assert sum(lefts) - gone == whole - gone


# The moment as the table tells it.


class At:
    """A table's clock that goes only when a test says so."""

    def __init__(self) -> None:
        self.now = datetime(2027, 1, 15, 8, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def go(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class Sitting:
    """A table with a countdown of a minute, and two who sit there."""

    def __init__(self, data: Path) -> None:
        self.at = At()
        self.tables = Tables(Store(data / "tables.sqlite"), {"free_table": GAME}, now=self.at)
        self.table = self.tables.create("free_table", "", {"seats": 2}, {"rulekeeper": "Ruth"}, "app").table
        for seat, name in (("player_1", "Ana"), ("player_2", "Ben")):
            self.tables.join(self.table, seat, name)
        self.keys = 0
        self.act("set_timer", how="chess", minutes=1)

    def key(self) -> str:
        self.keys += 1
        return f"key-{self.keys}"

    def act(self, action: str, key: str | None = None, **rest: Any) -> Any:
        return self.tables.act(self.table, "player_1", {"action": action, **rest}, key or self.key())

    def clock(self, table: str | None = None) -> Clock:
        panel = self.tables.seen(table or self.table, "screen").view.panels[0]
        assert hasattr(panel, "rows")
        clock = panel.rows[0].clock
        assert isinstance(clock, Clock)
        return clock

    def moment(self) -> int:
        return int(self.at.now.timestamp() * 1000)


@pytest.fixture
def sitting(tmp_path: Path) -> Sitting:
    return Sitting(tmp_path)


def test_the_table_says_what_time_it_is_once(sitting: Sitting) -> None:
    began = sitting.moment()
    sitting.act("run_clock", key="same", tracker="t1")
    sitting.at.go(5)
    assert sitting.act("run_clock", key="same", tracker="t1").repeated
    assert sitting.clock() == Clock(60_000, began)


def test_the_moment_is_kept_in_the_log_and_the_rule_comes_to_the_same_with_it(sitting: Sitting) -> None:
    sitting.act("run_clock", tracker="t1")
    began = sitting.moment()
    sitting.at.go(12.345)
    sitting.act("press_clock", tracker="t1", line="player_1", to="player_2")
    sitting.act("end")
    log = [entry for entry in contents(export(sitting.tables, sitting.table))["log"] if "state" in entry]
    kept = {entry["action"]["action"]: entry for entry in log if entry.get("answers")}
    assert [one["answers"] for one in kept.values()] == [
        [{"type": "instant", "key": "clock", "at": began}],
        [{"type": "instant", "key": "clock", "at": began + 12_345}],
        [{"type": "instant", "key": "end", "at": began + 12_345}],
    ]
    pressed = msgspec.convert(kept["press_clock"]["action"], GAME.actions)
    before = msgspec.convert(kept["run_clock"]["state"], State)
    ruling = GAME.rule(before, "player_1", pressed, Ask([Instant("clock", began + 12_345)]))
    assert ruling.outcome == msgspec.convert(kept["press_clock"]["state"], State)


def test_undo_goes_back_to_what_was_left_then_and_asks_nobody(sitting: Sitting) -> None:
    began = sitting.moment()
    sitting.act("run_clock", tracker="t1")
    sitting.at.go(20)
    sitting.act("stop_clock", tracker="t1")
    assert sitting.clock() == Clock(40_000)
    sitting.at.go(100)
    sitting.tables.take_back(sitting.table, "player_1", sitting.key())
    assert sitting.clock() == Clock(60_000, began)
    sitting.tables.take_back(sitting.table, "player_1", sitting.key())
    assert sitting.clock() == Clock(60_000)


def test_a_table_taken_in_has_the_same_clocks(sitting: Sitting) -> None:
    sitting.act("run_clock", tracker="t1")
    kept = export(sitting.tables, sitting.table)
    sitting.at.go(3600)
    assert sitting.clock(sitting.tables.import_(kept).table) == sitting.clock()


def test_nobody_but_the_table_answers_what_time_it_is() -> None:
    state = set_up("countdown")
    run = msgspec.convert({"action": "run_clock", "tracker": "t1"}, GAME.actions)
    with pytest.raises(Pending) as asked:
        GAME.rule(state, "player_1", run, Ask())
    assert asked.value.question == Moment("clock")
    with pytest.raises(Refusal, match="does not fit"):
        GAME.rule(state, "player_1", run, Ask([Choice("clock", "0", "player_1")]))


def test_a_correction_by_hand_sets_a_clock_that_runs(sitting: Sitting) -> None:
    sitting.act("run_clock", tracker="t1")
    sitting.at.go(50)
    sitting.tables.correct(sitting.table, "player_2", "t1.of.player_1", "30", sitting.key())
    assert sitting.clock() == Clock(30_000, sitting.moment())
