"""Cards are put somewhere else: played, discarded, taken, given to others, returned, put out of the game."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial, reduce
from typing import Annotated, Literal

from msgspec import Meta

from companion.games.free_table.deck_cards import MOST_CARDS
from companion.games.free_table.deck_piles import Deck, covered, off, shuffled, taken
from companion.games.free_table.kinds import Deed, Play, Table
from companion.kit.action import Field, Offer, number_field
from companion.kit.asking import Ask
from companion.kit.decks import FACE_DOWN, without
from companion.kit.questions import Option
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

Place = Literal["table", "hand", "discard", "top", "bottom", "shuffled", "removed"]
DOWN: tuple[Place, ...] = ("top", "bottom", "shuffled")
"""Places in the deck."""
WORDS: dict[Place, Text] = {
    "table": say("Play"),
    "hand": say("Into my hand"),
    "discard": say("Discard"),
    "top": say("On top of the deck"),
    "bottom": say("Under the deck"),
    "shuffled": say("Shuffle into the deck"),
    "removed": say("Out of the game"),
}
DEEDS = {
    "table": "{who} plays {cards}",
    "discard": "{who} discards {cards}",
    "removed": "{who} puts out of the game: {cards}",
    "turns over": "{who} turns over {cards}",
}
BACK = {
    "top": "{who} puts a card on top of the deck|{who} puts {count} cards on top of the deck",
    "bottom": "{who} puts a card under the deck|{who} puts {count} cards under the deck",
    "shuffled": "{who} shuffles a card into the deck|{who} shuffles {count} cards into the deck",
    "hand": "{who} takes a card out of the deck|{who} takes {count} cards out of the deck",
    "face down": "{who} puts a card back into the deck|{who} puts {count} cards back into the deck",
}
NAMED = 10
"""Cards that are named in one line; of more, so many."""
NOT_THERE = say("A card is not there any more.")
Count = Annotated[int, Meta(ge=1, le=MOST_CARDS)]
Codes = Annotated[tuple[str, ...], Meta(max_length=MOST_CARDS)]


class Put(Deed, frozen=True, tag="put"):
    """Put cards that one holds, that lie face up, or that one looks at in the deck, somewhere else."""

    to: Place
    cards: Codes = ()


class Give(Deed, frozen=True, tag="give"):
    """Give cards of the own hand to another seat, without the others seeing them."""

    to: str
    cards: Codes = ()


class HandOver(Deed, frozen=True, tag="hand_over"):
    """Give cards of a real deck, face down, to another seat or (None) back to the deck."""

    count: Count
    to: str | None = None


class Mark(Deed, frozen=True, tag="mark"):
    """Write down which cards of a real deck one holds, for oneself."""

    cards: Codes = ()


class Sweep(Deed, frozen=True, tag="sweep"):
    """Put all cards on the table on the discard pile."""


class Gather(Deed, frozen=True, tag="gather"):
    """Bring all cards together and shuffle them, but those that are out of the game."""


hands, piles = Play(Deck), Play(Deck)


def moves(deck: Deck, cards: tuple[str, ...], on: str, places: tuple[Place, ...], *, player: bool) -> Iterator[Offer]:
    """Offer to put some of these cards somewhere: the first two places are at hand, the others kept aside."""
    which = Field("cards", say("Cards"), "many", deck.choices(cards))
    for at, place in enumerate(places):
        if _open(deck, place, player=player):
            main, aside = at == 0, at > 1
            yield Put.offer(WORDS[place], which, on=on, main=main, loose=True, aside=aside, tracker=deck.id, to=place)


def _open(deck: Deck, place: Place, *, player: bool) -> bool:
    return (player or place != "hand") and not (deck.searching and place in DOWN)


@hands.offers
def hand_offers(table: Table, deck: Deck, seat: str) -> Iterator[Offer]:
    """Offer what can be done with the own cards."""
    if not deck.hand(seat):
        return
    others = tuple(other for other in table.players if other != seat)
    if deck.real:
        yield from _real_hand(table, deck, deck.hand(seat), others)
    if cards := deck.pack.ordered(deck.named(seat)):
        on, which = f"{deck.id}.hand", Field("cards", say("Cards"), "many", deck.choices(cards))
        yield from moves(deck, cards, on, ("table", "discard", "top", "bottom", "shuffled", "removed"), player=True)
        for other in others:
            label = say("Give to {who}", who=table.called(other))
            yield Give.offer(label, which, on=on, loose=True, aside=True, tracker=deck.id, to=other)


def _real_hand(table: Table, deck: Deck, hand: tuple[str, ...], others: tuple[str, ...]) -> Iterator[Offer]:
    """Offer what can be done with cards whose faces only their player sees: they are named as they are laid down."""
    unseen, on, down = deck.choices(deck.unseen), deck.id, hand.count(FACE_DOWN)
    if down:
        which = Field("cards", say("Which cards they are"), "many", unseen)
        put = partial(Put.offer, on=on, loose=True, tracker=on)
        yield put(say("Play from my hand…"), which, to="table")
        yield put(say("Discard from my hand…"), which, to="discard")
        count = number_field("count", say("How many cards, face down"), 1, 1, down)
        hand_over = partial(HandOver.offer, on=on, aside=True, tracker=on)
        yield hand_over(say("Back into the deck…"), count)
        for other in others:
            yield hand_over(say("Give to {who}…", who=table.called(other)), count, to=other)
    noted = tuple(code for code in hand if code != FACE_DOWN)
    mine = Field("cards", say("The cards that I hold; only you see this"), "many", unseen, noted)
    yield Mark.offer(say("Note my cards…"), mine, on=on, loose=True, tracker=on)


@piles.offers
def pile_offers(table: Table, deck: Deck, seat: str) -> Iterator[Offer]:
    """Offer what can be done with what lies face up, and to bring everything together.

    What leaves most open comes last: what settles more is found before it.
    """
    player, on = seat in table.roles, f"{deck.id}.table"
    if deck.played:
        places: tuple[Place, ...] = ("hand", "discard", "top", "bottom", "shuffled", "removed")
        yield from moves(deck, deck.table, on, places, player=player)
        yield Sweep.offer(say("Clear the table"), on=on, aside=True, tracker=deck.id)
    if deck.discard:
        on = f"{deck.id}.discard"
        if player:
            yield Put.offer(say("Take"), on=on, tracker=deck.id, to="hand", cards=deck.discard[-1:])
        lying = Field("cards", say("Cards"), "many", deck.choices((*deck.discard[::-1], *deck.removed)))
        to = tuple(Option(place, words) for place, words in WORDS.items() if _open(deck, place, player=player))
        where = Field("to", say("Where to"), "choice", to, to[0].value)
        yield Put.offer(say("Move…"), lying, where, on=on, loose=True, tracker=deck.id)
    if deck.hands or deck.played or deck.discard or deck.searching:
        label, asks = say("Gather all cards and shuffle"), say("Gather the cards of everybody and shuffle them?")
        yield Gather.offer(label, on=deck.id, grave=True, aside=True, asks=asks, tracker=deck.id)


def named(deck: Deck, cards: tuple[str, ...]) -> Text:
    """Name some cards."""
    first = [deck.pack.faces[code].short for code in cards[:NAMED]]
    if len(cards) > NAMED:
        first.append(say("{count} more", count=len(cards) - NAMED))
    return reduce(lambda more, one: say("{one}, {more}", one=one, more=more), reversed(first))


def tell_own(deck: Deck, seat: str, text: Text, ask: Ask) -> None:
    """Tell a seat alone which cards it got or gave; with open hands, everybody."""
    ask.tell(text, seat=None if deck.open else seat)


def check_quiet(table: Table, deck: Deck) -> None:
    """Refuse to touch a deck that somebody is searching."""
    if deck.searching:
        raise Refusal(say("{who} is searching the deck just now.", who=table.called(deck.searching)))


def check_player(table: Table, seat: str, field: str | None = None) -> None:
    """Refuse a hand to somebody who has no seat."""
    if seat not in table.roles:
        raise Refusal(say("Only players hold cards: take a seat."), field=field)


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


@piles.rule(Put)
def put(table: Table, deck: Deck, seat: str, action: Put, ask: Ask) -> Ruling[Deck]:
    """Put cards somewhere else; raise Refusal for cards that are not before this seat."""
    cards, to, who = _tapped(action.cards), action.to, table.called(seat)
    lying, before = deck.face_up, deck.before(seat)
    own = deck.unseen if deck.real and FACE_DOWN in deck.hand(seat) else deck.named(seat)
    face_up = tuple(code for code in cards if code in lying)
    held = tuple(code for code in cards if code in own)
    looked_at = tuple(code for code in cards if code in before)
    if {*face_up, *held, *looked_at} != set(cards):
        raise Refusal(NOT_THERE, field="cards")
    if to == "hand":
        check_player(table, seat, "to")
        if held:
            raise Refusal(say("You hold that card already."), field="cards")
    if to in DOWN:
        check_quiet(table, deck)
    deck = taken(off(deck.with_hand(seat, _laid_down(deck.hand(seat), held)), face_up), looked_at)
    unseen = tuple(code for code in cards if code not in face_up)
    if to == "hand" or to in DOWN:
        return _face_down(deck, seat, who, to, face_up, unseen, ask)
    return shown(deck, seat, who, cards, to, reveals=bool(unseen))


def _tapped(codes: tuple[str, ...]) -> tuple[str, ...]:
    cards = tuple(dict.fromkeys(codes))
    if not cards:
        raise Refusal(say("Tap the cards first."), field="cards")
    return cards


def _laid_down(hand: tuple[str, ...], cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is left of a hand; raise Refusal for more cards of a real deck than are in it."""
    left = hand
    for code in cards:
        if code not in left and FACE_DOWN not in left:
            raise Refusal(say("You hold a card.|You hold {count} cards.", count=len(hand)), field="cards")
        left = without(left, (code if code in left else FACE_DOWN,))
    return left


