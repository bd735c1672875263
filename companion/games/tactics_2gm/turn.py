"""The turn: its phases in their order, what they wait for, and its end (G2-77 to G2-81, G2-119 to G2-123)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm.start_phase import end_effects
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm import actions as do
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import Phase, State, Unit
    from companion.kit.asking import Ask
    from companion.kit.game import Offer


def check_acting(state: State, seat: Seat) -> None:
    """Refuse what is done before the battle, after it, out of turn, or by who has ended the phase (G2-02, G2-77)."""
    if state.phase == "finished":
        raise Refusal(say("The battle is over."), "G2-02")
    if not state.begun:
        raise Refusal(say("The battle has not begun."), "G2-02")
    if seat not in state.acting:
        raise Refusal(say("It is {side}'s turn.", side=Text(state.active)), "G2-02")
    if seat in state.done:
        raise Refusal(say("You have ended this phase."), "G2-77")


def check_phase(state: State, seat: Seat, *phases: Phase) -> None:
    """Refuse what belongs to another phase (G2-77)."""
    check_acting(state, seat)
    if state.phase not in phases:
        raise Refusal(say("That is done in the {phase} phase.", phase=Text(phases[0])), "G2-77")


def check_own(state: State, seat: Seat, name: str, field: str = "unit") -> Unit:
    """Return a player's own unit; raise Refusal when it is his partner's or the enemy's (G2-155)."""
    unit = state.unit(name, field)
    if unit.seat != seat:
        raise Refusal(say("Each player acts with his own units."), "G2-155", field)
    return unit


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return []


def rule(state: State, seat: Seat, action: do.Turning, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    raise NotImplementedError


def begin(state: State, ask: Ask) -> State:
    """Begin the battle: the first turn is that of the side that starts (G2-44, G2-A12)."""
    ask.tell(say("{side} begins", side=Text(state.first)), "G2-44")
    return _start(state.but(turn=1, active=state.first), ask)


def _start(state: State, ask: Ask) -> State:
    """Play the start phase of the side whose turn begins, and wait for its income (G2-77, G2-78)."""
    state = state.but(phase="headquarters", done=(), ready=(), ceded=False, last=None)
    return end_effects(state, ask)
