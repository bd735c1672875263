"""Forms from declarations: a struct becomes the kit's fields, what is sent becomes a struct."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from companion.kit.action import Field
from companion.kit.forms import NONE, declared, parts, typed
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say
from companion.table.validation import NO, YES

K = TypeVar("K", bound=msgspec.Struct)


def fields(kind: type[msgspec.Struct], values: Mapping[str, Sequence[str]] | None = None) -> tuple[Field, ...]:
    """List the fields that a form asks for, filled in with ``values`` as typed, else with the defaults."""
    filled_in = values or {}
    return tuple(
        replace(field, value=shown(field, filled_in[field.name])) if field.name in filled_in else field
        for field in declared(kind)
    )


def from_form(kind: type[K], sent: Mapping[str, Sequence[str]]) -> K:
    """Make a struct out of a form; what is not sent keeps its default.

    A tick box sends ``no`` from a hidden field before its own ``yes``, so the last value counts. Raises
    Refusal naming the field.
    """
    by_name = {field.name: field for field in declared(kind)}
    return from_body(kind, {name: _read(by_name[name], typed) for name, typed in sent.items() if name in by_name})


def from_body(kind: type[K], sent: Mapping[str, Any]) -> K:
    """Make a struct out of a decoded JSON object; raise Refusal naming the field that does not fit."""
    by_name = {field.name: field for field in declared(kind)}
    for name in sent:
        if name not in by_name:
            raise Refusal(say("There is no field called {field}.", field=name[:60]), field=name[:60])
    types = typed(kind)
    values: dict[str, Any] = {}
    for part in parts(kind):
        field = by_name[part.encode_name]
        if part.encode_name in sent:
            try:
                values[part.name] = msgspec.convert(sent[part.encode_name], types[part.name])
            except (msgspec.ValidationError, OverflowError) as wrong:
                raise Refusal(sentence(field), field=field.name) from wrong
        elif part.required:
            raise Refusal(say("{field}: this is needed.", field=field.label), field=field.name)
    try:
        return kind(**values)
    except (TypeError, ValueError) as wrong:
        raise Refusal(say("These facts do not fit together.")) from wrong


def plain(struct: msgspec.Struct) -> dict[str, Any]:
    """Return a struct's fields as plain JSON values, those that have their default included."""
    return {part.encode_name: msgspec.to_builtins(getattr(struct, part.name)) for part in parts(type(struct))}


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
                "{field}: a whole number from {low} to {high}.", field=field.label, low=field.low, high=field.high
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
        case "choice" if last.removeprefix("-").isdecimal() and len(last) < 20 and _has_numbers(field):
            return int(last)
        case "choice" | "number" if last.strip() == NONE:
            return None
        case _:
            return last


def _has_numbers(field: Field) -> bool:
    return all(option.value == NONE or option.value.removeprefix("-").isdecimal() for option in field.options)
