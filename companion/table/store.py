"""The store: the only module of the table that touches SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Condition, Lock
from time import monotonic

from sqlite_utils import Database
from sqlite_utils.db import Table
from sqlite_utils.migrations import Migrations

from companion.kit.text import Text, say
from companion.table.problem import Damaged, Problem, Unsound, Unusable, damaged_file, no_room
from companion.table.records import SETTINGS_SAID
from companion.table.sql import TablesDb

UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What is raised where the file can not be read: a disk that fails, a page that was damaged."""
WRITE_TIMEOUT = 5.0
"""Seconds that a change may wait for others that are writing, here and in other processes."""

time_in_line: ContextVar[float] = ContextVar("time_in_line", default=0.0)
"""Seconds of that which are spent already: a request may have stood in line before it came to the store."""

_moment: ContextVar[tuple[Store | None, TablesDb | None]] = ContextVar("moment", default=(None, None))
"""The store and the transaction in which everything is read now."""

CHECKPOINT_PAGES = 4000
"""Pages of changes (16 MB) after which a commit brings them into the file, where ``checkpoint`` has not done so before:
one action in 600 waits for that."""
CHECKPOINT_TIMEOUT = 0.1
"""Seconds that a checkpoint may keep writers waiting."""

schema = Migrations("companion")


@schema()
def tables_and_their_logs(db: Database) -> None:
    """Make the first tables."""
    tables = {
        "id": str, "game": str, "title": str, "options": str, "dice": str, "version": int, "moved": int, "head": int,
        "last": int, "held": str, "wish": str, "paused": int, "ended": int, "created": str, "updated": str,
    }  # fmt: skip
    _create(db, "tables", tables, ("id",), nullable={"held", "wish"})
    seats = {"table_id": str, "seat": str, "name": str, "token": str}
    _create(db, "seats", seats, ("table_id", "seat"), nullable={"token"})
    knocks = {"id": str, "table_id": str, "seat": str, "name": str, "token": str, "answer": str}
    _create(db, "knocks", knocks, ("id",), nullable={"answer"}).create_index(["table_id"])
    # The long columns come last: a page of the log is read without touching them.
    entries = {
        "table_id": str, "seq": int, "base": int, "undoes": int, "ruling": int, "at": str, "kind": str, "seat": str,
        "by": str, "who": str, "typed": int, "revealing": int, "path": str, "headline": str, "reasons": str,
        "action": str, "answers": str, "state": str,
    }  # fmt: skip
    nullable = {"undoes", "action", "state"}
    _create(db, "entries", entries, ("table_id", "seq"), nullable).create_index(["table_id", "undoes"])
    fates = {"table_id": str, "path": str, "nth": int, "kind": str, "came": str}
    _create(db, "fates", fates, ("table_id", "path", "nth", "kind"))
    keys = {"table_id": str, "seat": str, "key": str, "version": int, "done": str}
    _create(db, "keys", keys, ("table_id", "seat", "key"))


def _create(
    db: Database, name: str, columns: Mapping[str, type], key: tuple[str, ...], nullable: Iterable[str] = ()
) -> Table:
    not_null = columns.keys() - {*key, *nullable}
    return db.table(name).create({**columns}, pk=key if len(key) > 1 else key[0], not_null=not_null, strict=True)


@schema()
def versions_of_entries(db: Database) -> None:
    """Remember with which version of its table an entry came, so that a page can be told what changed since."""
    db.table("entries").add_column("version", int, not_null_default=0)


@schema()
def settings_of_entries(db: Database) -> None:
    """Say beside its words that an entry paused the table, ended it or let it go on, whatever these words become."""
    db.table("entries").add_column("setting", str)
    headlines = [(setting, f'{{"say":"{sentence}"}}') for sentence, setting in SETTINGS_SAID.items()]
    db.conn.executemany("update entries set setting = ? where kind = 'setting' and headline = ?", headlines)


@schema()
def rematches_of_tables(db: Database) -> None:
    """Remember beside a table the one that is its rematch, and who sits where there."""
    columns = {"table_id": str, "seat": str, "held": str, "next_table": str, "next_seat": str, "token": str}
    _create(db, "rematches", columns, ("table_id", "seat"))


@schema()
def pictures_of_cards(db: Database) -> None:
    """Keep what people put on their cards, once however many tables name it."""
    _create(db, "pictures", {"digest": str, "kind": str, "data": bytes}, ("digest",))


