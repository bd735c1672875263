"""Who is drawn in a clash, with the picture and the ground of its piece; a test of one unit alone is one too."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.pocket_tactics.cards import Slot, UnitCard, terrain_name
from companion.games.pocket_tactics.dice import Value
from companion.games.pocket_tactics.state import State, Unit
from companion.games.pocket_tactics.terrain import KNOWN
from companion.kit.asking import Ask
from companion.kit.clash import Clash, Combatant
from companion.kit.once import once
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

PICTURES = {name: name for name in KNOWN} | {"hills": "hill", "ruins": "ruin"}
"""The pictures of terrains; what people call a terrain of their own may be the name of anything else."""
SIGNS: dict[str, str] = {"melee": "fight", "ballistic": "bow", "arcane": "wand", "tech": "cog", "magetech": "atom"}

OFFENCE, DEFENCE = "fight", "shield"
"""The small pictures of the two values of a skill."""
BASE = "castle"


def sign(card: UnitCard, slot: Slot) -> str:
    """Name the small picture of a skill."""
    return SIGNS[(card.third or "arcane") if slot == "third" else slot]


def glyph(card: UnitCard) -> str:
    """Name the sign of a unit: its own, where somebody chose one, else what it attacks best with.

    It is a shield where it defends better than it attacks.
    """
    if card.glyph:
        return card.glyph
    strengths = [(skill.offence.dice, skill.slot) for skill in card.skills]
    best, slot = max(strengths, default=(0, "melee"), key=lambda strength: strength[0])
    if slot == "melee" and card.value("melee", "defence").dice >= max(best, 2):
        return "shield"
    if slot == "melee":
        return "infantry" if best < 2 else "fight"
    return sign(card, slot)


def stat(picture: str, value: Value) -> tuple[str, Text]:
    """Show a value that is fought with, as on a card."""
    return picture, say("{count}", count=value.printed)


@once
def combatant(state: State, unit: Unit) -> Combatant:
    """Draw a unit as the map does."""
    terrain = state.terrain(unit)
    ground = PICTURES.get(terrain, "other") if terrain else ""
    note, card = terrain_name(terrain) if terrain else None, state.card(unit)
    name = state.kind(unit)
    return Combatant(unit.id, unit.seat, name, glyph(card), unit.at, ground, note, photo=card.picture)


def base(seat: str, at: str) -> Combatant:
    """Draw a base; ``at`` is its place on the mirrored map."""
    return Combatant(at or "base", seat, Text("base"), BASE, at or None)


def alone(one: Combatant | None, ask: Ask) -> None:
    """Let the clash of a unit that is tested begin, unless one has begun already."""
    if one is not None and all(reason.clash is None for reason in ask.reasons):
        ask.clash(_test_of(one))


def untold(one: Combatant | None, line: Reason, ask: Ask) -> tuple[Reason, ...]:
    """Return the line of a test that is asked for before any is told, so that all see who is tested."""
    return () if one is None or ask.reasons else (replace(line, clash=_test_of(one)),)


def _test_of(one: Combatant) -> Clash:
    return Clash("charge", one)
