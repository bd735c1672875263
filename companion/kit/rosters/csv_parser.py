"""CSV as people type it or a spreadsheet saves it: a record in every row."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from companion.kit.rosters.schema import KIND, ROOT, RecordField, fields, tree
from companion.kit.ruling import Refusal
from companion.kit.text import Text, did_you_mean, quoted, say

SEPARATORS = ",;\t"
WITHIN = "|"
"""What parts the values of a list in one cell; a spreadsheet would take ``1/1`` for a day and ``+1/+1`` for a sum."""
TICKED = {"1", "yes", "true", "sí", "si", "x", "verdadero"}
UNTICKED = {"0", "no", "false", "falso"}
_NUMBER = re.compile(r"[+-]?[0-9]{1,17}")


class Row(dict[str, Any]):
    """A record that came from a row of a table, the rows counted as a spreadsheet does; 0: it has none."""

    at: int = 0


class _Open(NamedTuple):
    """A record that rows below it may belong to."""

    name: str
    kind: type[msgspec.Struct]
    row: Row


def is_table(text: str) -> bool:
    """Tell whether a text begins as a table does."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    heads = [_tidy(cell).strip('"') for cell in first.split(_separator(first))]
    return KIND in heads or (len(heads) > 1 and not any(sign in first for sign in "=[#{"))


def table(text: str, kind: type[msgspec.Struct]) -> Row:
    """Read a table into the records that its rows are; raise Refusal, naming the row."""
    rows = [(at, cells) for at, cells in enumerate(_cells(text), 1) if any(cells)]
    if not rows:
        raise Refusal(say("There is nothing here yet."))
    at, heads = rows[0]
    columns = _columns(at, heads, kind)
    root = Row()
    path = [_Open(ROOT, kind, root)]
    for at, cells in rows[1:]:
        if any(cells[len(columns) :]):
            raise _wrong(at, say("there are more cells than columns."))
        written = {name: cell for name, cell in zip(columns, cells, strict=False) if name and cell}
        record = _tidy(written.pop(KIND, ""))
        if record == ROOT:
            if root.at:
                raise _wrong(at, say("there may be only one “{record}” here.", record=ROOT))
            path, field = path[:1], None
        else:
            path, field = _holder(path, record, at, kind)
        row = root if field is None else _added(path, field)
        row.at = at
        row.update(_values(written, path[-1].kind))
    return root


def _cells(text: str) -> list[list[str]]:
    rows: list[list[str]] = []
    lines = [f"{line}\n" for line in text.split("\n")]
    first = next(line for line in lines if line.strip())
    try:
        rows.extend(
            [cell.strip() for cell in cells] for cells in csv.reader(lines, delimiter=_separator(first), strict=True)
        )
    except csv.Error:
        raise _wrong(len(rows) + 1, say("there is a quotation mark missing or too many.")) from None
    return rows


def _columns(at: int, heads: Sequence[str], kind: type[msgspec.Struct]) -> list[str]:
    known = {KIND, *(field.name for _, field in tree(kind) if field.record is None)}
    columns = [_tidy(head) for head in heads]
    if KIND not in columns:
        raise _wrong(at, say("there is no column “{column}”, which says what each row is.", column=KIND))
    for number, name in enumerate(columns):
        if name and name not in known:
            raise _wrong(at, did_you_mean(say("there is no column “{column}”.", column=quoted(name)), name, known))
        if name and name in columns[:number]:
            raise _wrong(at, say("the column “{column}” stands there twice.", column=name))
    return columns


def _holder(path: list[_Open], record: str, at: int, kind: type[msgspec.Struct]) -> tuple[list[_Open], RecordField]:
    """Find the last record that can hold another; ``option.weapon`` says which it has to be."""
    outer, _, name = record.rpartition(".")
    for depth in range(len(path), 0, -1):
        last = path[depth - 1]
        field = fields(last.kind).get(name)
        if field is not None and field.record is not None and outer in {"", last.name}:
            if not field.several and name in last.row:
                raise _wrong(at, say("there may be only one “{record}” here.", record=name))
            return path[:depth], field
    holders = {holder for holder, field in tree(kind) if field.record is not None and field.name == name}
    if not record:
        raise _wrong(at, say("the column “{column}” is empty: it says what the row is.", column=KIND))
    if not holders:
        records = {ROOT, *(field.name for _, field in tree(kind) if field.record is not None)}
        what = say("there is no “{record}” in this kind of list.", record=quoted(record))
        raise _wrong(at, did_you_mean(what, name, records))
    raise _wrong(
        at, say("a “{record}” has to stand below its “{holder}”.", record=name, holder=" / ".join(sorted(holders)))
    )


def _added(path: list[_Open], field: RecordField) -> Row:
    """Begin a record in the last of the path, and put it there."""
    row = Row()
    last = path[-1].row
    if field.several:
        last.setdefault(field.name, []).append(row)
    else:
        last[field.name] = row
    if field.record is not None:
        path.append(_Open(field.name, field.record, row))
    return row


def _values(cells: dict[str, str], kind: type[msgspec.Struct]) -> dict[str, Any]:
    declared = fields(kind)
    return {name: _value(cell, declared[name]) if name in declared else cell for name, cell in cells.items()}


def _value(cell: str, field: RecordField) -> Any:
    """Read a cell as its field wants it; what can not be read so is left as it is."""
    if not field.several:
        return _plain(cell, field)
    parted = cell.replace("/", WITHIN) if isinstance(field.plain, inspect.IntType) else cell
    try:
        (values,) = csv.reader([parted], delimiter=WITHIN, strict=True)
    except (csv.Error, ValueError):
        return cell
    return [_plain(value.strip(), field) for value in values]


def _plain(cell: str, field: RecordField) -> Any:
    number = cell.replace("−", "-")
    match field.plain:
        case inspect.BoolType() if cell.lower() in TICKED | UNTICKED:
            return cell.lower() in TICKED
        case inspect.IntType() if _NUMBER.fullmatch(number):
            return int(number)
        case inspect.LiteralType():
            return next((choice for choice in field.choices if str(choice) == cell), cell)
    return cell


def _separator(line: str) -> str:
    return max(SEPARATORS, key=line.count)


def _tidy(head: str) -> str:
    return "_".join(head.lower().split())


def _wrong(at: int, what: Text) -> Refusal:
    return Refusal(say("Row {row}: {what}", row=at, what=what))
