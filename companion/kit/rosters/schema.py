"""The schema of a roster: the fields of its struct, and which of them hold records of their own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import msgspec
from msgspec import Meta, inspect

from companion.kit import forms

ONCE = Meta(extra={"once": True})
"""Marks a field that no two records of one list may have alike: ``name: Annotated[str, Meta(max_length=60), ONCE]``."""

ROOT = "roster"
"""What the outermost record is called where it needs a name."""
KIND = "record"
"""The column of a table that says what a row is."""


class RecordField(NamedTuple):
    """A field of a record: ``name`` as it is written, ``attribute`` as the struct has it.

    ``record`` is the struct that it holds, None for a plain value. ``several`` of either stand in a list, ``exactly``
    so many or ``least`` to ``most``. ``plain`` is the type of a value, ``choices`` are those of a literal in the order
    written, ``note`` says in words what belongs there. ``once`` in a list is there only one alike.
    """

    name: str
    attribute: str
    hint: Any
    needed: bool
    default: Any
    record: type[msgspec.Struct] | None
    several: bool
    exactly: int | None
    least: int
    most: int | None
    plain: inspect.Type
    choices: tuple[Any, ...]
    note: str
    once: bool


@cache
def fields(kind: type[msgspec.Struct]) -> dict[str, RecordField]:
    """List the fields of a struct by the names that they are written with.

    Raises TypeError for a declaration that no file can fill: fields are whole numbers, words, ticks and literals, fixed
    or free lists of those, and records, one or several; what may be None is None unless it is written.
    """
    hints = forms.typed(kind)
    return {field.encode_name: _field(kind, field, hints[field.name]) for field in forms.parts(kind)}


def tree(kind: type[msgspec.Struct], called: str = ROOT) -> Iterator[tuple[str, RecordField]]:
    """Walk through all fields, those of records last: the name of the record that each belongs to, and the field."""
    declared = fields(kind)
    yield from ((called, field) for field in declared.values())
    for field in declared.values():
        if field.record is not None:
            yield from tree(field.record, field.name)


def _field(kind: type[msgspec.Struct], field: inspect.Field, hint: Any) -> RecordField:
    outer, written = forms.unwrapped(field.type)
    several, exactly, least, most = False, None, 0, None
    inner, inside = outer, written
    if isinstance(outer, inspect.VarTupleType):
        several, least, most = True, outer.min_length or 0, outer.max_length
        inner, inside = forms.unwrapped(outer.item_type)
    elif isinstance(outer, inspect.TupleType) and outer.item_types:
        several, exactly = True, len(outer.item_types)
        inner, inside = forms.unwrapped(outer.item_types[0])
    record = inner.cls if isinstance(inner, inspect.StructType) else None
    plain = isinstance(inner, inspect.IntType | inspect.StrType | inspect.BoolType | inspect.LiteralType)
    default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    reserved = field.encode_name in {KIND, ROOT}
    if not (plain or record) or reserved or ("open" in written and default is not None):
        raise TypeError(f"{kind.__name__}.{field.name} is nothing that a file can fill")
    return RecordField(
        name=field.encode_name,
        attribute=field.name,
        hint=hint,
        needed=field.required,
        default=default,
        record=record,
        several=several,
        exactly=exactly,
        least=least,
        most=most,
        plain=inner,
        choices=forms.choices(hint),
        note=inside.get("note", inside.get("description", "")),
        once="once" in written,
    )
