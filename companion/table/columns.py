"""Rows as structs: what the columns of a table may hold, and what is made of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from companion.table.compression import inflated
from companion.table.problem import Unsound
from companion.table.records import Kind
from companion.table.validation import is_time

T = TypeVar("T")

_TIMES = frozenset({"at", "updated", "archived", "deleted"})
_DEFLATED = frozenset({"reasons"})


class _Column(NamedTuple):
    """The types that a column may hold, and what makes the field of a struct out of its value."""

    types: tuple[type, ...]
    decode: Callable[[Any], Any] | None = None


def _column(field: str, kind: Any) -> _Column:
    """Tell what the column of a field holds: a number, a text (any, one of a few, or a time), or else JSON."""
    if type(None) in get_args(kind):
        types, decode = _column(field, get_args(kind)[0])
        return _Column((*types, type(None)), decode and (lambda value: None if value is None else decode(value)))
    if field in _TIMES:
        return _Column((str,), _check_time)
    if field == "kind":
        kind = Kind  # the type of a Line's says less
    if get_origin(kind) is Literal:
        return _Column((str,), {value: value for value in get_args(kind)}.__getitem__)
    if kind in {int, str}:
        return _Column((kind,))
    if kind is bool:
        return _Column((int,), bool)
    decode_json = msgspec.json.Decoder(kind).decode
    if field in _DEFLATED:
        return _Column((str, bytes), lambda value: decode_json(inflated(value)))
    return _Column((str,), decode_json)


def _check_time(at: str) -> str:
    """Return a time; raise ValueError when it is none."""
    if not is_time(at):
        raise ValueError(at)
    return at


class _Columns(NamedTuple):
    types: tuple[tuple[type, ...], ...]
    decoders: tuple[tuple[int, Callable[[Any], Any]], ...]


@cache
def _columns(kind: Callable[..., Any]) -> _Columns:
    """Return what columns hold: a page that was damaged may give a number for a text, or nothing at all."""
    columns = [_column(field, held) for field, held in get_type_hints(kind).items()]
    decoders = tuple((at, column.decode) for at, column in enumerate(columns) if column.decode)
    return _Columns(tuple(column.types for column in columns), decoders)


def decoded(decode: Callable[[Any], T], value: Any) -> T:
    """Decode the value of a column; raise Unsound where nobody wrote it."""
    try:
        return decode(value)
    except (msgspec.DecodeError, LookupError, TypeError, ValueError) as error:
        raise Unsound(str(error)) from error


def from_row(kind: Callable[..., T], row: Sequence[Any]) -> T:
    """Return a row as a struct whose fields are its columns; raise Unsound where it is none."""
    # Not msgspec.convert: it makes a plan of a tuple's type for every row anew, which takes thirty times as long.
    columns = _columns(kind)
    if len(row) != len(columns.types) or not all(map(isinstance, row, columns.types)):
        raise Unsound(f"a {kind} holds what its columns can not")
    values = [*row]
    for at, decode in columns.decoders:
        values[at] = decoded(decode, values[at])
    return kind(*values)


def to_row(record: msgspec.Struct) -> tuple[str | int | None, ...]:
    """Return a struct as a row: what is neither a text nor a number is JSON."""
    values = msgspec.structs.astuple(record)
    return tuple(value if isinstance(value, str | int | None) else to_json(value) for value in values)


def to_json(value: Any) -> str:
    """Return a value as a column holds it."""
    return msgspec.json.encode(value).decode()
