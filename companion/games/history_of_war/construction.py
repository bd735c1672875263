"""Construction: cards laid face down, and what pays for them (HW-11, HW-41 to HW-45)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from companion.games.history_of_war import developments, hands, payment, speech
from companion.games.history_of_war.cards import DevelopmentCard, UnitCard, UpgradeCard
from companion.games.history_of_war.developments import to_place
from companion.games.history_of_war.payment import Payment
from companion.games.history_of_war.pieces import SEATS, AnyCode, Laid, Name, Names, Number, Played, Seat, other
from companion.games.history_of_war.state import State, check_shown, phase_barred
from companion.kit import decks
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

construction = Chapter[State, Seat]()

Built = UnitCard | DevelopmentCard | UpgradeCard
"""What construction may contain (HW-A07)."""


class LayDown(Action, frozen=True, tag="lay_down"):
    """Lay a unit or a development face down, to build it (HW-43)."""

    card: AnyCode


class LayUpgrade(Action, frozen=True, tag="lay_upgrade"):
    """Lay an upgrade face down, for one of your units (HW-11)."""

    card: AnyCode
    unit: Name


class TakeUp(Action, frozen=True, tag="take_up"):
    """Take a card that you laid face down back into your hand."""

    card: AnyCode


class Build(Action, frozen=True, tag="build"):
    """Finish construction: ``lock`` are the cards that pay for what you laid down, nothing for nothing (HW-45).

    A page names the ``round`` that it showed, so that an old page never finishes that of a later round.
    """

    lock: Names = ()
    round: Number | None = None


def begin(state: State) -> State:
    """Begin the construction of a round: what still lies face down from before goes back to its owner's hand."""
    for seat in SEATS:
        for laid in state.plan(seat).laid:
            state = hands.take_back(state, seat, laid.code)
    return state.but(plans={})


def finished(state: State) -> bool:
    """Tell whether construction is over: both have built, and every development lies in a territory (HW-44, HW-46)."""
    return all(state.plan(seat).built for seat in SEATS) and to_place(state) is None


def improved(state: State, seat: Seat) -> frozenset[str]:
    """List the units that are to get an upgrade: they will be locked, and pay for nothing (HW-12)."""
    return frozenset(laid.unit for laid in state.plan(seat).laid if laid.unit is not None)


def bill(state: State, seat: Seat) -> tuple[Reason, ...]:
    """List what a player builds and what each costs (HW-42)."""
    return tuple(
        Reason(speech.code(state, seat, laid.code), "HW-42", _printed(state, seat, laid.code).ta_cost)
        for laid in state.plan(seat).laid
    )


def cost(state: State, seat: Seat) -> int:
    """Add up what a player builds (HW-41, HW-42)."""
    return sum(_printed(state, seat, laid.code).ta_cost for laid in state.plan(seat).laid)


def left(state: State, seat: Seat, unit: str | None = None) -> int:
    """Return the TA that a player has beside what he builds; with ``unit``, when it gets an upgrade too."""
    return payment.available(payment.sources(state, seat, improved(state, seat) | {unit or ""})) - cost(state, seat)


def _building_barred(state: State, seat: Seat) -> Reason | None:
    """Say that it is another phase, or that a player has finished building (HW-31, HW-44); None while he builds."""
    if why := phase_barred(state, seat, "construction"):
        return why
    return Reason(say("You have finished building."), "HW-44") if state.plan(seat).built else None


def _printed(state: State, seat: Seat, code: str) -> Built:
    """Return a card that can be built; raise Refusal for any other (HW-A07)."""
    card = state.find_card(seat, code)
    if not isinstance(card, Built):
        text = say(
            "You build units, developments and upgrades: base expansions have a phase of their own, action cards are "
            "played."
        )
        raise Refusal(text, "HW-A07", "card")
    return card


def barred(state: State, seat: Seat, card: Built) -> Reason | None:
    """Say why a player can not lay a card of his hand down; None when he can, an upgrade on some unit."""
    if why := _building_barred(state, seat):
        return why
    if not isinstance(card, UpgradeCard):
        return _short(state, seat, card)
    able = [unit for unit in state.units(seat) if _unit_barred(state, seat, unit) is None]
    if not able:
        return Reason(say("You have no unlocked unit in your base or deployment area."), "HW-11")
    reasons = [_short(state, seat, card, unit.id) for unit in able]
    return None if None in reasons else reasons[0]


