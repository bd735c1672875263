"""Whether what was written fits its struct, field by field; if not, where it does not and what belongs there."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from companion.kit.rosters.parsing import Row
from companion.kit.rosters.shapes import Part, parts
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

T = TypeVar("T", bound=msgspec.Struct)

LONGEST_QUOTED = 40
FEW = 12
"""Choices that are all named where something else stands."""
JOINER = "\u200d"
"""Holds the parts of an emoji together: no letter to be seen, but one that belongs there."""
TYPES = {inspect.IntType: int, inspect.StrType: str, inspect.BoolType: bool}


def fit(raw: Mapping[str, Any], kind: type[T], place: Text | None = None) -> T:
    """Make a struct out of what was written; raise Refusal where it does not fit."""
    declared = parts(kind)
    for name in raw:
        if name not in declared:
            raise _wrong(raw, place, name, _unknown(name, declared))
    made: dict[str, Any] = {}
    for name, part in declared.items():
        if name in raw:
            made[part.attribute] = _value(raw, place, part)
        elif part.needed:
            raise _wrong(raw, place, name, say("this is needed."))
    try:
        return kind(**made)
    except (TypeError, ValueError) as wrong:
        raise Refusal(_at(place, say("this does not fit together."))) from wrong
    except Refusal as refusal:
        raise Refusal(_at(place, refusal.text), refusal.clause) from None


def quoted(written: object) -> str:
    """Return what was written as a sentence can show it: printable, and not all of it where it is long."""
    plain = "".join(letter for letter in str(written)[: 2 * LONGEST_QUOTED] if letter.isprintable()).strip()
    return plain if len(plain) <= LONGEST_QUOTED else f"{plain[: LONGEST_QUOTED - 1]}…"


def nearest(name: str, known: Mapping[str, Any] | tuple[str, ...]) -> str | None:
    """Find the word that was meant, where it is a slip."""
    found = get_close_matches(name[:LONGEST_QUOTED].lower(), list(known), n=1)
    return found[0] if found else None


def _value(raw: Mapping[str, Any], place: Text | None, part: Part) -> Any:
    value = raw[part.name]
    if part.several and (not isinstance(value, list) or (part.exactly is not None and len(value) != part.exactly)):
        raise _wrong(raw, place, part.name, _several(part))
    if part.several and part.exactly is None and not part.least <= len(value) <= (part.most or len(value)):
        raise _wrong(raw, place, part.name, _length(part.least, part.most))
    if part.record is None:
        found = [_plain(raw, place, part, one) for one in value] if part.several else _plain(raw, place, part, value)
        return _checked(raw, place, part, found)
    if not part.several:
        return fit(_record(raw, place, part, value), part.record, _inside(place, part.name, None, value))
    made = []
    seen: set[tuple[str, str]] = set()
    for number, one in enumerate(value, 1):
        here = _inside(place, part.name, number, one)
        new = fit(_record(raw, place, part, one), part.record, here)
        for name, inner in parts(part.record).items():
            mark = (name, str(getattr(new, inner.attribute)).casefold())
            if inner.once and mark in seen:
                raise _wrong(one, here, name, say("“{name}” stands in this list already.", name=quoted(one.get(name))))
            seen.add(mark)
        made.append(new)
    return tuple(made)


def _record(raw: Mapping[str, Any], place: Text | None, part: Part, value: Any) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    raise _wrong(raw, place, part.name, _several(part))


def _plain(raw: Mapping[str, Any], place: Text | None, part: Part, value: Any) -> Any:
    """Return a plain value with its words tidy; raise Refusal when it is of another kind."""
    wanted = TYPES.get(type(part.plain))
    if wanted is None:
        if any(type(value) is type(choice) and value == choice for choice in part.choices):
            return value
        raise _wrong(raw, place, part.name, _belongs(part, value))
    if type(value) is not wanted:
        raise _wrong(raw, place, part.name, _belongs(part, value))
    if isinstance(value, str):
        tidy = " ".join(value.split())
        if not all(letter.isprintable() or letter == JOINER for letter in tidy):
            raise _wrong(raw, place, part.name, say("there are letters here that can not be shown."))
        return tidy
    return value


def _checked(raw: Mapping[str, Any], place: Text | None, part: Part, found: Any) -> Any:
    try:
        return msgspec.convert(found, part.hint)
    except (msgspec.ValidationError, OverflowError) as wrong:
        raise _wrong(raw, place, part.name, _belongs(part, found)) from wrong


def _belongs(part: Part, value: Any) -> Text:
    """Say what belongs into a field of plain values."""
    match part.plain:
        case inspect.LiteralType():
            return _among(part, value)
        case inspect.BoolType():
            return say("true or false.")
        case inspect.IntType(ge=low, gt=over, le=high, lt=under):
            least = over + 1 if over is not None else low
            most = under - 1 if under is not None else high
            if least is not None and most is not None:
                return say("a whole number from {low} to {high}.", low=least, high=most)
            if least is not None:
                return say("a whole number, {low} or more.", low=least)
            return say("a whole number, {high} at most.", high=most) if most is not None else say("a whole number.")
        case inspect.StrType(min_length=shortest, max_length=longest):
            words = [value] if isinstance(value, str) else value if isinstance(value, list) else []
            if not all(isinstance(word, str) for word in words) or not words:
                return say("this has to be words.")
            if longest is not None and any(len(word) > longest for word in words):
                return say("{most} letters at most.", most=longest)
            if any(len(word) < (shortest or 0) for word in words):
                return say("this is needed.")
    return say("this is not what belongs here.")


def _among(part: Part, value: Any) -> Text:
    words = tuple(str(choice) for choice in part.choices)
    if len(words) <= FEW:
        return say("one of these: {choices}.", choices=", ".join(words))
    meant = nearest(str(value), words)
    if meant is None:
        return say("that is not one of the choices.")
    return say("that is not one of the choices. Did you mean “{word}”?", word=meant)


def _several(part: Part) -> Text:
    if part.exactly is not None:
        return say("{count} values, such as [1, 1].", count=part.exactly)
    if part.record is None:
        return say("a list, such as [1, 1].")
    if part.several:
        return say("there may be several of these: [[{name}]] in TOML, a list of objects in JSON.", name=part.name)
    return say("this is a record of its own: [{name}] in TOML, an object in JSON.", name=part.name)


def _length(least: int, most: int | None) -> Text:
    if most is None:
        return say("{least} of these at least.", least=least)
    return say("from {least} to {most} of these.", least=least, most=most)


def _unknown(name: str, declared: Mapping[str, Part]) -> Text:
    meant = nearest(name, declared)
    if meant is None:
        return say("there is no such field here.")
    return say("there is no such field here. Did you mean “{word}”?", word=meant)


def _wrong(raw: Mapping[str, Any], place: Text | None, name: str, what: Text) -> Refusal:
    field = quoted(name)
    if isinstance(raw, Row) and place is not None:
        return Refusal(say("{place}, column “{field}”: {what}", place=place, field=field, what=what))
    if place is not None:
        return Refusal(say("{place}, field “{field}”: {what}", place=place, field=field, what=what))
    return Refusal(say("Field “{field}”: {what}", field=field, what=what))


def _at(place: Text | None, what: Text) -> Text:
    return say("{place}: {what}", place=place, what=what) if place is not None else what


def _inside(outer: Text | None, record: str, number: int | None, raw: Any) -> Text:
    """Say where a record is: the row of a table, else its number and name in what it belongs to."""
    name = next((quoted(raw[one]) for one in ("name", "id") if raw.get(one)), "") if isinstance(raw, Mapping) else ""
    if isinstance(raw, Row):
        if name:
            return say("Row {row} ({record} “{name}”)", row=raw.at, record=record, name=name)
        return say("Row {row} ({record})", row=raw.at, record=record)
    which = f"{record} {number}" if number is not None else record
    here = say("{record} (“{name}”)", record=which, name=name) if name else Text(which)
    return here if outer is None else say("{one}, {more}", one=outer, more=here)
