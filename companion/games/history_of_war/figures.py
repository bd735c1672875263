"""How a card is drawn: its picture and the signs of its numbers, on the table and where it meets another."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.games.history_of_war import speech
from companion.games.history_of_war.cards import BaseCard, Category, DepotCard, Fielded, Kind, UnitCard
from companion.games.history_of_war.pieces import Played
from companion.games.history_of_war.state import State
from companion.kit.clash import Clash, Combatant, Meeting, Way
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
    """Name the sign of a card: its own, where somebody chose one."""
    if card.glyph:
        return card.glyph
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


def combatant(state: State, played: Played) -> Combatant:
    """Draw a card in play that meets another: where it lies, its damage, what it fights with."""
    # No strength: a page would call the defence value hits; its shield stands among the numbers.
    # What it is dealt comes on top: the number that is drawn on it counts that too.
    lies, had = speech.place(state, played.place), say("damage before: {damage}", damage=played.damage)
    return Combatant(
        played.id,
        played.seat,
        speech.card(state, played),
        glyph(state.card(played)),
        note=say("{one}, {two}", one=lies, two=had) if played.damage else lies,
        hits=played.damage,
        stats=tuple((stat.sign, stat.value) for stat in stats(state, played) if stat.sign != YIELDS),
        photo=state.card(played).picture,
    )


def clash(state: State, way: Way, by: Played, against: Played | None = None) -> Clash:
    """Draw a card that acts against another; None where no card is struck yet, or none at all."""
    return clashes(state, way, [(by, against)])


def clashes(state: State, way: Way, pairs: Sequence[tuple[Played, Played | None]]) -> Clash:
    """Draw all that meet in one moment, the first pair large; of a pair that has no second, nothing is struck."""
    first, *others = (_meeting(state, by, against) for by, against in pairs)
    return Clash(way, first.by, first.against, beside=tuple(others))


def _meeting(state: State, by: Played, against: Played | None) -> Meeting:
    """Draw two that meet; who is alone because it attacks the enemy base is called so."""
    attack, attacker = state.attack(by.id), combatant(state, by)
    if against is None and attack is not None and attack.base:
        attacker = replace(attacker, name=say("{unit}, at the enemy base", unit=attacker.name))
    return Meeting(attacker, combatant(state, against) if against else None)
