"""Decks and hands: what a player draws, holds and plays, dealt by Companion or held as real cards (G2-52 to G2-56)."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from companion.games.tactics_2gm.pieces import Deck
from companion.games.tactics_2gm.speech import called
from companion.kit.cards import FACE_DOWN, without
from companion.kit.ruling import Refusal
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import Roster
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask

NO_CARD = say("no card")


def codes(roster: Roster) -> tuple[str, ...]:
    """List the codes of a roster's cards: the number of the card and that of the copy."""
    return tuple(f"{number}.{copy}" for number, card in enumerate(roster.cards) for copy in range(card.count))


def shuffled(state: State, seat: Seat) -> State:
    """Make a player's draw pile out of his whole roster, and an empty hand; real cards are only counted."""
    found = codes(state.rosters[seat])
    cards = (FACE_DOWN,) * len(found) if state.real else tuple(sorted(found))
    return state.but(decks={**state.decks, seat: Deck(cards)})


def draw(state: State, seat: Seat, count: int, why: Text, ask: Ask, *, clause: str = "G2-81") -> State:
    """Draw cards into a hand, as many as there are at most, and tell it; ``why`` names what for: ``first hand``."""
    deck = state.deck(seat)
    taking = min(count, len(deck.pile))
    if taking < count:
        ask.tell(say("{seat}: {left} left in the deck", seat=Text(seat), left=taking), clause)
    if not taking:
        return state
    text = say("{seat}: {count} card drawn ({why})|{seat}: {count} cards drawn ({why})", seat=Text(seat), count=taking,
               why=why)  # fmt: skip
    if state.real:
        cards = (FACE_DOWN,) * taking
        ask.tell(text, clause)
    else:
        cards = ask.draw(deck.pile, taking, f"draw_{seat}", text, by=seat, secret=True)
        ask.tell(text, clause)
        names = listed([card_name(state, seat, code) for code in cards], NO_CARD)
        ask.tell(say("You draw: {cards}", cards=names), clause, seat=seat)
    return state.with_deck(seat, pile=without(deck.pile, cards), hand=(*deck.hand, *cards))


def card_name(state: State, seat: Seat, code: str) -> Text:
    """Name a card by its code; a face-down one is just a card."""
    card = state.find_card(seat, code)
    return say("a card") if card is None else called(card.name)


def playable(state: State, seat: Seat) -> tuple[str, ...]:
    """List the cards that a player may hold: the hand, or with real cards one code for each kind not yet all out."""
    deck = state.deck(seat)
    if not state.real:
        return deck.hand
    roster = state.rosters.get(seat)
    if roster is None or not deck.hand:
        return ()
    return tuple(f"{kind}.0" for kind, card in enumerate(roster.cards) if _out(deck, str(kind)) < card.count)


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
    hand = without(deck.hand, [FACE_DOWN if state.real else code])
    kind = code.partition(".")[0]
    gone = _next_copy(deck, kind) if state.real and code != FACE_DOWN else code
    out = deck.out if code == FACE_DOWN else (*deck.out, gone)
    return state.with_deck(seat, hand=hand, out=out, discard=(*deck.discard, gone) if discard else deck.discard)


def bury(state: State, seat: Seat, code: str) -> State:
    """Lay a card that leaves the table on its player's discard pile; discards never return (G2-A15)."""
    return state.with_deck(seat, discard=(*state.deck(seat).discard, code))


def _next_copy(deck: Deck, kind: str) -> str:
    """Return the code of the first copy of a real card that has not left the hand; some may have come back by hand."""
    return next(code for copy in count() if (code := f"{kind}.{copy}") not in deck.out)


def _out(deck: Deck, kind: str) -> int:
    """Count the copies of a card that have left the hand."""
    return sum(code.partition(".")[0] == kind for code in deck.out)
