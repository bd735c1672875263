"""Payment: which cards yield TA, what some of them come to, and which waste least (HW-08, HW-40, HW-45, HW-A05)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.games.history_of_war import speech
from companion.games.history_of_war.cards import BaseCard, UnitCard
from companion.kit.asking import Option
from companion.kit.offer import Field
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from companion.games.history_of_war.pieces import Played
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask


class Source(msgspec.Struct, frozen=True):
    """Be a card that yields TA when it is locked (HW-08, HW-40).

    ``dear`` is how much one would rather keep it unlocked: base expansions do nothing but pay.
    """

    id: str
    name: Text
    ta: int
    locked: bool = False
    dear: int = 0


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what is paid: ``lock`` are the cards, ``paid`` what they yield, ``wasted`` what of that is lost (HW-A05)."""

    cost: int
    lock: tuple[str, ...]
    paid: int

    @property
    def wasted(self) -> int:
        """Return what is paid too much."""
        return self.paid - self.cost


def available(sources: Sequence[Source]) -> int:
    """Add up the TA of what is unlocked (HW-40)."""
    return sum(source.ta for source in sources if not source.locked)


def best(sources: Sequence[Source], cost: int) -> tuple[str, ...] | None:
    """Return the cards that pay with the least waste, then the fewest, then those that one would rather lock.

    Nothing when nothing is to pay; None when all together do not reach the cost.
    """
    ways: dict[int, tuple[int, int, tuple[int, ...]]] = {0: (0, 0, ())}
    for at, source in enumerate(sources):
        if source.locked or not source.ta:
            continue
        for paid, (count, dear, places) in list(ways.items()):
            way = (count + 1, dear + source.dear, (*places, at))
            whole = paid + source.ta
            ways[whole] = min(ways.get(whole, way), way)
    enough = [paid for paid in ways if paid >= cost]
    return tuple(sources[at].id for at in ways[min(enough)][2]) if enough else None


def settle(sources: Sequence[Source], lock: Sequence[str], cost: int) -> Payment:
    """Return what those cards pay; a card yields all its TA at once (HW-A05).

    Raises Refusal for a card that is locked, named twice or no source, and when they are too few.
    """
    known = {source.id: source for source in sources}
    if len(set(lock)) < len(lock):
        raise Refusal(say("Each card is locked once."), "HW-A05", "lock")
    for name in lock:
        source = known.get(name)
        if source is None or not source.ta:
            raise Refusal(say("That is no card that yields TA."), "HW-40", "lock")
        if source.locked:
            raise Refusal(say("{card} is locked already.", card=source.name), "HW-36", "lock")
    paid = sum(known[name].ta for name in lock)
    if paid < cost:
        raise Refusal(say("It costs {cost} TA, and these cards yield {paid}.", cost=cost, paid=paid), "HW-45", "lock")
    return Payment(cost=cost, lock=tuple(lock), paid=paid)


def sources(state: State, seat: Seat, kept: Collection[str] = ()) -> tuple[Source, ...]:
    """List a player's cards in play that yield TA, wherever they lie; those set aside do not (HW-40, HW-A39).

    ``kept`` are left out: they are spoken for.
    """
    return tuple(
        Source(card.id, speech.card(state, card), state.ta(card), card.locked, _dear(state, card))
        for card in state.of(seat)
        if state.ta(card) and card.id not in kept
    )


def _dear(state: State, played: Played) -> int:
    """Say how dear a card is: a base expansion only pays, a development has flags to lose, a unit fights as well."""
    match state.card(played):
        case BaseCard():
            return 0
        case UnitCard():
            return 2
        case _:
            return 1


def promised(state: State, seat: Seat) -> frozenset[str]:
    """List the cards of a player who has finished building that will be locked when all is turned up (HW-45, HW-12)."""
    plan = state.plan(seat)
    units = (one.unit for one in plan.laid if one.unit is not None)
    return frozenset((*plan.lock, *units)) if plan.built and state.phase == "construction" else frozenset()


def check(state: State, seat: Seat, lock: Sequence[str], cost: int, kept: Collection[str] = ()) -> Payment:
    """Return what a player pays with those cards; ``kept`` are spoken for: they get an upgrade, or pay for something.

    Raises Refusal for cards that are somebody else's, set aside, spoken for, no source or locked, and when it is short.
    """
    mine = {card.id for card in state.of(seat)}
    for name in lock:
        played = state.played(name, "lock")
        if played.seat != seat:
            raise Refusal(say("{card} is not yours.", card=speech.unit(state, played)), "HW-45", "lock")
        if name not in mine:
            text = say("{card} is set aside with its territory.", card=speech.card(state, played))
            raise Refusal(text, "HW-A39", "lock")
        if name in kept:
            why = _spoken_for(state, played)
            raise Refusal(why.text, why.clause, "lock")
    return settle(sources(state, seat), lock, cost)


def field(state: State, seat: Seat, cost: int, kept: Collection[str] = ()) -> Field:
    """Ask what is locked to pay, filled in with what wastes least; those that can not pay are there with the reason."""
    options = tuple(
        Option(one.id, one.name, _barred(state, one, kept), note=say("{count} TA", count=one.ta))
        for one in sources(state, seat)
    )
    chosen = best(sources(state, seat, kept), cost)
    hint = say("Filled in is what wastes least. A card yields all its TA at once; what is too much is lost.")
    return Field("lock", say("What pays: {cost} TA", cost=cost), "many", options, value=chosen, hint=hint)


def short_of(state: State, seat: Seat, cost: int, kept: Collection[str] = ()) -> Reason | None:
    """Say why a player can not pay for something; None when he can."""
    have = available(sources(state, seat, kept))
    if cost <= have:
        return None
    return Reason(say("It costs {cost} TA, and you have {have} unlocked.", cost=cost, have=have), "HW-45")


def _barred(state: State, source: Source, kept: Collection[str]) -> Reason | None:
    if source.locked:
        return Reason(say("{card} is locked already.", card=source.name), "HW-36")
    return _spoken_for(state, state.played(source.id)) if source.id in kept else None


def _spoken_for(state: State, played: Played) -> Reason:
    """Say that a card gets an upgrade or pays for something else: it is locked for that (HW-12, HW-A05)."""
    text = say("{card} is to be locked for something else.", card=speech.card(state, played))
    return Reason(text, "HW-12" if state.is_unit(played) else "HW-A05")


def pay(state: State, seat: Seat, payment: Payment, ask: Ask) -> State:
    """Lock the cards that pay, and tell it (HW-45, HW-A05)."""
    if not payment.lock:
        return state
    terms = []
    for name in payment.lock:
        played = state.played(name)
        clause = "HW-08" if isinstance(state.card(played), BaseCard) else "HW-40"
        terms.append(Reason(speech.card(state, played), clause, state.ta(played)))
        state = state.with_card(name, locked=True)
    marks = tuple((name, "acting") for name in payment.lock)
    ask.tell(say("{seat} locks for TA", seat=Text(seat)), "HW-45", payment.paid, terms=tuple(terms), marks=marks)
    if payment.wasted:
        ask.tell(say("paid too much, and lost"), "HW-A05", -payment.wasted)
    return state
