"""The round: its phases in their order, what they wait for, and its end (HW-27 to HW-32, HW-97 to HW-103)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war.phases import STEPS
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war import actions as do
    from companion.games.history_of_war.phases import Phase
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask
    from companion.kit.game import Offer


def check_begun(state: State) -> None:
    """Refuse what belongs to the rounds before the first (HW-27)."""
    if state.phase not in STEPS:
        raise Refusal(say("The first round has not begun."), "HW-27")


def check_phase(state: State, seat: Seat, *phases: Phase) -> None:
    """Refuse what belongs to another phase (HW-31), or to the other player in this one (HW-29)."""
    check_begun(state)
    if phases and state.phase not in phases:
        wanted = next((phase for phase in phases if seat in state.acting_in(phase)), phases[0])
        raise Refusal(say("That is done in another phase: {phase}.", phase=Text(wanted)), "HW-31")
    if seat not in state.acting:
        raise Refusal(say("Only the other player acts in this phase."), "HW-29")


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return []


def rule(state: State, seat: Seat, action: do.Turning, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    return state


def go_on(state: State, ask: Ask) -> State:
    """Go on to the next phases that something can be done in, and see who has won."""
    return state
