"""Construction: cards laid face down, turned up when both have finished, and paid for (HW-41 to HW-47)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import hands, payment, revealing, speech, turn, upgrading
from companion.games.history_of_war.cards import DevelopmentCard, UnitCard, UpgradeCard
from companion.games.history_of_war.pieces import Laid
from companion.games.history_of_war.placing import to_place
from companion.games.history_of_war.sides import SEATS, other
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.actions import Build
    from companion.games.history_of_war.payment import Payment
    from companion.games.history_of_war.pieces import Played
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask

__all__ = ["to_place"]
"""Whoever asks what construction waits for asks who places developments too."""

Built = UnitCard | DevelopmentCard | UpgradeCard
"""What construction may contain (HW-A07)."""


def begin(state: State) -> State:
    """Begin the construction of a round: what still lies face down from before goes back to its owner's hand."""
    for seat in SEATS:
        for one in state.plan(seat).laid:
            state = hands.take_back(state, seat, one.code)
    return state.but(plans={})


def finished(state: State) -> bool:
    """Tell whether construction is over: both have built, and every development lies in a territory (HW-44, HW-46)."""
    return all(state.plan(seat).built for seat in SEATS) and to_place(state) is None


def check_building(state: State, seat: Seat) -> None:
    """Refuse to change what a player builds in another phase, or when he has finished (HW-31, HW-44)."""
    turn.check_phase(state, seat, "construction")
    if state.plan(seat).built:
        raise Refusal(say("You have finished building."), "HW-44")


def improved(state: State, seat: Seat) -> frozenset[str]:
    """List the units that are to get an upgrade: they will be locked, and pay for nothing (HW-12)."""
    return frozenset(one.unit for one in state.plan(seat).laid if one.unit is not None)


def bill(state: State, seat: Seat) -> tuple[Reason, ...]:
    """List what a player builds and what each costs (HW-42)."""
    return tuple(
        Reason(speech.code(state, seat, one.code), "HW-42", printed(state, seat, one.code).ta_cost)
        for one in state.plan(seat).laid
    )


def cost(state: State, seat: Seat) -> int:
    """Add up what a player builds (HW-41, HW-42)."""
    return sum(printed(state, seat, one.code).ta_cost for one in state.plan(seat).laid)


def left(state: State, seat: Seat, unit: str | None = None) -> int:
    """Return the TA that a player has beside what he builds; with ``unit``, when it gets an upgrade too."""
    kept = improved(state, seat) | {unit or ""}
    return payment.available(payment.sources(state, seat, kept)) - cost(state, seat)


def printed(state: State, seat: Seat, code: str) -> Built:
    """Return a card that can be built; raise Refusal for any other (HW-A07)."""
    card = state.find_card(seat, code)
    if not isinstance(card, Built):
        text = say(
            "Units, developments and upgrades are built: base expansions have a phase of their own, and "
            "action cards are played."
        )
        raise Refusal(text, "HW-A07", "card")
    return card


def barred(state: State, seat: Seat, code: str) -> Reason | None:
    """Say why a player can not lay a card of his hand down; None when he can, an upgrade on some unit."""
    try:
        check_building(state, seat)
        card = printed(state, seat, code)
    except Refusal as no:
        return no.reason
    if not isinstance(card, UpgradeCard):
        return short(state, seat, card)
    able = [unit for unit in state.units(seat) if unit_barred(state, seat, unit) is None]
    if not able:
        return Reason(say("You have no unlocked unit in your base or deployment area."), "HW-11")
    reasons = [short(state, seat, card, unit.id) for unit in able]
    return None if None in reasons else reasons[0]


def unit_barred(state: State, seat: Seat, unit: Played) -> Reason | None:
    """Say why a unit can not get an upgrade; None when it can (HW-11, HW-12, HW-A08)."""
    name = speech.card(state, unit)
    if unit.seat != seat or not state.is_unit(unit):
        return Reason(say("Upgrades are played on your own units."), "HW-11")
    if unit.place not in {"base", "deployment"}:
        return Reason(say("Units get upgrades in the base or the deployment area."), "HW-11")
    if unit.locked:
        return Reason(say("{card} is locked.", card=name), "HW-11")
    if unit.id in improved(state, seat):
        return Reason(say("{card} gets an upgrade already, and is locked by it.", card=name), "HW-12")
    return None


