"""What may be built now, face down, and what pays for it (HW-11, HW-43, HW-45)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import construction, hands, payment, speech, upgrading
from companion.games.history_of_war.cards import UpgradeCard
from companion.games.history_of_war.describing import categories
from companion.kit import decks
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer the cards of the hand that can be built, each kind once, those laid down, and to finish."""
    if state.phase != "construction" or state.plan(seat).built:
        return []
    found = [
        _lay(state, seat, code)
        for code in decks.one_each(hands.playable(state, seat))
        if construction.barred(state, seat, code) is None
    ]
    return [*found, *_take_up(state, seat), *_finish(state, seat, idle=not found)]


def _lay(state: State, seat: Seat, code: str) -> Offer:
    """Offer a card with what it costs."""
    card = construction.printed(state, seat, code)
    if isinstance(card, UpgradeCard):
        return _upgrade(state, seat, code, card)
    label = say("Build {card}: {cost} TA", card=speech.called(card.name), cost=card.ta_cost)
    return Offer("lay_down", label, {"card": code}, on=code, main=True, clause="HW-43")


def _upgrade(state: State, seat: Seat, code: str, card: UpgradeCard) -> Offer:
    """Offer an upgrade with the units that it may be for; locked ones and such elsewhere with the reason."""
    options = []
    for unit in state.units(seat):
        why = construction.unit_barred(state, seat, unit)
        why = why or construction.short(state, seat, card, unit.id)
        over = construction.left(state, seat, unit.id) - card.ta_cost
        note = say("{count} TA left with it", count=over) if why is None else None
        missing = upgrading.lacking(state, unit, card)
        if note is not None and missing:
            note = say("{note}; it has no such attack value to change: {what}", note=note, what=categories(missing))
        options.append(Option(unit.id, speech.card(state, unit), why, note=note))
    open_ones = [option.value for option in options if option.barred is None]
    unit_field = Field(
        "unit",
        say("For which unit"),
        "choice",
        tuple(options),
        value=open_ones[0] if len(open_ones) == 1 else None,
        hint=say("The unit is locked by it for this round."),
    )
    label = say("Upgrade with {card}: {cost} TA", card=speech.called(card.name), cost=card.ta_cost)
    return Offer("lay_upgrade", label, {"card": code}, (unit_field,), on=code, clause="HW-11")


def _take_up(state: State, seat: Seat) -> list[Offer]:
    return [
        Offer(
            "take_up",
            say("Take {card} back", card=speech.code(state, seat, one.code)),
            {"card": one.code},
            on=one.code,
            clause="HW-43",
        )
        for one in state.plan(seat).laid
    ]


def _finish(state: State, seat: Seat, *, idle: bool) -> list[Offer]:
    """Offer to finish building, with what pays filled in; not when the TA are short: then something is taken back."""
    price, kept = construction.cost(state, seat), construction.improved(state, seat)
    if payment.short_of(state, seat, price, kept) is not None:
        return []
    bill = construction.bill(state, seat)
    label = say("Finish building") if bill else say("Build nothing")
    fields = (payment.field(state, seat, price, kept),) if price else ()
    given = {"round": state.round}
    return [
        Offer("build", label, given, fields, main=bool(bill) or idle, clause="HW-44", advice=bill, loose=bool(fields))
    ]
