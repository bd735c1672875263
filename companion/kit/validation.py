"""Which field of a struct is missing, unknown or wrong, read out of what msgspec says about it."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

import msgspec

_NAMED = re.compile(r"Object (?P<how>missing required|contains unknown) field `(?P<field>[^`]*)`")
_AT = re.compile(r" `\$\.?(?P<place>[^`]*)`$")


class InvalidField(NamedTuple):
    """A field that is missing, unknown or wrong, as ``dice`` or ``dice[0]``, and where the object is that lacks it or
    has it too much; empty where no field is to blame.
    """

    how: Literal["missing", "unknown", "wrong"]
    field: str
    place: str


def invalid_field(wrong: msgspec.ValidationError) -> InvalidField:
    """Tell which field does not fit."""
    named, at = _NAMED.match(str(wrong)), _AT.search(str(wrong))
    place = at["place"] if at else ""
    if named:
        return InvalidField("missing" if named["how"].startswith("missing") else "unknown", named["field"], place)
    return InvalidField("wrong", place, "")
