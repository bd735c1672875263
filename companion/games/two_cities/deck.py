"""The 24 cards and what they do (TTC-26)."""

from __future__ import annotations

from typing import Literal

from msgspec import field

from companion.games.two_cities.units import Kind
from companion.kit.rulebook import Strict, load
from companion.kit.text import Text

CardClass = Literal["sector", "special", "reinforcement"]


class CardRule(Strict, frozen=True):
    """Hold one card; ``data/cards.toml`` explains the fields."""

    code: str
    card_class: CardClass = field(name="class")
    clause: str
    es: str
    en: str
    does_es: str
    does_en: str
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


CARDS: dict[str, CardRule] = {card.code: card for card in load("companion.games.two_cities", "cards.toml", _Cards).card}
NO_CARD = CardRule(code="", card_class="sector", clause="TTC-26", es="", en="", does_es="", does_en="")
SPECIALS = tuple(code for code, card in CARDS.items() if card.card_class == "special")


def rule_of(code: str | None) -> CardRule:
    """Return what a card does; no card does nothing."""
    return NO_CARD if code is None else CARDS[code]


def card_name(code: str) -> Text:
    """Name a card for a reader."""
    return Text(f"card.{code}")


def card_face(code: str) -> Text:
    """Name a card with its rank and suit, as people look for it on the table."""
    return Text(code)


def card_names() -> dict[str, dict[str, str]]:
    """Give the names of the cards, and what they do in a line, in both languages."""
    names = {f"card.{card.code}": {"es": card.es, "en": card.en} for card in CARDS.values()}
    return names | {f"does.{card.code}": {"es": card.does_es, "en": card.does_en} for card in CARDS.values()}
