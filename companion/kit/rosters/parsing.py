"""What was written, as plain values: TOML, JSON or CSV, told apart by how it begins."""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any, NoReturn

from companion.kit.ruling import Refusal
from companion.kit.text import say

_AS_JSON = re.compile(r"\s*(\{|\[\s*[{\]])")
_AT = re.compile(r"\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")
_TWICE = re.compile(r"overwrite|twice|[Dd]uplicate")


class Row(dict[str, Any]):
    """Be a record that came from a row of a table, the rows counted as a spreadsheet does."""

    at: int = 0


def parse(text: str) -> dict[str, Any]:
    """Read a text as plain values; raise Refusal, naming the line, when it can not be read."""
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in plain or plain.startswith("PK\x03"):
        raise Refusal(say("This is no text. A spreadsheet has to be saved as CSV."))
    return _json(plain) if _AS_JSON.match(plain) else _toml(plain)


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        found = _AT.search(str(wrong))
        lines = text.split("\n")
        line = int(found["line"]) if found and found["line"] else len(lines)
        column = int(found["column"]) if found and found["column"] else len(lines[-1]) + 1
        if _TWICE.search(str(wrong)):
            raise Refusal(say("Line {line}: this was written before.", line=line)) from None
        raise _unreadable(line, column) from None
    except ValueError:
        raise Refusal(say("A number or a date here can not be.")) from None


def _json(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as wrong:
        raise _unreadable(wrong.lineno, wrong.colno) from None
    except ValueError:
        raise Refusal(say("A number or a date here can not be.")) from None
    if not isinstance(found, dict):
        raise Refusal(say("In JSON the whole has to be one object: { … }."))
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Refusal(say("“{name}” is written twice in one place.", name=name[:40]))
        found[name] = value
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _unreadable(line: int, column: int) -> Refusal:
    return Refusal(
        say(
            "Line {line}, column {column}: this can not be read. Is a quotation mark, a bracket or a comma missing?",
            line=line,
            column=column,
        )
    )
