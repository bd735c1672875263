"""What both have built is turned up, paid for and put into play (HW-44, HW-45, HW-47)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import payment, speech, upgrading
from companion.games.history_of_war.cards import UpgradeCard
from companion.games.history_of_war.pieces import Last, Plan
from companion.games.history_of_war.placing import to_place
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.games.history_of_war.payment import Payment
    from companion.games.history_of_war.pieces import Laid
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask
    from companion.kit.ruling import Reason

Bill = tuple["Reason", ...]
"""What each card of a plan costs."""


def turn_up(state: State, bills: Mapping[Seat, tuple[Bill, Payment]], ask: Ask) -> State:
    """Turn up what both have laid down, the attacker's first: each is told, paid for and put into play (HW-44)."""
    before = {card.id for card in state.cards}
    for seat in (state.attacker, state.defender):
        bill, paid = bills[seat]
        if bill:
            ask.tell(say("{seat} builds", seat=Text(seat)), "HW-41", paid.cost, terms=bill)
        else:
            ask.tell(say("{seat} builds nothing", seat=Text(seat)), "HW-44")
        state = payment.pay(state, seat, paid, ask)
        laid = state.plan(seat).laid
        state = _enter(state, seat, [one for one in laid if one.unit is None], ask)
        for one in laid:
            state = _attach(state, seat, one, ask)
        state = state.but(plans={**state.plans, seat: Plan(built=True)})
    placing = to_place(state)
    if placing is not None:
        ask.tell(say("{seat} puts developments into territories", seat=Text(placing)), "HW-46")
    return state.but(last=Last(tuple(card.id for card in state.cards if card.id not in before)))


def _enter(state: State, seat: Seat, laid: Sequence[Laid], ask: Ask) -> State:
    """Put units into the deployment area, locked; developments wait to be placed (HW-18, HW-46, HW-47)."""
    if not laid:
        return state
    for one in laid:
        place = "laid" if one.code[0] == "d" else "deployment"
        state = state.with_entering(seat, one.code, place, locked=True)
    names = listed([speech.code(state, seat, one.code) for one in laid], say("no card"))
    marks = tuple((card.id, "acting") for card in state.cards[-len(laid) :])
    ask.tell(say("{cards}: into play, locked", cards=names), "HW-47", marks=marks)
    return state


def _attach(state: State, seat: Seat, one: Laid, ask: Ask) -> State:
    """Put an upgrade on its unit for good, which is locked by it (HW-10, HW-12)."""
    if one.unit is None:
        return state
    unit = state.played(one.unit)
    text = say(
        "{upgrade} stays with {unit} for good",
        upgrade=speech.code(state, seat, one.code),
        unit=speech.card(state, unit),
    )
    ask.tell(text, "HW-10")
    ask.tell(say("{card} is locked by it", card=speech.card(state, unit)), "HW-12", marks=((unit.id, "acting"),))
    card = state.find_card(seat, one.code)
    why = upgrading.unchanged(state, unit, card) if isinstance(card, UpgradeCard) else None
    if why is not None:
        ask.tell(why.text, why.clause)
    return state.with_card(unit.id, upgrades=(*unit.upgrades, one.code), locked=True)
