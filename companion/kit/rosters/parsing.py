"""What was written, as plain values: TOML, JSON or CSV, told apart by how it begins."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NoReturn

import tomli

from companion.kit.rosters.slips import quoted
from companion.kit.rosters.tables import is_table, table
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    import msgspec

_AS_JSON = re.compile(r"\s*(?:\{|\[\s*[{\]])")
_AT = re.compile(r"\(at line (?P<line>\d+), column (?P<column>\d+)\)$")
_TWICE = re.compile(r"overwrite|twice|[Dd]uplicate")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"?|' + r"'[^'\n]*'?")
_CHAIN = re.compile(r"(?<![\w-])(?:(?:[\w-]+|\"\")[ \t]*\.[ \t]*){20}")
"""Keys within keys: ``tomli`` needs the square of their number, ten seconds for a file full of them."""


def parse(text: str, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Read a text, its lines ended by one letter, as plain values.

    Raises Refusal, naming the line, when it is neither TOML, JSON nor CSV.
    """
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
        found = _AT.search(str(wrong))
        lines = text.split("\n")
        line, column = map(int, found.groups()) if found else (len(lines), len(lines[-1]) + 1)
        if _TWICE.search(str(wrong)):
            raise Refusal(say("Line {line}: this was written before.", line=line)) from None
        raise _unreadable(line, column) from None
    except ValueError:
        raise _impossible() from None


def _json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as wrong:
        raise _unreadable(wrong.lineno, wrong.colno) from None
    except ValueError:
        raise _impossible() from None
    if not isinstance(found, dict):
        raise Refusal(say("In JSON the whole has to be one object, between braces."))
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Refusal(say("“{name}” is written twice in one place.", name=quoted(name)))
        found[name] = value
    return found


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