def _face_down(
    deck: Deck, seat: str, who: Text, to: Place, seen: tuple[str, ...], unseen: tuple[str, ...], ask: Ask
) -> Ruling[Deck]:
    """Put cards into the deck or the hand; those that lay face up are named to all, the others to the seat alone."""
    count, cards = len(seen) + len(unseen), (*seen, *unseen)
    takes = say("{who} takes {cards}", who=who, cards=named(deck, seen)) if seen else None
    if takes:
        ask.tell(takes)
    if unseen and not deck.real:
        own = say("You take {cards}" if to == "hand" else "You put back {cards}", cards=named(deck, unseen))
        tell_own(deck, seat, own, ask)
    laid = (FACE_DOWN,) * count if deck.real else cards
    match to:
        case "hand":
            deck = deck.more_in_hand(seat, cards)
        case "top":
            deck = deck.but(order=(*laid, *deck.order))
        case "bottom":
            deck = deck.but(order=(*deck.order, *laid))
        case _:
            deck = shuffled(deck, cards)
    headline = takes if takes and to == "hand" and not unseen else say(BACK[to], who=who, count=count)
    return Ruling(deck, headline, reveals=bool(unseen) and to == "hand")


@hands.rule(Give)
def give(table: Table, deck: Deck, seat: str, action: Give, ask: Ask) -> Ruling[Deck]:
    """Give cards to somebody; raise Refusal for cards that one does not hold."""
    _check_receiver(table, seat, action.to)
    cards = _tapped(action.cards)
    if not set(cards) <= set(deck.named(seat)):
        raise Refusal(NOT_THERE, field="cards")
    deck = deck.with_hand(seat, without(deck.hand(seat), cards))
    if not deck.real:
        tell_own(deck, seat, say("You give {cards}", cards=named(deck, cards)), ask)
        tell_own(deck, action.to, say("You are given {cards}", cards=named(deck, cards)), ask)
    return _given(table, deck, seat, action.to, (FACE_DOWN,) * len(cards) if deck.real else cards)


