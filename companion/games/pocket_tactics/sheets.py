"""Player aids: everything on one sheet of paper, and a page for assaults, for hazards and for each sample faction."""

from __future__ import annotations

from operator import itemgetter

from msgspec.structs import replace

from companion.games.pocket_tactics.cards import (
    BAG,
    FACTIONS,
    NOTHING,
    AbilityText,
    Faction,
    UnitCard,
    called,
    terrain_name,
)
from companion.kit.counts import number
from companion.kit.rulebook import Line, Listing, Sheet, Tables
from companion.kit.text import Text, listed, say

OWN_SAMPLE = say("Sample cards of Companion's own, not official.")
FIGHTING = ("steps", "answers", "comparison", "outcomes", "rerolls", "situations")


def sheets(tables: Tables) -> tuple[Sheet, ...]:
    """Make the aids for one purpose each."""
    hazards = itemgetter("hazards", "directions", "landing")(tables)
    return (
        Sheet("assault", say("Assault"), itemgetter(*FIGHTING)(tables)),
        Sheet("hazards", say("Hazard tiles and random movement"), hazards),
        *(_faction(name, faction) for name, faction in FACTIONS.items()),
        _bag(),
    )


def aid(tables: Tables) -> tuple[Sheet, ...]:
    """Put everything on one sheet of paper."""
    landing = replace(tables["landing"], quotes=("PT-83",))
    before, after = ("map", "turn", *FIGHTING, "hazards"), ("sight", "skill_tests", "victory")
    parts = (*itemgetter(*before)(tables), landing, *itemgetter(*after)(tables))
    return (Sheet("all", say("Turn, assaults and hazards"), parts),)


def _faction(name: str, faction: Faction) -> Sheet:
    columns = (say("Unit"), say("Cost"), Text("melee"), Text("ballistic"), Text("third"), say("Copies"))
    listing = Listing(say("Units"), columns, tuple(map(_unit, faction.unit)), "PT-09")
    return Sheet(name, Text(name), (listing,), OWN_SAMPLE)


def _unit(card: UnitCard) -> Line:
    third = [card.said_skill(skill) for skill in card.skills if skill.slot == "third"]
    types, abilities = map(called, card.types), map(AbilityText.said, card.ability)
    more = listed([*card.said_reach(), card.said_affinities(), *types, *abilities], NOTHING)
    fighting = (say("{stat}", stat=stat) for stat in (card.melee, card.ballistic))
    return Line((called(card.name), number(card.cost), *fighting, listed(third, NOTHING), number(card.copies)), more)


def _bag() -> Sheet:
    lines = tuple(Line((terrain_name(tile.terrain), number(tile.count))) for tile in BAG.tile)
    listing = Listing(say("Terrain"), (say("Tile"), say("How many")), lines, "PT-13")
    return Sheet(BAG.name, called(BAG.name), (listing,), OWN_SAMPLE)
