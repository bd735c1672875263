"""Decks and hands: what a player draws, holds and plays, dealt by Companion or held as real cards (G2-52 to G2-56)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm.pieces import Deck
from companion.games.tactics_2gm.speech import called
from companion.kit import decks
from companion.kit.cards import FACE_DOWN, without
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import Roster
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask


def kinds(roster: Roster) -> dict[str, int]:
    """Return how many copies there are of each card, by the number of the card."""
    return {str(number): card.count for number, card in enumerate(roster.cards)}


def codes(roster: Roster) -> tuple[str, ...]:
    """List the codes of a roster's cards: the number of the card and that of the copy."""
    return decks.codes(kinds(roster))


def shuffled(state: State, seat: Seat) -> State:
    """Make a player's draw pile out of his whole roster, and an empty hand; real cards are only counted."""
    cards = decks.face_down(codes(state.rosters[seat]), real=state.real)
    return state.but(decks={**state.decks, seat: Deck(cards)})


def draw(state: State, seat: Seat, count: int, why: Text, ask: Ask, *, clause: str = "G2-81") -> State:
    """Draw cards into a hand, as many as there are at most, and tell it; ``why`` names what for: ``first hand``."""
    deck = state.deck(seat)
    if len(deck.pile) < count:
        ask.tell(say("{seat}: {left} left in the deck", seat=Text(seat), left=len(deck.pile)), clause)
    cards = decks.draw(
        deck.pile,
        count,
        ask,
        seat=seat,
        why=why,
        clause=clause,
        real=state.real,
        name=lambda code: card_name(state, seat, code),
    )
    return state.with_deck(seat, pile=without(deck.pile, cards), hand=(*deck.hand, *cards))


def card_name(state: State, seat: Seat, code: str) -> Text:
    """Name a card by its code; a face-down one is just a card."""
    card = state.find_card(seat, code)
    return say("a card") if card is None else called(card.name)


def playable(state: State, seat: Seat) -> tuple[str, ...]:
    """List the cards that a player may hold: the hand, or with real cards one code for each kind not yet all out."""
    deck, roster = state.deck(seat), state.rosters.get(seat)
    if not state.real:
        return deck.hand
    return decks.left(kinds(roster), deck.out) if roster is not None and deck.hand else ()


def check_held(state: State, seat: Seat, code: str) -> None:
    """Refuse a card that is not in the hand, or of which with real cards no copy can be there any more."""
    if code in playable(state, seat):
        return
    name = card_name(state, seat, code)
    if state.find_card(seat, code) is None:
        raise Refusal(say("There is no such card in your deck."), "G2-89", "card")
    if state.real and state.deck(seat).hand:
        raise Refusal(say("All copies of {card} have been played.", card=name), "G2-89", "card")
    raise Refusal(say("{card} is not in your hand.", card=name), "G2-89", "card")


def leave_hand(state: State, seat: Seat, code: str, *, discard: bool) -> State:
    """Take a card out of a hand: to the table, or to the discard pile; ``?`` is a real card that nobody named."""
    deck = state.deck(seat)
    hand, gone = decks.leaving(deck.hand, deck.out, code, real=state.real)
    out = deck.out if code == FACE_DOWN else (*deck.out, gone)
    return state.with_deck(seat, hand=hand, out=out, discard=(*deck.discard, gone) if discard else deck.discard)


def bury(state: State, seat: Seat, code: str) -> State:
    """Lay a card that leaves the table on its player's discard pile; discards never return (G2-A15)."""
    return state.with_deck(seat, discard=(*state.deck(seat).discard, code))
