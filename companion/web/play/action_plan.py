"""An action before it is done: which offer it takes up, what is settled, what is left to choose."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from companion.kit.action import Field, Offer
from companion.kit.asking import Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text
from companion.web import form_data, forms


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
        values = chosen if isinstance(chosen, list | tuple) else (chosen,)
        for option in field.options:
            if option.value in values or (chosen is None and option.barred is None):
                yield from option.advice

    @property
    def has_odds(self) -> bool:
        """Tell whether dice decide it and nothing that must be chosen first is open."""
        return self.offer.chancy and all(
            field.value is not None for field in self.left if field.kind in {"choice", "number"}
        )


def plan(actions: Any, offers: Iterable[Offer], sent: form_data.Sent) -> Plan | None:
    """Plan the action that a form sends; None when nothing like it is on offer."""
    chosen = form_data.action(actions, sent)
    offer = form_data.find_offer(offers, chosen)
    if offer is None:
        return None
    settled_before = form_data.action(actions, {"do": sent.get("do", ())})
    settled = tuple(
        (field.label, option)
        for field in offer.fields
        for option in field.options
        if option.value == settled_before.get(field.name)
    )
    left = (
        *((offer.among,) if offer.among else ()),
        *(_filled_in(field, chosen) for field in offer.fields if field.name not in settled_before),
    )
    filled_in = {field.name: field.value for field in left if field.value is not None}
    return Plan(offer, {**chosen, **filled_in}, settled, left)


def refill(actions: Any, offers: Iterable[Offer], sent: form_data.Sent) -> tuple[Offer, ...]:
    """Fill in what a refused form sent in the offer that it takes up."""
    offers = tuple(offers)
    try:
        chosen = form_data.action(actions, sent)
    except Refusal:
        return offers
    chosen_offer = form_data.find_offer(offers, chosen)
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
