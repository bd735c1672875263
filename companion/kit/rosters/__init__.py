"""Lists that people write or bring as a file: any text becomes a struct, or a sentence that says where it does not.

TOML, JSON and CSV are told apart by how they begin; what is written reads back the same.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn, TypeVar

import msgspec
import tomli
import tomli_w

from companion.kit.rosters.csv_parser import WITHIN, is_table, table
from companion.kit.rosters.schema import KIND, ONCE, ROOT, RecordField, fields, tree
from companion.kit.rosters.validator import root, validate
from companion.kit.ruling import Refusal
from companion.kit.text import quoted, say

__all__ = ["ONCE", "read", "write", "write_table"]

T = TypeVar("T", bound=msgspec.Struct)
_AS_JSON = re.compile(r"\s*(?:\{|\[\s*[{\]])")
_AT = re.compile(r"\(at line (?P<line>\d+), column (?P<column>\d+)\)$")
_TWICE = re.compile(r"overwrite|twice|[Dd]uplicate")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"?|' + r"'[^'\n]*'?")
_CHAIN = re.compile(r"(?<![\w-])(?:(?:[\w-]+|\"\")[ \t]*\.[ \t]*){20}")
"""Keys within keys: ``tomli`` needs the square of their number, ten seconds for a file full of them."""
_NUMBERS = re.compile(r"\[\n +(-?\d+(?:,\n +-?\d+)*),\n *\]")
"""A list of numbers as ``tomli_w`` writes it: one in a line. A string holds no end of line there."""


def read(text: str, kind: type[T], *, most: int, field: str = "roster") -> T:
    """Read a list of records that somebody wrote as TOML, JSON or CSV; which of them it is shows by itself.

    ``kind`` says everything else: fields that hold structs are records, ``[[unit]]`` and ``[[unit.weapon]]`` in TOML;
    in CSV a column ``record`` says what a row is, and a row belongs to the last one that can hold it. ``ONCE`` marks
    what has to differ. A record's ``__post_init__`` may raise a Refusal of its own: the place is put before it. Raises
    Refusal for ``field``, naming the line or the record, for every text that is no such list or has more than ``most``
    letters.
    """
    written = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(written) > most:
        raise Refusal(say("This has more than {most} letters.", most=most), field=field)
    if not written.strip() and any(declared.needed for declared in fields(kind).values()):
        raise Refusal(say("There is nothing here yet."), field=field)
    try:
        raw = _parse(written, kind)
        return validate(raw, kind, root(raw, kind))
    except RecursionError:
        raise Refusal(say("Too much stands inside one another here."), field=field) from None
    except Refusal as refusal:
        raise Refusal(refusal.text, refusal.clause, field) from None


def _parse(text: str, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Read a text, its lines ended by one letter, as plain values; raise Refusal naming the line."""
    if "\0" in text or text.startswith("PK\x03"):
        raise Refusal(say("This is no text. A spreadsheet has to be saved as CSV."))
    as_json = _AS_JSON.match(text)
    if not as_json and is_table(text):
        return table(text, kind)
    try:
        return _json(text) if as_json else _toml(text)
    except ValueError:
        raise Refusal(say("There is a number or a date here that cannot be.")) from None


def _toml(text: str) -> dict[str, Any]:
    if _CHAIN.search(_STRING.sub('""', text)):
        raise RecursionError
    try:
        return tomli.loads(text)
    except tomli.TOMLDecodeError as wrong:
        at = _AT.search(str(wrong))
        lines = text.split("\n")
        line, column = map(int, at.groups()) if at else (len(lines), len(lines[-1]) + 1)
        if _TWICE.search(str(wrong)):
            raise Refusal(say("Line {line}: this was written before.", line=line)) from None
        raise _unreadable(line, column) from None


def _json(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as wrong:
        raise _unreadable(wrong.lineno, wrong.colno) from None
    if not isinstance(value, dict):
        raise Refusal(say("In JSON the whole has to be one object, between braces."))
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            raise Refusal(say("“{name}” is written twice in one place.", name=quoted(name)))
        values[name] = value
    return values


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _unreadable(line: int, column: int) -> Refusal:
    return Refusal(
        say(
            "Line {line}, column {column}: this cannot be read. Is a quotation mark, a bracket or a comma missing?",
            line=line,
            column=column,
        )
    )


class _Lines(list[str]):
    """The lines that ``csv`` writes."""

    def write(self, line: str) -> int:
        self.append(line)
        return len(line)


def write(roster: msgspec.Struct) -> str:
    """Write a list of records as TOML; what is as it would be anyway is left out."""
    return _NUMBERS.sub(lambda numbers: f"[{' '.join(numbers[1].split())}]", tomli_w.dumps(_plain(roster)))


def write_table(roster: msgspec.Struct) -> str:
    """Write a list of records as CSV, for a spreadsheet: what is blank there is as it would be anyway."""
    known = list(tree(type(roster)))
    columns = dict.fromkeys(field.name for _, field in known if field.record is None)
    holders: dict[str, set[str]] = {}
    for holder, field in known:
        holders.setdefault(field.name, set()).add(holder)
    table = _Lines()
    writer = csv.DictWriter(table, [KIND, *columns])
    writer.writeheader()
    for holder, name, record in _rows("", ROOT, roster):
        called = f"{holder}.{name}" if len(holders.get(name, ())) > 1 else name
        written = {
            field.name: _cell(field, getattr(record, field.attribute)) for field in fields(type(record)).values()
        }
        writer.writerow({KIND: called} | {name: cell for name, cell in written.items() if cell})
    return "".join(table)


def _plain(record: msgspec.Struct) -> dict[str, Any]:
    values = ((field, getattr(record, field.attribute)) for field in fields(type(record)).values())
    return {field.name: _written(field, value) for field, value in values if field.needed or value != field.default}


def _written(field: RecordField, value: Any) -> Any:
    if field.record is None:
        return list(value) if field.several else value
    return [_plain(record) for record in value] if field.several else _plain(value)


def _rows(holder: str, name: str, record: msgspec.Struct) -> Iterator[tuple[str, str, msgspec.Struct]]:
    yield holder, name, record
    for field in fields(type(record)).values():
        value = getattr(record, field.attribute) if field.record is not None else None
        for inner in () if value is None else value if field.several else (value,):
            yield from _rows(name, field.name, inner)


def _cell(field: RecordField, value: Any) -> str:
    if field.record is not None or value is None or (value == field.default and not field.needed):
        return ""
    if not field.several:
        return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    cell = _Lines()
    csv.writer(cell, delimiter=WITHIN, lineterminator="").writerow(value)
    return "".join(cell)
