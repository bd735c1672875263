"""Whose turn it is: what is refused because of the phase and of who acts in it (HW-27, HW-29, HW-31, HW-32)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war.phases import STEPS
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.phases import Phase
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State


def check_begun(state: State) -> None:
    """Refuse what belongs to the rounds before the first (HW-27)."""
    if state.phase not in STEPS:
        raise Refusal(say("The first round has not begun."), "HW-27")


def check_shown(state: State, phase: Phase | None, number: int | None) -> None:
    """Refuse what an old page sends, which showed another phase or round; None where it does not say (HW-31)."""
    if phase not in (None, state.phase) or number not in (None, state.round):
        raise Refusal(say("That phase is over already."), "HW-31", "phase" if phase is not None else "round")


def check_phase(state: State, seat: Seat, *phases: Phase) -> None:
    """Refuse what belongs to another phase (HW-31), or to the other player in this one (HW-29)."""
    check_begun(state)
    if phases and state.phase not in phases:
        wanted = next((phase for phase in phases if seat in state.acting_in(phase)), phases[0])
        raise Refusal(say("That is done in another phase: {phase}.", phase=Text(wanted)), "HW-31")
    if seat not in state.acting:
        raise Refusal(say("Only the other player acts in this phase."), "HW-29")
    if seat in state.done:
        raise Refusal(say("You have said that you are done with this phase."), "HW-32")
