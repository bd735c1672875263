"""A unit of Pocket-Tactics may have a sign of its player's choice on the map."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.pocket_tactics.cards import FACTIONS, Faction
from companion.games.pocket_tactics.combatants import glyph
from companion.games.pocket_tactics.unit_editor import EditUnit
from companion.kit import rosters

FACTION = next(iter(FACTIONS.values()))


def test_a_unit_has_the_sign_that_somebody_chose() -> None:
    unit = FACTION.unit[0]
    assert glyph(replace(unit, glyph="castle")) == "castle"
    assert glyph(unit) != "castle"


def test_the_form_and_the_file_have_it() -> None:
    unit = replace(FACTION.unit[0], glyph="castle")
    asked = {field.name: field.value for field in EditUnit.form(unit, ())}
    assert asked["glyph"] == "castle"
    faction = replace(FACTION, unit=(unit,))
    assert rosters.read(rosters.write(faction), Faction, most=60_000) == faction
    action = EditUnit(name="Tower", cost=3, melee="1/1", affinities=("forest",), glyph="rook")
    assert action.card_of(()).glyph == "rook"
