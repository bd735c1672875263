"""How a card is drawn: its picture and the signs of its numbers."""

from __future__ import annotations

from companion.games.history_of_war.cards import BaseCard, Category, DepotCard, Fielded, Kind, UnitCard
from companion.games.history_of_war.pieces import Played
from companion.games.history_of_war.state import State
from companion.kit.panels import Stat
from companion.kit.text import Text, say

SIGNS: dict[Category, str] = {"ground": "tank", "air": "plane", "naval": "anchor"}
GLYPHS: dict[Kind, str] = {
    "territory": "flag",
    "base_expansion": "factory",
    "upgrade": "medal",
    "action": "bolt",
    "development": "castle",
}
UNITS: dict[Category, str] = {"ground": "tank", "air": "plane", "naval": "naval"}
YIELDS = "nut"
"""The sign of the TA that a card yields."""


def glyph(card: DepotCard) -> str:
    """Name the picture of a card."""
    return UNITS[card.category] if isinstance(card, UnitCard) else GLYPHS[card.kind]


def stats(state: State, played: Played) -> tuple[Stat, ...]:
    """List the numbers of a card in play as they are now, each behind its sign."""
    card, dv, ta = state.card(played), state.dv(played), state.ta(played)
    numbers = []
    if isinstance(card, Fielded):
        numbers.append(("flag", state.flags(played), "flags"))
        numbers += [(SIGNS[category], value, f"av_{category}") for category, value in state.values(played).items()]
    if dv is not None and not (isinstance(card, BaseCard) and card.dv is None):
        numbers.append(("shield", dv, "dv"))
    if ta:
        numbers.append((YIELDS, ta, "ta_provided"))
    return tuple(Stat(sign, say("{count}", count=value), Text(name)) for sign, value, name in numbers)


def suffered(state: State, played: Played) -> Text:
    """Say the damage of a card in play, of the defence value that it has."""
    return say("damage {damage} of {dv}", damage=played.damage, dv=state.dv(played) or 0)