def _unit_barred(state: State, seat: Seat, unit: Played) -> Reason | None:
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


def _short(state: State, seat: Seat, card: Built, unit: str | None = None) -> Reason | None:
    """Say why a player can not pay for one card more; None when he can (HW-A06)."""
    have = left(state, seat, unit)
    if card.ta_cost <= have:
        return None
    return Reason(say("It costs {cost} TA, and you have {have} left.", cost=card.ta_cost, have=max(0, have)), "HW-A06")


@construction.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer the cards of the hand that can be built, each kind once, those laid down, and to finish."""
    if state.phase != "construction" or state.plan(seat).built:
        return
    count = 0
    for code in decks.one_each(hands.playable(state, seat)):
        card = state.find_card(seat, code)
        if not isinstance(card, Built) or barred(state, seat, card) is not None:
            continue
        count += sum(decks.kind_of(each) == decks.kind_of(code) for each in hands.playable(state, seat))
        if isinstance(card, UpgradeCard):
            yield _upgrade(state, seat, code, card)
        else:
            label = say("Build {card}: {cost} TA", card=speech.called(card.name), cost=card.ta_cost)
            yield LayDown.offer(label, on=code, card=code, main=True, clause="HW-43")
    for laid in state.plan(seat).laid:
        label = say("Take {card} back", card=speech.code(state, seat, laid.code))
        yield TakeUp.offer(label, on=laid.code, card=laid.code, clause="HW-43")
    yield from _finish(state, seat, count)


def _upgrade(state: State, seat: Seat, code: str, card: UpgradeCard) -> Offer:
    """Offer an upgrade with the units that it may be for; locked ones and such elsewhere with the reason."""
    options = []
    for unit in state.units(seat):
        why = _unit_barred(state, seat, unit) or _short(state, seat, card, unit.id)
        note = say("{count} TA left with it", count=left(state, seat, unit.id) - card.ta_cost) if why is None else None
        missing = developments.lacking(state, unit, card)
        if note is not None and missing:
            what = speech.categories(missing)
            note = say("{note}; it has no such attack value to change: {what}", note=note, what=what)
        options.append(Option(unit.id, speech.card(state, unit), why, note=note))
    free = [option.value for option in options if option.barred is None]
    only = free[0] if len(free) == 1 else None
    hint = say("The unit is locked by it for this round.")
    label = say("Upgrade with {card}: {cost} TA", card=speech.called(card.name), cost=card.ta_cost)
    whom = Field("unit", say("For which unit"), "choice", tuple(options), value=only, hint=hint)
    return LayUpgrade.offer(label, whom, on=code, card=code, clause="HW-11")


def _finish(state: State, seat: Seat, count: int) -> Iterator[Offer]:
    """Offer to finish building, with what pays filled in; not when the TA are short: then something is taken back.

    ``count`` cards can still be built; which real ones are held only their player knows.
    """
    price, reserved = cost(state, seat), improved(state, seat)
    if payment.short_of(state, seat, price, reserved) is not None:
        return
    costs, pays = bill(state, seat), (payment.field(state, seat, price, reserved),) if price else ()
    label, more = say("Finish building" if costs else "Build nothing"), None
    if count:
        more = say("{count} card could still be built|{count} cards could still be built", count=count)
        more = say("{count} TA left|{count} TA left", count=left(state, seat)) if state.real else more
    finish = partial(Build.offer, label, *pays, round=state.round, clause="HW-44", advice=costs, loose=bool(price))
    yield finish(ends=True, main=bool(costs) or not count, left=more)


def _lays(_state: State, seat: Seat, _action: LayDown | LayUpgrade | TakeUp) -> Text:
    return say("{seat} lays cards face down", seat=Text(seat))


@construction.rule(LayDown, says=_lays, quiet=True)
def lay_down(state: State, seat: Seat, action: LayDown, ask: Ask) -> State:
    """Lay a unit or a development face down (HW-43)."""
    refuse(_building_barred(state, seat))
    hands.check_held(state, seat, action.card)
    card = _printed(state, seat, action.card)
    if isinstance(card, UpgradeCard):
        raise Refusal(say("An upgrade is laid down for a unit: say for which."), "HW-11", "unit")
    return _laid(state, seat, action.card, card, None, ask)


@construction.rule(LayUpgrade, says=_lays, quiet=True)
def lay_upgrade(state: State, seat: Seat, action: LayUpgrade, ask: Ask) -> State:
    """Lay an upgrade face down, for one of the own units (HW-11)."""
    refuse(_building_barred(state, seat))
    hands.check_held(state, seat, action.card)
    card = _printed(state, seat, action.card)
    if not isinstance(card, UpgradeCard):
        raise Refusal(say("That is no upgrade."), "HW-11", "card")
    unit = state.played(action.unit)
    refuse(_unit_barred(state, seat, unit), "unit")
    state = _laid(state, seat, action.card, card, unit.id, ask)
    developments.tell_unchanged(state, unit, card, ask, seat=seat)
    return state


def _laid(state: State, seat: Seat, code: str, card: Built, unit: str | None, ask: Ask) -> State:
    """Lay a card face down, where it can be paid for; only its owner is told which (HW-43, HW-A06)."""
    refuse(_short(state, seat, card, unit), "card")
    state, code = hands.taken_out(state, seat, code)
    state = state.with_plan(seat, laid=(*state.plan(seat).laid, Laid(code, unit)))
    name, over = speech.called(card.name), left(state, seat)
    text = say("You lay {card} face down: {cost} TA, {left} left", card=name, cost=card.ta_cost, left=over)
    ask.tell(text, "HW-43", seat=seat)
    return state


@construction.rule(TakeUp, says=_lays, quiet=True)
def take_up(state: State, seat: Seat, action: TakeUp, ask: Ask) -> State:
    """Take a card that lies face down back into the hand (HW-43)."""
    refuse(_building_barred(state, seat))
    laid = state.plan(seat).laid
    if action.card not in [card.code for card in laid]:
        raise Refusal(say("You have not laid that card down."), "HW-43", "card")
    state = state.with_plan(seat, laid=tuple(card for card in laid if card.code != action.card))
    ask.tell(say("You take {card} back", card=speech.code(state, seat, action.card)), "HW-43", seat=seat)
    return hands.take_back(state, seat, action.card)


def _turned_up(before: State, after: State) -> bool:
    """Tell whether cards that lay face down were turned up (HW-44)."""
    lay, lie = (any(state.plan(seat).laid for seat in SEATS) for state in (before, after))
    return lay and not lie


def _built(before: State, after: State, seat: Seat, _action: Build) -> Text:
    if _turned_up(before, after):
        if after.round == before.round:
            return say("The cards are turned up")
        side = Text(after.attacker)
        return say("The cards are turned up. Round {round}: {side} attacks first", round=after.round, side=side)
    return speech.round_begins(after) if after.round != before.round else say("{seat} has built", seat=Text(seat))


@construction.rule(Build, headline=_built, reveals=_turned_up)
def build(state: State, seat: Seat, action: Build, ask: Ask) -> State:
    """Finish building: what pays is checked in secret; when both have, all is turned up (HW-44, HW-45, HW-A06)."""
    check_shown(state, None, action.round)
    refuse(_building_barred(state, seat))
    paid = _settled(state, seat, action.lock)
    state = state.with_plan(seat, lock=action.lock, built=True)
    text = say(
        "{seat} has finished building: {count} card lies face down|{seat} has finished building: {count} cards "
        "lie face down",
        seat=Text(seat),
        count=len(state.plan(seat).laid),
    )
    ask.tell(text, "HW-44")
    if paid.lock:
        ask.tell(say("Payment settled: {paid} TA", paid=paid.paid), "HW-45", seat=seat)
    enemy = other(seat)
    if not state.plan(enemy).built:
        return state
    try:
        theirs = _settled(state, enemy, state.plan(enemy).lock)
    except Refusal:  # The table may have changed it by hand since they planned.
        ask.tell(say("{seat} has to choose again what to build and how to pay", seat=Text(enemy)), "HW-A06")
        return state.with_plan(enemy, lock=(), built=False)
    return developments.turn_up(state, {seat: (bill(state, seat), paid), enemy: (bill(state, enemy), theirs)}, ask)


def _settled(state: State, seat: Seat, lock: tuple[str, ...]) -> Payment:
    """Return what a player pays; raise Refusal for upgrades and payments that can not be (HW-11, HW-45, HW-A06)."""
    laid = state.plan(seat).laid
    for card in laid:
        if card.unit is not None:
            others = state.with_plan(seat, laid=tuple(other for other in laid if other != card))
            refuse(_unit_barred(others, seat, state.played(card.unit, "card")), "card")
    return payment.check(state, seat, lock, cost(state, seat), improved(state, seat))
