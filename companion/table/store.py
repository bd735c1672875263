"""The store: the only module of the table that touches SQLite."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from companion.kit.text import Text, say
from companion.table.books import Books
from companion.table.problem import Problem, Unusable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PATIENCE = 5.0
"""Seconds to wait for another process that is writing."""

schema = Migrations("companion")


@schema()
def tables_and_their_logs(db: Database) -> None:
    """Make the first tables."""
    db.table("tables").create(
        {
            "id": str, "game": str, "title": str, "options": str, "dice": str, "version": int, "moved": int,
            "head": int, "last": int, "held": str, "wish": str, "paused": int, "ended": int, "created": str,
            "updated": str,
        },
        pk="id",
        not_null={
            "game", "title", "options", "dice", "version", "moved", "head", "last", "paused", "ended",
            "created", "updated",
        },
        strict=True,
    )  # fmt: skip
    db.table("seats").create(
        {"table_id": str, "seat": str, "name": str, "token": str},
        pk=("table_id", "seat"),
        not_null={"name"},
        strict=True,
    )
    db.table("knocks").create(
        {"id": str, "table_id": str, "seat": str, "name": str, "token": str, "answer": str},
        pk="id",
        not_null={"table_id", "seat", "name", "token"},
        strict=True,
    ).create_index(["table_id"])
    # The long columns come last: a page of the log is read without touching them.
    db.table("entries").create(
        {
            "table_id": str, "seq": int, "base": int, "undoes": int, "ruling": int, "at": str, "kind": str,
            "seat": str, "by": str, "who": str, "typed": int, "revealing": int, "path": str, "headline": str,
            "reasons": str, "action": str, "answers": str, "state": str,
        },
        pk=("table_id", "seq"),
        not_null={
            "base", "ruling", "at", "kind", "seat", "by", "who", "typed", "revealing", "path", "headline",
            "reasons", "answers",
        },
        strict=True,
    ).create_index(["table_id", "undoes"])  # fmt: skip
    db.table("fates").create(
        {"table_id": str, "path": str, "nth": int, "kind": str, "came": str},
        pk=("table_id", "path", "nth", "kind"),
        not_null={"came"},
        strict=True,
    )
    db.table("keys").create(
        {"table_id": str, "seat": str, "key": str, "version": int, "done": str},
        pk=("table_id", "seat", "key"),
        not_null={"version", "done"},
        strict=True,
    )


@schema()
def versions_of_entries(db: Database) -> None:
    """Remember with which version of its table an entry came, so that a page can be told what changed since."""
    db.table("entries").add_column("version", int, not_null_default=0)


class Store:
    """Keep all tables in one SQLite file, durable at every commit.

    Connections are lent to one thread at a time. ``prepare`` is told every new connection before it is used.
    Raises Unusable when the file is newer than this Companion, damaged, or out of reach.
    """

    def __init__(self, path: Path, prepare: Callable[[sqlite3.Connection], object] = lambda _: None) -> None:
        self.path = path
        self._prepare = prepare
        self._idle: list[sqlite3.Connection] = []
        self._lending = Lock()
        self._writing = Lock()
        self._closed = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._migrate()
        except Unusable:
            self.close()
            raise
        except OSError as wrong:
            raise Unusable(
                say("The folder {folder} can not be written to: choose another one.", folder=str(path.parent))
            ) from wrong
        except sqlite3.Error as wrong:
            self.close()
            raise Unusable(_unusable(wrong, path)) from wrong

    def _migrate(self) -> None:
        with self._lent() as connection:
            connection.execute("pragma journal_mode = wal")
            connection.execute("begin immediate")
            try:
                db = Database(connection)
                if {migration.name for migration in schema.applied(db)} - _known():
                    raise Unusable(
                        say(
                            "The tables in {file} belong to a newer Companion: update this one.",
                            file=str(self.path),
                        )
                    )
                if schema.pending(db):
                    schema.apply(db)
                connection.execute("commit")
            finally:
                if connection.in_transaction:
                    connection.execute("rollback")

    @contextmanager
    def _lent(self) -> Iterator[sqlite3.Connection]:
        with self._lending:
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            connection = self._connected()
        try:
            yield connection
        finally:
            with self._lending:
                if not self._closed:
                    self._idle.append(connection)
                    connection = None
            if connection is not None:
                connection.close()

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            # The last two make macOS write through to the disk, as the others do by themselves.
            for setting in ("synchronous = full", "fullfsync = on", "checkpoint_fullfsync = on"):
                connection.execute(f"pragma {setting}")
            self._prepare(connection)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    @contextmanager
    def read(self) -> Iterator[Books]:
        """Look at one moment of the store; raise Problem when it can not be read."""
        with _understood(), self._lent() as connection:
            connection.execute("begin")
            try:
                yield Books(connection)
            finally:
                if connection.in_transaction:
                    connection.execute("rollback")

    @contextmanager
    def write(self) -> Iterator[Books]:
        """Change the store, all or nothing: durable once this ends without an exception.

        Raises Problem when the disk is full, read-only or busy; then nothing was changed.
        """
        with self._writing, _understood(), self._lent() as connection:
            connection.execute("begin immediate")
            try:
                yield Books(connection)
                connection.execute("commit")
            finally:
                if connection.in_transaction:
                    connection.execute("rollback")

    def close(self) -> None:
        """Close the store; connections that are lent out are closed when they come back."""
        with self._lending:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()


def _known() -> set[str]:
    with Database(memory=True) as empty:
        return {migration.name for migration in schema.pending(empty)}


@contextmanager
def _understood() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as wrong:
        match _code(wrong):
            case sqlite3.SQLITE_FULL:
                text = say("The disk is full: nothing was changed. Make room and try again.")
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR:
                text = say("The disk can not be written to: nothing was changed.")
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                text = say("The tables are busy: nothing was changed. Try again.")
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                text = say("The file with the tables is damaged.")
            case _:
                raise
        raise Problem(409, text, passing=True) from wrong


def _code(wrong: sqlite3.Error) -> int:
    # An extended code carries the plain one in its low byte; errors of the driver itself carry none.
    return getattr(wrong, "sqlite_errorcode", 0) & 0xFF


def _unusable(wrong: sqlite3.Error, path: Path) -> Text:
    match _code(wrong):
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return say("{file} is damaged or is not a file of Companion.", file=str(path))
        case sqlite3.SQLITE_FULL:
            return say("The disk is full: {file} can not be made.", file=str(path))
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return say("Another program holds {file}: close it and try again.", file=str(path))
        case _:
            return say("{file} can not be opened: check that it can be read and written.", file=str(path))
