"""Every SQL statement that reads or writes what a table keeps, inside one transaction of the store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from companion.table.log_chain import Link
from companion.table.problem import Unsound
from companion.table.records import Entry, Kind, RematchSeat, SeatRecord, SeatRequest, TableRecord
from companion.table.view_models import Line

KEYS_KEPT = 4096
"""Versions of a table for which the keys of its requests are remembered."""
_KEYS_DELETED_EVERY = 256
_ROWS_KEPT = 512
"""Rows of logs in memory as what they say, of either kind: what two dozen busy tables show."""

_ROW = """
    select id, game, title, options, dice, created, updated, version, moved, head, last, held, wish, paused, ended,
        closing, archived, deleted, deleted_by, awaited
    from tables where id = ?"""
_PUT_ROW = """
    insert into tables
    (id, game, title, options, dice, created, updated, version, moved, head, last, held, wish, paused, ended,
        closing, archived, deleted, deleted_by, awaited)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    on conflict (id) do update set
    (title, options, dice, updated, version, moved, head, last, held, wish, paused, ended,
        closing, archived, deleted, deleted_by, awaited) =
    (excluded.title, excluded.options, excluded.dice, excluded.updated, excluded.version, excluded.moved, excluded.head,
        excluded.last, excluded.held, excluded.wish, excluded.paused, excluded.ended,
        excluded.closing, excluded.archived, excluded.deleted, excluded.deleted_by, excluded.awaited)"""
_ENTRIES = """
    select seq, base, ruling, at, kind, seat, by, who, headline, path, undoes, reasons, revealing, typed,
        action, answers, state, setting
    from entries where table_id = ? and seq between ? and ? order by seq"""
_LINKS = """
    select seq, base, undoes, ruling, kind, path, version, state is not null
    from entries where table_id = ? and seq between ? and ? order by seq"""
_ADD_ENTRY = """
    insert into entries
    (table_id, version, seq, base, ruling, at, kind, seat, by, who, headline, path, undoes, reasons, revealing, typed,
        action, answers, state, setting)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_LINES = """
    select seq, at, kind, seat, who, headline, reasons, exists (
        select 1 from entries later where later.table_id = entries.table_id and later.undoes = entries.seq), typed
    from entries where table_id = ? and seq < ? order by seq desc limit ?"""
_STATE = """
    select state from entries where table_id = ? and version <= ? and state is not null order by seq desc limit 1"""

_UNSOUND_TABLES = """
    select 1 from tables where deleted_by is not 'for good' and (head not between 1 and last
        or last <> (select count(*) from entries where table_id = tables.id and seq between 1 and tables.last)
        or last <> (select max(seq) from entries where table_id = tables.id)) limit 1"""
_PLACES = {
    "shown": "deleted is null and archived is null",
    "archived": "deleted is null and archived is not null",
    "bin": "deleted is not null and deleted_by is not 'for good'",
}
_EMPTY = f"""
    select id from tables where {_PLACES["shown"]} and deleted_by is null and updated < ? and held is null and last <= ?
        and not exists (select 1 from knocks where table_id = tables.id)
        and not exists (select 1 from entries where table_id = tables.id and (kind not in ('start', 'setting')
            or headline = ? or (seat <> ? and julianday(at) > julianday(tables.created) + ? / 86400.0)))
        and (select count(*) from seats where table_id = tables.id and seat <> ? and token is not null) <= 1
    order by updated limit ?"""  # noqa: S608 what is put in is above
_ROWS_OF_A_TABLE = ("entries", "fates", "keys", "knocks", "notes", "rematches", "seats")

Place = Literal["shown", "archived", "bin"]
"""Where a table is listed: among those that are played, in the archive, or in the bin."""
T = TypeVar("T")
N = TypeVar("N", bound=msgspec.Struct)


class _Column(NamedTuple):
    """The types that a column may hold, and what makes the field of a struct out of its value."""

    types: tuple[type, ...]
    decode: Callable[[Any], Any] | None = None


def _column(field: str, kind: Any) -> _Column:
    """Tell what the column of a field holds: a number, a text (any, one of a few, or a time), or else JSON."""
    if type(None) in get_args(kind):
        types, decode = _column(field, get_args(kind)[0])
        return _Column((*types, type(None)), decode and (lambda value: None if value is None else decode(value)))
    if field in {"at", "updated", "archived", "deleted"}:
        return _Column((str,), _check_time)
    if field == "kind":
        kind = Kind  # the type of a Line's says less
    if get_origin(kind) is Literal:
        return _Column((str,), {value: value for value in get_args(kind)}.__getitem__)
    if kind in {int, str}:
        return _Column((kind,))
    return _Column((int,), bool) if kind is bool else _Column((str,), msgspec.json.Decoder(kind).decode)


