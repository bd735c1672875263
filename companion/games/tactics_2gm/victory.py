"""Victory and defeat: headquarters, cards, surrender, goals (G2-23 to G2-26, G2-32, G2-160, G2-A16, G2-A35)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.games.tactics_2gm import goals
from companion.games.tactics_2gm.sides import SIDES, other, seats_of, side_of
from companion.kit.asking import NO, YES, Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import How, State
    from companion.kit.asking import Ask


def check(state: State, ask: Ask) -> State:
    """Look after an action whether somebody has won: headquarters first, then who is out of cards (G2-A16)."""
    if not state.begun:
        return state
    state = _headquarters(state, ask)
    if state.begun and state.options.deckout_check == "immediate":
        state = out_of_cards(state, ask)
    return state


def finish(state: State, winner: Side | Literal["draw"], how: How, clause: str, ask: Ask) -> State:
    """End the battle and tell how."""
    state = state.but(phase="finished", winner=winner, how=how, done=())
    ask.tell(said(state), clause)
    return state


def said(state: State) -> Text:
    """Say how the battle ended."""
    if state.winner is None:
        return say("The battle is over.")
    if state.winner == "draw":
        match state.how:
            case "cards":
                return say("A draw: neither side has cards left.")
            case "turns":
                return say("A draw: the turns have passed, and nobody has won.")
            case "time":
                return say("A draw: the time is up, and the headquarters have suffered alike.")
            case _:
                return say("A draw.")
    won, lost = Text(state.winner), Text(other(state.winner))
    match state.how:
        case "headquarters":
            return say("Victory for the {side}: the headquarters of the {other} is destroyed.", side=won, other=lost)
        case "cards":
            return say("Victory for the {side}: the {other} ran out of cards.", side=won, other=lost)
        case "surrender":
            return say("Victory for the {side}: the {other} surrendered.", side=won, other=lost)
        case "goals" | "turns":
            return say("Victory for the {side}: all goals are reached.", side=won)
        case "time":
            return say(
                "Victory for the {side}: the time is up, and the headquarters of the {other} has suffered more.",
                side=won,
                other=lost,
            )
        case _:
            return say("Victory for the {side}.", side=won)


def _headquarters(state: State, ask: Ask) -> State:
    """End a pitched battle when a headquarters is destroyed, a scenario by its goals (G2-23, G2-24, G2-160)."""
    if state.options.mode == "scenario":
        return _goals(goals.note(state, ask), "goals", ask)
    for side in (other(state.active), state.active):
        if any(one.side == side and not one.pi for one in state.headquarters):
            return finish(state, other(side), "headquarters", "G2-160" if state.options.two_copies else "G2-32", ask)
    return state


def due(state: State) -> tuple[Reason, ...]:
    """Say why the battle is about to end, and what to set by hand in order to play on (G2-24, G2-26)."""
    if not state.begun:
        return ()
    found = []
    for side in _out(state):
        text = say("{side}: no cards left, so the battle ends. To play on, set some by hand.", side=Text(side))
        found.append(Reason(text, "G2-26"))
    for side in goals.winners(state):
        text = say(
            "{side}: all goals are reached, so the battle ends. To play on, set goals and losses by hand.",
            side=Text(side),
        )
        found.append(Reason(text, "G2-24"))
    if not found and _last(state):
        found.append(Reason(say("The last turn: the battle ends with it. To play on, set the round by hand."), "G2-24"))
    return tuple(found)


def _goals(state: State, how: How, ask: Ask) -> State:
    won = goals.winners(state)
    if not won:
        return state
    return finish(state, won[0] if len(won) == 1 else "draw", how, "G2-24", ask)


def out_of_cards(state: State, ask: Ask) -> State:
    """End the battle when a side has no cards left, in deck and hand, of a pair neither (G2-26, G2-A35)."""
    out = _out(state)
    if not out:
        return state
    return finish(state, other(out[0]) if len(out) == 1 else "draw", "cards", "G2-26", ask)


def _out(state: State) -> list[Side]:
    return [side for side in SIDES if all(state.deck(seat).empty for seat in seats_of(state.options, side))]


def end_of_turn(state: State, ask: Ask) -> State:
    """Look at the end of a turn who is out of cards, and whether the scenario's turns have passed (G2-24, G2-A16)."""
    state = out_of_cards(state, ask)
    if not state.begun or state.scenario is None or not _last(state):
        return state
    ask.tell(say("the last turn has passed"), "G2-24", state.scenario.turns)
    state = _goals(goals.hold_out(state, ask), "turns", ask)
    return finish(state, "draw", "turns", "G2-24", ask) if state.begun else state


def _last(state: State) -> bool:
    """Tell whether this is the last turn of the scenario, or a later one (G2-24)."""
    return state.scenario is not None and 0 < 2 * state.scenario.turns <= state.turn


def surrender(state: State, seat: Seat, ask: Ask) -> State:
    """Give up; of a pair the field marshal does, and his partner agrees (G2-25, G2-A42)."""
    side = side_of(seat)
    if seat != state.leader(side):
        raise Refusal(say("The field marshal surrenders, and you agree or not."), "G2-25")
    partner = state.partner(seat)
    if partner is not None:
        why = say("{seat} would surrender. Do you agree?", seat=Text(seat))
        if ask.choose(partner, (Option("yes", YES), Option("no", NO)), "agree", why, clause="G2-25") == "no":
            ask.tell(say("{seat} said no: the battle goes on", seat=Text(partner)), "G2-25")
            return state
    return finish(state, other(side), "surrender", "G2-25", ask)
