"""The round: its phases one after the other, each until both players are content (HW-27 to HW-32, HW-37, HW-104)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import actions as do
from companion.games.history_of_war import construction, damage, ending, hands, rounds_offers, waiting
from companion.games.history_of_war.phases import following
from companion.games.history_of_war.sides import SEATS, other
from companion.games.history_of_war.turn import check_begun, check_shown
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.phases import Phase
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask

offers = rounds_offers.offers

BY_ITSELF: tuple[Phase, ...] = ("draw", "construction", "victory", "final")
"""Phases that end by themselves as soon as what they are for is done."""


def rule(state: State, seat: Seat, action: do.Turning, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    match action:
        case do.Done():
            return _done(state, seat, action, ask)
        case do.Hold():
            return _hold(state, seat, action, ask)
        case do.Discard():
            return ending.discard(state, seat, action, ask)
        case do.Scrap():
            return ending.scrap(state, seat, action, ask)
        case do.Concede():
            ask.tell(say("{seat} gives up", seat=Text(seat)))
            return state.but(phase="finished", winner=other(seat), how="conceded")


def _done(state: State, seat: Seat, meant: do.Done, ask: Ask) -> State:
    """Take a player at his word that he is content with the phase, or with all until he is needed (HW-32)."""
    check_begun(state)
    check_shown(state, meant.phase, meant.round)
    if not meant.on:
        return _not_done(state, seat, ask)
    if seat in state.content or (seat in state.done and meant.until == "phase"):
        raise Refusal(say("You have said so already."), "HW-32")
    if seat in state.holding and meant.until == "needed":
        raise Refusal(say("You stop at every phase: say first that you do so no more."), "HW-32", "until")
    first = waiting.unfinished(state)
    if first is not None and (meant.until == "phase" or waiting.needed(state, seat)):
        raise Refusal(first.text, first.clause)
    alone = waiting.agreeing(state)
    if meant.until == "phase" and seat not in alone:
        raise Refusal(say("Who declares ends this phase alone."), "HW-29")
    if meant.until == "needed":
        ask.tell(say("{seat}: done until needed", seat=Text(seat)), "HW-32")
        state = state.but(content=_with(state.content, seat))
    else:
        ask.tell(say("{seat}: done with this phase", seat=Text(seat)), "HW-32")
    if first is None and seat in alone:
        state = state.but(done=_with(state.done, seat))
        if len(alone) == 1:
            ask.tell(say("no action cards in this phase, so who declares ends it"), _no_cards(state))
    return state


def _not_done(state: State, seat: Seat, ask: Ask) -> State:
    """Let a player look again at a phase that he was content with."""
    if seat not in state.done and seat not in state.content:
        raise Refusal(say("You have not said so."), "HW-32")
    ask.tell(say("{seat}: not done yet after all", seat=Text(seat)), "HW-32")
    return state.but(done=_without(state.done, seat), content=_without(state.content, seat))


def _hold(state: State, seat: Seat, meant: do.Hold, ask: Ask) -> State:
    """Let a player stop at every phase, so that he can play action cards in it, or do so no more (HW-32, HW-A09).

    Who was content until needed is so no longer. Nothing else happens: a phase that waits goes on waiting.
    """
    check_begun(state)
    if state.options.step_by_step:
        raise Refusal(say("This table goes step by step: it stops at every phase."), "HW-104")
    if meant.on == (seat in state.holding):
        raise Refusal(say("You have said so already.") if meant.on else say("You have not said so."), "HW-32")
    if not meant.on:
        ask.tell(say("{seat}: stops at every phase no more", seat=Text(seat)), "HW-32")
        return state.but(holding=_without(state.holding, seat))
    ask.tell(say("{seat}: stops at every phase", seat=Text(seat)), "HW-32")
    if seat in state.content:
        state = state.but(content=_without(state.content, seat), done=_without(state.done, seat))
    return state.but(holding=_with(state.holding, seat))


def _without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(one for one in seats if one != seat)


def _with(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple(one for one in SEATS if one == seat or one in seats)


def _no_cards(state: State) -> str:
    return "HW-54" if state.phase.endswith("attack") else "HW-61"


def begin(state: State, ask: Ask) -> State:
    """Begin the first round (HW-27)."""
    return _enter(ending.first_round(state, ask), "draw", ask)


def go_on(state: State, ask: Ask) -> State:
    """Go on to the next phase that waits for somebody, once this one is over (HW-31, HW-32)."""
    before = (state.round, state.phase)
    while state.begun and _over(state):
        state = _leave(state, ask)
    if state.begun and (state.round, state.phase) != before:
        ask.tell(say("Now: {phase}", phase=Text(state.phase)), "HW-31")
    return state


def _over(state: State) -> bool:
    """Tell whether the phase is over: nothing has to be done first, and it ends by itself or all are content."""
    if waiting.unfinished(state) is not None:
        return False
    return (state.phase in BY_ITSELF and not state.step_by_step) or waiting.agreed(state)


def _leave(state: State, ask: Ask) -> State:
    """End a phase and enter the next, unless the game is over."""
    match state.phase:
        case "damage_1" | "damage_2":
            if any(card.damage for card in state.cards):
                ask.tell(say("the damage is undone"), "HW-75")
            state = damage.wear_off(state)
        case "final":
            state = ending.end_round(state, ask)
    return _enter(state, following(state.phase), ask) if state.begun else state


def _enter(state: State, phase: Phase, ask: Ask) -> State:
    """Enter a phase. Where nobody can do what it is for all are content with it, unless they stop at every phase.

    Who was content until needed is asked again as soon as there is something to do.
    """
    state = state.but(phase=phase, done=())
    if phase == "construction":
        state = construction.begin(state)
    if phase == "draw":
        for seat in SEATS:
            state = hands.draw(state, seat, 1, say("draw phase"), ask)
    state = state.but(content=tuple(seat for seat in state.content if not waiting.needed(state, seat)))
    if phase == "victory":
        ending.look_at_territories(state, ask)
    passed = waiting.nothing_to_do(state)
    if passed is not None and not state.step_by_step:
        ask.tell(passed.text, passed.clause)
        return state.but(done=SEATS)
    return state
