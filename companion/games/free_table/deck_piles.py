"""The piles of a deck: every card lies in exactly one place, and chance decides as late as it can.

Of the deck only those places are known that somebody has looked at or laid a card on; all others hold any of the
``loose`` cards. So to shuffle is to forget, nothing is kept that nobody knows, and a card is drawn by chance at the
moment it is seen: an order that is kept nowhere can not be read by anybody.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Annotated, Literal, Self

from msgspec import Meta

from companion.games.free_table.deck_cards import MOST_CARDS, Own, Pack, Which, pack
from companion.games.free_table.kinds import Table, Tracker
from companion.kit.asking import Ask
from companion.kit.decks import FACE_DOWN, without
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

Who = Literal["nobody", "keeper", "everyone"]


class Deck(Tracker, frozen=True, tag="deck"):
    """A deck and where each of its cards is.

    ``order`` is the deck, its top first, FACE_DOWN where the card is not known yet. ``played`` are the cards on the
    table with the seat that laid each. ``looking`` are cards of the deck that a seat has before its eyes; while one is
    ``searching`` these are all. A ``real`` deck lies on the table: only what people said of it is known.
    """

    which: Which = "52"
    own: Annotated[tuple[Own, ...], Meta(max_length=MOST_CARDS)] = ()
    jokers: int = 0
    copies: int = 1
    real: bool = False
    peek: Who = "nobody"
    open: bool = False
    begun: bool = False
    order: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    hands: Mapping[str, tuple[str, ...]] = {}
    played: tuple[tuple[str, str], ...] = ()
    discard: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    looking: Mapping[str, tuple[str, ...]] = {}
    searching: str = ""

    @property
    def pack(self) -> Pack:
        """Return all its cards."""
        return pack(self.id, self.which, self.own, self.jokers, self.copies)

    @property
    def table(self) -> tuple[str, ...]:
        """List the cards on the table."""
        return tuple(code for _, code in self.played)

    @property
    def inside(self) -> tuple[str, ...]:
        """List the cards in the deck, in an order that tells nothing."""
        return tuple(sorted((*self.loose, *(code for code in self.order if code != FACE_DOWN))))

    @property
    def unseen(self) -> tuple[str, ...]:
        """List the cards that do not lie face up."""
        face_up = self.face_up
        return tuple(code for code in self.pack.faces if code not in face_up)

    @property
    def face_up(self) -> frozenset[str]:
        """Return the cards that lie face up."""
        return frozenset((*self.table, *self.discard, *self.removed))

    def fresh(self) -> Self:
        """Return it as at the start of a game, when nothing was done with it yet."""
        return self.but(
            begun=False, order=(), loose=(), hands={}, played=(), discard=(), removed=(), looking={}, searching=""
        )

    def gathered(self, removed: tuple[str, ...] = ()) -> Self:
        """Bring all cards together, shuffled, but those that are out of the game."""
        cards = without(tuple(self.pack.faces), removed)
        loose = () if self.real else tuple(sorted(cards))
        return self.fresh().but(begun=True, order=(FACE_DOWN,) * len(cards), loose=loose, removed=removed)

    def ready(self, _table: Table) -> Self:
        """Return the deck as it lies: all together, where nothing was done with it yet."""
        return self if self.begun else self.gathered()

    def choices(self, cards: Iterable[str]) -> tuple[Option, ...]:
        """List cards to choose from."""
        return tuple(self.pack.options[code] for code in cards)

    def hand(self, seat: str) -> tuple[str, ...]:
        """Return the cards that a seat holds."""
        return self.hands.get(seat, ())

    def named(self, seat: str) -> tuple[str, ...]:
        """Return the cards that a seat holds, without those of which nobody said what they are."""
        return tuple(code for code in self.hand(seat) if code != FACE_DOWN)

    def before(self, seat: str) -> tuple[str, ...]:
        """Return the cards of the deck that a seat has before its eyes."""
        return self.inside if self.searching == seat else self.looking.get(seat, ())

    def with_hand(self, seat: str, cards: Iterable[str]) -> Deck:
        """Let a seat hold these cards."""
        held = tuple(cards)
        others = {other: hand for other, hand in self.hands.items() if other != seat}
        return self.but(hands=dict(sorted({**others, seat: held}.items())) if held else others)

    def more_in_hand(self, seat: str, cards: Iterable[str]) -> Deck:
        """Let a seat hold these cards as well."""
        return self.with_hand(seat, (*self.hand(seat), *cards))


def check(deck: Deck) -> None:
    """Raise ValueError when a card lies nowhere or twice: only a file that somebody wrote by hand can say so.

    Of a real deck two people may note the same card: one of them is mistaken, and only the cards will tell.
    """
    named = [deck.named(seat) for seat in deck.hands]
    held = [code for hand in named for code in hand]
    if deck.real and all(len(set(hand)) == len(hand) for hand in named):
        held = sorted(set(held))
    known = [*deck.inside, *held, *deck.table, *deck.discard, *deck.removed]
    cards = set(deck.pack.faces)
    whole = deck.real or (len(known) == len(cards) and deck.order.count(FACE_DOWN) == len(deck.loose))
    if len(known) != len(set(known)) or not cards.issuperset(known) or not whole:
        raise ValueError("every card of a deck lies in one place")


def shuffled(deck: Deck, more: Iterable[str] = ()) -> Deck:
    """Shuffle the deck, and into it ``more`` cards: nobody knows any more where one is."""
    added = tuple(more)
    loose = () if deck.real else tuple(sorted((*deck.inside, *added)))
    return deck.but(order=(FACE_DOWN,) * (len(deck.order) + len(added)), loose=loose, looking={}, searching="")


def check_there(deck: Deck, count: int) -> None:
    """Refuse to take more cards than the deck has."""
    left = len(deck.order)
    if count > left:
        few = say("Only one card is left in the deck.|Only {count} cards are left in the deck.", count=left)
        raise Refusal(few if left else say("The deck is empty."), field="count")


def known_at(
    deck: Deck, places: Iterable[int], ask: Ask, key: str, why: Text, by: str, *, secret: bool = True
) -> tuple[Deck, tuple[str, ...]]:
    """Find out which cards lie at some places of the deck; chance decides for those that nobody knows.

    What everybody is shown is asked for in any case, so that it is noted whose eyes it was for.
    """
    at = tuple(places)
    if not secret and not deck.real:
        for code in (deck.order[place] for place in at if deck.order[place] != FACE_DOWN):
            ask.draw((code,), 1, f"{key}_{code}", why, by=by)
    open_places = [place for place in at if deck.order[place] == FACE_DOWN]
    if deck.real or not open_places:
        return deck, tuple(deck.order[place] for place in at)
    drawn = ask.draw(deck.loose, len(open_places), key, why, by=by, secret=secret)
    order = list(deck.order)
    for place, code in zip(open_places, drawn, strict=True):
        order[place] = code
    return deck.but(order=tuple(order), loose=without(deck.loose, drawn)), tuple(order[place] for place in at)


def taken_out(deck: Deck, places: Iterable[int]) -> Deck:
    """Take the cards at some places out of the deck; nobody looks at them there any more."""
    gone = set(places)
    out = {deck.order[at] for at in gone}
    order = tuple(code for at, code in enumerate(deck.order) if at not in gone)
    return not_looked_at(deck.but(order=order), out)


def taken(deck: Deck, codes: Iterable[str]) -> Deck:
    """Take cards that somebody sees there out of the deck."""
    for code in codes:
        if code in deck.order:
            deck = taken_out(deck, (deck.order.index(code),))
        else:
            last = len(deck.order) - 1 - deck.order[::-1].index(FACE_DOWN)
            order = deck.order[:last] + deck.order[last + 1 :]
            deck = not_looked_at(deck.but(order=order, loose=without(deck.loose, (code,))), {code})
    return deck


def not_looked_at(deck: Deck, out: set[str]) -> Deck:
    """Let nobody look any more at cards that are not in the deck."""
    looking = {seat: tuple(code for code in cards if code not in out) for seat, cards in deck.looking.items()}
    return deck.but(looking={seat: cards for seat, cards in looking.items() if cards or seat == deck.searching})


def off(deck: Deck, codes: Container[str]) -> Deck:
    """Take cards away from where they lie face up."""
    return deck.but(
        played=tuple(played for played in deck.played if played[1] not in codes),
        discard=tuple(code for code in deck.discard if code not in codes),
        removed=tuple(code for code in deck.removed if code not in codes),
    )


def covered(deck: Deck, codes: Iterable[str]) -> Deck:
    """Forget where cards of a real deck were said to be: one of them has just been seen elsewhere."""
    gone = set(codes)
    hands = {seat: tuple(FACE_DOWN if code in gone else code for code in hand) for seat, hand in deck.hands.items()}
    return deck.but(hands=hands)
