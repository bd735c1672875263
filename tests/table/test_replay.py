"""What a seat saw at any entry of the log, and what happened since it looked: no more than it may know."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

import pytest

from companion.games import discover
from companion.kit.changes import changes
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.text import speak
from companion.table import story
from companion.table.problem import Problem
from companion.table.replay import MOST_STEPS
from companion.table.tables import Tables
from companion.table.views import readable
from tests.support.random_game import RandomGame
from tests.support.toy_game import TOY
from tests.support.toy_tables import open_tables, sit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.kit.panels import View
    from companion.table.records import Entry

GAMES = discover()
STEPS = 40


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    with open_tables(tmp_path, **GAMES) as tables:
        yield tables


def game_view(tables: Tables, table: str, seat: str) -> View:
    """What the game shows to a seat now, without what the table adds for a rulekeeper who plays for free seats."""
    with tables._look(table) as session:
        return session.game.view(session.state, seat)


def log_of(tables: Tables, table: str) -> list[Entry]:
    with tables._look(table) as session:
        return [*session.log()]


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_sees_again_what_it_saw_then(name: str, tables: Tables) -> None:
    game = RandomGame(tables, GAMES[name], 11)
    seats = [*game.tokens, SCREEN]
    views: dict[int, dict[str, View]] = {}
    for _ in range(STEPS):
        if game.over() or not game.step():
            break
        seens = {seat: tables.seen(game.table, seat) for seat in seats}
        if not any(seen.waiting for seen in seens.values()):  # what a rule has come to meanwhile is no entry yet
            newest = seens[SCREEN].log[0].seq
            views[newest] = {seat: game_view(tables, game.table, seat) for seat in seats}
    assert len(views) > 5
    for seq, seen_then in views.items():
        for seat, view in seen_then.items():
            assert tables.look_back(game.table, seat, seq).view == view


@pytest.mark.parametrize("name", GAMES)
def test_a_recap_is_made_of_what_the_seat_saw_alone(name: str, tables: Tables) -> None:
    game = RandomGame(tables, GAMES[name], 4)
    seats = [*game.tokens, SCREEN]
    game.play(STEPS)
    newest = tables.seen(game.table, SCREEN).log[0].seq
    assert newest > 5
    for seat in seats:
        told = tables.recap(game.table, seat, 0, stepwise=True)
        saw = {seq: tables.look_back(game.table, seat, seq) for seq in range(1, newest + 1)}
        assert told.changes == changes(saw[1].view, saw[newest].view)
        # Of what the log keeps, a moment and a recap tell what this seat was told.
        entries = {entry.seq: entry for entry in log_of(tables, game.table)}
        for seq, one in saw.items():
            assert one.line.reasons == readable(entries[seq].reasons, seat)
        assert told.lines == tuple(saw[seq].line for seq in range(2, newest + 1))
        first = max(2, newest - MOST_STEPS + 1)
        assert told.steps == {seq: saw[seq].changes for seq in range(first, newest + 1)}
        assert tables.recap(game.table, seat, 0).steps == {}


def test_an_entry_says_what_it_made_other(tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=TOY) as tables:
        table = sit(tables)
        done = table.act("red", "add", points=7)
        assert done.seq
        looked = tables.look_back(table.id, "blue", done.seq)
        assert (looked.line.seq, looked.last) == (done.seq, done.seq)
        first = tables.look_back(table.id, "blue", 1)
        assert (first.changes, first.line.kind) == ((), "start")


@pytest.mark.parametrize("seq", [0, -1, 99, 2**62])
def test_an_entry_that_there_is_not_is_said(seq: int, tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=TOY) as tables:
        table = sit(tables)
        with pytest.raises(Problem) as wrong:
            tables.look_back(table.id, "red", seq)
        assert (wrong.value.status, wrong.value.field) == (404, "at")


def test_others_are_looked_at_only_when_the_game_is_over(tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=TOY) as tables:
        table = sit(tables)
        with pytest.raises(Problem) as wrong:
            tables.look_back(table.id, "red", 1, "blue")
        assert wrong.value.status == 403
        assert tables.look_back(table.id, "red", 1, SCREEN).view == tables.look_back(table.id, SCREEN, 1).view
        assert [tables.stage(table.id, "red", 1, whose).hands for whose in ("red", SCREEN)] == [(), ()]
        with pytest.raises(Problem) as nobody:
            tables.look_back(table.id, "red", 1, "green")
        assert nobody.value.status == 404
        table.end()
        assert tables.look_back(table.id, "red", 1, "blue").view == tables.look_back(table.id, "blue", 1).view


def test_what_happened_is_told_since_one_did_something_or_looked(tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=TOY) as tables:
        table = sit(tables)
        own = table.act("red", "pass")
        version = tables.version(table.id)
        table.act("blue", "add", points=5)
        table.correct(RULEKEEPER, "points.red", "9")
        recap = tables.recap(table.id, "red")
        assert (recap.since, recap.until) == (own.seq, tables.seen(table.id, "red").log[0].seq)
        assert [line.kind for line in recap.lines] == ["action", "correction"]
        assert tables.recap(table.id, "red", version) == recap
        kept = tables.recap(table.id, RULEKEEPER).lines
        assert [line.kind for line in kept[-2:]] == ["action", "correction"], "to correct is not to act"
        later = tables.recap(table.id, "red", tables.version(table.id))
        assert (later.lines, later.changes) == ((), ())
        assert recap.view == tables.look_back(table.id, "red", recap.until).view


def test_a_recap_of_somebody_who_never_did_anything_begins_at_the_beginning(tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=TOY) as tables:
        table = sit(tables)
        table.act("red", "add")
        recap = tables.recap(table.id, SCREEN)
        assert recap.since == 1
        assert [speak(line.headline, str) for line in recap.lines]
        assert tables.recap(table.id, SCREEN, 0) == recap


def test_one_story_is_told_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(story, "PATIENCE", 0)
    with open_tables(tmp_path, toy=TOY) as tables:
        table = sit(tables)

        def second(*_: object) -> int:
            with pytest.raises(Problem) as wrong:
                tables.story(table.id, "red", lambda *_: None)
            return wrong.value.status

        assert tables.story(table.id, "red", second) == 429
        assert tables.story(table.id, "red", lambda _, scenes: len([*scenes])) == len(tables.report(table.id, "red"))


def test_a_game_that_is_over_is_tried_from_any_entry(tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=TOY) as tables:
        table = sit(tables)
        for points in (3, 4):
            table.act("red", "add", points=points)
        seq = tables.log(table.id, "red", limit=1)[0].seq
        key = "a key that nobody guesses"
        with pytest.raises(Problem) as early:
            tables.try_from(table.id, "red", seq - 1, "What if", key)
        assert early.value.status == 409
        table.end()
        made = tables.try_from(table.id, "red", seq - 1, "What if", key)
        assert tables.try_from(table.id, "red", seq - 1, "What if", key) == made
        assert set(made.tokens) == {RULEKEEPER}
        summary = tables.summary(made.table)
        assert (summary.title, summary.over) == ("What if", False)
        (line,) = tables.log(made.table, SCREEN)
        assert speak(line.headline, str) == f"From table {table.id}, after entry {seq - 1}"
        for seat in ("red", "blue", SCREEN):
            assert tables.seen(made.table, seat).view == tables.look_back(table.id, seat, seq - 1, seat).view
        tables.join(made.table, "red", "Ana")
        tables.act(made.table, "red", {"action": "add", "points": 1}, "it-goes-on")
        tables.take_back(made.table, "red", "and-back")
        assert tables.damage(made.table) is None
        with pytest.raises(Problem) as nowhere:
            tables.try_from(table.id, "red", 99, "", "another key that nobody guesses")
        assert nowhere.value.status == 404


@pytest.mark.parametrize("name", GAMES)
def test_every_game_goes_on_from_a_position_of_the_past(name: str, tables: Tables) -> None:
    game = next(one for seed in range(20) if not (one := RandomGame(tables, GAMES[name], seed)).alone)
    game.play(30)
    if not tables.summary(game.table).over:
        tables.end(game.table, RULEKEEPER, "end-of-it", own=tuple(game.tokens))
    newest = tables.log(game.table, SCREEN, limit=1)[0].seq
    tried = 0
    for seq in range(2, newest, 7):
        if tables.look_back(game.table, SCREEN, seq).view.timed:
            with pytest.raises(Problem, match="clock"):
                tables.try_from(game.table, game.seats[0], seq, "", f"a key that nobody guesses {seq}")
            continue
        made = tables.try_from(game.table, game.seats[0], seq, "", f"a key that nobody guesses {seq}")
        assert tables.damage(made.table) is None
        assert tables.seen(made.table, SCREEN).view == tables.look_back(game.table, SCREEN, seq).view
        tried += 1
    assert tried


def test_whether_a_real_board_lies_beside_is_said_by_the_rulekeeper_for_all(tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=TOY) as tables:
        table = sit(tables)
        assert tables.has_real_board(table.id)
        with pytest.raises(Problem) as wrong:
            tables.set_real_board(table.id, "red", on=False, key="not for players")
        assert wrong.value.status == 403
        for on, said in ((False, "There is no real board"), (True, "A real board lies beside")):
            for _ in range(2):
                tables.set_real_board(table.id, RULEKEEPER, on, f"board {on} {_}")
                assert tables.has_real_board(table.id) == on
            lines = [speak(line.headline, str) for line in tables.log(table.id, "blue")]
            assert [line.startswith(said) for line in lines[:2]] == [True, False], "it is said once"


@pytest.mark.parametrize("beside", [True, False])
def test_a_table_made_of_another_one_knows_whether_a_real_board_lies_beside(beside: bool, tmp_path: Path) -> None:
    with open_tables(tmp_path, toy=TOY) as tables:
        table = sit(tables)
        for on in (False, beside):
            tables.set_real_board(table.id, RULEKEEPER, on, f"board {on} {beside}")
        copied = tables.import_(BytesIO(tables.copy(table.id, RULEKEEPER, "a copy"))).table
        table.end()
        tried = tables.try_from(table.id, "red", 1, "What if", "a key that nobody guesses").table
        again = tables.rematch(table.id, "red").table
        assert [tables.has_real_board(one) for one in (copied, tried, again)] == [beside] * 3
