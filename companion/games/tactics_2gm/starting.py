"""The start: decks are ready, the bid, the terrain, the first hands (G2-41 to G2-56)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm import bidding, hands, limits, quarters, terrain, tiles, turn
from companion.games.tactics_2gm.starting_offers import offers
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask

__all__ = ["offers", "rule"]

HAND = 5
"""Cards of a first hand (G2-52)."""
FIRST_HAND = say("first hand")


def rule(state: State, seat: Seat, action: do.Starting, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    match action:
        case do.Ready():
            return _ready(state, seat, action, ask)
        case do.PlaceTerrain():
            return terrain.place(state, seat, action, ask)
        case do.TakeTerrain():
            return terrain.take(state, seat, action, ask)
        case do.ClearTerrain():
            return terrain.clear(state, action, ask)
        case do.SetNatural():
            return tiles.set_natural(state, action, ask)
        case do.LayTiles():
            return tiles.lay(state, seat, action, ask)
        case do.Mulligan():
            return _mulligan(state, seat, ask)
        case do.Keep():
            return _keep(state, seat, ask)


def _ready(state: State, seat: Seat, action: do.Ready, ask: Ask) -> State:
    """Take a player at his word that his deck stands, or that his terrain lies."""
    if action.phase is not None and action.phase != state.phase:
        raise Refusal(say("That page is old: something else is to be done now."), "G2-77", "phase")
    if state.phase == "terrain" and action.on:
        return _go_on(terrain.end_laying(state, seat, ask), ask)
    if state.phase != "decks":
        raise Refusal(say("There is nothing to get ready for now."), "G2-77")
    if (seat in state.ready) == action.on:
        raise Refusal(say("You have said so already."), "G2-06")
    if not action.on:
        ask.tell(say("{seat}: the deck is looked at again", seat=Text(seat)), "G2-06")
        return state.but(ready=tuple(one for one in state.ready if one != seat))
    never = limits.not_ready(state, seat)
    if never is not None:
        raise Refusal(never.text, never.clause)
    ask.tell(say("{seat}: the deck is ready", seat=Text(seat)), "G2-06")
    state = state.but(ready=tuple(one for one in state.seats if one == seat or one in state.ready))
    if len(state.ready) < len(state.seats):
        return state
    for one in state.seats:
        if limits.not_ready(state, one) is not None:
            raise Refusal(say("{seat}: the deck has to be changed first", seat=Text(one)), "G2-11")
    return _go_on(terrain.begin(_start(state, ask), ask), ask)


def _start(state: State, ask: Ask) -> State:
    """Set the headquarters up, and settle who starts (G2-27, G2-37, G2-42 to G2-51)."""
    state = quarters.take_generals(quarters.set_up(state), ask)
    return bidding.who_starts(state, ask)


def _go_on(state: State, ask: Ask) -> State:
    """Deal the first hands as soon as all terrain lies (G2-52, G2-55, G2-A35)."""
    if state.laying:
        return state
    state = state.but(phase="mulligan")
    for seat in state.seats:
        state = _deal(state, seat, ask)
    return state


def _deal(state: State, seat: Seat, ask: Ask) -> State:
    """Shuffle a player's whole deck and draw a first hand from it: five cards, or the scenario's number."""
    scenario = state.scenario
    count, clause = (HAND, "G2-52") if scenario is None else (scenario.hand, "G2-55")
    return hands.draw(hands.shuffled(state, seat), seat, count, FIRST_HAND, ask, clause=clause)


def _check_looking(state: State, seat: Seat) -> None:
    if state.phase != "mulligan":
        raise Refusal(say("First hands are kept or changed before the first turn."), "G2-53")
    if state.deck(seat).kept:
        raise Refusal(say("You have settled your first hand."), "G2-54" if state.deck(seat).mulligan else "G2-53")


def _mulligan(state: State, seat: Seat, ask: Ask) -> State:
    """Return a whole first hand, shuffle and draw as many again, once: that hand is kept (G2-53, G2-54, G2-A14)."""
    _check_looking(state, seat)
    ask.tell(say("{seat}: the first hand goes back, and the deck is shuffled", seat=Text(seat)), "G2-53")
    state = _deal(state, seat, ask).with_deck(seat, mulligan=True, kept=True)
    return _begin_when_all_keep(state, ask)


def _keep(state: State, seat: Seat, ask: Ask) -> State:
    """Begin with the hand that one holds (G2-53)."""
    _check_looking(state, seat)
    ask.tell(say("{seat}: the first hand is kept", seat=Text(seat)), "G2-53")
    return _begin_when_all_keep(state.with_deck(seat, kept=True), ask)


def _begin_when_all_keep(state: State, ask: Ask) -> State:
    if all(state.deck(seat).kept for seat in state.seats):
        return turn.begin(state, ask)
    return state
