"""Every SQL statement that reads or writes what a table keeps, inside one transaction of the store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Protocol, TypeVar, get_args

import msgspec

from companion.kit.asking import Answer
from companion.kit.ruling import Reason
from companion.kit.text import Text
from companion.table.log_chain import Link
from companion.table.problem import Unsound
from companion.table.records import (
    ActionWaiting,
    Entry,
    Kind,
    SeatRecord,
    SeatRequest,
    Setting,
    TableRecord,
    UndoRequest,
)
from companion.table.seat_view import DiceMode, Line

KEYS_KEPT = 4096
"""Versions of a table for which the keys of its requests are remembered."""
_SWEEP = 256

_ROW = """
    select id, game, title, options, dice, version, moved, head, last, held, wish, paused, ended, created, updated
    from tables where id = ?"""
_PUT_ROW = """
    insert or replace into tables
    (id, game, title, options, dice, version, moved, head, last, held, wish, paused, ended, created, updated)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_ENTRIES = """
    select seq, base, undoes, ruling, at, kind, seat, by, who, headline, reasons, revealing, typed, path,
        action, answers, state, setting
    from entries where table_id = ? and seq between ? and ? order by seq"""
_LINKS = """
    select seq, base, undoes, ruling, kind, path, version, state is not null
    from entries where table_id = ? and seq between ? and ? order by seq"""
