"""Every SQL statement that reads or writes what a table keeps, inside one transaction of the store."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Literal, TypeVar

import msgspec

from companion.table.columns import decoded, from_row, to_json, to_row
from companion.table.compression import deflated, inflated
from companion.table.log_rows import LogRows
from companion.table.problem import Unsound
from companion.table.records import RematchSeat, SeatRecord, SeatRequest, TableRecord

KEYS_KEPT = 4096
"""Versions of a table for which the keys of its requests are remembered."""
_KEYS_DELETED_EVERY = 256

_COLUMNS = TableRecord.__struct_fields__
_SETTLED = frozenset({"id", "game", "created"})
"""Columns that stay as they were when a table was made."""
_ROW = f"select {', '.join(_COLUMNS)} from tables where id = ?"  # noqa: S608 columns alone are put in
_CHANGED = ", ".join(f"{column} = excluded.{column}" for column in _COLUMNS if column not in _SETTLED)
_PUT_ROW = f"""
    insert into tables ({", ".join(_COLUMNS)}) values ({", ".join("?" * len(_COLUMNS))})
    on conflict (id) do update set {_CHANGED}"""  # noqa: S608 columns alone are put in
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
N = TypeVar("N", bound=msgspec.Struct)


_decode_list = msgspec.json.Decoder(list[Any]).decode
_COUNT_LIMIT = 2**53
"""Changes that no table comes to; of the largest number of a column there would be no next one."""


class TablesDb(LogRows):
    """The rows of the store, read and written; lives as long as its transaction, in which ``run`` runs a statement."""

    def is_sound(self) -> bool:
        """Tell whether no page of the file is damaged and no log lacks an entry; looks through all of it."""
        return self._value(str, "pragma quick_check(1)") == "ok" and self._value(int, _UNSOUND_TABLES) is None

    def row(self, table: str) -> TableRecord | None:
        """Find a table; None when there is none."""
        rows = self._rows(_ROW, table)
        if not rows:
            return None
        row = from_row(TableRecord, rows[0])
        largest = max(row.last, row.moved, row.version)
        if not (0 < row.head <= row.last and row.moved >= 0 and row.version > 0 and largest < _COUNT_LIMIT):
            raise Unsound(row.id)
        return row

    def ids(self, limit: int, offset: int, place: Place = "shown") -> list[str]:
        """Name tables of those that are shown, archived or in the bin, the one used last first."""
        order = f"where {_PLACES[place]} order by updated desc, rowid desc limit ? offset ?"
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
        self._run(_PUT_ROW, to_row(row))

    def places(self, table: str) -> dict[str, SeatRecord]:
        """Fetch the seats of a table, by seat."""
        rows = self._rows("select seat, name, token from seats where table_id = ?", table)
        return {row[0]: from_row(SeatRecord, row) for row in rows}

    def put_place(self, table: str, place: SeatRecord) -> None:
        """Store a seat."""
        self._run(
            "insert or replace into seats (table_id, seat, name, token) values (?, ?, ?, ?)", (table, *to_row(place))
        )

    def knocks(self, table: str) -> list[SeatRequest]:
        """List everybody who asked for a taken seat, oldest first."""
        rows = self._rows("select id, seat, name, token, answer from knocks where table_id = ? order by rowid", table)
        return [from_row(SeatRequest, row) for row in rows]

    def put_knock(self, table: str, knock: SeatRequest) -> None:
        """Store somebody's wish for a seat."""
        self._run(
            "insert into knocks (table_id, id, seat, name, token, answer) values (?, ?, ?, ?, ?, ?) "
            "on conflict (id) do update set answer = excluded.answer",
            (table, *to_row(knock)),
        )

    def delete_knock(self, knock: str) -> None:
        """Forget somebody's wish for a seat."""
        self._run("delete from knocks where id = ?", (knock,))

    def notes(self, table: str, kind: type[N]) -> dict[str, N]:
        """Return what is noted beside a table, of one kind, by its name, oldest first."""
        statement = "select name, note from notes where table_id = ? and kind = ? order by rowid"
        rows = self._rows(statement, table, kind.__struct_config__.tag)
        return {name: decoded(msgspec.json.Decoder(kind).decode, note) for name, note in rows}

    def put_note(self, table: str, name: str, note: msgspec.Struct) -> None:
        """Note something beside a table, in the place of what was noted under that name."""
        self._run(
            "insert into notes (table_id, kind, name, note) values (?, ?, ?, ?) "
            "on conflict (table_id, kind, name) do update set note = excluded.note",
            (table, note.__struct_config__.tag, name, to_json(note)),
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
        return [from_row(RematchSeat, row) for row in rows]

    def put_rematch(self, table: str, seat: RematchSeat) -> None:
        """Store where somebody of a table sits in its rematch."""
        self._run(
            "insert into rematches (table_id, seat, held, next_table, next_seat, token) values (?, ?, ?, ?, ?, ?)",
            (table, *to_row(seat)),
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
            (table, path, nth, kind, to_json(results)),
        )

    def done(self, table: str, seat: str, key: str) -> str | None:
        """Fetch the answer that a request got, as JSON; None when it was never made."""
        statement = "select coalesce(done_deflated, done) from keys where table_id = ? and seat = ? and key = ?"
        return self._value(inflated, statement, table, seat, key)

    def newest_done(self, table: str) -> int:
        """Return the version of the newest request that is remembered; 0 when none is."""
        return self._value(int, "select coalesce(max(version), 0) from keys where table_id = ?", table) or 0

    def put_done(self, table: str, seat: str, key: str, version: int, done: str) -> None:
        """Remember the answer to a request, and now and then forget the oldest."""
        kept = deflated(done)
        whole, small = (kept, None) if isinstance(kept, str) else ("", kept)
        self._run(
            "insert into keys (table_id, seat, key, version, done, done_deflated) values (?, ?, ?, ?, ?, ?)",
            (table, seat, key, version, whole, small),
        )
        if version % _KEYS_DELETED_EVERY == 0:
            self._run("delete from keys where table_id = ? and version < ?", (table, version - KEYS_KEPT))
