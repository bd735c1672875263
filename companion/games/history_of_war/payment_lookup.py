"""The look-up of a payment: what cards cost, and which sources pay with the least waste (HW-40, HW-45, HW-A05)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.history_of_war.payment import Source, available, best, settle
from companion.kit.game import Lookup
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import listed, say

if TYPE_CHECKING:
    from companion.kit.asking import Ask

Place = Literal["1", "2", "3", "4", "5", "6", "7", "8"]
_TA = Annotated[int, Meta(ge=0, le=30)]
_SOURCE = "A base expansion, or a card that yields TA."


class PaymentFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold what the cards cost, and what each source yields; 0 is no card and no source."""

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
        tuple[Place, ...], Meta(title="Sources that are locked", description="They pay nothing more in this round.")
    ] = ()

    @property
    def costs(self) -> dict[int, int]:
        """Return what each card costs, by its number; 0 for those that are not there."""
        return {at: getattr(self, f"card_{at}") for at in range(1, 7)}

    @property
    def sources(self) -> tuple[Source, ...]:
        """List the sources that yield something."""
        found = {at: getattr(self, f"source_{at}") for at in range(1, 9)}
        return tuple(
            Source(str(at), say("source {number}", number=str(at)), ta, str(at) in self.locked)
            for at, ta in found.items()
            if ta
        )


class Paid(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what a payment comes to: ``lock`` are the numbers of the sources that waste least; None: can not be paid."""

    cost: int
    available: int
    possible: bool
    lock: tuple[int, ...] = ()
    paid: int | None = None
    wasted: int | None = None


def rule(facts: PaymentFacts, ask: Ask) -> Ruling[Paid]:
    """Rule on a payment."""
    sources, cost = facts.sources, sum(facts.costs.values())
    bill = (Reason(say("card {number}", number=str(at)), value=price) for at, price in facts.costs.items() if price)
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
    found = Paid(
        cost=cost, available=have, possible=True, lock=tuple(map(int, chosen)), paid=payment.paid, wasted=payment.wasted
    )
    text = say("Lock: {sources}. {count} TA wasted", sources=names, count=payment.wasted)
    return Ruling(found, text, tuple(ask.reasons))


PAYMENT = Lookup(
    "payment",
    say("A payment"),
    PaymentFacts,
    rule,
    note=say("Which cards to lock so that the least TA is wasted."),
)
