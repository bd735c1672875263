"""Corrections of a deck: every card stays in exactly one place, and nobody learns of another's hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.free_table.deck_piles import Deck, covered, laid_out
from companion.kit.asking import Option
from companion.kit.cards import FACE_DOWN, without
from companion.kit.correction import Tracked
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask

HAND = "hand."


def tracked(state: State, tracker: Deck) -> tuple[Tracked, ...]:
    """List the piles that lie face up, and the hands: of a real deck only how many cards they have."""
    deck = laid_out(tracker)
    every = tuple(deck.pack.options.values())
    piles = {
        "table": (say("On the table"), deck.table),
        "discard": (say("Discard pile"), deck.discard),
        "removed": (say("Out of the game"), deck.removed),
    }
    found = [
        Tracked(f"{deck.id}.{name}", deck.title, Field("value", label, "many", every, cards), reveals=not deck.real)
        for name, (label, cards) in piles.items()
    ]
    hidden = tuple(deck.pack.options[code] for code in deck.unseen)
    seats = (seat for seat in state.roles if seat in state.players or deck.hand(seat))
    return (*found, *(_hand(deck, seat, state.called(seat), every if deck.open else hidden) for seat in seats))


def _hand(deck: Deck, seat: str, who: Text, options: tuple[Option, ...]) -> Tracked:
    path, label, held = f"{deck.id}.{HAND}{seat}", say("Hand of {who}", who=who), deck.hand(seat)
    if deck.real:
        most = len(held) + len(deck.order)
        return Tracked(path, deck.title, Field("value", label, "number", value=len(held), high=most))
    field = Field("value", label, "many", options, deck.pack.ordered(held))
    return Tracked(path, deck.title, field, None if deck.open else seat, reveals=True)


def correct(_state: State, tracker: Deck, part: str, value: str, ask: Ask) -> Deck:
    """Set a pile or a hand; raise Refusal when the deck has too few cards for it."""
    deck = laid_out(tracker)
    seat = part.removeprefix(HAND) if part.startswith(HAND) else None
    if seat is not None and deck.real:
        return _resized(deck, seat, int(value))
    wanted = tuple(dict.fromkeys(code for code in value.split(",") if code))
    here = deck.hand(seat) if seat is not None else _pile(deck, part)
    coming = tuple(code for code in wanted if code not in here)
    leaving = tuple(code for code in here if code not in wanted)
    deck = _set(deck, part, seat, tuple(code for code in here if code in wanted))
    return _set_back(deck, coming, leaving, ask, part, seat)


def _pile(deck: Deck, part: str) -> tuple[str, ...]:
    return deck.table if part == "table" else deck.discard if part == "discard" else deck.removed


def _set(deck: Deck, part: str, seat: str | None, cards: tuple[str, ...]) -> Deck:
    if seat is not None:
        return deck.with_hand(seat, cards)
    if part == "table":
        by = {code: side for side, code in deck.played}
        return deck.but(played=tuple((by.get(code, ""), code) for code in cards))
    return deck.but(**{part: cards})


def _set_back(
    deck: Deck, coming: tuple[str, ...], leaving: tuple[str, ...], ask: Ask, part: str, seat: str | None
) -> Deck:
    """Bring in cards from wherever they are, and put those that leave into the deck.

    How many cards every place holds afterwards follows from what everybody sees: what comes from under a face-down
    card is counted as if it had been in the deck. A hand, or a place of the deck that somebody knows, that really
    held it is made good by chance.
    """
    open_ones = {*deck.table, *deck.discard, *deck.removed}
    if deck.open:
        open_ones |= {code for hand in deck.hands.values() for code in hand}
    hidden = tuple(code for code in coming if code not in open_ones)
    if len(deck.loose if not deck.real else deck.order) + len(leaving) < len(hidden):
        raise Refusal(say("The deck has too few cards for that."), field="value")
    deck = _off(deck, open_ones & set(coming))
    deck = _exchanged(deck, hidden, leaving, ask) if not deck.real else covered(deck, hidden)
    deck = deck.but(order=_sized(deck.order, len(leaving) - len(hidden)))
    here = deck.hand(seat) if seat is not None else _pile(deck, part)
    return _set(deck, part, seat, (*here, *coming))


def _off(deck: Deck, codes: set[str]) -> Deck:
    """Take cards off wherever everybody sees them."""
    hands = {one: tuple(code for code in hand if code not in codes) for one, hand in deck.hands.items()}
    return deck.but(
        played=tuple(one for one in deck.played if one[1] not in codes),
        discard=tuple(code for code in deck.discard if code not in codes),
        removed=tuple(code for code in deck.removed if code not in codes),
        hands={one: hand for one, hand in hands.items() if hand},
    )


def _exchanged(deck: Deck, hidden: tuple[str, ...], leaving: tuple[str, ...], ask: Ask) -> Deck:
    """Take hidden cards out of the deck or from whoever holds them, who draws others instead."""
    loose = tuple(sorted((*deck.loose, *leaving)))
    from_deck = tuple(code for code in hidden if code in loose)
    deck = deck.but(loose=without(loose, from_deck))
    for code in hidden:
        if code in from_deck:
            continue
        owner = next((one for one, hand in deck.hands.items() if code in hand), "")
        why = say("another card for one that was elsewhere")
        (other,) = ask.draw(deck.loose, 1, f"instead_{code}", why, by=owner, secret=True)
        deck = deck.but(loose=without(deck.loose, (other,)))
        if owner:
            deck = deck.with_hand(owner, (other if one == code else one for one in deck.hand(owner)))
        else:
            order = tuple(other if one == code else one for one in deck.order)
            looking = {
                one: tuple(other if seen == code else seen for seen in cards) for one, cards in deck.looking.items()
            }
            deck = deck.but(order=order, looking=looking)
    return deck


def _sized(order: tuple[str, ...], more: int) -> tuple[str, ...]:
    """Let the deck have more places at its bottom, or fewer: of those that nobody knows, the lowest."""
    if more >= 0:
        return (*order, *(FACE_DOWN,) * more)
    left = list(order[::-1])
    for _ in range(-more):
        left.remove(FACE_DOWN)
    return tuple(left[::-1])


def _resized(deck: Deck, seat: str, size: int) -> Deck:
    """Let a real hand hold so many cards; the deck has the others."""
    held = deck.hand(seat)
    kept = (*held, *(FACE_DOWN,) * (size - len(held)))[:size]
    return deck.but(order=_sized(deck.order, len(held) - size)).with_hand(seat, kept)