_ADD_ENTRY = """
    insert into entries
    (table_id, seq, base, undoes, ruling, at, kind, seat, by, who, headline, reasons, revealing, typed, path,
        action, answers, state, version, setting)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_LINES = """
    select seq, at, kind, seat, who, headline, reasons, typed, exists (
        select 1 from entries later where later.table_id = entries.table_id and later.undoes = entries.seq)
    from entries where table_id = ? and seq < ? order by seq desc limit ?"""

_BROKEN = """
    select 1 from tables where head not between 1 and last
        or last <> (select count(*) from entries where table_id = tables.id and seq between 1 and tables.last)
        or last <> (select max(seq) from entries where table_id = tables.id) limit 1"""

T = TypeVar("T")


class Cursor(Protocol):
    """Be what a statement gives back."""

    def fetchone(self) -> Any:
        """Return the next row, None at the end."""

    def fetchall(self) -> list[Any]:
        """Return the rows that are left."""


class Connection(Protocol):
    """Be a connection with a transaction begun."""

    def execute(self, sql: str, parameters: Sequence[Any], /) -> Cursor:
        """Run one statement."""


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _maybe(value: Any) -> str | None:
    return None if value is None else _json(value)


_decoders: dict[Any, msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(kind)
    for kind in (Text, tuple[Reason, ...], tuple[Answer, ...], ActionWaiting, UndoRequest, dict[str, Any], list[Any])
}


_N, _S, _SN, _NN = (int,), (str,), (str, type(None)), (int, type(None))
_COLUMNS: dict[str, tuple[tuple[type, ...], ...]] = {
    "row": (_S, _S, _S, _S, _S, _N, _N, _N, _N, _SN, _SN, _N, _N, _S, _S),
    "entry": (_N, _N, _NN, _N, _S, _S, _S, _S, _S, _S, _S, _N, _N, _S, _SN, _S, _SN, _SN),
    "link": (_N, _N, _NN, _N, _S, _S, _N, _N),
    "line": (_N, _S, _S, _S, _S, _S, _S, _N, _N),
    "place": (_S, _S, _SN),
    "knock": (_S, _S, _S, _S, _SN),
}
"""What columns hold: a page that was damaged may give a number for a text, or nothing at all."""
_COUNTED = 2**53
"""Changes that no table comes to; of the largest number of a column there would be no next one."""
_DICE, _ENTRY_KINDS = frozenset(get_args(DiceMode)), frozenset(get_args(Kind))
_SETTINGS = frozenset(get_args(Setting))


def _checked(found: Sequence[Any], what: str) -> Sequence[Any]:
    # Not msgspec.convert: it makes a plan of a tuple's type for every row anew, which takes thirty times as long.
    if not all(map(isinstance, found, _COLUMNS[what])):
        raise Unsound(f"a {what} holds what its columns can not")
    return found


def _among(value: str, known: frozenset[str]) -> None:
    if value not in known:
        raise Unsound(value)


def _read(value: str, kind: type[T]) -> T:
    try:
        found: T = _decoders[kind].decode(value)
    except (msgspec.DecodeError, TypeError, UnicodeError) as wrong:
        raise Unsound(str(wrong)) from wrong
    return found


def _when(at: str) -> None:
    """Check a time: raise Unsound when it is none, or one that no clock of a table showed."""
    try:
        if not 1970 <= datetime.fromisoformat(at).year < 9999:
            raise Unsound(at)
    except ValueError as wrong:
        raise Unsound(str(wrong)) from wrong


def _row(found: Sequence[Any]) -> TableRecord:
    row = TableRecord(*_checked(found, "row"))
    row.options = _read(found[3], dict[str, Any])
    row.held = None if found[9] is None else _read(found[9], ActionWaiting)
    row.wish = None if found[10] is None else _read(found[10], UndoRequest)
    row.paused, row.ended = bool(found[11]), bool(found[12])
    _among(row.dice, _DICE)
    if not (0 < row.head <= row.last < _COUNTED and 0 <= row.moved < _COUNTED and 0 < row.version < _COUNTED):
        raise Unsound(row.id)
    _when(row.updated)
    return row


def _link(found: Sequence[Any]) -> Link:
    seq, base, undoes, ruling, kind, path, version, stated = _checked(found, "link")
    _among(kind, _ENTRY_KINDS)
    # What an entry points at came before it: whoever follows that gets to an end.
    if not (0 <= base < seq and 0 <= ruling <= seq and (undoes is None or 0 < undoes < seq)):
        raise Unsound(f"entry {seq}")
    return Link(seq, base, undoes, ruling, kind, path, version, bool(stated))


def _line(found: Sequence[Any]) -> Line:
    seq, at, kind, seat, who, headline, reasons, typed, undone = _checked(found, "line")
    _when(at)
    _among(kind, _ENTRY_KINDS)
    return Line(
        seq,
        at,
        kind,
        seat,
        who,
        _read(headline, Text),
        _read(reasons, tuple[Reason, ...]),
        bool(undone),
        bool(typed),
    )


class TablesDb:
    """Read and write the store's rows; lives as long as its transaction."""

    def __init__(self, connection: Connection) -> None:
        self._run = connection.execute

    def is_sound(self) -> bool:
        """Tell whether no page of the file is damaged and no log lacks an entry; looks through all of it."""
        sound = self._run("pragma quick_check(1)", ()).fetchone() == ("ok",)
        return sound and self._run(_BROKEN, ()).fetchone() is None

    def row(self, table: str) -> TableRecord | None:
        """Find a table; None when there is none."""
        found = self._run(_ROW, (table,)).fetchone()
        return None if found is None else _row(found)

    def ids(self, limit: int, offset: int) -> list[str]:
        """Name tables, the one used last first."""
        found = self._run(
            "select id from tables order by updated desc, id limit ? offset ?", (limit, offset)
        ).fetchall()
        return [str(table) for (table,) in found]

    def version(self, table: str) -> int | None:
        """Find a table's version; None when there is no such table."""
        found = self._run("select version from tables where id = ?", (table,)).fetchone()
        return None if found is None else int(found[0])

    def game(self, table: str) -> str | None:
        """Find the game of a table; None when there is no such table."""
        found = self._run("select game from tables where id = ?", (table,)).fetchone()
        return None if found is None else str(found[0])

    def put_row(self, row: TableRecord) -> None:
        """Store a table as it is now."""
        self._run(
            _PUT_ROW,
            (
                row.id,
                row.game,
                row.title,
                _json(row.options),
                row.dice,
                row.version,
                row.moved,
                row.head,
                row.last,
                _maybe(row.held),
                _maybe(row.wish),
                int(row.paused),
                int(row.ended),
                row.created,
                row.updated,
            ),
        )

    def link(self, table: str, seq: int) -> Link:
        """Fetch what one entry rests on; raise Unsound when there is none."""
        found = self.links(table, seq, seq)
        if not found:
            raise Unsound(f"{table} has no entry {seq}")
        return found[0]

    def links(self, table: str, first: int, last: int | None) -> list[Link]:
        """Fetch what entries rest on, oldest first, up to the ``last`` one or (None) as far as there are any."""
        found = self._run(_LINKS, (table, first, 2**63 - 1 if last is None else last)).fetchall()
        return [_link(one) for one in found]

    def entries(self, table: str, first: int, last: int) -> list[Entry]:
        """Fetch what there is of a part of the log, oldest first."""
        return [self._entry(one) for one in self._run(_ENTRIES, (table, first, last)).fetchall()]

    @staticmethod
    def _entry(found: Sequence[Any]) -> Entry:
        found = _checked(found, "entry")
        seq, base, undoes, ruling, at, kind, seat, by, who, headline, reasons, revealing, typed, path = found[:14]
        action, answers, state, setting = found[14:]
        _when(at)
        _among(kind, _ENTRY_KINDS)
        if setting is not None:
            _among(setting, _SETTINGS)
        return Entry(
            seq,
            base,
            undoes,
            ruling,
            at,
            kind,
            seat,
            by,
            who,
            _read(headline, Text),
            _read(reasons, tuple[Reason, ...]),
            bool(revealing),
            bool(typed),
            path,
            None if action is None else _read(action, dict[str, Any]),
            _read(answers, tuple[Answer, ...]),
            state,
            setting,
        )

    def add_entry(self, table: str, entry: Entry, version: int) -> None:
        """Append an entry to the log; ``version`` is the table's that it comes with."""
        self._run(
            _ADD_ENTRY,
            (
                table,
                entry.seq,
                entry.base,
                entry.undoes,
                entry.ruling,
                entry.at,
                entry.kind,
                entry.seat,
                entry.by,
                entry.who,
                _json(entry.headline),
                _json(entry.reasons),
                int(entry.revealing),
                int(entry.typed),
                entry.path,
                _maybe(entry.action),
                _json(entry.answers),
                entry.state,
                version,
                entry.setting,
            ),
        )

    def state(self, table: str, version: int) -> str | None:
        """Fetch the state that a table had at a version; None when it did not begin before."""
        found = self._run(
            "select state from entries where table_id = ? and version <= ? and state is not null "
            "order by seq desc limit 1",
            (table, version),
        ).fetchone()
        return None if found is None else str(found[0])

    def corrected(self, table: str, since: int) -> set[str]:
        """Name the values that were corrected by hand after a version."""
        found = self._run(
            "select action from entries where table_id = ? and version > ? and kind = 'correction'", (table, since)
        ).fetchall()
        return {str(_read(action, dict[str, Any])["path"]) for (action,) in found}

    def lines(self, table: str, before: int, limit: int) -> list[Line]:
        """Fetch what there is of the log before an entry, newest first, with every reason: not yet fit to be shown."""
        found = self._run(_LINES, (table, before, limit)).fetchall()
        return [_line(one) for one in found]

    def places(self, table: str) -> dict[str, SeatRecord]:
        """Fetch the seats of a table, by seat."""
        found = self._run("select seat, name, token from seats where table_id = ?", (table,)).fetchall()
        return {one[0]: SeatRecord(*_checked(one, "place")) for one in found}

    def put_place(self, table: str, place: SeatRecord) -> None:
        """Store a seat."""
        self._run(
            "insert or replace into seats (table_id, seat, name, token) values (?, ?, ?, ?)",
            (table, place.seat, place.name, place.token),
        )

    def sat(self, table: str) -> frozenset[str]:
        """Name the seats that somebody has sat on, by what the log tells."""
        found = self._run("select distinct seat from entries where table_id = ?", (table,)).fetchall()
        return frozenset(seat for (seat,) in found)

    def knocks(self, table: str) -> list[SeatRequest]:
        """List everybody who asked for a taken seat, oldest first."""
        found = self._run(
            "select id, seat, name, token, answer from knocks where table_id = ? order by rowid", (table,)
        ).fetchall()
        return [SeatRequest(*_checked(one, "knock")) for one in found]

    def put_knock(self, table: str, knock: SeatRequest) -> None:
        """Store somebody's wish for a seat."""
        self._run(
            "insert into knocks (id, table_id, seat, name, token, answer) values (?, ?, ?, ?, ?, ?) "
            "on conflict (id) do update set answer = excluded.answer",
            (knock.id, table, knock.seat, knock.name, knock.token, knock.answer),
        )

    def drop_knock(self, knock: str) -> None:
        """Forget somebody's wish for a seat."""
        self._run("delete from knocks where id = ?", (knock,))

    def fate(self, table: str, path: str, nth: int, kind: str) -> list[Any]:
        """Fetch what came the last time at this point of the game; empty when it is the first."""
        found = self._run(
            "select came from fates where table_id = ? and path = ? and nth = ? and kind = ?",
            (table, path, nth, kind),
        ).fetchone()
        return [] if found is None else _read(found[0], list[Any])

    def put_fate(self, table: str, path: str, nth: int, kind: str, came: Sequence[Any]) -> None:
        """Remember what came at this point of the game."""
        self._run(
            "insert or replace into fates (table_id, path, nth, kind, came) values (?, ?, ?, ?, ?)",
            (table, path, nth, kind, _json(came)),
        )

    def done(self, table: str, seat: str, key: str) -> str | None:
        """Fetch the answer that a request got, as JSON; None when it was never made."""
        found = self._run(
            "select done from keys where table_id = ? and seat = ? and key = ?", (table, seat, key)
        ).fetchone()
        return None if found is None else str(found[0])

    def newest_done(self, table: str) -> int:
        """Return the version of the newest request that is remembered; 0 when none is."""
        (found,) = self._run("select max(version) from keys where table_id = ?", (table,)).fetchone()
        return found or 0

    def put_done(self, table: str, seat: str, key: str, version: int, done: str) -> None:
        """Remember the answer to a request, and now and then forget the oldest."""
        self._run(
            "insert into keys (table_id, seat, key, version, done) values (?, ?, ?, ?, ?)",
            (table, seat, key, version, done),
        )
        if version % _SWEEP == 0:
            self._run("delete from keys where table_id = ? and version < ?", (table, version - KEYS_KEPT))
