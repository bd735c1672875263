"""Decks of cards: drawn, dealt and held in secret, or only remembered while the real ones lie on the table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from companion.games.free_table.deck_cards import NOTHING, CardList, Which, check_size, read_list, write_list
from companion.games.free_table.deck_draw import draws
from companion.games.free_table.deck_looks import looks
from companion.games.free_table.deck_moves import hands, piles
from companion.games.free_table.deck_piles import Deck, Who, check, covered, off
from companion.games.free_table.kinds import Kind, Setting, Table, may_compose
from companion.kit.action import Field
from companion.kit.asking import Ask
from companion.kit.correction import Correction, several
from companion.kit.decks import FACE_DOWN, without
from companion.kit.panels import Card, Hand, Panel, Pile, Piles, Row, Stack
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

MOST_COPIES = 8
MOST_JOKERS = 4
WHICH = {
    "52": "52 cards",
    "32": "32 cards: 7 to ace",
    "24": "24 cards: 9 to ace",
    "24_cities": "24 cards of A Tale of Two Cities",
    "40": "40 Spanish cards",
    "48": "48 Spanish cards",
    "own": "My own list",
}


class SetDeck(Setting[Deck], frozen=True, tag="set_deck"):
    """Add a deck of cards, or change one: with other cards or other hands it is gathered and shuffled."""

    which: Annotated[Which, Meta(title="Which cards", extra={"labels": WHICH})] = "52"
    own: CardList = ""
    copies: Annotated[int, Meta(title="How many decks in one", ge=1, le=MOST_COPIES)] = 1
    jokers: Annotated[int, Meta(title="Jokers", ge=0, le=MOST_JOKERS)] = 0
    real: Annotated[
        bool,
        Meta(title="The real cards are on the table", description="Companion then only remembers what lies where."),
    ] = False
    peek: Annotated[Who, Meta(title="Who may look into the deck")] = "nobody"
    open: Annotated[bool, Meta(title="Hands lie open")] = False

    def made(self, old: Deck) -> Deck:
        """Make the deck; raise Refusal for a list that can not be read, or too many cards."""
        made = self.onto(old, own=read_list(self.own) if self.which == "own" else ())
        check_size(len(made.pack.faces), "copies")
        return made if _make(made) == _make(old) else made.fresh()


def _make(deck: Deck) -> tuple[Any, ...]:
    return (deck.which, tuple(card.plain for card in deck.own), deck.jokers, deck.copies, deck.real, deck.open)


decks = Kind(
    Deck,
    SetDeck,
    fresh=Deck.fresh,
    typed=lambda deck: {"own": write_list(deck.own)},
    plays=(hands, draws, piles, looks),
)


@decks.panels
def panels(table: Table, deck: Deck, seat: str) -> Iterator[Panel]:
    """Show the deck, what lies face up, what the seat looks at, and its hand."""
    deck = deck.ready(table)
    check(deck)
    yield replace(deck.panel(_rows(table, deck), "cards", _note(table, deck)), prints=_may_print(table, deck, seat))
    if deck.played:
        laid = tuple(deck.pack.card(code, side) for side, code in deck.played)
        yield Hand(say("{what}: on the table", what=deck.title), laid, f"{deck.id}.table", "open")
    if seat in deck.looking:
        cards = deck.before(seat)
        title = say("{what}: on top", what=deck.title)
        if deck.searching:
            cards, title = deck.pack.ordered(cards), say("{what}: in the deck", what=deck.title)
        yield Hand(title, tuple(map(deck.pack.card, cards)), f"{deck.id}.looking", "looked_at")
    if held := deck.hand(seat):
        hand = [deck.pack.card(code) for code in deck.pack.ordered(deck.named(seat))]
        down = range(held.count(FACE_DOWN))
        hand += [Card(f"{deck.id}:?{at}", "?", None, say("face down"), NOTHING) for at in down]
        title = say("{what}: your hand ({count})", what=deck.title, count=len(held))
        yield Hand(title, tuple(hand), f"{deck.id}.hand")
    if face_up := tuple(_face_up(table, deck, seat)):
        yield Piles(say("{what}: face up", what=deck.title), face_up, deck.id)


def _may_print(table: Table, deck: Deck, seat: str) -> bool:
    """Tell whether a seat knows all cards of a deck: what is in a list of one's own only who may change it does."""
    return deck.which != "own" or may_compose(table, seat)


