"""How a list is changed entry by entry: words tidied, entries put, changed and taken out."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from companion.kit.ruling import Refusal
from companion.kit.text import say, tidied

T = TypeVar("T")
C = TypeVar("C", bound=msgspec.Struct)


def made(kind: type[C], values: msgspec.Struct, /, **changes: Any) -> C:
    """Make a card of a kind out of what a form has of the same names, and the other way round, with ``changes``."""
    names = (name for name in kind.__struct_fields__ if name not in changes and name in values.__struct_fields__)
    return kind(**{name: getattr(values, name) for name in names}, **changes)


def tidy(words: str, field: str = "name") -> str:
    """Return typed words without what can not be seen; raise Refusal for a name of nothing else."""
    clean = tidied(words)
    if not clean and field == "name":
        raise Refusal(say("It needs a name."), field=field)
    return clean


def put(entries: tuple[T, ...], at: int | None, entry: T, most: int) -> tuple[T, ...]:
    """Put an entry in the place of another, or (None) behind all; raise Refusal when there are ``most`` already."""
    if at is not None:
        return (*entries[:at], entry, *entries[at + 1 :])
    if len(entries) >= most:
        raise Refusal(say("There may be {most} of these, no more.", most=most), field="name")
    return (*entries, entry)


def but(entries: tuple[T, ...], at: int) -> tuple[T, ...]:
    """Take one entry out."""
    return (*entries[:at], *entries[at + 1 :])
