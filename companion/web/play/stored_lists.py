"""Lists kept on a phone: what was filled in at another table is filled in here, or it is said why it does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from companion.kit.action import Field, Offer
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table.validation import plain
from companion.table.views import FOR
from companion.web.forms import sentence

LONGEST = 4000
"""Characters of a kept list as JSON: far more than any form fills in."""


class StoredList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A list as a phone keeps it and a file carries it; ``of`` is what the offer ``keeps``."""

    game: str
    of: str = msgspec.field(name="list")
    name: str = ""
    values: Mapping[str, str | int | bool | list[str]] = {}


def read(sent: str) -> StoredList:
    """Read a kept list; raise Refusal when it is none."""
    try:
        return msgspec.json.decode(sent if len(sent) <= LONGEST else "", type=StoredList)
    except (ValueError, RecursionError) as wrong:
        raise Refusal(say("This is not a list that was kept here."), field="kept") from wrong


def fit(stored: StoredList, game: str, offers: Iterable[Offer], offer: Offer) -> dict[str, list[str]]:
    """Return what a form sends that is filled in with a kept list; raise Refusal when it does not fit this offer.

    Where one choice decides what else can be chosen, the list's own choice counts; what is settled here has to be the
    same there.
    """
    if stored.game != game:
        raise Refusal(say("This list is for another game."), field="kept")
    if stored.of != offer.keeps:
        raise Refusal(say("This list is for something else."), field="kept")
    chosen = _sibling(offers, offer, stored.values)
    asked = {field.name: field for field in (chosen.among, *chosen.fields) if field is not None}
    for name, value in stored.values.items():
        if name not in asked and name not in chosen.given:
            raise Refusal(say("There is no field called {field}.", field=plain(name)), field="kept")
        if name in chosen.given and value != chosen.given[name]:
            raise Refusal(say("This list is for something else."), field="kept")
    return {f"f.{name}": _typed(asked[name], value) for name, value in stored.values.items() if name in asked}


def settled(offer: Offer) -> dict[str, Any]:
    """Return the values of a list that an offer settles; for whom the rulekeeper acts is none of them."""
    return {name: value for name, value in offer.given.items() if name != FOR}


def _sibling(offers: Iterable[Offer], offer: Offer, values: Mapping[str, Any]) -> Offer:
    """Find the offer for the list's own choice."""
    among = offer.among
    if among is None or among.name not in values:
        return offer
    for other in offers:
        alike = (other.action, other.on, other.keeps) == (offer.action, offer.on, offer.keeps)
        if alike and other.among is not None and other.among.value == values[among.name]:
            return other
    raise Refusal(sentence(among), field="kept")


def _typed(field: Field, value: Any) -> list[str]:
    """Return a value as a form sends it; raise Refusal when it is not one of the field's."""
    open_options = {option.value for option in field.options if option.barred is None}
    match field.kind, value:
        case "yes_no", bool():
            return [str(int(value))]
        case "number", int() if not isinstance(value, bool) and field.low <= value <= field.high:
            return [str(value)]
        case "choice", str() if value in open_options:
            return [value]
        case "many", list() if open_options.issuperset(value):
            return value
        case "text" | "dice", str() if len(value) <= (field.high or LONGEST):
            return [value]
    raise Refusal(sentence(field), field="kept")
