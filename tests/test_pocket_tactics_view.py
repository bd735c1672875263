"""What a seat of Pocket-Tactics sees: what it is to do now, the armies beside the map, the marks on it."""

from __future__ import annotations

from companion.games.pocket_tactics.game import GAME
from tests.tiles import P, game


def test_who_sets_out_units_is_told_to_tap_one_and_how_many_are_left() -> None:
    state = game("b levy m2", phase="setting_out", turn=0)
    assert P.english(GAME.view(state, "blue").headline) == "Tap a unit of your reserve, then its tile: 2 left."
    assert P.english(GAME.view(state, "red").headline) == "Blue sets out the first units."
    table = GAME.view(game("", map="table", phase="setting_out", turn=0), "blue")
    assert P.english(table.headline) == "Tap a unit of your reserve, then its terrain: 3 left."
    assert P.told(table.advice) == ["Put them on the table as close to your base as can be."]
