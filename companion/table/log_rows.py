"""The SQL statements that read and write the log of a table: entries, what they rest on, and the states they led to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import msgspec

from companion.table.columns import decoded, from_row, to_row
from companion.table.compression import applied, deflated, difference
from companion.table.log_chain import Link
from companion.table.problem import Unsound
from companion.table.records import Entry
from companion.table.view_models import Line

STATES_BETWEEN = 16
"""Entries after which a state is stored whole again: fewer differences than that are put together to read one."""
_ROWS_KEPT = 512
"""Rows of logs in memory as what they say, of either kind: what two dozen busy tables show."""

_REASONS = "coalesce(reasons_deflated, reasons)"
_HAS_STATE = "(state is not null or state_change is not null)"
_FIELDS = Entry.__struct_fields__
_STATE_AT = _FIELDS.index("state")
_ENTRIES = f"""
    select {", ".join(_REASONS if field == "reasons" else field for field in _FIELDS)}, state_change, state_from
    from entries where table_id = ? and seq between ? and ? order by seq"""  # noqa: S608 what is put in is above
_STATES = """
    select seq, state, state_change, state_from
    from entries where table_id = ? and seq between ? and ? order by seq"""
_LINKS = f"""
    select seq, base, undoes, ruling, kind, path, version, {_HAS_STATE}
    from entries where table_id = ? and seq between ? and ? order by seq"""  # noqa: S608 what is put in is above
_COLUMNS = ("table_id", "version", *_FIELDS, "reasons_deflated", "state_change", "state_from")
_ADD_ENTRY = f"insert into entries ({', '.join(_COLUMNS)}) values ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608 so are they
_LINES = f"""
    select seq, at, kind, seat, who, headline, {_REASONS}, exists (
        select 1 from entries later where later.table_id = entries.table_id and later.undoes = entries.seq), typed
    from entries where table_id = ? and seq < ? order by seq desc limit ?"""  # noqa: S608 what is put in is above
_NEWEST_STATE = f"""
    select seq from entries
    where table_id = ? and version <= ? and seq <= ? and {_HAS_STATE} order by seq desc limit 1"""  # noqa: S608 so it is
_ANY = 2**63 - 1

_decode_object = msgspec.json.Decoder(dict[str, Any]).decode
T = TypeVar("T")


class _StoredState(NamedTuple):
    """A state, the entry that holds it, and the one from which on it is put together: the same where it is whole."""

    seq: int
    whole: int
    text: str


# What stands in the log is not written again: most of what a look reads was read by the last one. Numbers that are
# equal but of other types are told apart, as in a row that was damaged.
@lru_cache(maxsize=_ROWS_KEPT, typed=True)
def _line(*row: Any) -> Line:
    return from_row(Line, row)


@lru_cache(maxsize=_ROWS_KEPT, typed=True)
def _link(*row: Any) -> Link:
    link = from_row(Link, row)
    # What an entry points at came before it: whoever follows that gets to an end.
    undoes_earlier = link.undoes is None or 0 < link.undoes < link.seq
    if not (0 <= link.base < link.seq and 0 <= link.ruling <= link.seq and undoes_earlier):
        raise Unsound(f"entry {link.seq}")
    return link


class LogRows:
    """The rows of logs, read and written; lives as long as its transaction, in which ``run`` runs a statement."""

    def __init__(self, run: Callable[[str, Sequence[Any]], Any]) -> None:
        self._run = run
        self._newest: dict[str, _StoredState] = {}

    def _value(self, kind: Callable[[Any], T], statement: str, *parameters: Any) -> T | None:
        """Return the first column of the first row; None when there is no row."""
        row = self._run(statement, parameters).fetchone()
        return None if row is None else decoded(kind, row[0])

    def _rows(self, statement: str, *parameters: Any) -> list[Any]:
        return [*self._run(statement, parameters)]

    def link(self, table: str, seq: int) -> Link:
        """Fetch what one entry rests on; raise Unsound when there is none."""
        links = self.links(table, seq, seq)
        if not links:
            raise Unsound(f"{table} has no entry {seq}")
        return links[0]

    def links(self, table: str, first: int, last: int | None) -> list[Link]:
        """Fetch what entries rest on, oldest first, up to the ``last`` one or (None) as far as there are any."""
        return [_link(*row) for row in self._rows(_LINKS, table, first, _ANY if last is None else last)]

    def entries(self, table: str, first: int, last: int) -> list[Entry]:
        """Fetch what there is of a part of the log, oldest first; raise Unsound where a state is not to be had."""
        entries, before = [], None
        for *row, change, whole in self._rows(_ENTRIES, table, first, last):
            before = self._put_together(table, row[0], (row[_STATE_AT], change, whole), before)
            row[_STATE_AT] = row[_STATE_AT] if before is None or before.seq != row[0] else before.text
            entries.append(from_row(Entry, row))
        return entries

    def _put_together(
        self, table: str, seq: Any, stored: Sequence[Any], before: _StoredState | None
    ) -> _StoredState | None:
        """Return the state of an entry out of what is stored of it and the state ``before`` it, where that was read.

        It is the one before where the entry has none of its own.
        """
        state, change, whole = stored
        if change is None:
            return _StoredState(seq, seq, state) if isinstance(state, str) else before
        if state is not None or not (isinstance(whole, int) and seq - STATES_BETWEEN < whole <= seq):
            raise Unsound(f"entry {seq} rests on no state")
        if whole == seq:
            return _StoredState(seq, seq, applied("", change))
        if before is None:
            before = self._state_until(table, whole, seq - 1)
        if before is None or before.whole != whole:
            raise Unsound(f"entry {seq} rests on another state")
        return _StoredState(seq, whole, applied(before.text, change))

    def _state_until(self, table: str, first: int, last: int) -> _StoredState | None:
        """Put the newest state of a part of the log together that begins with a whole one; None where it has none."""
        found: _StoredState | None = None
        for seq, *stored in self._rows(_STATES, table, first, last):
            if found is None and seq != first:
                break
            found = self._put_together(table, seq, stored, found)
        return found

    def add_entry(self, table: str, entry: Entry, version: int) -> None:
        """Append an entry to the log; ``version`` is the table's that it comes with."""
        row = dict(zip(_FIELDS, to_row(entry), strict=True))
        reasons = deflated(str(row["reasons"]))
        if isinstance(reasons, bytes):
            row["reasons"] = "[]"
        change, whole = None, None
        if entry.state is not None:
            before = self._newest_state(table)
            # Where what was stored before is spoilt, what comes next is whole.
            if before is None or entry.seq - before.whole >= STATES_BETWEEN:
                change, whole = difference("", entry.state), entry.seq
            else:
                change, whole = difference(before.text, entry.state), before.whole
            self._newest[table] = _StoredState(entry.seq, whole, entry.state)
        row["state"] = None
        kept = reasons if isinstance(reasons, bytes) else None
        self._run(_ADD_ENTRY, (table, version, *row.values(), kept, change, whole))

    def _newest_state(self, table: str) -> _StoredState | None:
        if table not in self._newest:
            try:
                found = self._state_at(table)
            except Unsound:
                found = None
            if found is None:
                return None
            self._newest[table] = found
        return self._newest[table]

    def _state_at(self, table: str, version: int = _ANY, last: int = _ANY) -> _StoredState | None:
        seq = self._value(int, _NEWEST_STATE, table, version, last)
        if seq is None:
            return None
        whole = self._value(
            int, "select coalesce(state_from, seq) from entries where table_id = ? and seq = ?", table, seq
        )
        return None if whole is None else self._state_until(table, whole, seq)

    def state(self, table: str, version: int) -> str | None:
        """Fetch the state that a table had at a version; None when it did not begin before."""
        found = self._state_at(table, version)
        return None if found is None else found.text

    def state_after(self, table: str, seq: int) -> str | None:
        """Fetch the state that a table had after an entry; None where it has no such entry."""
        found = self._state_at(table, last=seq)
        return None if found is None else found.text

    def last_entry(self, table: str, version: int) -> int:
        """Return the newest entry that a table had at a version; 0 when it did not begin before."""
        statement = "select coalesce(max(seq), 0) from entries where table_id = ? and version <= ?"
        return self._value(int, statement, table, version) or 0

    def last_act(self, table: str, seat: str) -> int:
        """Return the newest entry that came of what a seat did, corrections aside; 0 when it has done nothing."""
        statement = """select seq from entries where table_id = ? and "by" = ? and kind <> 'correction'
            order by seq desc limit 1"""
        return self._value(int, statement, table, seat) or 0

    def corrected(self, table: str, since: int) -> set[str]:
        """Name the values that were corrected by hand after a version."""
        rows = self._rows(
            "select action from entries where table_id = ? and version > ? and kind = 'correction'", table, since
        )
        actions = [decoded(_decode_object, action) for (action,) in rows]
        return {str(one["path"]) for action in actions for one in (action, *action.get("corrections", ()))}

    def lines(self, table: str, before: int, limit: int) -> list[Line]:
        """Fetch what there is of the log before an entry, newest first, with every reason: not yet fit to be shown."""
        return [_line(*row) for row in self._rows(_LINES, table, before, limit)]

    def acting_seats(self, table: str) -> frozenset[str]:
        """Name the seats that stand in the log: somebody has sat there."""
        return frozenset(seat for (seat,) in self._rows("select distinct seat from entries where table_id = ?", table))
