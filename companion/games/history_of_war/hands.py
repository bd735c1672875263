"""Depots and hands: what a player draws, holds and loses, dealt by Companion or held as real cards (HW-21, HW-37)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import speech
from companion.games.history_of_war.pieces import Deck
from companion.kit import decks
from companion.kit.cards import FACE_DOWN, without
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.cards import Roster
    from companion.games.history_of_war.pieces import Played
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask


def kinds(roster: Roster) -> dict[str, int]:
    """Return how many copies there are of each card of the depot."""
    return {number: card.count for number, card in roster.numbered.items()}


def shuffled(state: State, seat: Seat) -> State:
    """Make a player's depot out of all cards but the territories, and an empty hand (HW-20, HW-21, HW-05)."""
    depot = decks.face_down(decks.codes(kinds(state.rosters[seat])), real=state.real)
    return state.but(decks={**state.decks, seat: Deck(depot)})


def draw(state: State, seat: Seat, count: int, why: Text, ask: Ask, *, clause: str = "HW-37") -> State:
    """Draw cards into a hand, as many as there are at most, and tell it (HW-A04); ``why`` names what for."""
    deck = state.deck(seat)
    if len(deck.depot) < count:
        there = say(
            "{seat}: {count} card left in the depot|{seat}: {count} cards left in the depot",
            seat=Text(seat),
            count=len(deck.depot),
        )
        ask.tell(there, "HW-A04")
    cards = decks.draw(
        deck.depot,
        count,
        ask,
        seat=seat,
        why=why,
        clause=clause,
        real=state.real,
        name=lambda code: speech.code(state, seat, code),
    )
    return state.with_deck(seat, depot=without(deck.depot, cards), hand=(*deck.hand, *cards))


def playable(state: State, seat: Seat) -> tuple[str, ...]:
    """List the cards that a player may hold: the hand, or with real cards one code for each kind not yet all out."""
    deck, roster = state.deck(seat), state.rosters.get(seat)
    if not state.real:
        return deck.hand
    return decks.left(kinds(roster), deck.out) if roster is not None and deck.hand else ()


def check_held(state: State, seat: Seat, code: str) -> None:
    """Refuse a card that is not in the hand, or of which with real cards no copy can be there any more (HW-76)."""
    name = speech.code(state, seat, code)
    if state.find_card(seat, code) is None:
        raise Refusal(say("There is no such card in your deck."), "HW-37", "card")
    deck, kind = state.deck(seat), decks.kind_of(code)
    if kind in map(decks.kind_of, playable(state, seat)) if state.real else code in deck.hand:
        return
    lost = map(decks.kind_of, deck.scrapyard) if state.real else deck.scrapyard
    if (kind if state.real else code) in lost:
        text = say("{card} lies in the scrapyard, and what lies there is out of the game.", card=name)
        raise Refusal(text, "HW-76", "card")
    if state.real and deck.hand:
        raise Refusal(say("All copies of {card} have been played.", card=name), "HW-37", "card")
    raise Refusal(say("{card} is not in your hand.", card=name), "HW-37", "card")


def leaves_as(state: State, seat: Seat, code: str) -> str:
    """Return the code that a card of the hand has once it is out of it: real cards get that of their next copy."""
    return decks.leaving(state.deck(seat).hand, state.deck(seat).out, code, real=state.real)[1]


def leave_hand(state: State, seat: Seat, code: str, *, to_scrapyard: bool) -> State:
    """Take a card out of a hand: to the scrapyard, or on the table; ``?`` is a real card that nobody named."""
    deck = state.deck(seat)
    hand, gone = decks.leaving(deck.hand, deck.out, code, real=state.real)
    out = (*deck.out, gone) if state.real and gone != FACE_DOWN else deck.out
    scrapyard = (*deck.scrapyard, gone) if to_scrapyard else deck.scrapyard
    return state.with_deck(seat, hand=hand, out=out, scrapyard=scrapyard)


def take_back(state: State, seat: Seat, code: str) -> State:
    """Put a card that left the hand back into it."""
    deck = state.deck(seat)
    if not state.real:
        return state.with_deck(seat, hand=(*deck.hand, code))
    return state.with_deck(seat, hand=(*deck.hand, FACE_DOWN), out=without(deck.out, [code]))


def bury(state: State, played: Played) -> State:
    """Put a card in play, with its upgrades, on its owner's scrapyard (HW-74, HW-76, HW-A38)."""
    deck = state.deck(played.seat)
    state = state.but(cards=tuple(card for card in state.cards if card.id != played.id))
    return state.with_deck(played.seat, scrapyard=(*deck.scrapyard, played.code, *played.upgrades))
