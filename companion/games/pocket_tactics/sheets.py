"""Player aids: everything on one sheet of paper, and a page for assaults, for hazards and for each sample faction."""

from __future__ import annotations

from companion.games.pocket_tactics.cards import (
    BAG,
    FACTIONS,
    NOTHING,
    SIDES,
    AbilityText,
    Faction,
    UnitCard,
    called,
    terrain_name,
)
from companion.games.pocket_tactics.dice import BASE_DICE
from companion.games.pocket_tactics.terrain import TESTS, Hazard
from companion.kit.counts import number
from companion.kit.rulebook import Line, Listing, Sheet
from companion.kit.text import Text, listed, numbered, say

OWN_SAMPLE = say("Sample cards of Companion's own, not official.")
FIGHTING = ("steps", "answers", "comparison", "outcomes", "rerolls", "situations")


def sheets(tables: Tables) -> tuple[Sheet, ...]:
    """Make the aids for one purpose each."""
    hazards = (_hazards(tables), *itemgetter("directions", "landing")(tables))
    return (
        Sheet(id="assault", title=say("Assault"), listing=itemgetter(*FIGHTING)(tables)),
        Sheet(id="hazards", title=say("Hazard tiles and random movement"), listing=hazards),
        *(_faction(name, faction) for name, faction in FACTIONS.items()),
        _bag(),
    )


def aid(tables: Tables) -> tuple[Sheet, ...]:
    """Put everything on one sheet of paper."""
    landing = replace(tables["landing"], quotes=("PT-83",))
    parts = (
        *itemgetter("map", "turn", *FIGHTING)(tables),
        _hazards(tables),
        landing,
        *itemgetter("sight", "skill_tests", "victory")(tables),
    )
    return (Sheet(id="all", title=say("Turn, assaults and hazards"), listing=parts),)


def _hazards(tables: Tables) -> Listing:
    """Say up to which face each hazard is failed."""
    lines = (
        replace(line, cells=(line.cells[0], say("1 to {highest}", highest=TESTS[name].fails_to), *line.cells[1:]))
        for name, line in zip(TESTS, tables["hazards"].line, strict=True)
    )
    return replace(tables["hazards"], line=tuple(lines))


def _faction(name: str, faction: Faction) -> Sheet:
    columns = (say("Unit"), say("Cost"), Text("melee"), Text("ballistic"), Text("third"), say("Copies"))
    listing = Listing(say("Units"), columns, tuple(map(_unit, faction.unit)), "PT-09")
    return Sheet(name, Text(name), (listing,), OWN_SAMPLE)


def _unit(card: UnitCard) -> Line:
    third = [card.said_skill(skill) for skill in card.skills if skill.slot == "third"]
    types, abilities = map(called, card.types), map(AbilityText.said, card.ability)
    more = listed([*card.said_reach(), card.said_affinities(), *types, *abilities], NOTHING)
    fighting = (say("{stat}", stat=stat) for stat in (card.melee, card.ballistic))
    return _line(
        called(card.name), number(card.cost), *fighting, listed(third, NOTHING), number(card.copies), more=more
    )


def _bag() -> Sheet:
    lines = tuple(_line(terrain_name(tile.terrain), number(tile.count)) for tile in BAG.tile)
    listing = Listing(say("Terrain"), (say("Tile"), say("How many")), lines, "PT-13")
    return Sheet(BAG.name, called(BAG.name), (listing,), OWN_SAMPLE)