@hands.rule(HandOver)
def hand_over(table: Table, deck: Deck, seat: str, action: HandOver, _ask: Ask) -> Ruling[Deck]:
    """Give cards face down to somebody or back to the deck; raise Refusal for more than there are."""
    _check_receiver(table, seat, action.to)
    down = deck.hand(seat).count(FACE_DOWN)
    if not deck.real or action.count > down:
        raise Refusal(say("Of your cards {count} are face down.", count=down), field="count")
    cards = (FACE_DOWN,) * action.count
    deck = deck.with_hand(seat, without(deck.hand(seat), cards))
    if action.to is not None:
        return _given(table, deck, seat, action.to, cards)
    headline = say(BACK["face down"], who=table.called(seat), count=len(cards))
    return Ruling(deck.but(order=(*deck.order, *cards)), headline)


def _check_receiver(table: Table, seat: str, to: str | None) -> None:
    check_player(table, seat)
    if to is not None and (to not in table.roles or to == seat):
        raise Refusal(say("Nobody plays on that seat."), field="to")


def _given(table: Table, deck: Deck, seat: str, to: str, cards: tuple[str, ...]) -> Ruling[Deck]:
    who, whom, count = table.called(seat), table.called(to), len(cards)
    headline = say("{who} gives {whom} a card|{who} gives {whom} {count} cards", who=who, whom=whom, count=count)
    return Ruling(deck.more_in_hand(to, cards), headline, reveals=not deck.real)


@hands.rule(Mark)
def mark(table: Table, deck: Deck, seat: str, action: Mark, _ask: Ask) -> Ruling[Deck]:
    """Note the own cards of a real deck; raise Refusal for more than one holds, or such as lie face up."""
    check_player(table, seat)
    cards, count = tuple(dict.fromkeys(action.cards)), len(deck.hand(seat))
    if not deck.real or not set(cards) <= set(deck.unseen):
        raise Refusal(NOT_THERE, field="cards")
    if len(cards) > count:
        raise Refusal(say("You hold a card.|You hold {count} cards.", count=count), field="cards")
    noted = (*cards, *(FACE_DOWN,) * (count - len(cards)))
    headline = say("{who} notes what is in the hand", who=table.called(seat))
    return Ruling(deck.with_hand(seat, noted), headline, quiet=True)


@piles.rule(Sweep)
def sweep(table: Table, deck: Deck, seat: str, _action: Sweep, _ask: Ask) -> Ruling[Deck]:
    """Clear the table; raise Refusal where nothing lies on it."""
    if not deck.played:
        raise Refusal(say("No card lies on the table."))
    after = deck.but(discard=(*deck.discard, *deck.table), played=())
    return Ruling(after, say("{who} clears the table", who=table.called(seat)))


@piles.rule(Gather)
def gather(table: Table, deck: Deck, seat: str, _action: Gather, _ask: Ask) -> Ruling[Deck]:
    """Bring all cards together."""
    return Ruling(deck.gathered(deck.removed), say("{who} gathers all cards and shuffles", who=table.called(seat)))
