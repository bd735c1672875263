"""What a phase waits for: what can still be done in it, what has to be done first, whose word is missing (HW-32)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import battle, conquest, construction, movement, speech
from companion.games.history_of_war.phases import STEPS
from companion.games.history_of_war.sides import SEATS
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.phases import Phase
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State

MOST_HAND = 8
"""Cards that a hand holds after the final phase (HW-97)."""
MOST_UNITS = 5
"""Units that a deployment area holds after the final phase (HW-98)."""
PASSED: dict[Phase, str] = {
    "attacker_deployment": "HW-48",
    "attacker_attack": "HW-50",
    "defender_block": "HW-57",
    "damage_1": "HW-63",
    "defender_deployment": "HW-79",
    "defender_attack": "HW-81",
    "attacker_block": "HW-82",
    "damage_2": "HW-83",
    "attacker_retreat": "HW-84",
    "defender_retreat": "HW-86",
    "victory": "HW-87",
    "final": "HW-97",
}
"""Phases that pass by themselves when nobody can do what they are for, and the clause that says what that is."""


def hand_surplus(state: State, seat: Seat) -> int:
    """Count the cards of the hand that are too many at the end of a round (HW-97)."""
    return max(0, len(state.deck(seat).hand) - MOST_HAND)


def unit_surplus(state: State, seat: Seat) -> int:
    """Count the units in the deployment area that are too many; upgrades do not count (HW-98, HW-A36)."""
    return max(0, len(state.units(seat, "deployment")) - MOST_UNITS)


def needed(state: State, seat: Seat) -> bool:
    """Tell whether a player can or must do what the phase is for, as far as everybody knows."""
    acts = seat in state.acting
    match state.phase:
        case "base_expansion":
            return state.expanded.get(seat) != state.round
        case "construction":
            return not state.plan(seat).built or construction.to_place(state) == seat
        case "attacker_deployment" | "defender_deployment":
            return acts and movement.can_deploy(state, seat)
        case "attacker_attack" | "defender_attack":
            return acts and battle.can_attack(state, seat)
        case "defender_block" | "attacker_block":
            return acts and battle.can_block(state, seat)
        case "damage_1" | "damage_2":
            return bool(state.attacks) and not state.struck and seat == state.striker
        case "attacker_retreat" | "defender_retreat":
            return acts and movement.can_retreat(state, seat)
        case "victory":
            return any(conquest.contest(state, one).conqueror == seat for one in conquest.pending(state))
        case "final":
            return hand_surplus(state, seat) > 0 or unit_surplus(state, seat) > 0
        case _:
            return False


def nothing_to_do(state: State) -> Reason | None:
    """Say why a phase passes by itself: nobody can do what it is for, as everybody knows; None when somebody can."""
    clause = PASSED.get(state.phase)
    if clause is None or any(needed(state, seat) for seat in SEATS):
        return None
    return Reason(_nobody_can(state), clause)


def _nobody_can(state: State) -> Text:
    seat = Text(state.acting[0])
    match state.phase:
        case "attacker_deployment" | "defender_deployment":
            return say("{seat}: no unit can deploy", seat=seat)
        case "attacker_attack" | "defender_attack":
            return say("{seat}: no unit can attack", seat=seat)
        case "defender_block" | "attacker_block":
            return say("{seat}: no unit can block", seat=seat) if state.attacks else say("no attack to block")
        case "attacker_retreat" | "defender_retreat":
            return say("{seat}: no unit can retreat", seat=seat)
        case "victory":
            return say("no territory is conquered")
        case "final":
            return say("nobody has too many cards or units")
        case _:
            return say("no attack, no damage")


def unfinished(state: State) -> Reason | None:
    """Say what has to be done before the phase can end, None when nothing has."""
    match state.phase:
        case "construction" if construction.to_place(state) is not None and all(state.plan(s).built for s in SEATS):
            return Reason(say("First the developments are put into territories."), "HW-46")
        case "construction" if not construction.finished(state):
            return Reason(say("First both players finish their construction."), "HW-44")
        case "damage_1" | "damage_2" if state.attacks and not state.struck:
            return Reason(say("First the damage is dealt."), "HW-63" if state.phase == "damage_1" else "HW-83")
        case "victory" if pending := conquest.pending(state):
            called = speech.territory(state, pending[0])
            return Reason(say("First {territory} is occupied.", territory=called), "HW-91")
        case "final" if any(hand_surplus(state, seat) for seat in SEATS):
            return Reason(say("First the hands are reduced to eight cards."), "HW-97")
        case "final" if any(unit_surplus(state, seat) for seat in SEATS):
            return Reason(say("First the deployment areas are reduced to five units."), "HW-98")
        case _:
            return None


def agreeing(state: State) -> tuple[Seat, ...]:
    """List whose word ends the phase: both, but who declares attacks or blocks does so alone (HW-32, HW-54, HW-61)."""
    return SEATS if STEPS[state.phase].action_cards else state.acting


def agreed(state: State) -> bool:
    """Tell whether all whose word ends the phase are content with it (HW-32)."""
    return all(seat in state.done or seat in state.content for seat in agreeing(state))


def awaited(state: State) -> tuple[Seat, ...]:
    """List the seats that the table waits for now."""
    match state.phase:
        case "decks":
            return tuple(seat for seat in SEATS if seat not in state.ready)
        case "mulligan":
            return tuple(seat for seat in SEATS if not state.deck(seat).kept)
        case "finished":
            return ()
    if unfinished(state) is not None:
        return tuple(seat for seat in SEATS if needed(state, seat))
    return tuple(seat for seat in agreeing(state) if seat not in state.done and seat not in state.content)


def asked_again(state: State) -> State:
    """Return the state after something was changed by hand: whose word holds no more gives it again (HW-32).

    Nobody is content with a phase in which something has to be done first, and somebody is always waited for.
    """
    if not state.begun:
        return state
    if unfinished(state) is not None:
        state = state.but(done=())
    return state if awaited(state) else state.but(done=(), content=())
