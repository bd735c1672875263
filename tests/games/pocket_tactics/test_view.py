"""What a seat of Pocket-Tactics sees: what it is to do now, the armies beside the map, the marks on it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.pocket_tactics.assault import Assault
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.state import State
from companion.kit.asking import Pending
from companion.kit.panels import Board, Tableau
from companion.web.play.board import mark_board
from tests.support.armed import armed, made_of
from tests.support.playing import Scripted
from tests.support.pocket_tactics_positions import BLUE, GROUND, P, game

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
    assert P.told(table.advice) == ["Put them on the table as close to your base as possible."]


@pytest.mark.parametrize("phase", [STARTING, {}])
def test_the_own_army_comes_before_the_other_one(phase: dict[str, object]) -> None:
    state = game("b levy m2, r prowler captured", **phase)
    assert zones(state, "blue") == ["reserve.blue", "(reserve.red)", "(captured.red)"]
    assert zones(state, "red") == ["reserve.red", "(captured.red)", "(reserve.blue)"]
    table = game("b levy field", map="table", **phase)
    assert zones(table, "blue") == ["tile.blue", "reserve.blue", "tile.red", "(reserve.red)"]
    assert zones(state, "screen") == ["reserve.red", "(captured.red)", "reserve.blue"]


def test_how_many_re_rolls_an_ability_gives_is_said_once() -> None:
    (cover,) = next(card.ability for card in BLUE.unit if card.name == "shield_captain")
    assert P.english(cover.said()) == "Cover: One re-roll of a defence die of this unit"
    assert P.english(replace(cover, rerolls=2).said()).endswith("of this unit, 2 re-rolls")
    assert P.english(replace(cover, text="").said()) == "Cover: 1 re-roll"
    assert P.english(replace(cover, text="Holds on.").said()) == "Cover: Holds on., 1 re-roll"


@pytest.mark.parametrize("dice", [(6, 5, 5, 5), (1, 5, 5, 5)])
def test_a_base_that_was_assaulted_is_marked_with_its_attacker(dice: tuple[int, ...]) -> None:
    state = game("b levy m4, r prowler l2")
    after = P.after(state, Assault(unit="b0.1", target="base", kind="melee", skill="melee"), *dice)
    assert after.over is (dice[0] == 6)
    (board,) = (panel for panel in GAME.view(after, "red").panels if isinstance(panel, Board))
    assert {("m4", "acting"), ("m5", "target")} <= set(board.tint)


def test_a_base_is_marked_as_long_as_a_question_about_its_assault_waits() -> None:
    state = game("b levy m4, r prowler l4", ground=f"{GROUND}, l4 field")
    ask = Scripted(6, 5, 5, 5)
    ask.otherwise = lambda _: None
    with pytest.raises(Pending) as pending:
        P.rule(state, "blue", Assault(unit="b0.1", target="base", kind="melee", skill="melee"), ask)
    marks = dict(mark for reason in pending.value.reasons for mark in reason.marks)
    (board,) = (panel for panel in GAME.view(state, "red").panels if isinstance(panel, Board))
    assert mark_board(board, marks).tint == (("m4", "acting"), ("m5", "target"))


@pytest.mark.clause("PT-59", "PT-93", "PT-98")
def test_a_unit_says_its_skills_with_the_kickers_of_now_and_how_far_they_reach() -> None:
    state = game("b bowman m2, b blade_guard n2")
    (unit, near) = (one for one in state.units if one.at)
    printed = armed(GAME, state, "blue", unit.id)
    card = state.card(unit)
    for skill, row in zip(card.skills, printed.values(), strict=True):
        assert (row["offence"], row["defence"]) == tuple(skill.stat.split("/"))
        reach = card.reaches(skill.slot)
        assert row.get("Reach") == (str(reach) if reach > 1 else None)
    assert "Reach" in printed["ballistic"]
    assert "Reach" not in printed["melee"]
    assert made_of(GAME, state, "blue", unit.id) == {}
    kicker = card.value("melee", "offence").kicker
    changed = state.shifted(unit, "melee", "offence", 3)
    now = changed.unit(unit.id)
    assert armed(GAME, changed, "blue", unit.id)["melee"]["offence"] == changed.value(now, "melee", "offence").printed
    assert made_of(GAME, changed, "blue", unit.id) == {"melee: offence": [("PT-93", kicker), ("PT-98", 3)]}
    assert armed(GAME, changed, "red", near.id) == armed(GAME, state, "red", near.id)
