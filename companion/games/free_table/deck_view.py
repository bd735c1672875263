"""What a seat sees of a deck: how many cards lie where, those that are face up, and its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.free_table.deck_cards import NOTHING
from companion.games.free_table.deck_piles import Deck, check, laid_out
from companion.games.free_table.deck_putting import looks_at
from companion.kit.cards import FACE_DOWN
from companion.kit.panels import Card, Hand, Panel, Pile, Piles, Row, Tracker
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.free_table.state import State


def panels(state: State, tracker: Deck, seat: str) -> tuple[Panel, ...]:
    """Show the deck, what lies face up, what the seat looks at, and its hand."""
    deck = laid_out(tracker)
    check(deck)
    glyph = deck.glyph or "cards"
    found: list[Panel] = [Tracker(deck.id, deck.title, _rows(state, deck), deck.colour, glyph, _note(state, deck))]
    if deck.played:
        laid = tuple(deck.pack.card(code, side) for side, code in deck.played)
        found.append(Hand(say("{what}: on the table", what=deck.title), laid, f"{deck.id}.table", "open"))
    if seat in deck.looking:
        seen = deck.pack.ordered(looks_at(deck, seat)) if deck.searching else looks_at(deck, seat)
        said = say("{what}: in the deck", what=deck.title)
        title = said if deck.searching else say("{what}: on top", what=deck.title)
        found.append(Hand(title, tuple(map(deck.pack.card, seen)), f"{deck.id}.looking", "looked_at"))
    if deck.hand(seat):
        found.append(_hand(deck, seat))
    if piles := _piles(state, deck, seat):
        found.append(Piles(say("{what}: face up", what=deck.title), piles))
    return tuple(found)


def _rows(state: State, deck: Deck) -> tuple[Row, ...]:
    discards = _count(deck.discard)
    top = deck.pack.faces[deck.discard[-1]].name if deck.discard else None
    rows = [
        Row(f"{deck.id}.deck", say("Deck"), _count(deck.order), spent=not deck.order),
        Row(f"{deck.id}.discard", say("Discard pile"), discards, note=top, spent=not deck.discard),
    ]
    if deck.removed:
        rows.append(Row(f"{deck.id}.removed", say("Out of the game"), _count(deck.removed)))
    seats = [seat for seat in state.roles if deck.hand(seat) or (deck.hands and seat in state.people)]
    return (
        *rows,
        *(Row(f"{deck.id}.hand.{seat}", state.called(seat), _count(deck.hand(seat)), side=seat) for seat in seats),
    )


def _count(cards: tuple[str, ...]) -> Text:
    return say("{count}", count=len(cards))


def _note(state: State, deck: Deck) -> Text | None:
    """Say who looks into the deck: everybody knows."""
    if deck.searching:
        return say("{who} is searching the deck", who=state.called(deck.searching))
    for seat, cards in deck.looking.items():
        return say(
            "{who} is looking at a card|{who} is looking at {count} cards", who=state.called(seat), count=len(cards)
        )
    return say("the real deck is on the table") if deck.real else None


def _hand(deck: Deck, seat: str) -> Hand:
    held = deck.hand(seat)
    cards = [deck.pack.card(code) for code in deck.pack.ordered(deck.named(seat))]
    down = say("face down")
    cards += [Card(f"{deck.id}:?{at}", "?", None, down, NOTHING) for at in range(held.count(FACE_DOWN))]
    title = say("{what}: your hand ({count})", what=deck.title, count=len(held))
    return Hand(title, tuple(cards), f"{deck.id}.hand")


def _piles(state: State, deck: Deck, seat: str) -> tuple[Pile, ...]:
    piles = []
    if deck.discard:
        newest_first = tuple(map(deck.pack.card, deck.discard[::-1]))
        piles.append(Pile(say("Discard pile"), len(deck.discard), newest_first))
    if deck.removed:
        piles.append(Pile(say("Out of the game"), len(deck.removed), tuple(map(deck.pack.card, deck.removed))))
    if deck.open:
        piles += [
            Pile(state.called(other), len(hand), tuple(map(deck.pack.card, deck.pack.ordered(deck.named(other)))))
            for other, hand in deck.hands.items()
            if other != seat
        ]
    return tuple(piles)
