"""What a seat of Pocket-Tactics sees: what it is to do now, the armies beside the map, the marks on it."""

from __future__ import annotations

import pytest

from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.state import State
from companion.kit.panels import Tableau
from tests.tiles import P, game

STARTING = {"phase": "setting_out", "turn": 0}


def zones(state: State, seat: str) -> list[str]:
    """The places beside the map from the top; a folded one in brackets."""
    (found,) = (panel for panel in GAME.view(state, seat).panels if isinstance(panel, Tableau))
    return [f"({zone.id})" if zone.folded else zone.id for zone in found.zones]


def test_who_sets_out_units_is_told_to_tap_one_and_how_many_are_left() -> None:
    state = game("b levy m2", **STARTING)
    assert P.english(GAME.view(state, "blue").headline) == "Tap a unit of your reserve, then its tile: 2 left."
    assert P.english(GAME.view(state, "red").headline) == "Blue sets out the first units."
    table = GAME.view(game("", map="table", **STARTING), "blue")
    assert P.english(table.headline) == "Tap a unit of your reserve, then its terrain: 3 left."
    assert P.told(table.advice) == ["Put them on the table as close to your base as can be."]


@pytest.mark.parametrize("phase", [STARTING, {}])
def test_the_own_army_comes_before_the_other_one(phase: dict[str, object]) -> None:
    state = game("b levy m2, r prowler captured", **phase)
    assert zones(state, "blue") == ["reserve.blue", "(reserve.red)", "(captured.red)"]
    assert zones(state, "red") == ["reserve.red", "(captured.red)", "(reserve.blue)"]
    table = game("b levy field", map="table", **phase)
    assert zones(table, "blue") == ["tile.blue", "reserve.blue", "tile.red", "(reserve.red)"]
    assert zones(state, "screen") == ["reserve.red", "(captured.red)", "reserve.blue"]
