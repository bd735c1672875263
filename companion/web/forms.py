"""Forms from declarations: a struct becomes the kit's fields, what is sent becomes a struct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import inspect

from companion.kit import hints
from companion.kit.asking import Option
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say
from companion.table.reading import NO, YES

K = TypeVar("K", bound=msgspec.Struct)

NONE = ""
"""What a form sends for a choice that may be left open, and for a number that may be left blank."""


def fields(kind: type[msgspec.Struct], values: Mapping[str, Sequence[str]] | None = None) -> tuple[Field, ...]:
    """List the fields that a form asks for, filled in with ``values`` as typed, else with the defaults.

    ``Meta(title=...)`` is the label (without it the field's name is), ``Meta(description=...)`` the hint, and
    ``Meta(extra={"labels": {value: label}})`` names choices whose value is not a word of its own. Raises
    TypeError for a declaration that a form can not ask for.
    """
    typed = values or {}
    return tuple(
        field if field.name not in typed else msgspec.structs.replace(field, value=shown(field, typed[field.name]))
        for field in _declared(kind)
    )


def rare(kind: type[msgspec.Struct]) -> frozenset[str]:
    """Name the fields marked ``Meta(extra={"rare": True})``: a long form keeps them out of the way."""
    return frozenset(part.encode_name for part in _parts(kind) if hints.unwrapped(part.type)[1].get("rare"))


def conditions(kind: type[msgspec.Struct]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Name the fields that only count while another has certain values, with that field and those values.

    They are marked ``Meta(extra={"when": (name, (value, ...))})``.
    """
    marked = {part.encode_name: hints.unwrapped(part.type)[1].get("when") for part in _parts(kind)}
    return {name: (when[0], tuple(map(str, when[1]))) for name, when in marked.items() if when is not None}


def from_form(kind: type[K], sent: Mapping[str, Sequence[str]]) -> K:
    """Make a struct out of a form; what is not sent keeps its default.

    A tick box sends ``no`` from a hidden field before its own ``yes``, so the last value counts. Raises
    Refusal naming the field.
    """
    declared = {field.name: field for field in _declared(kind)}
    return from_body(kind, {name: _read(declared[name], typed) for name, typed in sent.items() if name in declared})


def from_body(kind: type[K], sent: Mapping[str, Any]) -> K:
    """Make a struct out of a decoded JSON object; raise Refusal naming the field that does not fit."""
    declared = {field.name: field for field in _declared(kind)}
    for name in sent:
        if name not in declared:
            raise Refusal(say("There is no field called {field}.", field=name[:60]), field=name[:60])
    hints = _hints(kind)
    made: dict[str, Any] = {}
    for part in _parts(kind):
        field = declared[part.encode_name]
        if part.encode_name in sent:
            try:
                made[part.name] = msgspec.convert(sent[part.encode_name], hints[part.name])
            except (msgspec.ValidationError, OverflowError) as wrong:
                raise Refusal(sentence(field), field=field.name) from wrong
        elif part.required:
            raise Refusal(say("{field}: this is needed.", field=field.label), field=field.name)
    try:
        return kind(**made)
    except (TypeError, ValueError) as wrong:
        raise Refusal(say("These facts do not fit together.")) from wrong


def plain(made: msgspec.Struct) -> dict[str, Any]:
    """Return a struct's fields as plain JSON values, those that have their default included."""
    return {part.encode_name: msgspec.to_builtins(getattr(made, part.name)) for part in _parts(type(made))}


def shown(field: Field, typed: Sequence[str]) -> str | int | bool | tuple[str, ...] | None:
    """Return the value that a form shows for what was typed."""
    if field.kind == "many":
        return tuple(typed)
    read: str | int | bool | None = _read(field, typed)
    return str(read) if field.kind == "choice" and isinstance(read, int) else read


def sentence(field: Field) -> Text:
    """Say what belongs into a field."""
    match field.kind:
        case "number":
            return say(
                "{field}: a whole number from {low} to {high}.",
                field=field.label,
                low=field.low,
                high=field.high,
            )
        case "yes_no":
            return say("{field}: yes or no.", field=field.label)
        case "text" | "dice" | "file":
            return say("{field}: this has to be words, and not too many.", field=field.label)
        case _:
            return say("{field}: that is not one of the choices.", field=field.label)


def _read(field: Field, typed: Sequence[str]) -> Any:
    last = typed[-1] if typed else NONE
    match field.kind:
        case "many" | "order":
            return [value for value in typed if value != NONE]
        case "yes_no" if last.lower() in YES | NO:
            return last.lower() in YES
        case "number" if last.strip().removeprefix("-").isdecimal() and len(last) < 20:
            return int(last)
        case "choice" if last.removeprefix("-").isdecimal() and len(last) < 20 and _counted(field):
            return int(last)
        case "choice" | "number" if last.strip() == NONE:
            return None
        case _:
            return last


def _counted(field: Field) -> bool:
    return all(option.value == NONE or option.value.removeprefix("-").isdecimal() for option in field.options)


@cache
def _parts(kind: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    described = inspect.type_info(kind)
    if not isinstance(described, inspect.StructType):
        raise TypeError(f"{kind} is not a struct")
    return described.fields


@cache
def _hints(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


@cache
def _declared(kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    return tuple(_field(kind, part) for part in _parts(kind))


def _field(kind: type[msgspec.Struct], part: inspect.Field) -> Field:
    choices = hints.choices(_hints(kind)[part.name])
    inner, written = hints.unwrapped(part.type)
    default = _default(part)
    name = part.encode_name
    label = Text(written.get("title", name))
    hint = Text(written["description"]) if "description" in written else None
    match inner:
        case inspect.LiteralType():
            options = _options(choices, written)
        case inspect.EnumType(cls=members):
            options = _options([member.value for member in members], written)
        case inspect.BoolType():
            return Field(name, label, "yes_no", value=bool(default), hint=hint)
        case inspect.IntType() if inner.ge is not None and inner.le is not None:
            return Field(name, label, "number", value=default, low=inner.ge, high=inner.le, hint=hint)
        case inspect.StrType():
            return Field(name, label, "text", value=default, high=inner.max_length or 0, hint=hint)
        case inspect.VarTupleType() | inspect.ListType() | inspect.SetType() | inspect.FrozenSetType():
            item, named = hints.unwrapped(inner.item_type)
            if isinstance(item, inspect.LiteralType):
                given = tuple(value for value in choices if value in (default or ()))
                return Field(name, label, "many", _options(choices, {**named, **written}), given, hint=hint)
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
