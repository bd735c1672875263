"""What stands on a card, part by part: its cost and numbers, what it can do, what an upgrade adds, its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import speech
from companion.games.history_of_war.cards import (
    CATEGORIES,
    ActionCard,
    BaseCard,
    DevelopmentCard,
    Fielded,
    TerritoryCard,
    UnitCard,
    UpgradeCard,
)
from companion.kit.counts import signed
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.history_of_war.cards import Card, Category

NOTHING = say("–")
CHANGED = ("av_ground", "av_air", "av_naval", "dv", "flags")


def whole(card: Card) -> Text:
    """Say all that stands on a card but its name and its sort (HW-02)."""
    sort = [Text(card.category), *_typed(card.subtype)] if isinstance(card, UnitCard) else []
    marks = _typed(card.insignia, card.year)
    return listed([*cost(card), *sort, *numbers(card), *written(card), *marks], NOTHING)


def _typed(*words: str) -> list[Text]:
    return [say("{text}", text=word) for word in words if word]


def cost(card: Card) -> list[Text]:
    """Say what a card costs; territories and base expansions cost nothing (HW-42)."""
    if isinstance(card, Fielded | UpgradeCard | ActionCard):
        return [say("{count} TA", count=card.ta_cost)]
    return []


def numbers(card: Card) -> list[Text]:
    """Say the numbers of a card beside its cost."""
    parts = []
    if isinstance(card, TerritoryCard | Fielded):
        parts.append(say("{what} {count}", what=Text("flags"), count=card.flags))
    if isinstance(card, TerritoryCard):
        parts.append(say("{count} victory point|{count} victory points", count=card.victory_points))
    if isinstance(card, Fielded):
        values = {one: getattr(card, f"av_{one}") for one in CATEGORIES}
        if any(value is not None for value in values.values()):
            one, two, three = ("–" if values[one] is None else str(values[one]) for one in CATEGORIES)
            parts.append(say("attack {ground}/{air}/{naval}", ground=one, air=two, naval=three))
    if isinstance(card, UnitCard | DevelopmentCard | BaseCard) and card.dv is not None:
        parts.append(say("{what} {count}", what=Text("dv"), count=card.dv))
    if isinstance(card, BaseCard | Fielded) and card.ta_provided:
        parts.append(say("yields {count} TA", count=card.ta_provided))
    return parts


def written(card: Card) -> list[Text]:
    """Say what is written on a card, part by part."""
    parts: list[Text] = []
    if isinstance(card, UpgradeCard):
        parts += [
            say("{what} {count}", what=Text(value), count=signed(getattr(card, value)))
            for value in CHANGED
            if getattr(card, value)
        ]
    if isinstance(card, Fielded | UpgradeCard):
        parts += [Text(ability) for ability in card.abilities]
    if isinstance(card, UnitCard) and card.may_also_block:
        parts.append(say("may also block: {what}", what=categories(card.may_also_block)))
    if isinstance(card, UnitCard) and card.may_also_attack:
        parts.append(say("may also attack: {what}", what=categories(card.may_also_attack)))
    return parts + ([speech.does(card.text)] if card.text else [])


def categories(found: tuple[Category, ...]) -> Text:
    """List categories."""
    return listed([Text(one) for one in found], NOTHING)
