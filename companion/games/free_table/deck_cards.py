"""The cards of a deck: their codes, what is printed on them, and what they are called."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import msgspec

from companion.games.free_table.deck_lists import Own
from companion.games.free_table.look import typed
from companion.kit.asking import Option
from companion.kit.panels import Card, Suit
from companion.kit.text import Text, say

Which = Literal["52", "32", "24", "24_cities", "40", "48", "own"]

SIGNS: dict[Suit, str] = {"spades": "♠", "hearts": "♥", "clubs": "♣", "diamonds": "♦"}
SPANISH: tuple[Suit, ...] = ("coins", "cups", "swords", "batons")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
OF_CITIES = "10S JS QS KS 6S JD QD KD AS AH AC AD 2S 2H 2C 2D 3S 3H 3C 3D 4S 4H 4C 4D"
LETTERS: dict[Suit, str] = {"spades": "S", "hearts": "H", "clubs": "C", "diamonds": "D"}
NOTHING = typed("")
KEPT = 64
"""Packs in memory: people make up their own, one after the other."""


class Face(msgspec.Struct, frozen=True):
    """Hold what is printed on a card; ``short`` names it where there is little room, ``at`` is its place in order."""

    rank: str
    suit: Suit | None
    name: Text
    short: Text
    does: Text
    at: int


class Pack(msgspec.Struct, frozen=True):
    """Hold all cards of one deck: their faces and an option for each, by code, in order."""

    faces: dict[str, Face]
    options: dict[str, Option]

    def ordered(self, codes: tuple[str, ...]) -> tuple[str, ...]:
        """Put cards in order: by suit and rank, or as listed."""
        return tuple(sorted(codes, key=lambda code: self.faces[code].at))

    def card(self, code: str, side: str = "") -> Card:
        """Show a card face up; ``side`` is the seat that laid it."""
        face = self.faces[code]
        return Card(code, face.rank, face.suit, face.name, face.does, side=side)


@lru_cache(maxsize=KEPT)
def pack(deck: str, which: Which, own: tuple[Own, ...], jokers: int, copies: int) -> Pack:
    """Return the cards of a deck; their codes begin with the deck's identifier, copies end with their number."""
    printed = _printed(which, own)
    for number in range(1, jokers + 1):
        printed[f"joker{number}"] = ("★", None, Text("joker"), Text("joker"), NOTHING)
    faces: dict[str, Face] = {}
    for code, (rank, suit, name, short, does) in printed.items():
        for copy in range(1, copies + 1):
            mark = "" if copy == 1 else f"'{copy}"
            faces[f"{deck}:{code}{mark}"] = Face(rank, suit, name, short, does, len(faces))
    return Pack(faces, {code: Option(code, face.short) for code, face in faces.items()})


_Printed = dict[str, tuple[str, Suit | None, Text, Text, Text]]


def _printed(which: Which, own: tuple[Own, ...]) -> _Printed:
    match which:
        case "own":
            return _listed(own)
        case "40":
            return _spanish(("1", "2", "3", "4", "5", "6", "7", "10", "11", "12"))
        case "48":
            return _spanish(tuple(str(rank) for rank in range(1, 13)))
        case "52":
            return _french(RANKS)
        case "32":
            return _french(("7", "8", "9", "10", "J", "Q", "K", "A"))
        case "24":
            return _french(("9", "10", "J", "Q", "K", "A"))
        case "24_cities":
            kept = OF_CITIES.split()
            return {code: face for code, face in _french(RANKS).items() if code in kept}


def _french(ranks: tuple[str, ...]) -> _Printed:
    return {
        f"{rank}{LETTERS[suit]}": (rank, suit, _named(rank, suit), say("{rank}{sign}", rank=rank, sign=sign), NOTHING)
        for suit, sign in SIGNS.items()
        for rank in ranks
    }


def _spanish(ranks: tuple[str, ...]) -> _Printed:
    return {
        f"{rank}{suit}": (rank, suit, _named(rank, suit), _named(rank, suit), NOTHING)
        for suit in SPANISH
        for rank in ranks
    }


def _named(rank: str, suit: Suit) -> Text:
    spanish = suit in SPANISH
    words = {"1": "ace", "10": "sota", "11": "caballo", "12": "king"} if spanish else _FRENCH_WORDS
    return say("{rank} of {suit}", rank=Text(words[rank]) if rank in words else rank, suit=Text(suit))


_FRENCH_WORDS = {"A": "ace", "J": "jack", "Q": "queen", "K": "king"}


def _listed(own: tuple[Own, ...]) -> _Printed:
    """Give the cards of a list codes: their numbers, and of a card that is there several times each its own."""
    found: _Printed = {}
    for at, card in enumerate(own, 1):
        for number in range(card.count):
            code = f"{at}" if number == 0 else f"{at}.{number + 1}"
            found[code] = ("", None, typed(card.name), typed(card.name), typed(card.text))
    return found
