"""What a struct of records is made of: its fields, and which of them hold records of their own."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, inspect

ONCE = Meta(extra={"once": True})
"""Marks a field that no two records of one list may have alike: ``name: Annotated[str, Meta(max_length=60), ONCE]``."""

ROOT = "roster"
"""What the outermost record is called where it needs a name."""
KIND = "record"
"""The column of a table that says what a row is."""


class Part(NamedTuple):
    """Describe one field: ``name`` as it is written, ``attribute`` as the struct has it.

    ``record`` is the struct that it holds, ``several`` of them or one; None for a plain value, which is ``plain``, and
    the items of which (``several``) are so. ``choices`` are those of a literal, in the order written.
    """

    name: str
    attribute: str
    hint: Any
    needed: bool
    default: Any
    record: type[msgspec.Struct] | None
    several: bool
    exactly: int | None
    plain: inspect.Type
    choices: tuple[Any, ...]
    least: int
    most: int | None
    once: bool


@cache
def parts(kind: type[msgspec.Struct]) -> dict[str, Part]:
    """List the fields of a struct by the names that they are written with.

    Raises TypeError for a declaration that no file can fill: fields are whole numbers, words, ticks and literals, fixed
    or free lists of those, and records, one or several; what may be None is None unless it is written.
    """
    described = inspect.type_info(kind)
    if not isinstance(described, inspect.StructType):
        raise TypeError(f"{kind} is not a struct")
    hints = get_type_hints(kind, include_extras=True)
    return {part.encode_name: _part(kind, part, hints[part.name]) for part in described.fields}


def default(part: inspect.Field) -> Any:
    """Return what a field is when it is not written."""
    if part.default_factory is not msgspec.NODEFAULT:
        return part.default_factory()
    return part.default


def _part(kind: type[msgspec.Struct], part: inspect.Field, hint: Any) -> Part:
    outer, extra, may_be_none = _unwrapped(part.type)
    several, exactly, least, most = False, None, 0, None
    inner = outer
    if isinstance(outer, inspect.VarTupleType):
        several, least, most = True, outer.min_length or 0, outer.max_length
        inner, _, _ = _unwrapped(outer.item_type)
    elif isinstance(outer, inspect.TupleType) and outer.item_types:
        several, exactly = True, len(outer.item_types)
        inner, _, _ = _unwrapped(outer.item_types[0])
    record = inner.cls if isinstance(inner, inspect.StructType) else None
    plain = isinstance(inner, inspect.IntType | inspect.StrType | inspect.BoolType | inspect.LiteralType)
    reserved = part.encode_name in {KIND, ROOT}
    if not (plain or record) or reserved or (may_be_none and default(part) is not None):
        raise TypeError(f"{kind.__name__}.{part.name} is nothing that a file can fill")
    return Part(
        name=part.encode_name,
        attribute=part.name,
        hint=hint,
        needed=part.required,
        default=default(part),
        record=record,
        several=several,
        exactly=exactly,
        plain=inner,
        choices=_choices(hint),
        least=least,
        most=most,
        once=bool(extra.get("once")),
    )


def _unwrapped(described: inspect.Type) -> tuple[inspect.Type, dict[str, Any], bool]:
    """Take the wrappers off a type: returns what is inside, what was written on them, and whether None will do."""
    extra: dict[str, Any] = {}
    may_be_none = False
    while True:
        match described:
            case inspect.Metadata(type=inner):
                extra = {**(described.extra or {}), **extra}
                described = inner
            case inspect.UnionType(types=types) if described.includes_none and len(types) == 2:
                may_be_none = True
                described = next(one for one in types if not isinstance(one, inspect.NoneType))
            case _:
                return described, extra, may_be_none


def _choices(hint: Any) -> tuple[Any, ...]:
    """Find the values of the literal in a type, in the order written; ``inspect`` sorts them."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    return next((found for part in get_args(hint) if (found := _choices(part))), ())
