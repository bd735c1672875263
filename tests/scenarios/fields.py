"""Read the fields of any scenario: numbers, choices, lists and objects; whatever nobody knows makes it unfit."""

from __future__ import annotations

from typing import Any

from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.runner import Given, Unfit


def known(field: str, given: dict[str, Any], *fields: str) -> None:
    """Raise Unfit for a field that nobody knows."""
    if unknown := given.keys() - set(fields):
        raise Unfit(f"unknown field in {field}: {', '.join(sorted(unknown))}")


def one_of(field: str, value: Any, among: Any) -> Any:
    """A value, if it is one of those known; a yes or no is no number."""
    if not any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in among):
        raise Unfit(f"unknown {field} {value!r}")
    return value


def truth(field: str, value: Any) -> bool:
    """A yes or no; what is not said is a no."""
    return bool(one_of(field, value, (None, False, True)))


def number(field: str, value: Any) -> int:
    """A whole number."""
    if type(value) is not int:
        raise Unfit(f"{field}: a number is needed, not {value!r}")
    return value


def count(field: str, value: Any, clause: str) -> int:
    """A whole number from 0; the rules know no fewer."""
    if number(field, value) < 0:
        raise Refusal(say("There can not be fewer than none."), clause, field)
    return int(value)


def sequence(field: str, value: Any) -> list[Any]:
    """A list; what is not given is an empty one."""
    if not isinstance(value, list | None):
        raise Unfit(f"{field}: a list is needed")
    return value or []


def mapping(field: str, value: Any, *fields: str) -> Given:
    """An object with no other fields than these, where any are named; what is not given is an empty one."""
    if not isinstance(value, dict | None):
        raise Unfit(f"{field}: an object is needed")
    if fields:
        known(field, value or {}, *fields)
    return Given(value or {})


def objects(field: str, listed: Any, *fields: str) -> list[Given]:
    """A list of objects with no other fields than these."""
    return [mapping(field, {} if entry is None else entry, *fields) for entry in sequence(field, listed)]
