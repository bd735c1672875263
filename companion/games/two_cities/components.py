"""What is in the box: the five kinds of unit, where they start, and the 24 cards (TTC-03, TTC-26)."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from companion.kit.decks import face
from companion.kit.rulebook import Chessman, Strict, load
from companion.kit.text import Text, Words, say

Side = Literal["white", "black"]
Kind = Literal["light_infantry", "heavy_infantry", "archers", "light_cavalry", "city"]
Mobile = Literal["light_infantry", "heavy_infantry", "archers", "light_cavalry"]
Shooter = Literal["archers", "light_cavalry"]
Ground = Literal["open", "forest", "hill"]
Cover = Literal["forest", "hill"]
CardClass = Literal["sector", "special", "reinforcement"]

PACKAGE = "companion.games.two_cities"
WHITE: Side = "white"
BLACK: Side = "black"
SIDES: tuple[Side, Side] = (WHITE, BLACK)
GROUNDS: tuple[Ground, ...] = ("open", "forest", "hill")
MOST_DICE = 6
"""Dice that an attack throws at most (TTC-51)."""
TERRAIN: tuple[Cover, ...] = ("forest", "forest", "hill", "hill")


class UnitKind(Strict, frozen=True):
    """One row of the table of units; ``range`` 0 cannot shoot."""

    id: Kind
    strength: int
    movement: int
    range: int
    ranged_stationary: int
    ranged_moved: int
    melee: int
    piece: Chessman
    extra_piece: Chessman | None = None


class _Units(Strict, frozen=True):
    unit: tuple[UnitKind, ...]


class Layout(Strict, frozen=True):
    """The starting position that nobody edited (TTC-09): square -> kind."""

    white: dict[str, Kind]
    black: dict[str, Kind]


class CardRule(Strict, frozen=True):
    """One card; ``data/cards.toml`` explains the fields."""

    code: str
    card_class: CardClass = field(name="class")
    clause: str
    es: str
    en: str
    does_es: str
    does_en: str
    told_es: str
    told_en: str
    left: int = 0
    right: int = 0
    who: tuple[Kind, ...] = ()
    count: int = 0
    contact: bool = False
    shots: int = 1
    movement: int = 0
    range: int = 0
    ranged: int = 0
    melee: int = 0
    movement_set: int = 0
    buys: Kind | None = None


class _Cards(Strict, frozen=True):
    card: tuple[CardRule, ...]


KINDS: dict[Kind, UnitKind] = {kind.id: kind for kind in load(PACKAGE, "units.toml", _Units).unit}
LAYOUT = load(PACKAGE, "layout.toml", Layout)
CARDS: dict[str, CardRule] = {card.code: card for card in load(PACKAGE, "cards.toml", _Cards).card}
NO_CARD = CardRule(
    code="", card_class="sector", clause="TTC-26", es="", en="", does_es="", does_en="", told_es="", told_en=""
)
SIGNS = {"spades": "♠", "clubs": "♣", "hearts": "♥", "diamonds": "♦"}
SPECIALS = tuple(code for code, card in CARDS.items() if card.card_class == "special")


def other(side: Side) -> Side:
    """Return the opponent."""
    return BLACK if side == WHITE else WHITE


def rule_of(code: str | None) -> CardRule:
    """Return what a card does; no card does nothing."""
    return NO_CARD if code is None else CARDS[code]


def card_listed(code: str) -> Text:
    """Name a card with its rank and suit and what it is called, as in a list."""
    return say("{code} {card}", code=Text(f"face.{code}"), card=Text(f"card.{code}"))


def card_told(code: str, side: Side) -> Text:
    """Say what a card does of the side that plays it, so that everybody may read it."""
    return Text(f"told.{code}", {"side": Text(side)})


def card_names(_words: Words) -> dict[str, dict[str, str]]:
    """Give each card's rank and suit with its name, either alone, and what it does, said to its player and of it."""
    names: dict[str, dict[str, str]] = {}
    for code, card in CARDS.items():
        rank, suit = face(code)
        sign = f"{rank}{SIGNS[suit]}"
        names |= {
            code: {"es": f"{sign} {card.es}", "en": f"{sign} {card.en}"},
            f"face.{code}": {"es": sign, "en": sign},
            f"card.{code}": {"es": card.es, "en": card.en},
            f"does.{code}": {"es": card.does_es, "en": card.does_en},
            f"told.{code}": {"es": card.told_es, "en": card.told_en},
        }
    return names
