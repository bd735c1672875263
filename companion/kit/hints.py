"""Types as they were declared: what is inside their wrappers, and the choices that they name."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

from msgspec import inspect


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
                described = next(one for one in types if not isinstance(one, inspect.NoneType))
            case _:
                return described, written


def choices(hint: Any) -> tuple[Any, ...]:
    """Find the values of the literal in a type, in the order written; ``inspect`` sorts them."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    return next((found for part in get_args(hint) if (found := choices(part))), ())
