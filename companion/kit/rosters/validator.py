"""Validation of what was written against its struct, field by field: where it does not fit, and what belongs there."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from companion.kit.rosters.csv_parser import Row
from companion.kit.rosters.schema import ROOT, RecordField, fields
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, did_you_mean, quoted, say

T = TypeVar("T", bound=msgspec.Struct)

FEW = 12
"""Choices that are all named where something else stands."""
FURTHEST = 2**53
"""No number is as far from nothing: every program that reads JSON can hold those below."""
JOINER = "\u200d"
"""Holds the parts of an emoji together: not seen by itself, but it belongs there."""
TYPES = {inspect.IntType: int, inspect.StrType: str, inspect.BoolType: bool}


def validate(raw: Mapping[str, Any], kind: type[T], place: Text | None) -> T:
    """Make a struct out of what was written at a place (None: outermost); raise Refusal where it does not fit."""
    declared = fields(kind)
    for name in raw:
        if name not in declared:
            raise _foreign(raw, place, name, kind)
    made: dict[str, Any] = {}
    for name, field in declared.items():
        if name in raw:
            made[field.attribute] = _value(raw, place, field)
        elif field.needed:
            raise _wrong(raw, place, name, say("this is needed."))
    try:
        return kind(**made)
    except (TypeError, ValueError) as wrong:
        raise Refusal(_at(place, say("this does not fit together."))) from wrong
    except Refusal as refusal:
        raise Refusal(_at(place, refusal.text), refusal.clause) from None


def _foreign(raw: Mapping[str, Any], place: Text | None, name: str, kind: type[msgspec.Struct]) -> Refusal:
    """Refuse a field that a record does not have; ``elsewhere`` of a struct says where else it belongs."""
    elsewhere: Mapping[str, Reason] = getattr(kind, "elsewhere", {})
    if name in elsewhere:
        return Refusal(_wrong(raw, place, name, elsewhere[name].text).text, elsewhere[name].clause)
    what = say("there is no such field here.")
    return _wrong(raw, place, name, what if isinstance(raw, Row) else did_you_mean(what, name, fields(kind)))


def inside(outer: Text | None, record: str, number: int | None, raw: object, kind: type[msgspec.Struct]) -> Text:
    """Say where a record is: its row in a table, else its number and name (its first field) in what it belongs to."""
    first = raw.get(next(iter(fields(kind)), "")) if isinstance(raw, Mapping) else None
    name = quoted(first) if isinstance(first, str) else ""
    if isinstance(raw, Row):
        if not raw.at:
            return say("Row “{record}”", record=record)
        if name:
            return say("Row {row} ({record} “{name}”)", row=raw.at, record=record, name=name)
        return say("Row {row} ({record})", row=raw.at, record=record)
    which = f"{record} {number}" if number is not None else record
    here = say("{record} (“{name}”)", record=which, name=name) if name else say("{record}", record=which)
    return here if outer is None else say("{one}, {more}", one=outer, more=here)


def root(raw: Mapping[str, Any], kind: type[msgspec.Struct]) -> Text | None:
    """Say where the outermost record is: in a table it has a row too."""
    return inside(None, ROOT, None, raw, kind) if isinstance(raw, Row) else None


def _value(raw: Mapping[str, Any], place: Text | None, field: RecordField) -> Any:
    value = raw[field.name]
    if field.several and not isinstance(value, list):
        raise _wrong(raw, place, field.name, _shape(raw, field))
    if field.several and not (field.exactly or field.least) <= len(value) <= (
        field.exactly or field.most or len(value)
    ):
        raise _wrong(raw, place, field.name, _shape(raw, field) if field.exactly else _length(field))
    if field.record is None:
        values = [_plain(raw, place, field, item) for item in (value if field.several else [value])]
        try:
            return msgspec.convert(values if field.several else values[0], field.hint)
        except (msgspec.ValidationError, OverflowError) as wrong:
            raise _wrong(raw, place, field.name, _belongs(field, values)) from wrong
    if field.several:
        return _records(raw, place, field, field.record)
    return validate(
        _record(raw, place, field, value), field.record, inside(place, field.name, None, value, field.record)
    )


def _records(
    raw: Mapping[str, Any], place: Text | None, field: RecordField, kind: type[msgspec.Struct]
) -> tuple[Any, ...]:
    """Make a list of records, none of which is called like another where that has to differ."""
    made = []
    used: set[tuple[str, str]] = set()
    for number, record in enumerate(raw[field.name], 1):
        here = inside(place, field.name, number, record, kind)
        made.append(validate(_record(raw, place, field, record), kind, here))
        for name, inner in fields(kind).items():
            word = str(getattr(made[-1], inner.attribute))
            if inner.once and (name, word.casefold()) in used:
                raise _wrong(record, here, name, say("“{name}” stands in this list already.", name=quoted(word)))
            used.add((name, word.casefold()))
    return tuple(made)


def _record(raw: Mapping[str, Any], place: Text | None, field: RecordField, value: object) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    raise _wrong(raw, place, field.name, _shape(raw, field))


def _plain(raw: Mapping[str, Any], place: Text | None, field: RecordField, value: Any) -> Any:
    """Return a plain value, words tidied; raise Refusal when it is of another kind."""
    wanted = TYPES.get(type(field.plain))
    if wanted is None:
        if not any(type(value) is type(choice) and value == choice for choice in field.choices):
            raise _wrong(raw, place, field.name, _belongs(field, [value]))
        return value
    if type(value) is not wanted or (isinstance(value, int) and abs(value) >= FURTHEST):
        raise _wrong(raw, place, field.name, _belongs(field, [value]))
    if not isinstance(value, str):
        return value
    visible = "".join(letter for letter in value if letter == JOINER or unicodedata.category(letter) != "Cf")
    tidy = " ".join(visible.split())
    if not all(letter.isprintable() or letter == JOINER for letter in tidy):
        raise _wrong(raw, place, field.name, say("there are letters here that cannot be shown."))
    return tidy


def _belongs(field: RecordField, values: list[Any]) -> Text:
    """Say what belongs into a field of plain values."""
    match field.plain:
        case inspect.LiteralType():
            return _among(field, str(values[0]))
        case inspect.BoolType():
            return say("true or false.")
        case inspect.IntType():
            return _number(field.plain)
        case inspect.StrType() if not all(isinstance(value, str) for value in values):
            return say("words, in quotation marks.")
        case inspect.StrType(max_length=int(most)) if any(len(value) > most for value in values):
            return say("{most} letters at most.", most=most)
        case inspect.StrType(min_length=int(least)) if any(len(value) < least for value in values):
            return say("this is needed.")
    return Text(field.note) if field.note else say("this is not what belongs here.")


def _number(kind: inspect.IntType) -> Text:
    low = kind.gt + 1 if kind.gt is not None else kind.ge
    high = kind.lt - 1 if kind.lt is not None else kind.le
    match low, high:
        case int(), int():
            return say("a whole number from {low} to {high}.", low=low, high=high)
        case int(), None:
            return say("a whole number, {low} or more.", low=low)
        case None, int():
            return say("a whole number, {high} at most.", high=high)
    return say("a whole number.")


def _among(field: RecordField, written: str) -> Text:
    words = tuple(str(choice) for choice in field.choices)
    if len(words) <= FEW:
        return say("one of these: {choices}.", choices=", ".join(words))
    return did_you_mean(say("that is not one of the choices."), written, words)


def _shape(raw: Mapping[str, Any], field: RecordField) -> Text:
    """Say how many of what has to stand in a field, and how they are written."""
    example = "1|1" if isinstance(raw, Row) else "[1, 1]"
    if field.record is None:
        if field.exactly is None:
            return say("a list, such as {example}.", example=example)
        return say("{number} values, such as {example}.", number=field.exactly, example=example)
    if field.several:
        return say("there may be several of these: [[{name}]] in TOML, a list of objects in JSON.", name=field.name)
    return say("this is a record of its own: [{name}] in TOML, an object in JSON.", name=field.name)


def _length(field: RecordField) -> Text:
    if field.most is None:
        return say("{least} of these at least.", least=field.least)
    return say("from {least} to {most} of these.", least=field.least, most=field.most)


def _wrong(raw: Mapping[str, Any], place: Text | None, name: str, what: Text) -> Refusal:
    field = quoted(name)
    if place is None:
        return Refusal(say("Field “{field}”: {what}", field=field, what=what))
    if isinstance(raw, Row):
        return Refusal(say("{place}, column “{field}”: {what}", place=place, field=field, what=what))
    return Refusal(say("{place}, field “{field}”: {what}", place=place, field=field, what=what))


def _at(place: Text | None, what: Text) -> Text:
    return say("{place}: {what}", place=place, what=what) if place is not None else what
