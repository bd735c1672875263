"""Losses: how a unit leaves the battlefield (G2-104, G2-112, G2-136)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import speech
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.state import State, Unit
    from companion.kit.asking import Ask


def destroy(
    state: State, unit: Unit, ask: Ask, by: Unit | None = None, *, clause: str = "G2-112", hits: int = 0
) -> State:
    """Destroy a unit, count it for its side and tell it; ``clause`` is what destroys it, ``hits`` its last wounds."""
    ask.tell(
        say("{unit}: destroyed", unit=speech.unit(state, unit)),
        clause,
        harm=(speech.gone(state, unit, by, hits),),
    )
    lost = {**state.lost, unit.side: state.lost.get(unit.side, 0) + 1}
    return leave(state, unit).but(lost=lost)


def leave(state: State, unit: Unit) -> State:
    """Take a unit out of play: its card and those on it go to the discard piles of whose they are (G2-20, G2-21)."""
    state = state.but(units=tuple(one for one in state.units if one.id != unit.id))
    for seat, code in ((unit.seat, unit.code), *((card.seat, card.code) for card in unit.cards)):
        state = state.with_deck(seat, discard=(*state.deck(seat).discard, code))
    return state
