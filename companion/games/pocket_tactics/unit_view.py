"""A unit as it is shown: its picture, its skills, what its card says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import describing, speech
from companion.games.pocket_tactics.terrain import affine
from companion.kit.panels import Piece, Stat
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.cards import UnitCard
    from companion.games.pocket_tactics.doing import Slot
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.state import State

SIGNS: dict[str, str] = {"melee": "fight", "ballistic": "bow", "arcane": "wand", "tech": "cog", "magetech": "atom"}
LEGEND: tuple[tuple[str, Text], ...] = tuple((sign, Text(name)) for name, sign in SIGNS.items())
"""What the small pictures of skills are; beside them stand offence and defence."""


def sign(card: UnitCard, slot: Slot) -> str:
    """Name the small picture of a skill."""
    return SIGNS[(card.third or "arcane") if slot == "third" else slot]


def glyph(card: UnitCard) -> str:
    """Name the picture of a unit: what it attacks best with; a shield where it defends better than it attacks."""
    strengths = [(offence.dice, slot) for slot, offence, _ in describing.skills(card)]
    best, slot = max(strengths, default=(0, "melee"), key=lambda one: one[0])
    if slot == "melee" and card.value("melee", "defence").dice >= max(best, 2):
        return "shield"
    if slot == "melee":
        return "infantry" if best < 2 else "fight"
    return sign(card, slot)


def piece(state: State, unit: Unit) -> Piece:
    """Show a unit; what stands on its card is said to whoever taps it (PT-02)."""
    card = state.card(unit)
    stats = tuple(
        Stat(
            sign(card, one[0]),
            say("{count}", count=f"{describing.value(one[1])}/{describing.value(one[2])}"),
            describing.skill_name(card, one[0]),
        )
        for one in describing.skills_now(state, unit)
    )
    return Piece(
        unit.id,
        unit.seat,
        glyph(card),
        speech.kind(state, unit),
        unit.at,
        badges=_badges(state, unit),
        hint=_hint(state, unit),
        stats=stats,
    )


def _badges(state: State, unit: Unit) -> tuple[Text, ...]:
    """Say where a unit stands, unless the map shows it; what favours it (PT-52), which kickers differ (PT-98)."""
    found = []
    if unit.terrain:
        found.append(speech.terrain(unit.terrain))
    if affine(state.card(unit).affinities, state.terrain(unit)):
        found.append(say("affinity"))
    if unit.shifts:
        found.append(say("kicker changed"))
    return tuple(found)


def _hint(state: State, unit: Unit) -> Text:
    card = state.card(unit)
    # Beside the map the skills stand in a line of their own.
    fighting = [describing.written(card, one) for one in describing.skills_now(state, unit)] if unit.at else []
    affine = say(
        "affinity: {terrains}", terrains=listed([speech.terrain(one) for one in card.affinities], describing.NOTHING)
    )
    parts = [*fighting, *describing.reach(card), affine, *map(describing.ability, card.ability)]
    return listed(parts, describing.NOTHING)
