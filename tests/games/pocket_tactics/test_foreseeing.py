"""The odds of an assault of Pocket-Tactics before it is made: the ground first, then its ends."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from companion.games.pocket_tactics.assault import Assault
from companion.games.pocket_tactics.assault_odds import ASSAULT, AssaultFacts
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.movement import Move
from companion.games.pocket_tactics.state import State
from companion.kit.ruling import Refusal
from tests.support.playing import clauses
from tests.support.pocket_tactics_positions import BLUE, RED, P, code, game

if TYPE_CHECKING:
    from companion.kit.odds import Chart


def foreseen(state: State, unit: str, target: str, kind: Any, skill: Any, seat: str = "blue") -> tuple[Chart, ...]:
    aimed_at = target if target == "base" else code(state, target)
    charts: tuple[Chart, ...] = GAME.foresee(
        state, seat, Assault(unit=code(state, unit), target=aimed_at, kind=kind, skill=skill)
    )
    return charts


def said(chart: Chart) -> dict[str, Fraction]:
    return {P.english(bar.label): bar.chance for bar in chart.bars}


@pytest.mark.clause("PT-42", "PT-43", "PT-44", "PT-45")
def test_the_four_ends_are_foreseen_on_harmless_ground() -> None:
    (ends,) = foreseen(game("b levy m3, r prowler m4"), "b levy", "r prowler", "melee", "melee")
    assert sum(said(ends).values()) == 1
    assert list(said(ends)) == [
        "Captured: Prowler 1 (Red)",
        "Captured: both",
        "Captured: Levy 1 (Blue)",
        "Captured: nobody",
    ]
    (base,) = foreseen(game("b levy m4"), "b levy", "base", "melee", "melee")
    assert list(said(base)) == ["The base is taken", "The base holds"]


@pytest.mark.clause("PT-71", "PT-78", "PT-79")
def test_the_ground_that_is_left_and_entered_comes_first() -> None:
    state = game("b bowman m3, r prowler m4", ground="m2 field, m3 swamp, m4 water")
    ground, ends = foreseen(state, "b bowman", "r prowler", "melee", "melee")
    assert said(ground) == {"The assault takes place": Fraction(1, 4), "The ground prevents it": Fraction(3, 4)}
    assert clauses(ground.reasons) == ["PT-78", "PT-79"]
    assert sum(said(ends).values()) == 1


@pytest.mark.clause("PT-56", "PT-A27")
def test_from_afar_only_the_ground_that_is_aimed_out_of_counts() -> None:
    state = game("b bowman m3, r prowler m4", ground="m2 field, m3 swamp, m4 water")
    ground, *_ = foreseen(state, "b bowman", "r prowler", "ranged", "ballistic")
    assert said(ground)["The assault takes place"] == Fraction(1, 2)
    assert clauses(ground.reasons) == ["PT-78"]
    dry = game("b bowman m3, r prowler m4", ground="m2 field, m3 field, m4 water")
    assert "The assault takes place" not in said(foreseen(dry, "b bowman", "r prowler", "ranged", "ballistic")[0])


def test_nothing_is_foreseen_but_assaults_of_ones_own_that_can_be_made() -> None:
    state = game("b levy m3, r prowler m4")
    assert GAME.foresee(state, "blue", Move("b0.1", "m2")) == ()
    assert foreseen(state, "b levy", "r prowler", "melee", "melee", seat="red") == ()
    with pytest.raises(Refusal):
        foreseen(state, "b levy", "r prowler", "ranged", "ballistic")


def test_what_would_keep_the_table_waiting_is_foreseen_without_re_rolls_and_said_so() -> None:
    """A look-up works the same out: there somebody waits for it."""
    many = {
        seat: replace(faction, unit=(replace(faction.unit[0], melee="3/3"), *faction.unit[1:]))
        for seat, faction in (("blue", BLUE), ("red", RED))
    }
    units = "levy field, b levy.2 field, b levy.3 field, b bowman field", "prowler field, r prowler.2 field"
    state = game(f"b {units[0]}, r {units[1]}, r prowler.3 field, r bulwark field", map="table", factions=many)
    action = Assault(unit="b0.1", target="r0.1", kind="melee", skill="melee", attacker_assists=3, defender_assists=3)
    (chart,) = GAME.foresee(state, "blue", action)
    assert P.english(chart.title) == "Without re-rolls"
    assert P.told(chart.reasons)[-1] == "There are too many dice and re-rolls to work out how they are used best."
    facts = AssaultFacts(offence=3, defence=3, target_offence=3, target_defence=3, assists=3, target_assists=3)
    assert ASSAULT.charts is not None
    assert [P.english(one.title) for one in ASSAULT.charts(facts)] == ["With re-rolls", "Without re-rolls"]
