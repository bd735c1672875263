"""Playing cards as codes: rank and suit letter (``10S``, ``AH``); a pile is a tuple of codes without an order."""

from __future__ import annotations

from collections.abc import Iterable

from companion.kit.panels import Suit

SUITS: dict[str, Suit] = {"S": "spades", "C": "clubs", "H": "hearts", "D": "diamonds"}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FACE_DOWN = "?"
"""A card whose face is not known, in piles that people hold in their own hands."""


def face(code: str) -> tuple[str, Suit]:
    """Return a card's rank and suit; raise KeyError when there is no such card."""
    rank, suit = code[:-1], SUITS[code[-1:]]
    if rank not in RANKS:
        raise KeyError(code)
    return rank, suit


def pile(cards: Iterable[str]) -> tuple[str, ...]:
    """Make a pile: cards in no order, kept sorted so that order tells nothing."""
    return tuple(sorted(cards))


def without(cards: tuple[str, ...], taken: Iterable[str]) -> tuple[str, ...]:
    """Take cards out, one for each taken, and keep the order of the rest; raise ValueError when one is missing."""
    left = list(cards)
    for card in taken:
        left.remove(card)
    return tuple(left)
