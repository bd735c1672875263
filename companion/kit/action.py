"""What all actions of a game are made of; an offer is made from its action."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec

from companion.kit.offer import Budget, Field, Offer
from companion.kit.ruling import Reason
from companion.kit.text import Text


class Action(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="action"):
    """What a seat does; the field ``action``, the struct's tag, says which it is."""

    @classmethod
    def offer(  # noqa: PLR0913 -- what an Offer has, by name
        cls,
        label: Text,
        *fields: Field,
        on: str | None = None,
        main: bool = False,
        grave: bool = False,
        chancy: bool = False,
        clause: str | None = None,
        advice: tuple[Reason, ...] = (),
        among: Field | None = None,
        budget: Budget | None = None,
        keeps: str | None = None,
        sheet: str | None = None,
        loose: bool = False,
        aside: bool = False,
        button: Text | None = None,
        asks: Text | None = None,
        **given: Any,
    ) -> Offer:
        """Offer this action: ``fields`` are asked for, ``given`` are the values that are settled.

        Raises TypeError where the action has no such field, or is left without one that it needs.
        """
        names = _checked(cls, tuple(given), tuple([field.name for field in fields]))
        settled = {names[name]: value for name, value in given.items()} if names else given
        what = (str(cls.__struct_config__.tag), label, settled, fields)
        return Offer(
            *what, on, main, grave, chancy, clause, advice, among, budget, keeps, sheet, loose, aside, button, asks
        )


@cache
def _checked(kind: type[Action], given: tuple[str, ...], asked: tuple[str, ...]) -> dict[str, str] | None:
    """Check what an offer of an action is made of; returns how fields are stored, None where that is as in Python."""
    fields = msgspec.structs.fields(kind)
    stored = {field.name: field.encode_name for field in fields}
    settled = {stored.get(name, name) for name in given}
    needed = {field.encode_name for field in fields if field.required}
    if wrong := settled.union(asked).difference(stored.values()) | needed.difference(settled, asked):
        raise TypeError(f"an offer of {kind.__name__} and {', '.join(sorted(wrong))}")
    return {name: stored.get(name, name) for name in given} if settled != set(given) else None