def _check_time(at: str) -> str:
    """Return a time; raise ValueError when it is none, or one that no clock of a table showed."""
    if not 1970 <= datetime.fromisoformat(at).year < 9999:
        raise ValueError(at)
    return at


def _decoded(decode: Callable[[Any], T], value: Any) -> T:
    """Decode the value of a column; raise Unsound where nobody wrote it."""
    try:
        return decode(value)
    except (msgspec.DecodeError, LookupError, TypeError, ValueError) as error:
        raise Unsound(str(error)) from error


_decode_object, _decode_list = msgspec.json.Decoder(dict[str, Any]).decode, msgspec.json.Decoder(list[Any]).decode
_COLUMNS: dict[Callable[..., Any], list[_Column]] = {
    record: [_column(field, kind) for field, kind in get_type_hints(record).items()]
    for record in (TableRecord, Entry, Link, Line, SeatRecord, SeatRequest, RematchSeat)
}
"""What columns hold: a page that was damaged may give a number for a text, or nothing at all."""
_TYPES = {record: [column.types for column in columns] for record, columns in _COLUMNS.items()}
_DECODERS = {
    record: [(at, column.decode) for at, column in enumerate(columns) if column.decode]
    for record, columns in _COLUMNS.items()
}
_COUNT_LIMIT = 2**53
"""Changes that no table comes to; of the largest number of a column there would be no next one."""


def _record(kind: Callable[..., T], row: Sequence[Any]) -> T:
    """Return a row as a struct whose fields are its columns; raise Unsound where it is none."""
    # Not msgspec.convert: it makes a plan of a tuple's type for every row anew, which takes thirty times as long.
    if not all(map(isinstance, row, _TYPES[kind])):
        raise Unsound(f"a {kind} holds what its columns can not")
    values = [*row]
    for at, decode in _DECODERS[kind]:
        values[at] = _decoded(decode, values[at])
    return kind(*values)


def _row(record: msgspec.Struct) -> tuple[str | int | None, ...]:
    """Return a struct as a row: what is neither a text nor a number is JSON."""
    values = msgspec.structs.astuple(record)
    return tuple(value if isinstance(value, str | int | None) else _json(value) for value in values)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


# What stands in the log is not written again: most of what a look reads was read by the last one. Numbers that are
# equal but of other types are told apart, as in a row that was damaged.
@lru_cache(maxsize=_ROWS_KEPT, typed=True)
def _line(*row: Any) -> Line:
    return _record(Line, row)


@lru_cache(maxsize=_ROWS_KEPT, typed=True)
def _link(*row: Any) -> Link:
    link = _record(Link, row)
    # What an entry points at came before it: whoever follows that gets to an end.
    undoes_earlier = link.undoes is None or 0 < link.undoes < link.seq
    if not (0 <= link.base < link.seq and 0 <= link.ruling <= link.seq and undoes_earlier):
        raise Unsound(f"entry {link.seq}")
    return link