@schema()
def notes_beside_tables(db: Database) -> None:
    """Keep beside a table what people want with its seats until it is done, and what it is locked with."""
    notes = {"table_id": str, "kind": str, "name": str, "note": str}
    _create(db, "notes", notes, ("table_id", "kind", "name"))


@schema()
def house_keeping_of_tables(db: Database) -> None:
    """Remember that a table was archived or deleted, when and by whom, and that its rulekeeper wishes to end it."""
    for column in ("closing", "archived", "deleted", "deleted_by"):
        db.table("tables").add_column(column, str)


@schema()
def seats_that_are_called(db: Database) -> None:
    """Remember whom a table waits for, so that nobody is called twice for the same."""
    db.table("tables").add_column("awaited", str)


@schema()
def small_entries(db: Database) -> None:
    """Hold of a state what is other than before it, and long texts deflated; what was stored before stays as it is."""
    for column, kind in {"reasons_deflated": bytes, "state_change": bytes, "state_from": int}.items():
        db.table("entries").add_column(column, kind)
    db.table("keys").add_column("done_deflated", bytes)


class Store:
    """All tables in one SQLite file, durable at every commit.

    A connection is used by one thread at a time. ``prepare`` is told every new connection before it is used.
    Raises Unusable when the file is newer than this Companion, damaged, or out of reach.
    """

    def __init__(self, path: Path, prepare: Callable[[sqlite3.Connection], object] = lambda _: None) -> None:
        self.path = path
        self._prepare = prepare
        self._idle: list[sqlite3.Connection] = []
        self._in_use = 0
        self._pool = Condition()
        self._write_lock = Lock()
        self._closed = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _make_private(path)
            self._migrate()
        except Unusable:
            self.close()
            raise
        except OSError as error:
            text = say("The folder {folder} cannot be written to: choose another one.", folder=str(path.parent))
            raise Unusable(text) from error
        except UNREADABLE as error:
            self.close()
            raise Unusable(_unusable(error, path)) from error

    def _migrate(self) -> None:
        with self._connection() as connection:
            connection.execute("pragma journal_mode = wal")
            with _transaction(connection, write=True):
                db = Database(connection)
                names, columns = _expected_schema()
                if {migration.name for migration in schema.applied(db)} - names:
                    file = str(self.path)
                    raise Unusable(say("The tables in {file} belong to a newer Companion: update this one.", file=file))
                if schema.pending(db):
                    schema.apply(db)
                if columns - _columns(connection):
                    raise Unusable(damaged_file(str(self.path)))

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Take a connection out of the pool, or make one; it goes back into it."""
        with self._pool:
            if self._closed:
                raise Problem(409, say("Companion is stopping: nothing was changed."), passing=True)
            connection = self._idle.pop() if self._idle else None
            self._in_use += 1
        try:
            if connection is None:
                connection = self._connect()
            yield connection
        finally:
            self._release(connection)

    def _release(self, connection: sqlite3.Connection | None) -> None:
        with self._pool:
            self._in_use -= 1
            if connection is not None:
                self._idle.append(connection)
            if self._closed:
                self._close_idle()
            self._pool.notify_all()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=WRITE_TIMEOUT, isolation_level=None, check_same_thread=False)
        try:
            # The last two make macOS write through to the disk, as the others do by themselves.
            for setting in ("synchronous = full", "fullfsync = on", "checkpoint_fullfsync = on"):
                connection.execute(f"pragma {setting}")
            connection.execute(f"pragma wal_autocheckpoint = {CHECKPOINT_PAGES}")
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
            with _sqlite_problems(self.path):
                yield db
            return
        with _sqlite_problems(self.path), self._connection() as connection, _transaction(connection, write=False):
            yield TablesDb(connection.execute)

    @contextmanager
    def write(self) -> Iterator[TablesDb]:
        """Change the store, all or nothing: durable once this ends without an exception.

        Raises Problem when the disk is full, read-only or busy; then nothing was changed.
        """
        assert _moment.get()[0] is not self, "what is changed inside a moment could not be seen in it"
        deadline = monotonic() + WRITE_TIMEOUT - time_in_line.get()
        if not self._write_lock.acquire(timeout=max(0.0, deadline - monotonic())):
            raise _busy()
        try:
            with _sqlite_problems(self.path), self._connection() as connection:
                timeout = max(0.0, deadline - monotonic())
                connection.execute(f"pragma busy_timeout = {round(timeout * 1000)}")
                with _transaction(connection, write=True):
                    yield TablesDb(connection.execute)
        finally:
            self._write_lock.release()

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
        the log of changes beside the file would grow. Nobody waits for this longer than ``CHECKPOINT_TIMEOUT``.
        """
        with suppress(sqlite3.Error, Problem), self._connection() as connection:
            connection.execute("pragma wal_checkpoint(passive)")
            (timeout,) = connection.execute("pragma busy_timeout").fetchone()
            connection.execute(f"pragma busy_timeout = {int(CHECKPOINT_TIMEOUT * 1000)}")
            try:
                connection.execute("pragma wal_checkpoint(truncate)")
            finally:
                connection.execute(f"pragma busy_timeout = {timeout}")

    def close(self) -> None:
        """Close the store for good: the one file holds everything once whoever reads or writes has finished.

        That is waited for ``WRITE_TIMEOUT`` seconds; a connection in use for longer is closed when it comes back.
        """
        with self._pool:
            self._closed = True
            self._pool.wait_for(lambda: not self._in_use, WRITE_TIMEOUT)
            # The last connection does this by itself, but another program may be looking at the file.
            with suppress(sqlite3.Error, IndexError):
                self._idle[0].execute("pragma wal_checkpoint(truncate)")
            self._close_idle()

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()