def cards(table: Table, seat: str, tracker: str) -> Iterator[tuple[Card, int]]:
    """List the cards that a deck has, wherever they are, for a seat that may read them all."""
    deck = table.tracker(tracker)
    if isinstance(deck, Deck) and _may_print(table, deck, seat):
        yield from ((deck.pack.card(code), 1) for code in deck.pack.faces)


def _rows(table: Table, deck: Deck) -> Iterator[Row]:
    left = Stack(len(deck.order))
    yield Row(f"{deck.id}.deck", say("Deck"), _count(deck.order), spent=not deck.order, stack=left)
    yield _pile(deck, "discard", say("Discard pile"), deck.discard)
    if deck.removed:
        yield _pile(deck, "removed", say("Out of the game"), deck.removed)
    for seat in table.roles:
        if (hand := deck.hand(seat)) or (deck.hands and seat in table.people):
            stack = Stack(len(hand), held=True)
            yield Row(f"{deck.id}.hand.{seat}", table.called(seat), _count(hand), side=seat, stack=stack)


def _pile(deck: Deck, name: str, called: Text, cards: tuple[str, ...]) -> Row:
    stack = Stack(top=deck.pack.card(cards[-1]) if cards else None)
    return Row(f"{deck.id}.{name}", called, _count(cards), spent=not cards, stack=stack)


def _count(cards: tuple[str, ...]) -> Text:
    return say("{count}", count=len(cards))


def _note(table: Table, deck: Deck) -> Text | None:
    """Say who looks into the deck: everybody knows."""
    if deck.searching:
        return say("{who} is searching the deck", who=table.called(deck.searching))
    for seat, cards in deck.looking.items():
        who, count = table.called(seat), len(cards)
        return say("{who} is looking at a card|{who} is looking at {count} cards", who=who, count=count)
    return say("the real deck is on the table") if deck.real else None


def _face_up(table: Table, deck: Deck, seat: str) -> Iterator[Pile]:
    if deck.discard:
        yield Pile(say("Discard pile"), len(deck.discard), tuple(map(deck.pack.card, deck.discard[::-1])))
    if deck.removed:
        yield Pile(say("Out of the game"), len(deck.removed), tuple(map(deck.pack.card, deck.removed)))
    if deck.open:
        for other, hand in deck.hands.items():
            if other != seat:
                cards = tuple(map(deck.pack.card, deck.pack.ordered(deck.named(other))))
                yield Pile(table.called(other), len(hand), cards)


@decks.corrections
def corrections(table: Table, deck: Deck) -> Iterator[Correction[Deck]]:
    """List the piles that lie face up, and the hands: of a real deck only how many cards they have.

    Every card stays in exactly one place, and nobody learns of another's hand.
    """
    deck = deck.ready(table)
    every = tuple(deck.pack.options.values())
    hidden = deck.choices(deck.unseen)
    for pile, label, cards in (
        ("table", say("On the table"), deck.table),
        ("discard", say("Discard pile"), deck.discard),
        ("removed", say("Out of the game"), deck.removed),
    ):
        put = partial(_corrected, deck, pile, None)
        yield deck.corrections.value(pile, Field("value", label, "many", every, cards), put, reveals=not deck.real)
    for seat in table.roles:
        if seat in table.players or deck.hand(seat):
            yield _hand(deck, seat, say("Hand of {who}", who=table.called(seat)), every if deck.open else hidden)


def _hand(deck: Deck, seat: str, label: Text, options: tuple[Option, ...]) -> Correction[Deck]:
    name, held = f"hand.{seat}", deck.hand(seat)
    if deck.real:
        most = len(held) + len(deck.order)
        return deck.corrections.number(name, label, len(held), partial(_resized, deck, seat), high=most)
    field = Field("value", label, "many", options, deck.pack.ordered(held))
    put = partial(_corrected, deck, "", seat)
    return deck.corrections.value(name, field, put, secret_of=None if deck.open else seat, reveals=True)


