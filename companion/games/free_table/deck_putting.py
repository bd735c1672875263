"""Cards are put somewhere else: played, discarded, taken, returned, put out of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.free_table.deck_actions import DOWN, Place, Put
from companion.games.free_table.deck_piles import Deck, covered, shuffled, taken
from companion.kit.cards import FACE_DOWN, without
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask

NAMED = 10
"""Cards that are named in one line; of more, so many."""
DEEDS: dict[str, str] = {
    "table": "{who} plays {cards}",
    "discard": "{who} discards {cards}",
    "removed": "{who} puts out of the game: {cards}",
    "turns over": "{who} turns over {cards}",
}
TAKEN = "{who} takes {cards}"
BACK = {
    "top": "{who} puts a card on top of the deck|{who} puts {count} cards on top of the deck",
    "bottom": "{who} puts a card under the deck|{who} puts {count} cards under the deck",
    "shuffled": "{who} shuffles a card into the deck|{who} shuffles {count} cards into the deck",
    "hand": "{who} takes a card out of the deck|{who} takes {count} cards out of the deck",
}


def named(deck: Deck, cards: tuple[str, ...]) -> Text:
    """Name some cards."""
    faces = deck.pack.faces
    first = [faces[code].short for code in cards[:NAMED]]
    if len(cards) > NAMED:
        first.append(say("{count} more", count=len(cards) - NAMED))
    said = first.pop()
    while first:
        said = say("{one}, {more}", one=first.pop(), more=said)
    return said


def tell_own(deck: Deck, seat: str, text: Text, ask: Ask) -> None:
    """Tell a seat alone which cards it got or gave; with open hands, everybody."""
    ask.tell(text, seat=None if deck.open else seat)


def check_quiet(state: State, deck: Deck) -> None:
    """Refuse to touch a deck that somebody is searching."""
    if deck.searching:
        raise Refusal(say("{who} is searching the deck just now.", who=state.called(deck.searching)))


def shown(deck: Deck, seat: str, who: Text, cards: tuple[str, ...], deed: str, *, reveals: bool = True) -> Ruling[Deck]:
    """Lay cards face up."""
    deck = covered(deck, cards) if deck.real else deck
    match deed:
        case "discard":
            deck = deck.but(discard=(*deck.discard, *cards))
        case "removed":
            deck = deck.but(removed=(*deck.removed, *cards))
        case _:
            deck = deck.but(played=(*deck.played, *((seat, code) for code in cards)))
    return Ruling(deck, say(DEEDS[deed], who=who, cards=named(deck, cards)), reveals=reveals)


def put(state: State, deck: Deck, seat: str, action: Put, ask: Ask) -> Ruling[Deck]:
    """Put cards somewhere else; raise Refusal for cards that are not before this seat."""
    cards, to, who = tuple(dict.fromkeys(action.cards)), action.to, state.called(seat)
    if not cards:
        raise Refusal(say("Tap the cards first."), field="cards")
    open_ones = tuple(code for code in cards if code in {*deck.table, *deck.discard, *deck.removed})
    held = tuple(code for code in cards if code in holds(deck, seat))
    looked_at = tuple(code for code in cards if code in looks_at(deck, seat))
    if {*open_ones, *held, *looked_at} != set(cards):
        raise Refusal(say("A card is not there any more."), field="cards")
    if to == "hand" and seat not in state.roles:
        raise Refusal(say("Only players hold cards: take a seat."), field="to")
    if to == "hand" and held:
        raise Refusal(say("You hold that card already."), field="cards")
    if to in DOWN:
        check_quiet(state, deck)
    deck = _lifted(deck, seat, open_ones, held, looked_at)
    if to not in {"hand", *DOWN}:
        return shown(deck, seat, who, cards, to, reveals=len(open_ones) < len(cards))
    return _face_down(deck, seat, who, to, open_ones, tuple(code for code in cards if code not in open_ones), ask)


def holds(deck: Deck, seat: str) -> tuple[str, ...]:
    """List the cards that a seat may say it holds: its own, or of a real deck any that do not lie face up."""
    if deck.real and FACE_DOWN in deck.hand(seat):
        return deck.unseen
    return deck.named(seat)


def looks_at(deck: Deck, seat: str) -> tuple[str, ...]:
    """List the cards of the deck that a seat has before its eyes."""
    if deck.searching == seat:
        return deck.inside
    return deck.looking.get(seat, ())


def _lifted(
    deck: Deck, seat: str, open_ones: tuple[str, ...], held: tuple[str, ...], looked_at: tuple[str, ...]
) -> Deck:
    """Take cards from where they are."""
    hand = deck.hand(seat)
    for code in held:
        if code not in hand and FACE_DOWN not in hand:
            raise Refusal(say("You hold a card.|You hold {count} cards.", count=len(deck.hand(seat))), field="cards")
        hand = without(hand, (code if code in hand else FACE_DOWN,))
    deck = deck.with_hand(seat, hand)
    gone = set(open_ones)
    deck = deck.but(
        played=tuple(one for one in deck.played if one[1] not in gone),
        discard=tuple(code for code in deck.discard if code not in gone),
        removed=tuple(code for code in deck.removed if code not in gone),
    )
    return taken(deck, looked_at)


def _face_down(
    deck: Deck, seat: str, who: Text, to: Place, seen: tuple[str, ...], unseen: tuple[str, ...], ask: Ask
) -> Ruling[Deck]:
    """Put cards into the deck or the hand; those that lay face up are named to all, the others to the seat alone."""
    count, cards = len(seen) + len(unseen), (*seen, *unseen)
    if seen:
        ask.tell(say(TAKEN, who=who, cards=named(deck, seen)))
    if unseen and not deck.real:
        own = (
            say("You take {cards}", cards=named(deck, unseen))
            if to == "hand"
            else say("You put back {cards}", cards=named(deck, unseen))
        )
        tell_own(deck, seat, own, ask)
    laid = (FACE_DOWN,) * count if deck.real else cards
    match to:
        case "hand":
            deck = deck.with_hand(seat, (*deck.hand(seat), *cards))
        case "top":
            deck = deck.but(order=(*laid, *deck.order))
        case "bottom":
            deck = deck.but(order=(*deck.order, *laid))
        case _:
            deck = shuffled(deck, cards)
    headline = (
        say(TAKEN, who=who, cards=named(deck, seen))
        if to == "hand" and not unseen
        else say(BACK[to], who=who, count=count)
    )
    return Ruling(deck, headline, reveals=bool(unseen) and to == "hand")
