"""The time limit: when it is up, one last turn each, and the headquarters that suffered more loses (G2-A39)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import speech, victory
from companion.games.tactics_2gm.sides import SIDES
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask

MINUTE = 60_000


def start(state: State, ask: Ask) -> State:
    """Note when the battle begins, where time is limited."""
    if not state.options.time_limit_minutes:
        return state
    count = state.options.time_limit_minutes
    ask.tell(say("the clock runs: {count} minute|the clock runs: {count} minutes", count=count), "G2-A39")
    return state.but(began=ask.now("clock"))


def end_of_turn(state: State, ask: Ask) -> State:
    """Look at the clock: tell when the time is up, count the last turns, and end the battle after them."""
    if state.began is None:
        return state
    if state.last_turns is None:
        if ask.now("clock") - state.began < state.options.time_limit_minutes * MINUTE:
            return state
        ask.tell(say("the time is up: one last turn each"), "G2-A39")
        return state.but(last_turns=len(SIDES))
    state = state.but(last_turns=state.last_turns - 1)
    return state if state.last_turns else _compare(state, ask)


def _compare(state: State, ask: Ask) -> State:
    """End the battle: the side whose headquarters have suffered more loses."""
    for one in state.headquarters:
        ask.tell(
            say("{headquarters}: impact points lost", headquarters=speech.hq(state, one)),
            "G2-A39",
            one.card.pi - one.pi,
        )
    allies, axis = (suffered(state, side) for side in SIDES)
    if allies == axis:
        return victory.finish(state, "draw", "time", "G2-A39", ask)
    return victory.finish(state, "axis" if allies > axis else "allies", "time", "G2-A39", ask)


def suffered(state: State, side: Side) -> int:
    """Add up the impact points that a side's headquarters have lost."""
    return sum(one.card.pi - one.pi for one in state.headquarters if one.side == side)
