"""Cards as codes, in piles and hands: playing cards by rank and suit (``10S``), others by kind and copy (``u0.1``).

A pile is a tuple of codes without an order. The modules here are for decks that people bring, written card by card or
taken from a file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from companion.kit.asking import Ask
from companion.kit.panels import Suit
from companion.kit.questions import Option
from companion.kit.text import Text, listed, say

C = TypeVar("C", bound=Struct)
SUITS: dict[str, Suit] = {"S": "spades", "H": "hearts", "C": "clubs", "D": "diamonds"}
"""The suits, black and red in turn, as people hold them."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FACE_DOWN = "?"
"""A card whose face is not known, in piles that people hold in their own hands."""
NO_CARD = say("no card")


def face(code: str) -> tuple[str, Suit]:
    """Return a card's rank and suit; raise KeyError when there is no such card."""
    rank, suit = code[:-1], SUITS[code[-1:]]
    if rank not in RANKS:
        raise KeyError(code)
    return rank, suit


def by_suit(cards: Iterable[str]) -> tuple[str, ...]:
    """Put playing cards in the order in which people sort a hand: by suit, then by rank."""
    suits = tuple(SUITS)
    return tuple(sorted(cards, key=lambda code: (suits.index(code[-1:]), RANKS.index(code[:-1]))))


def pile(cards: Iterable[str]) -> tuple[str, ...]:
    """Make a pile: cards in no order, kept sorted so that order tells nothing."""
    return tuple(sorted(cards))


def unordered(cards: C, *piles: str, **changes: Any) -> C:
    """Change somebody's cards; those of his parts that are ``piles`` have no order."""
    return replace(cards, **changes | {name: pile(changes[name]) for name in piles if name in changes})


def without(cards: tuple[str, ...], taken: Iterable[str]) -> tuple[str, ...]:
    """Take cards out, one for each taken, and keep the order of the rest; raise ValueError when one is missing."""
    left = list(cards)
    for card in taken:
        left.remove(card)
    return tuple(left)


def kind_of(code: str) -> str:
    """Return the kind of a card."""
    return code.partition(".")[0]


def one_each(codes: Iterable[str]) -> tuple[str, ...]:
    """Return one code for each kind of card."""
    first: dict[str, str] = {}
    for code in codes:
        first.setdefault(kind_of(code), code)
    return tuple(first.values())


def codes(kinds: Mapping[str, int]) -> tuple[str, ...]:
    """List the codes of a whole deck; ``kinds`` is how many copies there are of each kind."""
    return tuple(f"{kind}.{copy}" for kind, copies in kinds.items() for copy in range(copies))


def face_down(cards: Sequence[str], *, real: bool) -> tuple[str, ...]:
    """Make a pile of cards; real ones are only counted."""
    return (FACE_DOWN,) * len(cards) if real else pile(cards)


def left(kinds: Mapping[str, int], out: Iterable[str]) -> tuple[str, ...]:
    """List the kinds of which copies have not left the hand yet, each by the code of its first copy."""
    gone = [kind_of(code) for code in out]
    return tuple(f"{kind}.0" for kind, copies in kinds.items() if gone.count(kind) < copies)


def playable(hand: tuple[str, ...], out: Iterable[str], kinds: Mapping[str, int], *, real: bool) -> tuple[str, ...]:
    """List the cards that a hand may hold: its own, or of real ones a code for each kind not yet all ``out``."""
    if not real:
        return hand
    return left(kinds, out) if hand else ()


def next_copy(out: Iterable[str], kind: str) -> str:
    """Return the code of the first copy of a card that has not left the hand; some may have come back by hand."""
    gone = set(out)
    return next(code for copy in count() if (code := f"{kind}.{copy}") not in gone)


def leaving(hand: tuple[str, ...], out: tuple[str, ...], code: str, *, real: bool) -> tuple[tuple[str, ...], str]:
    """Take a card out of a hand; returns the rest of it, and the card's code from now on.

    Of real cards any copy may be named, ``?`` is one that nobody named. Raises ValueError when it is not there.
    """
    if not real:
        return without(hand, [code]), code
    return without(hand, [FACE_DOWN]), code if code == FACE_DOWN else next_copy(out, kind_of(code))


def draw(
    cards: tuple[str, ...],
    count: int,
    ask: Ask,
    *,
    seat: str,
    why: Text,
    clause: str,
    real: bool,
    name: Callable[[str], Text],
) -> tuple[str, ...]:
    """Draw cards, as many as there are at most, and tell it; only who draws hears which. ``why`` names what for."""
    taking = min(count, len(cards))
    if not taking:
        return ()
    text = say(
        "{seat}: {count} card drawn ({why})|{seat}: {count} cards drawn ({why})", seat=Text(seat), count=taking, why=why
    )
    drawn = (FACE_DOWN,) * taking if real else ask.draw(cards, taking, f"draw_{seat}", text, by=seat, secret=True)
    ask.tell(text, clause)
    if not real:
        ask.tell(say("You draw: {cards}", cards=listed([name(code) for code in drawn], NO_CARD)), clause, seat=seat)
    return drawn


def told_apart(named: Sequence[tuple[str, Text]]) -> tuple[Option, ...]:
    """Name cards to choose from, those of one name from the second on with a number."""
    options: list[Option] = []
    for at, (code, name) in enumerate(named):
        number = [before for _, before in named[: at + 1]].count(name)
        options.append(Option(code, name if number == 1 else say("{card} {number}", card=name, number=number)))
    return tuple(options)
