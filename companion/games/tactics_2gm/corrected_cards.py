"""Corrections of decks: how many cards a hand and a deck have, what was discarded, and a player's own hand."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from companion.games.tactics_2gm import hands
from companion.kit.decks import corrected
from companion.kit.decks.corrected import Called, Held
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask
    from companion.kit.correction import Tracked

CALLED = Called(
    size=say("Cards in the hand"),
    pile=say("Cards in the deck"),
    nameless=say("Discards that nobody named"),
    hand=say("Your hand"),
    from_hand=say("out of the hand"),
    from_pile=say("out of the deck"),
    put=say("Put on the discards"),
    lost=say("On the discards; others go back into the deck"),
    take=say("Take off the discards into the hand"),
)


def tracked(state: State) -> tuple[Tracked, ...]:
    """List what can be corrected about cards; what is in a hand or a deck only its player is shown (ledger 5.2)."""
    found: list[Tracked] = []
    for seat in state.seats:
        if seat in state.decks:
            group = say("Cards: {seat}", seat=Text(seat))
            name = partial(hands.card_name, state, seat)
            found += corrected.tracked(_held(state, seat), seat, f"cards.{seat}", group, CALLED, name)
    return tuple(found)


def _held(state: State, seat: Seat) -> Held:
    deck = state.deck(seat)
    return Held(
        pile=deck.pile, hand=deck.hand, lost=deck.discard, out=deck.out, real=state.real, most=state.rosters[seat].size
    )


def correct(state: State, rest: str, value: str, ask: Ask) -> State:
    """Move cards between hand, deck and discards; how many a hand then has everybody sees, which ones chance says."""
    name, _, part = rest.partition(".")
    seat = next(one for one in state.seats if one == name)
    held = corrected.correct(_held(state, seat), part, value, ask, seat=seat)
    return state.with_deck(seat, pile=held.pile, hand=held.hand, discard=held.lost, out=held.out)