def short(state: State, seat: Seat, card: Built, unit: str | None = None) -> Reason | None:
    """Say why a player can not pay for one card more; None when he can (HW-A06)."""
    have = left(state, seat, unit)
    if card.ta_cost <= have:
        return None
    return Reason(say("It costs {cost} TA, and you have {have} left.", cost=card.ta_cost, have=max(0, have)), "HW-A06")


def lay(state: State, seat: Seat, code: str, unit: str | None, ask: Ask) -> State:
    """Lay a card face down, an upgrade for one of the own units; only its owner is told which (HW-43, HW-11)."""
    check_building(state, seat)
    hands.check_held(state, seat, code)
    card = printed(state, seat, code)
    if isinstance(card, UpgradeCard):
        if unit is None:
            raise Refusal(say("An upgrade is laid down for a unit: say for which."), "HW-11", "unit")
        _check(unit_barred(state, seat, state.played(unit)), "unit")
    elif unit is not None:
        raise Refusal(say("That is no upgrade."), "HW-11", "card")
    _check(short(state, seat, card, unit), "card")
    laid = Laid(hands.leaves_as(state, seat, code), unit)
    state = hands.leave_hand(state, seat, code, to_scrapyard=False)
    state = state.with_plan(seat, laid=(*state.plan(seat).laid, laid))
    text = say(
        "You lay {card} face down: {cost} TA, {left} left",
        card=speech.called(card.name),
        cost=card.ta_cost,
        left=left(state, seat),
    )
    ask.tell(text, "HW-43", seat=seat)
    if isinstance(card, UpgradeCard) and unit is not None:
        why = upgrading.unchanged(state, state.played(unit), card)
        if why is not None:
            ask.tell(why.text, why.clause, seat=seat)
    return state


def _check(why: Reason | None, field: str) -> None:
    if why is not None:
        raise Refusal(why.text, why.clause, field)


def take_up(state: State, seat: Seat, code: str, ask: Ask) -> State:
    """Take a card that lies face down back into the hand (HW-43)."""
    check_building(state, seat)
    laid = state.plan(seat).laid
    if code not in [one.code for one in laid]:
        raise Refusal(say("You have not laid that card down."), "HW-43", "card")
    state = state.with_plan(seat, laid=tuple(one for one in laid if one.code != code))
    ask.tell(say("You take {card} back", card=speech.code(state, seat, code)), "HW-43", seat=seat)
    return hands.take_back(state, seat, code)


def build(state: State, seat: Seat, action: Build, ask: Ask) -> State:
    """Finish building: what pays is checked in secret; when both have, all is turned up (HW-44, HW-45, HW-A06)."""
    turn.check_shown(state, None, action.round)
    check_building(state, seat)
    paid = _settled(state, seat, action.lock)
    state = state.with_plan(seat, lock=action.lock, built=True)
    count = len(state.plan(seat).laid)
    text = say(
        "{seat} has finished building: {count} card lies face down|{seat} has finished building: {count} cards "
        "lie face down",
        seat=Text(seat),
        count=count,
    )
    ask.tell(text, "HW-44")
    if paid.lock:
        ask.tell(say("What pays is settled: {paid} TA", paid=paid.paid), "HW-45", seat=seat)
    enemy = other(seat)
    if not state.plan(enemy).built:
        return state
    if not _stands(state, enemy):
        ask.tell(say("{seat} has to choose anew what is built and what pays", seat=Text(enemy)), "HW-A06")
        return state.with_plan(enemy, lock=(), built=False)
    bills = {one: (bill(state, one), _settled(state, one, state.plan(one).lock)) for one in SEATS}
    return revealing.turn_up(state, bills, ask)


def _settled(state: State, seat: Seat, lock: tuple[str, ...]) -> Payment:
    """Return what a player pays; raise Refusal for upgrades and payments that can not be (HW-11, HW-45, HW-A06)."""
    laid = state.plan(seat).laid
    for one in laid:
        if one.unit is not None:
            others = state.with_plan(seat, laid=tuple(it for it in laid if it != one))
            _check(unit_barred(others, seat, state.played(one.unit, "card")), "card")
    return payment.check(state, seat, lock, cost(state, seat), improved(state, seat))


def _stands(state: State, seat: Seat) -> bool:
    """Tell whether what a player has planned can still be: the table may have changed it by hand since (HW-A06)."""
    try:
        _settled(state, seat, state.plan(seat).lock)
    except Refusal:
        return False
    return True
