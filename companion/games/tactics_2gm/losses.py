"""Losses: how a unit leaves the battlefield (G2-104, G2-112), and how a building falls (G2-136, G2-137)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import hands, speech
from companion.kit.ruling import Harm
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.pieces import Ground, Unit
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask


def wound(state: State, unit: Unit, count: int, ask: Ask, by: Unit | None = None, *, clause: str = "G2-111") -> State:
    """Mark wounds on a unit, and destroy it where they are its last: more are lost (G2-111, G2-112, G2-A41)."""
    most = state.card(unit).wounds
    wounds = min(unit.wounds + count, most)
    ask.tell(
        say("{enemy}: {wounds} of {most} wounds", enemy=speech.unit(state, unit), wounds=wounds, most=most),
        clause,
        count,
    )
    if wounds == most:
        return destroy(state, unit, ask, by, hits=count)
    ask.harm(Harm(speech.fighter(state, unit), count, "hit", speech.fighter(state, by) if by else None))
    return state.with_unit(unit.id, wounds=wounds)


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
    state = leave(state, unit).but(lost=lost)
    ask.progress(state)
    return state


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
