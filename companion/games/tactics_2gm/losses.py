"""Losses: how a unit leaves the battlefield (G2-104, G2-112), and how a building falls (G2-136, G2-137)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import hands, speech
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.state import Ground, State, Unit
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


def collapse(state: State, ground: Ground, ask: Ask, by: Unit | None = None) -> State:
    """Destroy a building: it is a ruin to the end, and the unit inside is destroyed with it (G2-136, G2-137)."""
    ask.tell(say("{building}: destroyed, and a ruin from now on", building=speech.ground(state, ground)), "G2-137")
    inside = state.occupant(ground)
    state = state.with_ground(ground.id, pi=0, ruin=True)
    return state if inside is None else destroy(state, inside, ask, by, clause="G2-136")


def leave(state: State, unit: Unit) -> State:
    """Take a unit out of play: its card and those on it go to the discard piles of whose they are (G2-20, G2-21)."""
    state = state.but(units=tuple(one for one in state.units if one.id != unit.id))
    for seat, code in ((unit.seat, unit.code), *((card.seat, card.code) for card in unit.cards)):
        state = hands.bury(state, seat, code)
    return state
