"""What is written on a card beside its numbers: what it can do, what an upgrade adds, its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import speech
from companion.games.history_of_war.cards import Fielded, UnitCard, UpgradeCard
from companion.kit.counts import signed
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.history_of_war.cards import Card, Category

NOTHING = say("–")
CHANGED = ("av_ground", "av_air", "av_naval", "dv", "flags")


def written(card: Card) -> list[Text]:
    """Say what is written on a card, part by part."""
    parts: list[Text] = []
    if isinstance(card, UpgradeCard):
        parts += [say("{what} {count}", what=Text(value), count=signed(getattr(card, value)))
                  for value in CHANGED if getattr(card, value)]  # fmt: skip
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
