"""What the round lets a seat do now: be content with the phase, give up what is too much, or give up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import base, speech, waiting
from companion.games.history_of_war.actions import Discard
from companion.kit.asking import Option
from companion.kit.decks import discarding
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Reason
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State

CONCEDE = Offer("concede", say("Give up"), grave=True, asks=say("Do you give up?"), button=say("I give up"))


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if not state.begun:
        return [CONCEDE]
    return [*_discards(state, seat), *_scraps(state, seat), *_done(state, seat), *_hold(state, seat), CONCEDE]


def _done(state: State, seat: Seat) -> list[Offer]:
    """Offer to be content with the phase, or with all until one is needed (HW-32); what must be done comes first.

    The button that stands out is what most would do next: nobody should pass over a base expansion that he holds.
    """
    given = {"phase": state.phase, "round": state.round}
    if seat in state.done or seat in state.content:
        return [Offer("done", say("Not done yet after all"), {**given, "on": False}, clause="HW-32")]
    first = waiting.unfinished(state)
    needed = waiting.needed(state, seat)
    stays = needed or state.options.step_by_step or seat in state.holding
    phase = Offer(
        "done", say("Done with this phase"), given, main=stays and not base.offers(state, seat), clause="HW-32"
    )
    until = Offer("done", say("Done until I am needed"), {**given, "until": "needed"}, main=not stays, clause="HW-32")
    found = [phase] if first is None and seat in waiting.agreeing(state) else []
    return [*found, until] if (first is None or not needed) and seat not in state.holding else found


def _hold(state: State, seat: Seat) -> list[Offer]:
    """Offer to stop at every phase, so that action cards can be played in each, or no more (HW-32, HW-A09)."""
    if state.options.step_by_step:
        return []
    here = f"points.{seat}"
    if seat in state.holding:
        return [Offer("hold", say("Stop at every phase no more"), {"on": False}, on=here, aside=True, clause="HW-32")]
    why = Reason(say("No phase passes by itself then: there is time for an action card in each."), "HW-A09")
    return [Offer("hold", say("Stop at every phase"), {"on": True}, on=here, aside=True, clause="HW-32", advice=(why,))]


def _discards(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Offer the cards that are too many (HW-97)."""
    count = waiting.hand_surplus(state, seat) if state.phase == "final" else 0
    named = [(code, speech.code(state, seat, code)) for code in state.deck(seat).hand]
    return discarding.offers(Discard, named, count, "HW-97", real=state.real, at_once=False)


def _scraps(state: State, seat: Seat) -> list[Offer]:
    """Offer the units that are too many in the deployment area: one by a tap, several together (HW-98)."""
    count = waiting.unit_surplus(state, seat) if state.phase == "final" else 0
    if not count:
        return []
    named = [(unit.id, speech.card(state, unit)) for unit in state.units(seat, "deployment")]
    found = [
        Offer("scrap", say("To the scrapyard: {unit}", unit=name), {"units": [one]}, on=one, clause="HW-98")
        for one, name in named
    ]
    if count > 1:
        field = Field("units", say("Units for the scrapyard"), "many", tuple(Option(*one) for one in named))
        label = say("{count} unit to the scrapyard|{count} units to the scrapyard", count=count)
        found.append(Offer("scrap", label, fields=(field,), main=True, loose=True, clause="HW-98"))
    return found