@contextmanager
def _transaction(connection: sqlite3.Connection, *, write: bool) -> Iterator[None]:
    connection.execute("begin immediate" if write else "begin")
    try:
        yield
        if write:
            connection.execute("commit")
    finally:
        if connection.in_transaction:
            connection.execute("rollback")


def _make_private(path: Path) -> None:
    """Make a file that its user alone can read, where there is none: it will hold all hands and what opens seats."""
    if not path.exists():
        path.touch(mode=0o600)


def copy_tables(source: Path, copy: Path) -> int:
    """Copy a file of tables, also while a Companion plays; return how many tables the copy holds.

    Raises Unusable where the file can not be read or is damaged, or the copy can not be written.
    """
    try:
        _make_private(copy)
        # Opened as if to write: after a power cut the newest changes are still in a file beside it.
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", timeout=WRITE_TIMEOUT, uri=True)) as db,
            closing(sqlite3.connect(copy, isolation_level=None)) as backup,
        ):
            db.execute("select id from tables limit 1").fetchone()
            db.backup(backup)
            backup.execute("pragma journal_mode = delete")
            if backup.execute("pragma quick_check(1)").fetchone() != ("ok",):
                raise Unusable(damaged_file(str(source)))
            (tables,) = backup.execute("select count(*) from tables").fetchone()
    except UNREADABLE as error:
        full = _error_code(error) == sqlite3.SQLITE_FULL
        raise Unusable(_unusable(error, copy if full else source)) from error
    return int(tables)


def _busy() -> Problem:
    return Problem(409, say("The tables are busy: nothing was changed. Try again."), passing=True)


def _expected_schema() -> tuple[set[str], set[tuple[str, str]]]:
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
def _sqlite_problems(path: Path) -> Iterator[None]:
    try:
        yield
    except (Unsound, UnicodeDecodeError) as error:
        raise Damaged(path.name) from error
    except sqlite3.Error as error:
        match _error_code(error):
            case sqlite3.SQLITE_FULL:
                raise no_room() from error
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_IOERR:
                text = say("The disk cannot be written to: nothing was changed.")
                raise Problem(409, text, passing=True) from error
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                raise _busy() from error
            case _ if isinstance(error, sqlite3.InterfaceError | sqlite3.ProgrammingError):
                raise
            case _:
                # The statements are tested: one that fails on this file has met what nobody wrote.
                raise Damaged(path.name) from error


def _error_code(error: sqlite3.Error | UnicodeDecodeError) -> int:
    # An extended code carries the plain one in its low byte; what Python cannot read of SQLite's words has none.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _unusable(error: sqlite3.Error | UnicodeDecodeError, path: Path) -> Text:
    match _error_code(error):
        case sqlite3.SQLITE_FULL:
            return say("The disk is full: {file} cannot be made.", file=str(path))
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return say("Another program holds {file}: close it and try again.", file=str(path))
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_IOERR | sqlite3.SQLITE_PERM:
            return say("{file} cannot be opened: check that it can be read and written.", file=str(path))
        case _:
            return damaged_file(str(path))
