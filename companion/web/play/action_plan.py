"""An action before it is done: which offer it takes up, what is left to choose, which kept list fills it in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from companion.kit.action import Field, Offer
from companion.kit.forms import what_belongs
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say
from companion.table.validation import plain
from companion.table.views import FOR
from companion.web import forms

LONGEST_LIST = 4000
"""Characters of a kept list as JSON: far more than any form fills in."""


class Plan(msgspec.Struct, frozen=True):
    """An action under way: ``settled`` is what was chosen before for which label, ``left`` the fields still open.

    ``action`` is what would be done now: what was chosen and, for the rest, what is filled in beforehand.
    """

    offer: Offer
    action: Mapping[str, Any]
    settled: tuple[tuple[Text, Option], ...]
    left: tuple[Field, ...]

    @property
    def advice(self) -> tuple[Reason, ...]:
        """List what to know first: of the offer, and of what is chosen; where nothing is yet, of all that may be."""
        advice = list(self.offer.advice)
        for reason in (reason for field in self.offer.fields for reason in self._advice_of(field)):
            if reason not in advice:
                advice.append(reason)
        return tuple(advice)

    @property
    def hopeless(self) -> Reason | None:
        """Say why what is chosen can not succeed."""
        options = ((field, option) for field in self.offer.fields for option in field.options if option.hopeless)
        return next((option.hopeless for field, option in options if option.value == self.action.get(field.name)), None)

    def _advice_of(self, field: Field) -> Iterator[Reason]:
        chosen = self.action.get(field.name)
        for option in field.options:
            if option.value in _values(chosen) or (chosen is None and option.barred is None):
                yield from option.advice

    @property
    def has_odds(self) -> bool:
        """Tell whether dice decide it and nothing that must be chosen first is open."""
        return self.offer.chancy and all(
            field.value is not None for field in self.left if field.kind in {"choice", "number"}
        )


def plan(actions: Any, offers: Iterable[Offer], sent: forms.Sent) -> Plan | None:
    """Plan the action that a form sends; None when nothing like it is on offer."""
    chosen = forms.action(actions, sent)
    offer = forms.find_offer(offers, chosen)
    if offer is None:
        return None
    settled_before = forms.action(actions, {"do": sent.get("do", ())})
    settled = tuple(
        (field.label, option)
        for field in offer.fields
        for option in field.options
        if option.value in _values(settled_before.get(field.name))
    )
    left = (
        *((offer.among,) if offer.among else ()),
        *(
            _only_one(_filled_in(field, chosen)) if offer.chancy else _filled_in(field, chosen)
            for field in offer.fields
            if field.name not in settled_before
        ),
    )
    filled_in = {field.name: field.value for field in left if field.value is not None}
    return Plan(offer, {**chosen, **filled_in}, settled, left)


def _values(chosen: Any) -> Sequence[Any]:
    return chosen if isinstance(chosen, list | tuple) else (chosen,)


def refill(actions: Any, offers: Iterable[Offer], sent: forms.Sent) -> tuple[Offer, ...]:
    """Fill in what a refused form sent in the offer that it takes up."""
    offers = tuple(offers)
    try:
        chosen = forms.action(actions, sent)
    except Refusal:
        return offers
    chosen_offer = forms.find_offer(offers, chosen)
    return tuple(
        msgspec.structs.replace(offer, fields=tuple(_filled_in(field, chosen) for field in offer.fields))
        if offer is chosen_offer
        else offer
        for offer in offers
    )


def _filled_in(field: Field, chosen: Mapping[str, Any]) -> Field:
    """Fill in what was chosen; what another choice has closed or bounded since goes back as far as it must."""
    value = chosen.get(field.name, field.value)
    if any(option.barred is not None and option.value == value for option in field.options):
        return field
    if field.kind == "number" and field.name in chosen:
        number = forms.shown(field, [value])
        value = min(max(number, field.low), field.high) if isinstance(number, int) else field.value
    return msgspec.structs.replace(field, value=value)


def _only_one(field: Field) -> Field:
    """Choose what there is only one of: its odds are seen at once."""
    free = [option.value for option in field.options if option.barred is None]
    if field.kind != "choice" or field.value is not None or len(free) != 1:
        return field
    return msgspec.structs.replace(field, value=free[0])


class StoredList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A list as a phone keeps it and a file carries it; ``of`` is what the offer ``keeps``."""

    game: str
    of: str = msgspec.field(name="list")
    name: str = ""
    values: Mapping[str, str | int | bool | list[str]] = {}


def read_list(sent: str) -> StoredList:
    """Read a kept list; raise Refusal when it is none."""
    try:
        return msgspec.json.decode(sent if len(sent) <= LONGEST_LIST else "", type=StoredList)
    except (ValueError, RecursionError) as wrong:
        raise Refusal(say("This is not a list that was kept here."), field="kept") from wrong


def fit_list(stored: StoredList, game: str, offers: Iterable[Offer], offer: Offer) -> dict[str, list[str]]:
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


def settled_values(offer: Offer) -> dict[str, Any]:
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
    raise Refusal(what_belongs(among), field="kept")


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
        case "text" | "dice" | "picture", str() if len(value) <= (field.high or LONGEST_LIST):
            return [value]
    raise Refusal(what_belongs(field), field="kept")
