"""Reading what people send: structs out of forms and bodies, names and keys fit to be kept."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from companion.kit.text import say
from companion.table.problem import Problem

NAME_LENGTH = 40
TITLE_LENGTH = 80
KEY_LENGTH = 128
_MISSING = re.compile(r"missing required field `(?P<field>[^`]+)`")
_UNKNOWN = re.compile(r"unknown field `(?P<field>[^`]+)`")
_AT = re.compile(r" - at `\$\.(?P<field>[^`\[]+)")


def read(kind: Any, sent: Any) -> Any:
    """Make a value of a declared kind out of a decoded JSON object or a form.

    Raises Problem (400) naming the field that is missing, unknown or wrong.
    """
    if not isinstance(sent, dict):
        raise Problem(400, say("An object with named fields is expected."))
    try:
        made = msgspec.convert(sent, kind, strict=False)
        msgspec.json.encode(made)
    except msgspec.ValidationError as wrong:
        raise _wrong(str(wrong)) from wrong
    except (OverflowError, RecursionError, UnicodeError) as wrong:
        raise Problem(400, say("That can not be read.")) from wrong
    config = made.__struct_config__
    unknown = sent.keys() - {*made.__struct_encode_fields__, config.tag_field}
    if unknown:
        raise _unknown(min(unknown, key=str))
    return made


def _wrong(message: str) -> Problem:
    if missing := _MISSING.search(message):
        return Problem(400, say("{field}: this is needed.", field=missing["field"]), missing["field"])
    if unknown := _UNKNOWN.search(message):
        return _unknown(unknown["field"])
    if at := _AT.search(message):
        return Problem(400, say("{field}: this is not what belongs here.", field=at["field"]), at["field"])
    return Problem(400, say("That can not be read."))


def name(sent: str, longest: int = NAME_LENGTH, field: str = "name") -> str:
    """Tidy up a name that a person typed; raise Problem (400) when it is too long."""
    tidy = " ".join("".join(letter if letter.isprintable() else " " for letter in sent).split())
    if len(tidy) > longest:
        raise Problem(400, say("{count} letters at most, please.", count=longest), field)
    return tidy


def key(sent: Any) -> str:
    """Check the key of a request; raise Problem (400) when it can not be one."""
    if not (isinstance(sent, str) and 0 < len(sent) <= KEY_LENGTH and sent.isascii() and sent.isprintable()):
        raise Problem(400, say("A request needs a key: 1 to {most} plain characters.", most=KEY_LENGTH), "key")
    return sent


def _unknown(field: Any) -> Problem:
    shown = plain(str(field))
    return Problem(400, say("There is no field called {field}.", field=shown), shown)


def plain(sent: str) -> str:
    """Shorten what somebody sent so that it can be shown in a sentence."""
    return "".join(letter for letter in sent[:60] if letter.isprintable())
