"""From a text to a struct: TOML, JSON or CSV, told apart by how it begins; or a refusal that says where it is wrong."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn, TypeVar

import msgspec
import tomli

from companion.kit.rosters.csv_parser import is_table, table
from companion.kit.rosters.schema import parts
from companion.kit.rosters.validator import root, validate
from companion.kit.ruling import Refusal
from companion.kit.text import quoted, say

T = TypeVar("T", bound=msgspec.Struct)
_AS_JSON = re.compile(r"\s*(?:\{|\[\s*[{\]])")
_AT = re.compile(r"\(at line (?P<line>\d+), column (?P<column>\d+)\)$")
_TWICE = re.compile(r"overwrite|twice|[Dd]uplicate")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"?|' + r"'[^'\n]*'?")
_CHAIN = re.compile(r"(?<![\w-])(?:(?:[\w-]+|\"\")[ \t]*\.[ \t]*){20}")
"""Keys within keys: ``tomli`` needs the square of their number, ten seconds for a file full of them."""


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
    if not written.strip() and any(part.needed for part in parts(kind).values()):
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
    if _AS_JSON.match(text):
        return _json(text)
    return table(text, kind) if is_table(text) else _toml(text)


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
    except ValueError:
        raise _impossible() from None


def _json(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as wrong:
        raise _unreadable(wrong.lineno, wrong.colno) from None
    except ValueError:
        raise _impossible() from None
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


def _impossible() -> Refusal:
    return Refusal(say("There is a number or a date here that can not be."))


def _unreadable(line: int, column: int) -> Refusal:
    return Refusal(
        say(
            "Line {line}, column {column}: this can not be read. Is a quotation mark, a bracket or a comma missing?",
            line=line,
            column=column,
        )
    )
