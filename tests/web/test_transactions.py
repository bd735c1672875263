"""A request about a table reads once and writes once, and nothing of a change that could not be kept is shown."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from companion import create_app
from companion.table import views
from companion.table.problem import Problem
from companion.web import publish
from companion.web.fragments import FRAGMENTS
from tests.support.phones import Table
from tests.support.toy_game import TOY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from flask import Flask

HTMX = {"HX-Request": "true"}


class Disk:
    """What a store runs on its connections, and a disk that is full when something is to be kept."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, store: Any) -> None:
        self.run: list[str] = []
        self.full = False
        lent = store._connection

        @contextmanager
        def watched() -> Iterator[Any]:
            with lent() as connection:
                yield Watched(connection, self)

        monkeypatch.setattr(store, "_connection", watched)

    @property
    def transactions(self) -> list[str]:
        """The transactions begun since one last looked."""
        begun = [statement for statement in self.run if statement.startswith("begin")]
        self.run.clear()
        return begun


class Watched:
    """A connection whose statements are written down."""

    def __init__(self, connection: sqlite3.Connection, disk: Disk) -> None:
        self.connection, self.disk = connection, disk

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def execute(self, statement: str, *parameters: Any) -> Any:
        self.disk.run.append(statement)
        if statement == "commit" and self.disk.full:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return self.connection.execute(statement, *parameters)


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    return create_app(tmp_path, games={"toy": TOY})


@pytest.fixture
def table(app: Flask) -> Table:
    return Table(app, "toy")


@pytest.fixture
def disk(table: Table, monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch, table.tables.store)


def test_a_tap_reads_once_and_writes_once(table: Table, disk: Disk) -> None:
    for points in (2, 3):
        sent = {"do": "action=add", "f.points": str(points)}
        assert f"{2 if points == 2 else 5} to 0" in table.post("red", "/act", htmx=True, **sent).text
        assert disk.transactions == ["begin", "begin immediate"]


@pytest.mark.parametrize(
    "path",
    ["", "/log", "/live", "/plan?do=action%3Dadd", "/corrections", "/stock-take", "/pack-up", "/invite"],
)
def test_a_page_about_a_table_reads_once(table: Table, disk: Disk, path: str) -> None:
    for headers in ({}, HTMX):
        assert table.get("red", path, headers=headers).status_code in {200, 303}
        assert disk.transactions == ["begin"]


def test_what_could_not_be_kept_is_shown_nowhere(app: Flask, table: Table, disk: Disk) -> None:
    entries = len(table.tables.report(table.id, "red"))
    table.act("red", action="add", points=2)
    before = {seat: table.get(seat, headers=HTMX).data for seat in ("red", "blue", "screen")}
    disk.full = True
    refused = table.post("red", "/act", htmx=True, do="action=add", **{"f.points": "7"})
    assert refused.status_code == 409
    assert "The disk is full" in refused.text
    assert "9 to 0" not in refused.text
    disk.full = False
    assert {seat: table.get(seat, headers=HTMX).data for seat in before} == before
    for seat in before:
        live = table.get(seat, "/live").data
        assert b"2 to 0" in live
        assert b"9 to 0" not in live
    api = app.test_client().get(f"/api/tables/{table.id}")
    assert api.status_code == 200
    assert "9 to 0" not in api.text

    shown = table.post("red", "/act", htmx=True, do="action=add", **{"f.points": "3"}).text
    assert "5 to 0" in shown
    assert "9 to 0" not in shown
    with app.test_request_context():
        for seat in before:
            event = publish.event(app.extensions[FRAGMENTS].get(table.id, seat, "en"))
            assert b"5 to 0" in event
            assert b"9 to 0" not in event
    assert [line.seq for line in table.tables.report(table.id, "red")][-2:] == [entries + 1, entries + 2]


def test_what_could_not_be_kept_is_not_gone_on_from(table: Table, disk: Disk) -> None:
    disk.full = True
    with pytest.raises(Problem, match="disk is full"):
        table.act("red", action="add", points=7)
    disk.full = False
    for _ in range(2):
        table.act("red", action="add", points=1)
    assert "2 to 0" in table.get("red", headers=HTMX).text


def test_what_was_done_is_kept_where_it_can_not_be_shown(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    shown, broken = views.Look.seen, iter([True])

    def breaking(look: Any, seat: str) -> Any:
        return 1 / 0 if next(broken, False) else shown(look, seat)

    monkeypatch.setattr(views.Look, "seen", breaking)
    assert "4 to 0" in table.post("red", "/act", htmx=True, do="action=add", **{"f.points": "4"}).text
    assert next(broken, None) is None, "it was tried while the action was kept, and once more for the page"


def test_what_a_seat_sees_is_collected_for_whoever_holds_it(table: Table) -> None:
    for token, collected in ((table.tokens["red"], 1), (table.tokens["blue"], 0), ("", 0)):
        with table.tables.watched(token) as seen:
            table.act("red", action="add")
        assert [view.seat for view in seen] == ["red"] * collected


def test_nothing_is_changed_at_a_moment_that_is_read(table: Table) -> None:
    with table.tables.moment():
        before = table.tables.version(table.id)
        with pytest.raises(AssertionError):
            table.act("red", action="add")
        assert table.tables.version(table.id) == before
    table.act("red", action="add")
    assert table.tables.version(table.id) == before + 1


def test_a_phone_that_can_not_be_told_now_asks_again(table: Table) -> None:
    table.tables.store.close()
    assert table.get("red", "/live").status_code == 204