class TablesDb:
    """The rows of the store, read and written; lives as long as its transaction, in which ``run`` runs a statement."""

    def __init__(self, run: Callable[[str, Sequence[Any]], Any]) -> None:
        self._run = run

    def _value(self, kind: Callable[[Any], T], statement: str, *parameters: Any) -> T | None:
        """Return the first column of the first row; None when there is no row."""
        row = self._run(statement, parameters).fetchone()
        return None if row is None else _decoded(kind, row[0])

    def _rows(self, statement: str, *parameters: Any) -> list[Any]:
        return [*self._run(statement, parameters)]

    def is_sound(self) -> bool:
        """Tell whether no page of the file is damaged and no log lacks an entry; looks through all of it."""
        return self._value(str, "pragma quick_check(1)") == "ok" and self._value(int, _UNSOUND_TABLES) is None

    def row(self, table: str) -> TableRecord | None:
        """Find a table; None when there is none."""
        rows = self._rows(_ROW, table)
        if not rows:
            return None
        row = _record(TableRecord, rows[0])
        largest = max(row.last, row.moved, row.version)
        if not (0 < row.head <= row.last and row.moved >= 0 and row.version > 0 and largest < _COUNT_LIMIT):
            raise Unsound(row.id)
        return row

    def ids(self, limit: int, offset: int, place: Place = "shown") -> list[str]:
        """Name tables of those that are shown, archived or in the bin, the one used last first."""
        order = f"where {_PLACES[place]} order by updated desc, id limit ? offset ?"
        return [str(table) for (table,) in self._rows(f"select id from tables {order}", limit, offset)]  # noqa: S608

    def version(self, table: str) -> int | None:
        """Find a table's version; None when there is no such table."""
        return self._value(int, "select version from tables where id = ?", table)

    def version_shown(self, table: str) -> int | None:
        """Find a table's version; None when there is no such table, or it was deleted."""
        return self._value(int, "select version from tables where id = ? and deleted is null", table)

    def empty(self, before: str, longest: int, opened: str, keeper: str, seconds: int, limit: int) -> list[str]:
        """Name tables at which nothing was played, that nobody has touched since ``before``.

        Their logs have no more than ``longest`` entries, and none that says ``opened`` (JSON); nobody but the
        ``keeper`` has done anything there later than some ``seconds`` after they were made.
        """
        rows = self._rows(_EMPTY, before, longest, opened, keeper, seconds, keeper, limit)
        return [str(table) for (table,) in rows]

    def deleted_before(self, when: str) -> list[str]:
        """Name the tables whose way back has ended."""
        rows = self._rows("select id from tables where deleted <= ? or deleted_by = 'for good' order by deleted", when)
        return [str(table) for (table,) in rows]

    def forget_rows(self, table: str, most: int) -> int:
        """Delete some rows of what is stored of a table beside its own; return how many they were."""
        for name in _ROWS_OF_A_TABLE:
            found = f"select rowid from {name} where table_id = ? limit ?"  # noqa: S608 what is put in is above
            gone = self._run(f"delete from {name} where rowid in ({found})", (table, most)).rowcount  # noqa: S608
            if gone:
                return int(gone)
        return int(self._run("delete from rematches where next_table = ?", (table,)).rowcount)

    def forget_table(self, table: str) -> None:
        """Delete a table of which nothing else is left."""
        self._run("delete from tables where id = ?", (table,))

    def game(self, table: str) -> str | None:
        """Find the game of a table; None when there is no such table."""
        return self._value(str, "select game from tables where id = ?", table)

    def put_row(self, row: TableRecord) -> None:
        """Store a table as it is now."""
        self._run(_PUT_ROW, _row(row))

    def link(self, table: str, seq: int) -> Link:
        """Fetch what one entry rests on; raise Unsound when there is none."""
        links = self.links(table, seq, seq)
        if not links:
            raise Unsound(f"{table} has no entry {seq}")
        return links[0]

    def links(self, table: str, first: int, last: int | None) -> list[Link]:
        """Fetch what entries rest on, oldest first, up to the ``last`` one or (None) as far as there are any."""
        return [_link(*row) for row in self._rows(_LINKS, table, first, 2**63 - 1 if last is None else last)]

    def entries(self, table: str, first: int, last: int) -> list[Entry]:
        """Fetch what there is of a part of the log, oldest first."""
        return [_record(Entry, row) for row in self._rows(_ENTRIES, table, first, last)]

    def add_entry(self, table: str, entry: Entry, version: int) -> None:
        """Append an entry to the log; ``version`` is the table's that it comes with."""
        self._run(_ADD_ENTRY, (table, version, *_row(entry)))

    def state(self, table: str, version: int) -> str | None:
        """Fetch the state that a table had at a version; None when it did not begin before."""
        return self._value(str, _STATE, table, version)

    def corrected(self, table: str, since: int) -> set[str]:
        """Name the values that were corrected by hand after a version."""
        rows = self._rows(
            "select action from entries where table_id = ? and version > ? and kind = 'correction'", table, since
        )
        return {str(_decoded(_decode_object, action)["path"]) for (action,) in rows}

    def lines(self, table: str, before: int, limit: int) -> list[Line]:
        """Fetch what there is of the log before an entry, newest first, with every reason: not yet fit to be shown."""
        return [_line(*row) for row in self._rows(_LINES, table, before, limit)]

    def places(self, table: str) -> dict[str, SeatRecord]:
        """Fetch the seats of a table, by seat."""
        rows = self._rows("select seat, name, token from seats where table_id = ?", table)
        return {row[0]: _record(SeatRecord, row) for row in rows}

    def put_place(self, table: str, place: SeatRecord) -> None:
        """Store a seat."""
        self._run(
            "insert or replace into seats (table_id, seat, name, token) values (?, ?, ?, ?)", (table, *_row(place))
        )

    def acting_seats(self, table: str) -> frozenset[str]:
        """Name the seats that stand in the log: somebody has sat there."""
        return frozenset(seat for (seat,) in self._rows("select distinct seat from entries where table_id = ?", table))

    def knocks(self, table: str) -> list[SeatRequest]:
        """List everybody who asked for a taken seat, oldest first."""
        rows = self._rows("select id, seat, name, token, answer from knocks where table_id = ? order by rowid", table)
        return [_record(SeatRequest, row) for row in rows]

    def put_knock(self, table: str, knock: SeatRequest) -> None:
        """Store somebody's wish for a seat."""
        self._run(
            "insert into knocks (table_id, id, seat, name, token, answer) values (?, ?, ?, ?, ?, ?) "
            "on conflict (id) do update set answer = excluded.answer",
            (table, *_row(knock)),
        )

    def delete_knock(self, knock: str) -> None:
        """Forget somebody's wish for a seat."""
        self._run("delete from knocks where id = ?", (knock,))

    def notes(self, table: str, kind: type[N]) -> dict[str, N]:
        """Return what is noted beside a table, of one kind, by its name, oldest first."""
        statement = "select name, note from notes where table_id = ? and kind = ? order by rowid"
        rows = self._rows(statement, table, kind.__struct_config__.tag)
        return {name: _decoded(msgspec.json.Decoder(kind).decode, note) for name, note in rows}

    def put_note(self, table: str, name: str, note: msgspec.Struct) -> None:
        """Note something beside a table, in the place of what was noted under that name."""
        self._run(
            "insert into notes (table_id, kind, name, note) values (?, ?, ?, ?) "
            "on conflict (table_id, kind, name) do update set note = excluded.note",
            (table, note.__struct_config__.tag, name, _json(note)),
        )

    def delete_note(self, table: str, name: str, kind: type[msgspec.Struct]) -> None:
        """Forget what was noted beside a table."""
        statement = "delete from notes where table_id = ? and kind = ? and name = ?"
        self._run(statement, (table, kind.__struct_config__.tag, name))

    def rematch(self, table: str) -> list[RematchSeat]:
        """List who sits where in the rematch of a table; nobody where there is none."""
        rows = self._rows(
            "select seat, held, next_table, next_seat, token from rematches where table_id = ? order by seat", table
        )
        return [_record(RematchSeat, row) for row in rows]

    def put_rematch(self, table: str, seat: RematchSeat) -> None:
        """Store where somebody of a table sits in its rematch."""
        self._run(
            "insert into rematches (table_id, seat, held, next_table, next_seat, token) values (?, ?, ?, ?, ?, ?)",
            (table, *_row(seat)),
        )

    def picture(self, digest: str) -> tuple[str, bytes] | None:
        """Fetch the kind and the bytes of a picture; None when there is none of that name, or it was damaged."""
        rows = self._rows("select kind, data from pictures where digest = ?", digest)
        if not rows:
            return None
        kind, data = rows[0]
        if not (isinstance(kind, str) and isinstance(data, bytes) and sha256(data).hexdigest() == digest):
            return None  # a game is worth more than a picture: its sign is seen, and it can be brought again
        return kind, data

    def put_picture(self, digest: str, kind: str, data: bytes) -> None:
        """Store a picture; in the place of one that is there already, which is the same, or was damaged."""
        self._run("insert or replace into pictures (digest, kind, data) values (?, ?, ?)", (digest, kind, data))

    def random_results(self, table: str, path: str, nth: int, kind: str) -> list[Any]:
        """Fetch what chance gave the last time at this point of the game; empty when it is the first."""
        statement = "select came from fates where table_id = ? and path = ? and nth = ? and kind = ?"
        return self._value(_decode_list, statement, table, path, nth, kind) or []

    def put_random_results(self, table: str, path: str, nth: int, kind: str, results: Sequence[Any]) -> None:
        """Remember what chance gave at this point of the game."""
        self._run(
            "insert or replace into fates (table_id, path, nth, kind, came) values (?, ?, ?, ?, ?)",
            (table, path, nth, kind, _json(results)),
        )

    def done(self, table: str, seat: str, key: str) -> str | None:
        """Fetch the answer that a request got, as JSON; None when it was never made."""
        return self._value(str, "select done from keys where table_id = ? and seat = ? and key = ?", table, seat, key)

    def newest_done(self, table: str) -> int:
        """Return the version of the newest request that is remembered; 0 when none is."""
        return self._value(int, "select coalesce(max(version), 0) from keys where table_id = ?", table) or 0

    def put_done(self, table: str, seat: str, key: str, version: int, done: str) -> None:
        """Remember the answer to a request, and now and then forget the oldest."""
        self._run(
            "insert into keys (table_id, seat, key, version, done) values (?, ?, ?, ?, ?)",
            (table, seat, key, version, done),
        )
        if version % _KEYS_DELETED_EVERY == 0:
            self._run("delete from keys where table_id = ? and version < ?", (table, version - KEYS_KEPT))
