"""A unit of Pocket-Tactics may have a sign and a picture of its player's choice, wherever it is seen."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.pocket_tactics.cards import FACTIONS, Faction
from companion.games.pocket_tactics.combatants import combatant, glyph
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.unit_editor import EditUnit
from companion.kit import rosters
from companion.kit.panels import Board, Tableau
from tests.support.picture_positions import OPEN, on_hexagons
from tests.support.pictures import name_of

FACTION = next(iter(FACTIONS.values()))


def test_a_unit_has_the_sign_that_somebody_chose() -> None:
    unit = FACTION.unit[0]
    assert glyph(replace(unit, glyph="castle")) == "castle"
    assert glyph(unit) != "castle"


def test_the_form_and_the_file_have_both() -> None:
    unit = replace(FACTION.unit[0], glyph="castle", picture="ab" * 32)
    asked = {field.name: (field.kind, field.value) for field in EditUnit.form(unit, ())}
    assert (asked["glyph"], asked["picture"]) == (("choice", "castle"), ("picture", "ab" * 32))
    faction = replace(FACTION, unit=(unit,))
    for write in (rosters.write, rosters.write_table):
        assert rosters.read(write(faction), Faction, most=60_000) == faction
    action = EditUnit(name="Tower", cost=3, melee="1/1", affinities=("forest",), glyph="rook", picture="cd" * 32)
    assert (action.card_of(()).glyph, action.card_of(()).picture) == ("rook", "cd" * 32)


@pytest.mark.parametrize(("kept", "place"), [("companion", "m2"), ("table", "field")])
def test_a_unit_shows_the_picture_of_its_card_on_the_map_in_reserve_and_in_a_fight(kept: str, place: str) -> None:
    state = on_hexagons(f"b blade_guard {place}", map=kept)
    unit = state.unit("b3.1")
    assert combatant(state, unit).photo == name_of(OPEN)
    panels = GAME.view(state, "red").panels
    boards = [piece for panel in panels if isinstance(panel, Board) for piece in panel.pieces]
    zones = [piece for panel in panels if isinstance(panel, Tableau) for zone in panel.zones for piece in zone.pieces]
    drawn = {piece.id: piece.photo for piece in (*boards, *zones)}
    assert drawn["b3.1"] == drawn["b3.2"] == name_of(OPEN)
    assert drawn["b0.1"] == ""
    assert any(piece.id == "b3.1" for piece in boards) == (kept == "companion")
