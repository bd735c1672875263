"""Payment: which cards yield TA, what some come to, and which waste least (HW-08, HW-40, HW-45, HW-A05)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.history_of_war import speech
from companion.games.history_of_war.cards import BaseCard, Kind
from companion.games.history_of_war.pieces import Played, Seat
from companion.games.history_of_war.state import State
from companion.kit.action import Field
from companion.kit.asking import Ask
from companion.kit.game import Lookup
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal, Ruling, refuse
from companion.kit.text import Text, listed, say

DEAR: dict[Kind, int] = {"base_expansion": 0, "development": 1, "unit": 2}
"""How dear a card is: a base expansion only pays, a development has flags to lose, a unit fights as well."""


class Source(msgspec.Struct, frozen=True):
    """A card that yields TA when it is locked (HW-08, HW-40); ``dear`` is how much one would rather not lock it."""

    id: str
    name: Text
    ta: int
    locked: bool = False
    dear: int = 0


class Payment(msgspec.Struct, frozen=True, kw_only=True):
    """What is paid: ``lock`` are the cards, ``paid`` what they yield, ``wasted`` what of that is lost (HW-A05)."""

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


def sources(state: State, seat: Seat, reserved: Collection[str] = ()) -> tuple[Source, ...]:
    """List a player's cards that yield TA, but those set aside or ``reserved``: spoken for (HW-40, HW-A39)."""
    return tuple(
        Source(card.id, speech.card(state, card), state.ta(card), card.locked, DEAR[state.card(card).kind])
        for card in state.of(seat)
        if state.ta(card) and card.id not in reserved
    )


def promised(state: State, seat: Seat) -> frozenset[str]:
    """List the cards of a player who has finished building that will be locked when all is turned up (HW-45, HW-12)."""
    plan = state.plan(seat)
    units = (laid.unit for laid in plan.laid if laid.unit is not None)
    return frozenset((*plan.lock, *units)) if plan.built and state.phase == "construction" else frozenset()


def check(state: State, seat: Seat, lock: Sequence[str], cost: int, reserved: Collection[str] = ()) -> Payment:
    """Return what a player pays with those cards; ``reserved`` ones get an upgrade, or pay for something.

    Raises Refusal for cards that are somebody else's, set aside, spoken for, no source or locked, and when it is short.
    """
    own = {card.id for card in state.of(seat)}
    for name in lock:
        played = state.played(name, "lock")
        card = speech.card(state, played)
        if played.seat != seat:
            raise Refusal(say("{card} is not yours.", card=speech.unit(state, played)), "HW-45", "lock")
        if name not in own:
            raise Refusal(say("{card} is set aside with its territory.", card=card), "HW-A39", "lock")
        if name in reserved:
            refuse(_spoken_for(state, played), "lock")
    return settle(sources(state, seat), lock, cost)


def field(state: State, seat: Seat, cost: int, reserved: Collection[str] = ()) -> Field:
    """Ask what is locked to pay, filled in with what wastes least; those that can not pay are there with the reason."""
    options = tuple(
        Option(source.id, source.name, _barred(state, source, reserved), note=say("{count} TA", count=source.ta))
        for source in sources(state, seat)
    )
    chosen = best(sources(state, seat, reserved), cost)
    hint = say("The cards that waste least are ticked. A card yields all its TA at once; the surplus is lost.")
    return Field("lock", say("Pay with: {cost} TA", cost=cost), "many", options, value=chosen, hint=hint)


def short_of(state: State, seat: Seat, cost: int, reserved: Collection[str] = ()) -> Reason | None:
    """Say why a player can not pay for something; None when he can."""
    have = available(sources(state, seat, reserved))
    if cost <= have:
        return None
    return Reason(say("It costs {cost} TA, and you have {have} unlocked.", cost=cost, have=have), "HW-45")


def _barred(state: State, source: Source, reserved: Collection[str]) -> Reason | None:
    if source.locked:
        return Reason(say("{card} is locked already.", card=source.name), "HW-36")
    return _spoken_for(state, state.played(source.id)) if source.id in reserved else None


def _spoken_for(state: State, played: Played) -> Reason:
    """Say that a card gets an upgrade or pays for something else: it is locked for that (HW-12, HW-A05)."""
    text = say("{card} will be locked for something else.", card=speech.card(state, played))
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


