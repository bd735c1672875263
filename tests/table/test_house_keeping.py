"""House-keeping: the archive, the bin and the way back, empty tables that go by themselves, an end that two want."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from companion.folder import copy_to
from companion.kit.text import speak
from companion.table import whole_tables
from companion.table.housekeeping import DAYS_KEPT
from companion.table.problem import Gone, Problem
from tests.support.duel_game import GAME
from tests.support.toy_tables import Clock, Sitting, open_tables, sit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.table.tables import Tables

DAY = 24 * 3600
KEEPER = "rulekeeper"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tables(tmp_path: Path, clock: Clock) -> Iterator[Tables]:
    with open_tables(tmp_path, clock=clock) as found:
        yield found


def never(_: float) -> bool:
    """Wait for nothing, and go on."""
    return False


def listed(tables: Tables, **how: Any) -> list[str]:
    return [summary.table for summary in tables.summaries(**how)]


def rows(tables: Tables, table: str) -> int:
    """Count all that is stored of a table."""
    with closing(sqlite3.connect(tables.store.path)) as db:
        names = ("entries", "fates", "keys", "knocks", "notes", "rematches", "seats")
        counted = [db.execute(f"select count(*) from {name} where table_id = ?", (table,)) for name in names]
        own = db.execute("select count(*) from tables where id = ?", (table,))
        return sum(found.fetchone()[0] for found in (*counted, own))


@contextmanager
def refused(status: int) -> Iterator[None]:
    with pytest.raises(Problem) as problem:
        yield
    assert problem.value.status == status


def consent(table: Sitting, seat: str, *, yes: bool = True) -> None:
    table.tables.consent_to_end(table.id, seat, yes, table.key())


def archive(table: Sitting, seat: str = KEEPER, *, on: bool = True) -> None:
    table.tables.archive(table.id, seat, on, table.key())


def test_of_tables_made_in_one_second_the_newest_comes_first(tables: Tables, clock: Clock) -> None:
    made = [tables.create("toy").table for _ in range(12)]
    assert listed(tables) == made[::-1]
    clock.wait(1)
    tables.retitle(made[3], KEEPER, "Friday", "a key of its own")
    assert listed(tables) == [made[3], *(one for one in made[::-1] if one != made[3])]


# The archive


def test_an_archived_table_is_read_and_whoever_plays_on_takes_it_out(tables: Tables) -> None:
    table, other = sit(tables), sit(tables)
    archive(table)
    assert listed(tables) == [other.id]
    assert listed(tables, archived=True) == [table.id]
    assert tables.summary(table.id).archived
    assert table.seen("red").archived
    assert tables.report(table.id, "red")
    tables.rename(table.id, "red", "Rita", table.key())
    assert listed(tables, archived=True) == [table.id], "nobody has played"
    table.act("red", "add")
    assert set(listed(tables)) == {table.id, other.id}
    assert not table.seen("red").archived
    archive(table)
    archive(table, on=False)
    assert table.id in listed(tables)


def test_only_the_rulekeeper_puts_a_table_away(tables: Tables) -> None:
    table = sit(tables)
    for seat in ("red", "blue"):
        with refused(403):
            archive(table, seat)
        with refused(403):
            tables.delete(table.id, seat, table.key())
    with refused(403):
        tables.delete(table.id, "screen", table.key())
    assert listed(tables) == [table.id]


# The bin


def test_a_deleted_table_is_gone_for_everybody_and_comes_back_with_all_it_had(tables: Tables, clock: Clock) -> None:
    table = sit(tables)
    table.act("red", "add")
    before, log = table.seen("red"), tables.report(table.id, "red")
    tables.delete(table.id, KEEPER, table.key())
    assert listed(tables) == []
    assert listed(tables, archived=True) == []
    for ask in (
        lambda: table.seen("red"),
        lambda: tables.summary(table.id),
        lambda: tables.version(table.id),
        lambda: tables.seen_all(table.id, ["red"]),
        lambda: tables.report(table.id, "screen"),
        lambda: table.act("red", "add"),
        lambda: tables.join(table.id, "blue", "Eve"),
        lambda: tables.knock(table.id, "blue", "Eve"),
        lambda: tables.copy(table.id, KEEPER, table.key()),
        lambda: tables.rematch(table.id, "red"),
        lambda: table.pause(on=True),
    ):
        with pytest.raises(Gone) as gone:
            ask()
        assert gone.value.status == 410
    assert tables.seats_of(table.id, table.tokens.values()), "who sits there is known, for who may bring it back"
    found = gone.value.deletion
    assert (found.table, found.title, found.by, found.who) == (table.id, "A table", "rulekeeper", "Keeper")
    assert (found.at, found.until) == ("2026-01-01T12:00:00+00:00", "2026-01-31T12:00:00+00:00")
    assert tables.bin(10) == (found,)
    clock.wait((DAYS_KEPT - 1) * DAY)
    tables.bring_back(table.id)
    assert tables.bin(10) == ()
    assert listed(tables) == [table.id]
    after = table.seen("red")
    assert (after.view, after.people) == (before.view, before.people)
    assert tables.report(table.id, "red")[:-1] == log
    assert "brought back" in speak(tables.report(table.id, "red")[-1].headline, str)
    assert table.act("red", "add").seq


def test_deleting_twice_and_bringing_back_twice_change_nothing(tables: Tables, clock: Clock) -> None:
    table = sit(tables)
    tables.delete_any(table.id)
    (first,) = tables.bin(10)
    clock.wait(DAY)
    tables.delete_any(table.id)
    assert tables.bin(10) == (first,)
    assert first.by == "host"
    tables.bring_back(table.id)
    log = tables.report(table.id, "screen")
    tables.bring_back(table.id)
    assert tables.report(table.id, "screen") == log


def test_after_thirty_days_all_of_it_is_gone_in_short_transactions(
    tables: Tables, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_tables, "ROWS_TOGETHER", 3)
    table, other = sit(tables), sit(tables)
    for _ in range(6):
        table.act("red", "add")
        other.act("red", "add")
    before = rows(tables, other.id)
    tables.delete(table.id, KEEPER, table.key())
    clock.wait(DAYS_KEPT * DAY - 1)
    tables.keep_house(never)
    assert len(tables.bin(10)) == 1
    clock.wait(1)
    assert tables.bin(10) == ()
    for ask in (lambda: table.seen("red"), lambda: tables.bring_back(table.id), lambda: tables.deletion(table.id)):
        with refused(404):
            ask()
    waits: list[float] = []

    def stops(seconds: float) -> bool:
        waits.append(seconds)
        return len(waits) == 2

    tables.keep_house(stops)
    assert rows(tables, table.id), "it was stopped in between"
    assert not tables.store.is_damaged(), "a table that is half gone is no damage"
    clock.time = clock.time.replace(day=2)
    with refused(404):
        tables.bring_back(table.id)  # whatever a clock says, half of it is no table
    clock.wait(60 * DAY)
    tables.keep_house(never)
    assert rows(tables, table.id) == 0
    assert rows(tables, other.id) == before
    assert other.act("red", "add").seq
    assert not tables.store.is_damaged()


def test_a_deleted_table_is_in_a_backup(tables: Tables, tmp_path: Path, clock: Clock) -> None:
    table = sit(tables)
    table.act("red", "add")
    tables.delete(table.id, KEEPER, table.key())
    copy = tmp_path / "copy"
    copy.mkdir()
    assert copy_to(tables.store.path, copy / "tables.sqlite") == 1
    tables.bring_back(table.id)
    with open_tables(copy, clock=clock) as again:
        with pytest.raises(Gone):
            again.seen(table.id, "red")
        again.bring_back(table.id)
        assert again.seen(table.id, "red").view == table.seen("red").view


def test_a_rematch_that_was_deleted_leaves_the_old_table_as_it_is(tables: Tables, clock: Clock) -> None:
    table = sit(tables)
    table.act("red", "stop")
    there = tables.rematch(table.id, "red")
    tables.delete_any(there.table)
    ending = tables.ending(table.id)
    assert ending is not None
    assert ending.rematch is not None
    with pytest.raises(Gone):
        tables.seen(there.table, there.seat)
    clock.wait(DAYS_KEPT * DAY)
    tables.keep_house(never)
    assert tables.rematch(table.id, "red").table != there.table, "for one that is no more another is set up"


def test_a_table_that_can_not_be_read_can_be_deleted(tables: Tables, tmp_path: Path, clock: Clock) -> None:
    table = sit(tables)
    other = tmp_path / "other"
    other.mkdir()
    copy_to(tables.store.path, other / "tables.sqlite")
    with open_tables(other, clock=clock, duel=GAME) as without:
        assert [summary.playable for summary in without.summaries()] == [False]
        without.delete_any(table.id)
        assert without.summaries() == ()
        without.bring_back(table.id)
        assert len(without.summaries()) == 1


# Empty tables


def alone(tables: Tables) -> Sitting:
    """A table that was set up by one tap: its maker has sat down."""
    return sit(tables, seats=("red",))


def test_a_table_at_which_nothing_was_played_goes_into_the_bin_after_a_day(tables: Tables, clock: Clock) -> None:
    made, one = alone(tables), sit(tables, seats=())
    clock.wait(DAY)
    tables.keep_house(never)
    assert set(listed(tables)) == {made.id, one.id}, "not before a day has passed"
    clock.wait(1)
    tables.keep_house(never)
    assert listed(tables) == []
    assert {(found.table, found.by) for found in tables.bin(10)} == {(made.id, "nobody"), (one.id, "nobody")}
    tables.bring_back(made.id)
    clock.wait(3 * DAY)
    tables.keep_house(never)
    assert listed(tables) == [made.id], "what somebody brought back stays"


def test_what_anybody_did_anything_at_stays(tables: Tables, clock: Clock) -> None:
    played, corrected, undone, archived = (alone(tables) for _ in range(4))
    played.act("red", "add")
    corrected.correct("red", "points.red", "3")
    undone.act("red", "add")
    undone.take_back("red")
    archive(archived)
    shared, visited, knocked = sit(tables), sit(tables, seats=()), alone(tables)
    clock.wait(60)
    tables.join(visited.id, "blue", "Ben")
    tables.knock(knocked.id, "red", "Eve")
    left = sit(tables, seats=())
    clock.wait(60)
    tables.join(left.id, "blue", "Ben")
    tables.release(left.id, KEEPER, "blue", left.key())
    brought = tables.import_(tables.copy(alone(tables).id, KEEPER, "copied"))
    clock.wait(30 * DAY)
    tables.keep_house(never)
    stay = {played.id, corrected.id, undone.id, shared.id, visited.id, knocked.id, left.id, brought.table}
    assert set(listed(tables)) == stay
    assert listed(tables, archived=True) == [archived.id]


def test_settings_alone_are_nothing_that_was_played(tables: Tables, clock: Clock) -> None:
    table = alone(tables)
    table.dice("typed")
    table.pause(on=True)
    tables.retitle(table.id, KEEPER, "Friday", table.key())
    clock.wait(DAY - 60)
    table.pause(on=False)
    clock.wait(120)
    tables.keep_house(never)
    assert listed(tables) == [table.id], "a day after the last change"
    clock.wait(DAY)
    tables.keep_house(never)
    assert listed(tables) == []


def test_many_empty_tables_go_a_few_at_a_time(tables: Tables, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_tables, "TOGETHER", 2)
    for _ in range(5):
        alone(tables)
    clock.wait(DAY + 1)
    tables.keep_house(lambda _: True)
    assert len(listed(tables)) == 3
    tables.keep_house(never)
    assert listed(tables) == []


def test_a_table_that_is_damaged_stays_and_keeps_no_other_one(tables: Tables, clock: Clock) -> None:
    damaged, empty = alone(tables), alone(tables)
    thrown, old = sit(tables), sit(tables)
    for table in (thrown, old):
        tables.delete_any(table.id)
    with closing(sqlite3.connect(tables.store.path)) as db, db:
        db.execute("update tables set options = 'x' where id in (?, ?)", (damaged.id, thrown.id))
    assert [one.table for one in tables.bin(10)] == [old.id]
    clock.wait(DAY + 1)
    tables.keep_house(never)
    assert [one.table for one in tables.bin(10)] == [empty.id, old.id]
    clock.wait(DAYS_KEPT * DAY)
    tables.keep_house(never)
    assert [rows(tables, table.id) > 0 for table in (damaged, empty, thrown, old)] == [True, False, True, False]


# The end


def end(table: Sitting, own: tuple[str, ...] = ()) -> bool:
    """Ask to end a table; tells whether it has ended."""
    table.tables.end(table.id, KEEPER, table.key(), own=own)
    return table.seen("red").ended


def wishes(table: Sitting) -> dict[str, tuple[bool, bool]]:
    found = {seat: table.seen(seat).end_wish for seat in (*table.tokens, "screen")}
    return {seat: (wish.mine_to_give, wish.mine) for seat, wish in found.items() if wish}


def test_another_player_has_to_agree_to_the_end(table: Sitting) -> None:
    assert not end(table)
    assert wishes(table) == {
        KEEPER: (False, True),
        "red": (True, False),
        "blue": (True, False),
        "screen": (False, False),
    }
    table.act("red", "add")
    assert wishes(table), "play goes on, and the wish stands"
    with refused(403):
        consent(table, KEEPER)
    consent(table, "blue")
    seen = table.seen("red")
    assert seen.ended
    assert seen.end_wish is None
    said = [speak(line.headline, str) for line in seen.log[:1]] + [speak(why.text, str) for why in seen.log[0].reasons]
    assert said == ["The table ends here.", "Blue agrees."]


def test_whoever_is_asked_may_say_no_and_who_asks_may_give_it_up(table: Sitting) -> None:
    end(table)
    consent(table, "red", yes=False)
    assert wishes(table) == {}
    assert not table.seen("red").ended
    assert speak(table.seen("red").log[0].headline, str) == "Red does not want to end the table"
    with refused(409):
        consent(table, "blue")
    before = len(table.seen("red").log)
    end(table)
    consent(table, KEEPER, yes=False)
    assert wishes(table) == {}
    assert len(table.seen("red").log) == before, "nothing came of it"


def test_seats_on_the_phone_that_asks_can_not_agree(table: Sitting) -> None:
    end(table, own=(KEEPER, "red"))
    assert wishes(table)["red"] == (False, True)
    with refused(403):
        consent(table, "red")
    consent(table, "blue")
    assert table.seen("red").ended


def test_seats_that_the_phone_takes_or_changes_after_it_asked_can_not_agree_either(tables: Tables) -> None:
    table = sit(tables, seats=("red",))
    end(table)
    tables.join(table.id, "blue", "The rulekeeper himself")
    with refused(403):
        tables.consent_to_end(table.id, "blue", yes=True, key=table.key(), own=(KEEPER, "blue"))
    table = sit(tables)
    end(table, own=(KEEPER, "red"))
    tables.release(table.id, KEEPER, "blue", table.key())
    tables.change_seats(table.id, "red", "blue", table.key())
    assert wishes(table)["blue"] == (False, True), "he sits elsewhere, and is the same"
    with refused(403):
        consent(table, "blue")
    tables.join(table.id, "red", "Rita")
    consent(table, "red")
    assert table.seen("red").ended


def test_whoever_is_handed_a_seat_of_the_phone_that_asked_may_agree(table: Sitting) -> None:
    end(table, own=(KEEPER, "red"))
    table.tables.hand_over(table.id, "red", on=True, key=table.key())
    offer = table.tables.handed_over(table.id, "red")
    assert offer is not None
    table.tables.take_over(table.id, offer.secret, "Rita")
    assert wishes(table)["red"] == (True, False)
    consent(table, "red")
    assert table.seen("red").ended


def test_where_nobody_else_sits_it_ends_at_once(tables: Tables) -> None:
    assert end(sit(tables, seats=()))
    assert end(sit(tables, seats=("red",)), own=("red",))
    table = sit(tables, seats=("red",))
    assert not end(table), "whoever sits there is asked"
    tables.release(table.id, KEEPER, "red", table.key())
    assert end(table), "and once he has gone nobody is"


def test_a_game_that_is_over_needs_nobodys_yes(table: Sitting) -> None:
    table.act("red", "stop")
    assert end(table)


def test_the_laptop_ends_a_table_without_asking(table: Sitting) -> None:
    end(table)
    table.tables.end_any(table.id)
    seen = table.seen("red")
    assert seen.ended
    assert wishes(table) == {}
    assert [speak(why.text, str) for why in seen.log[0].reasons] == ["It was ended on the laptop that runs Companion."]
    version = seen.version
    table.tables.end_any(table.id)
    assert len(table.seen("red").log) == len(seen.log)
    assert table.seen("red").version > version


def test_a_wish_outlives_a_pause_and_ends_with_an_answer(table: Sitting) -> None:
    table.pause(on=True)
    end(table)
    consent(table, "red")
    assert table.seen("red").ended
    table.end(on=False)
    assert not table.seen("red").ended
    assert wishes(table) == {}


def test_the_laptop_renames_and_archives_any_table(tables: Tables) -> None:
    table = sit(tables)
    tables.retitle_any(table.id, "  Friday   night ")
    assert tables.summary(table.id).title == "Friday night"
    with refused(400):
        tables.retitle_any(table.id, "x" * 200)
    tables.archive_any(table.id, on=True)
    assert tables.summary(table.id).archived
    for do in (tables.delete_any, tables.end_any, tables.bring_back):
        with refused(404):
            do("ZZZZZZ")
