"""Base expansion: one base expansion from the hand into the base, unlocked (HW-07, HW-17, HW-37 to HW-39)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import hands, speech, turn
from companion.games.history_of_war.cards import BaseCard
from companion.games.history_of_war.pieces import Last
from companion.games.history_of_war.sides import SEATS
from companion.kit import decks
from companion.kit.offer import Offer
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.actions import PlayBase
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask


def barred(state: State, seat: Seat) -> Reason | None:
    """Say why a player can not put a base expansion down now; None when he can (HW-38)."""
    if state.phase == "base_expansion" and state.expanded.get(seat) == state.round:
        return Reason(say("You have put one into your base in this round."), "HW-38")
    try:
        turn.check_phase(state, seat, "base_expansion")
    except Refusal as no:
        return no.reason
    return None


def play(state: State, seat: Seat, action: PlayBase, ask: Ask) -> State:
    """Put a base expansion into the base area (HW-17, HW-38, HW-39).

    There is no second one to put down, so that its player is done with the phase, where no phase waits for his word.
    """
    why = barred(state, seat)
    if why is not None:
        raise Refusal(why.text, why.clause)
    hands.check_held(state, seat, action.card)
    card = state.find_card(seat, action.card)
    if not isinstance(card, BaseCard):
        raise Refusal(say("That is no base expansion."), "HW-38", "card")
    code = hands.leaves_as(state, seat, action.card)
    state = hands.leave_hand(state, seat, action.card, to_scrapyard=False).with_entering(seat, code, "base")
    played = state.cards[-1].id
    text = say("{seat}: {card} comes into the base, unlocked", seat=Text(seat), card=speech.called(card.name))
    ask.tell(text, "HW-38", marks=((played, "acting"),))
    done = state.done
    if not state.options.step_by_step and seat not in state.holding:
        ask.tell(say("{seat}: one in a round, so done with this phase", seat=Text(seat)), "HW-38")
        done = tuple(one for one in SEATS if one == seat or one in done)
    return state.but(expanded={**state.expanded, seat: state.round}, done=done, last=Last((played,)))


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer the base expansions of the hand, each kind once."""
    if barred(state, seat) is not None:
        return []
    found = []
    for code in decks.one_each(hands.playable(state, seat)):
        card = state.find_card(seat, code)
        if isinstance(card, BaseCard):
            label = say("Put {card} into your base: {ta} TA", card=speech.called(card.name), ta=card.ta_provided)
            found.append(Offer("play_base", label, {"card": code}, on=code, main=True, clause="HW-38"))
    return found
