"""Forms from declarations: the fields of a struct become what a form asks for; and which of them was sent wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, inspect
from msgspec.structs import replace

from companion.kit.action import Field
from companion.kit.questions import Option
from companion.kit.text import Text, say

NONE = ""
"""What a form sends for a choice that may be left open, and for a number that may be left blank."""
YES = frozenset({"1", "on", "true", "yes"})
NO = frozenset({"", "0", "off", "false", "no"})
"""How a tick is sent, by a form or by hand."""
DIGITS = 18
"""Digits of the longest number that is read: no field has a bound beyond it."""
_NAMED = re.compile(r"Object (?P<how>missing required|contains unknown) field `(?P<field>[^`]*)`")
_AT = re.compile(r" `\$\.?(?P<place>[^`]*)`$")


@cache
def declared(kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    """List the fields that a form asks for, filled in with the defaults.

    ``Meta(title=...)`` is the label (without it the field's name is), ``Meta(description=...)`` the hint, and
    ``Meta(extra={"labels": {value: label}})`` names choices whose value is not a word of its own. Words that are a
    throw have ``extra={"dice": True}``, the name of a picture has ``{"picture": True}``; ``{"high": letters}`` is what
    may be typed where more may be sent; ``{"when": (name, (value, ...))}`` is the field with which it counts, and its
    values. Raises TypeError for a declaration that a form can not ask for.
    """
    return tuple(_field(kind, part) for part in parts(kind))


def filled(made: msgspec.Struct, *first: str, **asked: Field) -> tuple[Field, ...]:
    """List the fields with a title that a form asks for, filled in with what a struct holds.

    Those of ``first`` come before the others. ``asked`` are those that only the moment knows how to ask for, such as a
    choice among what is there now.
    """
    titled = dict(_titled(type(made), frozenset(asked)))
    return tuple(
        asked[name] if field is None else replace(field, value=_value(field, getattr(made, name)))
        for name, field in ({name: titled[name] for name in first} | titled).items()
    )


@cache
def _titled(kind: type[msgspec.Struct], asked: frozenset[str]) -> tuple[tuple[str, Field | None], ...]:
    return tuple(
        (part.name, None if part.name in asked else _field(kind, part))
        for part in parts(kind)
        if part.name in asked or "title" in unwrapped(part.type)[1]
    )


def _value(field: Field, value: Any) -> Any:
    if field.kind == "choice":
        return NONE if value is None else str(value)
    return tuple(value) if field.kind == "many" else value


def what_belongs(field: Field) -> Text:
    """Say what belongs into a field."""
    label = field.label
    match field.kind:
        case "number":
            return say("{field}: a whole number from {low} to {high}.", field=label, low=field.low, high=field.high)
        case "yes_no":
            return say("{field}: yes or no.", field=label)
        case "text" | "dice" | "file" | "picture":
            return say("{field}: this has to be words, and not too many.", field=label)
        case _:
            return say("{field}: that is not one of the choices.", field=label)


def number(sent: str) -> int | None:
    """Read a whole number as it was typed, by a form or by hand; None where it is none."""
    digits = sent.strip()
    whole = digits.removeprefix("-")
    return int(digits) if whole.isascii() and whole.isdecimal() and len(whole) <= DIGITS else None


def tick(sent: str) -> bool | None:
    """Read a tick as a form sends it, or somebody by hand; None where it is none."""
    word = sent.lower()
    return word in YES if word in YES | NO else None


def rare(kind: type[msgspec.Struct]) -> frozenset[str]:
    """Name the fields marked ``Meta(extra={"rare": True})``: a long form keeps them out of the way."""
    return frozenset(part.encode_name for part in parts(kind) if unwrapped(part.type)[1].get("rare"))


@cache
def parts(kind: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    """List the fields of a struct with their types."""
    described = inspect.type_info(kind)
    if not isinstance(described, inspect.StructType):
        raise TypeError(f"{kind} is not a struct")
    return described.fields


@cache
def typed(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the types of a struct's fields as they were written."""
    return get_type_hints(kind, include_extras=True)


def _field(kind: type[msgspec.Struct], part: inspect.Field) -> Field:
    field, when = _asked(kind, part), unwrapped(part.type)[1].get("when")
    return field if when is None else replace(field, when=(when[0], tuple(map(str, when[1]))))


def _asked(kind: type[msgspec.Struct], part: inspect.Field) -> Field:
    named = choices(typed(kind)[part.name])
    inner, written = unwrapped(part.type)
    default = _default(part)
    name = part.encode_name
    label = Text(written.get("title", name))
    hint = Text(written["description"]) if "description" in written else None
    match inner:
        case inspect.LiteralType():
            options = _options(named, written)
        case inspect.EnumType(cls=members):
            options = _options([member.value for member in members], written)
        case inspect.BoolType():
            return Field(name, label, "yes_no", value=bool(default), hint=hint)
        case inspect.IntType() if inner.ge is not None and inner.le is not None:
            return Field(name, label, "number", value=default, low=inner.ge, high=inner.le, hint=hint)
        case inspect.StrType():
            high = written.get("high", inner.max_length or 0)
            if written.get("picture"):
                return Field(name, label, "picture", value=default, high=high, hint=hint)
            return Field(name, label, "dice" if written.get("dice") else "text", value=default, high=high, hint=hint)
        case inspect.VarTupleType() | inspect.ListType() | inspect.SetType() | inspect.FrozenSetType():
            item, labels = unwrapped(inner.item_type)
            if isinstance(item, inspect.LiteralType):
                given = tuple(value for value in named if value in (default or ()))
                return Field(name, label, "many", _options(named, {**labels, **written}), given, hint=hint)
            raise TypeError(f"{kind.__name__}.{name}: a form can only ask for many of a Literal")
        case _:
            raise TypeError(
                f"{kind.__name__}.{name}: a form asks for a Literal, an enum, a bool, a str, "
                "an int with ge and le, or many of a Literal"
            )
    if written.get("open"):
        options = (Option(NONE, Text(written.get("labels", {}).get(None, "–"))), *options)
    chosen = NONE if default is None else str(getattr(default, "value", default))
    return Field(name, label, "choice", options, chosen, hint=hint)


def _options(values: Sequence[Any], written: Mapping[str, Any]) -> tuple[Option, ...]:
    labels = written.get("labels", {})
    return tuple(Option(str(value), Text(labels.get(value, str(value)))) for value in values)


def _default(part: inspect.Field) -> Any:
    if part.default_factory is not msgspec.NODEFAULT:
        return part.default_factory()
    return None if part.default is msgspec.NODEFAULT else part.default


def unwrapped(described: inspect.Type) -> tuple[inspect.Type, dict[str, Any]]:
    """Take the wrappers off a type: returns what is inside and everything that was written on them.

    ``open`` is among that where it may also be None.
    """
    written: dict[str, Any] = {}
    while True:
        match described:
            case inspect.Metadata(type=inner, extra_json_schema=schema, extra=extra):
                written = {**(schema or {}), **(extra or {}), **written}
                described = inner
            case inspect.UnionType(types=types) if described.includes_none and len(types) == 2:
                written["open"] = True
                described = next(kind for kind in types if not isinstance(kind, inspect.NoneType))
            case _:
                return described, written


def choices(hint: Any) -> tuple[Any, ...]:
    """Find the values of the literal in a type, in the order written; ``inspect`` sorts them."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    return next((values for part in get_args(hint) if (values := choices(part))), ())


def picked(title: str, description: str | None = None, /, **labels: str) -> Meta:
    """Describe one of several values, with what each of them is called."""
    return Meta(title=title, description=description, extra={"labels": labels})


def seldom(title: str, description: str, /, *, ge: int | None = None, le: int | None = None, **labels: str) -> Meta:
    """Describe an option that few tables change: a form keeps it out of the way."""
    extra = {"rare": True, "labels": labels} if labels else {"rare": True}
    return Meta(title=title, description=description, ge=ge, le=le, extra=extra)


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
