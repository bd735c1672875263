"""The page of corrections: values by where one looks for them, and what a form of it changes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

import msgspec
from werkzeug.datastructures import MultiDict

from companion.kit.action import Field
from companion.kit.correction import Tracked
from companion.kit.text import Text, say
from companion.table.problem import Problem

VALUE, BEFORE, NONE = "v.", "was.", "none."
"""What the names of a form begin with, each before the path: a value, what it was when the form was shown, and the
tick that says that a list holds nothing."""


class Group(msgspec.Struct, frozen=True):
    """Values that one saves together; ``telling`` are those that say at a glance how things are."""

    name: Text
    values: tuple[Tracked, ...]

    @property
    def telling(self) -> tuple[Field, ...]:
        """Return the fields that hold more than nothing."""
        return tuple(value.field for value in self.values if _tells(value.field))


class Part(msgspec.Struct, frozen=True):
    """Groups under one heading; None for those that stand under none."""

    name: Text | None
    groups: tuple[Group, ...]


def parts(tracked: Iterable[Tracked]) -> tuple[Part, ...]:
    """Sort values by heading and group, each heading where its first value stands, those without one last."""
    listed = tuple(tracked)
    names: list[Text | None] = []
    for value in listed:
        if value.part is not None and value.part not in names:
            names.append(value.part)
    by_part = ((name, [value for value in listed if value.part == name]) for name in (*names, None))
    return tuple(
        Part(
            name, tuple(Group(group, tuple(of_group)) for group, of_group in groupby(values, lambda value: value.group))
        )
        for name, values in by_part
        if values
    )


def _tells(field: Field) -> bool:
    match field.kind:
        case "yes_no":
            return field.value is True
        case "many":
            return bool(field.value)
        case "number":
            return isinstance(field.value, int) and field.value > field.low
        case _:
            return False


def written(field: Field) -> str:
    """Write a value as a form sends it; nothing for one that may not be read."""
    match field.value:
        case None:
            return ""
        case bool(ticked):
            return str(int(ticked))
        case tuple(chosen):
            return ",".join(option.value for option in field.options if option.value in chosen)
        case value:
            return str(value)


def changed(value: Tracked, form: MultiDict[str, str]) -> bool:
    """Tell whether a form sends another value than the one that it was shown with."""
    sent = typed(value, form)
    return sent is not None and (sent != form.get(f"{BEFORE}{value.path}") or f"{NONE}{value.path}" in form)


def typed(value: Tracked, form: MultiDict[str, str]) -> str | None:
    """Return what a form sends for a value, several choices separated by commas; None when it says nothing."""
    sent = form.getlist(f"{VALUE}{value.path}")
    if value.field.kind != "many":
        return sent[-1] if sent else None
    is_in_form = sent or {f"{BEFORE}{value.path}", f"{NONE}{value.path}"} & form.keys()
    return ",".join(filter(None, sent)) if is_in_form else None


def checked(value: Tracked, form: MultiDict[str, str]) -> str:
    """Return what a form sends; a list without a mark is refused, unless it is said that it has none."""
    sent = typed(value, form) or ""
    if value.field.kind == "many" and bool(sent) == (f"{NONE}{value.path}" in form):
        raise Problem(400, say("Mark what belongs there, or “None of these”."), "value")
    return sent
