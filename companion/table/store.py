"""The store: the only module of the table that touches SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Condition, Lock
from time import monotonic

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from companion.kit.text import Text, say
from companion.table.problem import Damaged, Problem, Unsound, Unusable, damaged_file
from companion.table.records import SETTINGS_SAID
from companion.table.tables_db import TablesDb

PATIENCE = 5.0
"""Seconds that a change may wait for others that are writing, here and in other processes."""

waited: ContextVar[float] = ContextVar("waited", default=0.0)
"""Seconds of that patience which are spent already: a request may have stood in line before it came to the store."""

_moment: ContextVar[tuple[Store | None, TablesDb | None]] = ContextVar("moment", default=(None, None))
"""The store and the transaction in which everything is read now."""

MOMENT = 0.1
"""Seconds that a checkpoint may keep writers waiting."""

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


@schema()
def settings_of_entries(db: Database) -> None:
    """Say beside its words that an entry paused the table, ended it or let it go on, whatever these words become."""
    db.table("entries").add_column("setting", str)
    told = [(setting, f'{{"say":"{sentence}"}}') for sentence, setting in SETTINGS_SAID.items()]
    db.conn.executemany("update entries set setting = ? where kind = 'setting' and headline = ?", told)


class Store:
    """Keep all tables in one SQLite file, durable at every commit.

    Connections are lent to one thread at a time. ``prepare`` is told every new connection before it is used.
    Raises Unusable when the file is newer than this Companion, damaged, or out of reach.
    """

    def __init__(self, path: Path, prepare: Callable[[sqlite3.Connection], object] = lambda _: None) -> None:
        self.path = path
        self._prepare = prepare
        self._idle: list[sqlite3.Connection] = []
        self._lent_out = 0
        self._lending = Condition()
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
        except (sqlite3.Error, UnicodeDecodeError) as wrong:
            self.close()
            raise Unusable(_unusable(wrong, path)) from wrong

    def _migrate(self) -> None:
        with self._lent() as connection:
            connection.execute("pragma journal_mode = wal")
            connection.execute("begin immediate")
            try:
                db = Database(connection)
                names, columns = _known()
                if {migration.name for migration in schema.applied(db)} - names:
                    raise Unusable(
                        say(
                            "The tables in {file} belong to a newer Companion: update this one.",
                            file=str(self.path),
                        )
                    )
                if schema.pending(db):
                    schema.apply(db)
                if columns - _columns(connection):
                    raise Unusable(damaged_file(str(self.path)))
                connection.execute("commit")
            finally:
                if connection.in_transaction:
                    connection.execute("rollback")

    @contextmanager
    def _lent(self) -> Iterator[sqlite3.Connection]:
        with self._lending:
            if self._closed:
                raise Problem(409, say("Companion is stopping: nothing was changed."), passing=True)
            connection = self._idle.pop() if self._idle else None
            self._lent_out += 1
        try:
            if connection is None:
                connection = self._connected()
            yield connection
        finally:
            self._given_back(connection)

    def _given_back(self, connection: sqlite3.Connection | None) -> None:
        with self._lending:
            self._lent_out -= 1
            if connection is not None:
                self._idle.append(connection)
            if self._closed:
                self._close_idle()
            self._lending.notify_all()

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
    def moment(self) -> Iterator[None]:
        """Let all that is read inside be read in one transaction; nothing can be changed meanwhile."""
        with self.read() as db:
            token = _moment.set((self, db))
            try:
                yield
            finally:
                _moment.reset(token)

    @contextmanager
    def read(self) -> Iterator[TablesDb]:
        """Look at one moment of the store; raise Problem when it can not be read."""
        store, db = _moment.get()
        if store is self and db is not None:
            with _understood(self.path):
                yield db
            return
        with _understood(self.path), self._lent() as connection:
            connection.execute("begin")
            try:
                yield TablesDb(connection)
            finally:
                if connection.in_transaction:
                    connection.execute("rollback")

    @contextmanager
    def write(self) -> Iterator[TablesDb]:
        """Change the store, all or nothing: durable once this ends without an exception.

        Raises Problem when the disk is full, read-only or busy; then nothing was changed.
        """
        assert _moment.get()[0] is not self, "what is changed inside a moment could not be seen in it"
        until = monotonic() + PATIENCE - waited.get()
        with self._turn(until), _understood(self.path), self._lent() as connection:
            connection.execute(f"pragma busy_timeout = {round(_left(until) * 1000)}")
            connection.execute("begin immediate")
            try:
                yield TablesDb(connection)
                connection.execute("commit")
            finally:
                if connection.in_transaction:
                    connection.execute("rollback")

    @contextmanager
    def _turn(self, until: float) -> Iterator[None]:
        """Be the only writer of this process; raise Problem when the others are not done by then."""
        if not self._writing.acquire(timeout=_left(until)):
            raise _busy()
        try:
            yield
        finally:
            self._writing.release()

    def is_damaged(self) -> bool:
        """Look through the whole file: a second for half a gigabyte, and nobody waits for it."""
        try:
            with self.read() as db:
                return not db.is_sound()
        except Damaged:
            return True
        except Problem:
            return False

    def checkpoint(self) -> None:
        """Bring what was written into the one file, as far as nobody reads what was there before.

        SQLite does so by itself at a commit, but only up to where the oldest reader is: while somebody always reads,
        the log of changes beside the file would grow. Nobody waits for this longer than ``MOMENT``.
        """
        with suppress(sqlite3.Error, Problem), self._lent() as connection:
            connection.execute("pragma wal_checkpoint(passive)")
            (patience,) = connection.execute("pragma busy_timeout").fetchone()
            connection.execute(f"pragma busy_timeout = {int(MOMENT * 1000)}")
            try:
                connection.execute("pragma wal_checkpoint(truncate)")
            finally:
                connection.execute(f"pragma busy_timeout = {patience}")

    def close(self) -> None:
        """Close the store for good: the one file holds everything once whoever reads or writes has finished.

        That is waited for ``PATIENCE`` seconds; a connection that is lent out for longer is closed when it comes back.
        """
        with self._lending:
            self._closed = True
            self._lending.wait_for(lambda: not self._lent_out, PATIENCE)
            # The last connection does this by itself, but another program may be looking at the file.
            with suppress(sqlite3.Error, IndexError):
                self._idle[0].execute("pragma wal_checkpoint(truncate)")
            self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()


def copy_tables(source: Path, copy: Path) -> int:
    """Copy a file of tables, also while a Companion plays; return how many tables the copy holds.

    Raises Unusable where the file can not be read or is damaged, or the copy can not be written.
    """
    try:
        # Opened as if to write: after a power cut the newest changes are still in a file beside it.
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", timeout=PATIENCE, uri=True)) as playing,
            closing(sqlite3.connect(copy, isolation_level=None)) as whole,
        ):
            playing.execute("select id from tables limit 1").fetchone()
            playing.backup(whole)
            whole.execute("pragma journal_mode = delete")
            if whole.execute("pragma quick_check(1)").fetchone() != ("ok",):
                raise Unusable(damaged_file(str(source)))
            (tables,) = whole.execute("select count(*) from tables").fetchone()
    except (sqlite3.Error, UnicodeDecodeError) as wrong:
        full = _code(wrong) == sqlite3.SQLITE_FULL
        raise Unusable(_unusable(wrong, copy if full else source)) from wrong
    return int(tables)


def _left(until: float) -> float:
    return max(0.0, until - monotonic())


def _busy() -> Problem:
    return Problem(409, say("The tables are busy: nothing was changed. Try again."), passing=True)


def _known() -> tuple[set[str], set[tuple[str, str]]]:
    """Name the migrations of this Companion, and the columns that they make."""
    with Database(memory=True) as empty:
        names = {migration.name for migration in schema.pending(empty)}
        schema.apply(empty)
        return names, _columns(empty.conn)


def _columns(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    return set(
        connection.execute(
            "select t.name, c.name from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table'"
        )
    )


@contextmanager
def _understood(path: Path) -> Iterator[None]:
    try:
        yield
    except (Unsound, UnicodeDecodeError) as wrong:
        raise Damaged(path.name) from wrong
    except sqlite3.Error as wrong:
        match _code(wrong):
            case sqlite3.SQLITE_FULL:
                text = say("The disk is full: nothing was changed. Make room and try again.")
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR:
                text = say("The disk can not be written to: nothing was changed.")
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                raise _busy() from wrong
            case _ if isinstance(wrong, sqlite3.InterfaceError | sqlite3.ProgrammingError):
                raise
            case _:
                # The statements are tested: one that fails on this file has met what nobody wrote.
                raise Damaged(path.name) from wrong
        raise Problem(409, text, passing=True) from wrong


def _code(wrong: sqlite3.Error | UnicodeDecodeError) -> int:
    # An extended code carries the plain one in its low byte; what Python cannot read of SQLite's words has none.
    return getattr(wrong, "sqlite_errorcode", 0) & 0xFF


def _unusable(wrong: sqlite3.Error | UnicodeDecodeError, path: Path) -> Text:
    match _code(wrong):
        case sqlite3.SQLITE_FULL:
            return say("The disk is full: {file} can not be made.", file=str(path))
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return say("Another program holds {file}: close it and try again.", file=str(path))
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_IOERR | sqlite3.SQLITE_PERM:
            return say("{file} can not be opened: check that it can be read and written.", file=str(path))
        case _:
            return damaged_file(str(path))