Number = Literal["1", "2", "3", "4", "5", "6", "7", "8"]
_TA = Annotated[int, Meta(ge=0, le=30)]
_SOURCE = "A base expansion, or a card that yields TA."


class PaymentFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the cards cost, and what each source yields; 0 is no card and no source."""

    card_1: Annotated[_TA, Meta(title="Card 1: its cost in TA")] = 2
    card_2: Annotated[_TA, Meta(title="Card 2: its cost in TA")] = 1
    card_3: Annotated[_TA, Meta(title="Card 3: its cost in TA")] = 0
    card_4: Annotated[_TA, Meta(title="Card 4: its cost in TA")] = 0
    card_5: Annotated[_TA, Meta(title="Card 5: its cost in TA")] = 0
    card_6: Annotated[_TA, Meta(title="Card 6: its cost in TA")] = 0
    source_1: Annotated[_TA, Meta(title="Source 1: its TA", description=_SOURCE)] = 2
    source_2: Annotated[_TA, Meta(title="Source 2: its TA")] = 1
    source_3: Annotated[_TA, Meta(title="Source 3: its TA")] = 0
    source_4: Annotated[_TA, Meta(title="Source 4: its TA")] = 0
    source_5: Annotated[_TA, Meta(title="Source 5: its TA")] = 0
    source_6: Annotated[_TA, Meta(title="Source 6: its TA")] = 0
    source_7: Annotated[_TA, Meta(title="Source 7: its TA")] = 0
    source_8: Annotated[_TA, Meta(title="Source 8: its TA")] = 0
    locked: Annotated[
        tuple[Number, ...], Meta(title="Sources that are locked", description="They pay nothing more in this round.")
    ] = ()

    @property
    def costs(self) -> tuple[int, ...]:
        """List what each card costs; 0 for those that are not there."""
        return tuple(getattr(self, f"card_{number}") for number in range(1, 7))

    @property
    def sources(self) -> tuple[Source, ...]:
        """List the sources that yield something."""
        yields = {number: getattr(self, f"source_{number}") for number in map(str, range(1, 9))}
        return tuple(
            Source(number, say("source {number}", number=number), ta, number in self.locked)
            for number, ta in yields.items()
            if ta
        )


class Paid(msgspec.Struct, frozen=True, kw_only=True):
    """What a payment comes to: ``lock`` are the numbers of the sources that waste least; None: cannot be paid."""

    cost: int
    available: int
    possible: bool
    lock: tuple[int, ...] = ()
    paid: int | None = None
    wasted: int | None = None


def rule(facts: PaymentFacts, ask: Ask) -> Ruling[Paid]:
    """Rule on a payment."""
    sources, cost = facts.sources, sum(facts.costs)
    prices = enumerate(facts.costs, 1)
    bill = (Reason(say("card {number}", number=str(at)), value=price) for at, price in prices if price)
    ask.tell(say("to pay"), "HW-41", cost, terms=tuple(bill))
    have = available(sources)
    yields = (Reason(source.name, value=source.ta) for source in sources if not source.locked)
    ask.tell(say("TA of what is unlocked"), "HW-40", have, terms=tuple(yields))
    for source in sources:
        if source.locked:
            ask.tell(say("{card} is locked already.", card=source.name), "HW-36")
    chosen = best(sources, cost)
    if chosen is None:
        ask.tell(say("TA missing"), "HW-45", cost - have)
        text = say("{count} TA missing", count=cost - have)
        return Ruling(Paid(cost=cost, available=have, possible=False), text, tuple(ask.reasons))
    payment = settle(sources, chosen, cost)
    names = listed([source.name for source in sources if source.id in chosen], say("nothing to lock"))
    ask.tell(say("least is wasted with {sources}", sources=names), "HW-45", payment.paid)
    if payment.wasted:
        ask.tell(say("paid too much, and lost"), "HW-A05", -payment.wasted)
    lock, wasted = tuple(map(int, chosen)), payment.wasted
    outcome = Paid(cost=cost, available=have, possible=True, lock=lock, paid=payment.paid, wasted=wasted)
    return Ruling(outcome, say("Lock: {sources}. {count} TA wasted", sources=names, count=wasted), tuple(ask.reasons))


PAYMENT = Lookup(
    "payment", say("A payment"), PaymentFacts, rule, note=say("Which cards to lock so that the least TA is wasted.")
)
