"""The start: decks are ready, territories, who attacks first, and the first hands (HW-20 to HW-26, HW-30)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import actions as do
from companion.games.history_of_war import hands, preparing, rounds, territories
from companion.games.history_of_war.cards import BaseCard
from companion.games.history_of_war.sides import SEATS
from companion.kit.offer import Offer
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask

HAND = 8
"""Cards of a first hand (HW-25)."""
FEW = 2
"""Base expansions of a hand that nobody has to be content with (HW-26)."""
KEEP = Offer("keep", say("Keep this hand"), main=True, clause="HW-25")
CHANGE = Offer("mulligan", say("Change the whole hand, once"), clause="HW-26")


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if state.phase == "decks":
        return _ready_offers(state, seat)
    if state.phase != "mulligan" or state.deck(seat).kept:
        return []
    return [KEEP, CHANGE] if _may_change(state, seat) else [KEEP]


def _ready_offers(state: State, seat: Seat) -> list[Offer]:
    if seat in state.ready:
        return [Offer("ready", say("Not ready yet after all"), {"on": False}, clause="HW-20")]
    try:
        preparing.check_ready(state, seat)
    except Refusal:
        return []
    return [Offer("ready", say("Ready: this is my deck"), main=True, clause="HW-20")]


def rule(state: State, seat: Seat, action: do.Starting, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    match action:
        case do.Ready():
            return _ready(state, seat, ask, on=action.on)
        case do.Keep():
            return _keep(state, seat, ask)
        case do.Mulligan():
            return _mulligan(state, seat, ask)


def _ready(state: State, seat: Seat, ask: Ask, *, on: bool) -> State:
    """Take a player at his word that his deck stands (HW-20); when both are ready the game is set up."""
    if state.phase != "decks":
        raise Refusal(say("The decks stand: the game has begun."), "HW-20")
    if (seat in state.ready) == on:
        raise Refusal(say("You have said so already."), "HW-20")
    if not on:
        ask.tell(say("{seat}: the deck is looked at again", seat=Text(seat)), "HW-20")
        return state.but(ready=tuple(one for one in state.ready if one != seat))
    preparing.check_ready(state, seat)
    ask.tell(say("{seat}: the deck is ready", seat=Text(seat)), "HW-20")
    state = state.but(ready=tuple(one for one in SEATS if one == seat or one in state.ready))
    return _set_up(state, ask) if len(state.ready) == len(SEATS) else state


def _set_up(state: State, ask: Ask) -> State:
    """Reveal the territories, see who attacks first, and deal (HW-20 to HW-25, HW-30)."""
    state = territories.choose_two(state, ask)
    state = _first_attacker(state, ask).but(phase="mulligan")
    for seat in SEATS:
        state = _deal(state, seat, ask)
    return state


def _first_attacker(state: State, ask: Ask) -> State:
    """Let a die say who attacks in the first round (HW-30)."""
    why = say("Who attacks first: 1 to 3 Blue, 4 to 6 Red")
    faces = ask.throw(1, 6, "first_attacker", why, by="blue", clause="HW-30", alike=((1, 2, 3), (4, 5, 6)))
    first: Seat = "blue" if faces[0] <= 3 else "red"
    ask.tell(say("{side} attacks first", side=Text(first)), "HW-30", faces=faces)
    return state.but(attacker=first)


def _deal(state: State, seat: Seat, ask: Ask) -> State:
    """Shuffle all cards of a player but the territories, and draw a first hand (HW-20, HW-21, HW-25)."""
    ask.tell(say("{seat}: the depot is shuffled", seat=Text(seat)), "HW-21")
    return hands.draw(hands.shuffled(state, seat), seat, HAND, say("first hand"), ask, clause="HW-25")


def _may_change(state: State, seat: Seat) -> bool:
    """Tell whether a hand may be changed; of real cards only their owner knows which they are (HW-26, HW-A03)."""
    cards = (state.find_card(seat, code) for code in state.deck(seat).hand)
    few = sum(isinstance(card, BaseCard) for card in cards) < FEW
    return state.options.mulligan == "any" or state.real or few


def _check_looking(state: State, seat: Seat) -> None:
    if state.phase != "mulligan":
        raise Refusal(say("First hands are kept or changed before the first round."), "HW-26")
    if state.deck(seat).kept:
        raise Refusal(say("You have settled your first hand."), "HW-A03")


def _mulligan(state: State, seat: Seat, ask: Ask) -> State:
    """Shuffle a whole first hand back and draw another, once: that hand is kept (HW-26, HW-A03)."""
    _check_looking(state, seat)
    if not _may_change(state, seat):
        raise Refusal(say("A hand with two base expansions or more is kept: so it was agreed on."), "HW-A03")
    ask.tell(say("{seat}: the first hand goes back", seat=Text(seat)), "HW-26")
    state = _deal(state, seat, ask).with_deck(seat, mulligan=True, kept=True)
    return _begin_when_both_keep(state, ask)


def _keep(state: State, seat: Seat, ask: Ask) -> State:
    """Begin with the hand that one holds (HW-25)."""
    _check_looking(state, seat)
    ask.tell(say("{seat}: the first hand is kept", seat=Text(seat)), "HW-25")
    return _begin_when_both_keep(state.with_deck(seat, kept=True), ask)


def _begin_when_both_keep(state: State, ask: Ask) -> State:
    return rounds.begin(state, ask) if all(state.deck(seat).kept for seat in SEATS) else state
