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
        names, needed = _fields(cls)
        settled = {names.get(name, name): value for name, value in given.items()}
        asked = {field.name for field in fields}
        wrong = {*settled, *asked}.difference(names.values()) | needed.difference(settled, asked)
        if wrong:
            raise TypeError(f"an offer of {cls.__name__} and {', '.join(sorted(wrong))}")
        return Offer(
            str(cls.__struct_config__.tag),
            label,
            settled,
            fields,
            on,
            main,
            grave,
            chancy,
            clause,
            advice,
            among,
            budget,
            keeps,
            sheet,
            loose,
            aside,
            button,
            asks,
        )


@cache
def _fields(kind: type[Action]) -> tuple[dict[str, str], frozenset[str]]:
    """Return the names of an action's fields as they are stored by those in Python, and the stored ones it needs."""
    fields = msgspec.structs.fields(kind)
    return {field.name: field.encode_name for field in fields}, frozenset(
        field.encode_name for field in fields if field.required
    )
