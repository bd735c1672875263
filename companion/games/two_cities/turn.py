"""The turn: play one card, act, discard, draw, and the opponent is next (TTC-16 to TTC-18, TTC-128 to TTC-130)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities.activation import begin, finish_all
from companion.games.two_cities.deck import card_face, rule_of
from companion.games.two_cities.hand import check_held, discard, draw, not_thrown_away, take, unplayable
from companion.games.two_cities.reinforcements import reinforce
from companion.games.two_cities.units import Side, other
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.actions import PlayCard
    from companion.games.two_cities.state import State
    from companion.kit.asking import Ask


def check_phase(state: State, seat: str, phase: str) -> None:
    """Refuse what is done out of turn (TTC-16) or in the wrong step of it (TTC-17, TTC-18)."""
    if state.phase == "finished":
        raise Refusal(say("The game is over."), "TTC-128")
    if state.phase == "set_up" and phase != "set_up":
        raise Refusal(say("The game has not begun: both players say first that they are ready."), "TTC-11")
    if state.phase != "set_up" and phase == "set_up":
        raise Refusal(say("The game has begun: the starting position stands."), "TTC-09")
    if phase != "set_up" and seat != state.active:
        raise Refusal(say("It is {side}'s turn.", side=Text(state.active)), "TTC-16")
    if phase == "activations" and state.phase == "choose_card" and state.hands.get(state.active):
        raise Refusal(say("First a card is played."), "TTC-17")
    if phase == "choose_card" and state.phase == "activations":
        raise Refusal(say("One card a turn, and it has been played."), "TTC-18")


def play_card(state: State, action: PlayCard, ask: Ask) -> State:
    """Play a card out of the hand (TTC-17, TTC-18, TTC-38)."""
    side, code = state.active, action.card
    check_held(state, side, code)
    barred = unplayable(state, side, code)
    if barred is not None:
        raise Refusal(
            say("{card} cannot be played: {why}", card=card_face(code), why=barred.text),
            barred.clause,
            "card",
        )
    state = take(state, side, code).but(phase="activations", last=None)
    card = rule_of(code)
    ask.tell(Text(f"does.{code}"), card.clause)
    return reinforce(state, action, ask) if card.buys else begin(state)


def throw_away(state: State, code: str, ask: Ask) -> State:
    """Throw away a card because none can be played; nothing moves, discard and draw follow (TTC-41)."""
    side = state.active
    check_held(state, side, code)
    barred = not_thrown_away(state, side, code)
    if barred is not None:
        raise Refusal(barred.text, barred.clause, "card")
    ask.tell(say("{side} throws away {card}", side=Text(side), card=card_face(code)), "TTC-41")
    return _over(take(state, side, code), ask)


def check_meant(state: State, turn: int | None) -> None:
    """Refuse to end another turn than an old page shows (TTC-17)."""
    if turn not in (None, state.turn):
        raise Refusal(say("That turn is over already."), "TTC-17")


def end_turn(state: State, ask: Ask) -> State:
    """End the turn: idle units stand (TTC-23, TTC-77), then discard (TTC-67), draw (TTC-68), next player (TTC-16)."""
    return _over(finish_all(state), ask)


def _over(state: State, ask: Ask) -> State:
    state = draw(discard(state, ask), ask)
    ask.tell(say("{side}'s turn begins", side=Text(other(state.active))), "TTC-16")
    return state.but(
        units=tuple(unit.rested() for unit in state.units),
        phase="choose_card",
        active=other(state.active),
        turn=state.turn + 1,
        acting=None,
        last=None,
    )


def surrender(state: State, side: Side, ask: Ask) -> State:
    """Give up: the opponent wins (TTC-129)."""
    ask.tell(say("{side} surrenders", side=Text(side)), "TTC-129")
    return state.but(winner=other(side), phase="finished", acting=None)
