"""What a table rests on is in memory beside the file: never what was not committed, and never for another version."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.kit.ruling import Refusal
from companion.table import session as sessions
from companion.table.session import POSITIONS_KEPT, Position, PositionCache
from companion.table.sql import TablesDb
from companion.table.store import Store
from companion.table.tables import Tables
from tests.support.toy_game import TOY

if TYPE_CHECKING:
    from pathlib import Path

    from companion.table.records import Entry


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


@pytest.fixture
def tables(file: Path) -> Tables:
    return Tables(Store(file), {"toy": TOY})


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is read of a log, and what is decoded, since it was last cleared."""
    read: list[str] = []
    entries, decoded = TablesDb.entries, sessions.decoded

    def watched_entries(db: TablesDb, table: str, first: int, last: int) -> list[Entry]:
        read.append(f"entries {first} to {last}")
        return entries(db, table, first, last)

    def watched_decoded(game: Any, state: str) -> Any:
        read.append("state")
        return decoded(game, state)

    monkeypatch.setattr(TablesDb, "entries", watched_entries)
    monkeypatch.setattr(sessions, "decoded", watched_decoded)
    return read


def test_a_position_is_read_once(tables: Tables, reads: list[str]) -> None:
    table = tables.create("toy").table
    tables.seen(table, "red")
    assert reads == ["entries 1 to 1", "state"]
    for seat in ("red", "blue", "screen", "rulekeeper"):
        tables.seen(table, seat)
    assert len(reads) == 2
    tables.act(table, "red", {"action": "add", "points": 2}, "add-2-points")
    assert reads[2:] == ["state"], "the action was done on the position that is known, and whose move it is now read"
    tables.seen(table, "red")
    tables.act(table, "red", {"action": "add", "points": 3}, "add-3-points")
    assert reads[2:] == ["state", "state"], "what was written was decoded from what was written"


def test_what_another_process_did_is_met(tables: Tables, file: Path) -> None:
    table = tables.create("toy").table
    other = Tables(Store(file), {"toy": TOY})
    other.join(table, "blue", "Bo")
    assert tables.seen(table, "red").people == other.seen(table, "red").people
    for turn in range(6):
        here, there = (tables, other) if turn % 2 else (other, tables)
        before = there.seen(table, "red")
        here.act(table, "red", {"action": "add", "points": 1}, f"act-number-{turn}")
        assert before.version < there.seen(table, "red").version
        assert here.seen(table, "red") == there.seen(table, "red")


def test_a_refused_action_leaves_the_position(tables: Tables) -> None:
    table = tables.create("toy").table
    before = tables.seen(table, "red")
    with pytest.raises(Refusal):
        tables.act(table, "blue", {"action": "add"}, "not-your-turn")
    assert tables.seen(table, "red") == before


def position(tables: Tables, table: str, version: int, state: Any = msgspec.UNSET) -> Position:
    with tables._look(table) as session:
        return Position(version, session.places, session.head, state)


def test_an_older_position_never_takes_the_place_of_a_newer_one(tables: Tables) -> None:
    table, cache = tables.create("toy").table, PositionCache()
    newer, older = position(tables, table, 5), position(tables, table, 4, "state")
    for put in (older, newer, older):
        cache.put(table, put)
    assert cache.get(table, 5) is newer
    assert cache.get(table, 4) is cache.get(table, 6) is cache.get("another", 5) is None
    cache.put(table, with_state := position(tables, table, 5, "state"))
    cache.put(table, newer)
    assert cache.get(table, 5) is with_state


def test_the_positions_looked_at_last_stay(tables: Tables) -> None:
    cache, any_position = PositionCache(), position(tables, tables.create("toy").table, 1)
    names = [f"table {number}" for number in range(POSITIONS_KEPT + 1)]
    for name in names:
        cache.put(name, any_position)
        assert cache.get(names[0], 1) is any_position
    assert [name for name in names if cache.get(name, 1) is None] == [names[1]]