def _resized(deck: Deck, seat: str, size: int) -> Deck:
    """Let a real hand hold so many cards; the deck has the others."""
    held = deck.hand(seat)
    kept = (*held, *(FACE_DOWN,) * (size - len(held)))[:size]
    return deck.but(order=_sized(deck.order, len(held) - size)).with_hand(seat, kept)


def _sized(order: tuple[str, ...], more: int) -> tuple[str, ...]:
    """Let the deck have more places at its bottom, or fewer: of those that nobody knows, the lowest."""
    if more >= 0:
        return (*order, *(FACE_DOWN,) * more)
    return without(order[::-1], (FACE_DOWN,) * -more)[::-1]


def _corrected(deck: Deck, pile: str, seat: str | None, sent: str, ask: Ask) -> Deck:
    """Set a pile, or the hand of a seat; raise Refusal when the deck has too few cards for it.

    Cards come from wherever they are, and those that leave go into the deck. How many cards every place holds
    afterwards follows from what everybody sees: what comes from under a face-down card is counted as if it had been in
    the deck. A hand, or a place of the deck that somebody knows, that really held it is made good by chance.
    """
    wanted, here = several(sent), _lying(deck, pile, seat)
    coming = tuple(code for code in wanted if code not in here)
    leaving = tuple(code for code in here if code not in wanted)
    deck = _laid(deck, pile, seat, tuple(code for code in here if code in wanted))
    seen = {*deck.face_up, *(code for hand in deck.hands.values() for code in hand if deck.open)}
    hidden = tuple(code for code in coming if code not in seen)
    if len(deck.order if deck.real else deck.loose) + len(leaving) < len(hidden):
        raise Refusal(say("The deck has too few cards for that."), field="value")
    deck = _without(deck, seen & set(coming))
    deck = covered(deck, hidden) if deck.real else _exchanged(deck, hidden, leaving, ask)
    deck = deck.but(order=_sized(deck.order, len(leaving) - len(hidden)))
    return _laid(deck, pile, seat, (*_lying(deck, pile, seat), *coming))


def _lying(deck: Deck, pile: str, seat: str | None) -> tuple[str, ...]:
    if seat is not None:
        return deck.hand(seat)
    return {"table": deck.table, "discard": deck.discard, "removed": deck.removed}[pile]


def _laid(deck: Deck, pile: str, seat: str | None, cards: tuple[str, ...]) -> Deck:
    if seat is not None:
        return deck.with_hand(seat, cards)
    if pile == "table":
        by = {code: side for side, code in deck.played}
        return deck.but(played=tuple((by.get(code, ""), code) for code in cards))
    return deck.but(**{pile: cards})


def _without(deck: Deck, codes: set[str]) -> Deck:
    hands = {seat: tuple(code for code in hand if code not in codes) for seat, hand in deck.hands.items()}
    return off(deck, codes).but(hands={seat: hand for seat, hand in hands.items() if hand})


def _exchanged(deck: Deck, hidden: tuple[str, ...], leaving: tuple[str, ...], ask: Ask) -> Deck:
    """Take hidden cards out of the deck or from whoever holds them, who draws others instead."""
    loose = tuple(sorted((*deck.loose, *leaving)))
    from_deck = tuple(code for code in hidden if code in loose)
    deck = deck.but(loose=without(loose, from_deck))
    for code in without(hidden, from_deck):
        owner = next((seat for seat, hand in deck.hands.items() if code in hand), "")
        why = say("another card for one that was elsewhere")
        (other,) = ask.draw(deck.loose, 1, f"instead_{code}", why, by=owner, secret=True)
        deck = deck.but(loose=without(deck.loose, (other,)))
        if owner:
            deck = deck.with_hand(owner, _swapped(deck.hand(owner), code, other))
        else:
            looking = {seat: _swapped(cards, code, other) for seat, cards in deck.looking.items()}
            deck = deck.but(order=_swapped(deck.order, code, other), looking=looking)
    return deck


def _swapped(cards: tuple[str, ...], code: str, other: str) -> tuple[str, ...]:
    return tuple(other if card == code else card for card in cards)
