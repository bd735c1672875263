"""The look-up of a battle in History of War: who is destroyed, given values, blocks and a way to share damage out."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.history_of_war.battle_lookup import Battle, BattleFacts, rule
from companion.kit.asking import Ask
from companion.kit.ruling import Refusal, Ruling
from companion.web.forms import fields
from tests.support.history_of_war_positions import GAME, english, told
from tests.support.playing import clauses


def ruled(**facts: Any) -> Ruling[Battle]:
    return rule(BattleFacts(**facts), Ask())


def clause(**facts: Any) -> str | None:
    with pytest.raises(Refusal) as refused:
        ruled(**facts)
    return refused.value.clause


TWO = {"av_ground": 5, "dv": 6, "blockers": 2, "av_1": 2, "dv_1": 2, "av_2": 3, "dv_2": 4}


@pytest.mark.clause("HW-63", "HW-65", "HW-73", "HW-A19")
def test_one_blocker_takes_all() -> None:
    found = ruled(av_ground=4, dv=3, av_1=3, dv_1=2, share="mine", to_1=0)
    assert found.outcome.damage == {"blocker_1": 4, "attacker": 3}
    assert sorted(found.outcome.destroyed) == ["attacker", "blocker_1"]
    assert english(found.headline) == "Destroyed: the attacker, blocker 1"
    assert {"HW-73"} == set(clauses(found.reasons))


@pytest.mark.clause("HW-66", "HW-67", "HW-A18")
def test_the_best_and_the_worst_way_to_share_out() -> None:
    best = ruled(**TWO)
    assert (best.outcome.best, best.outcome.worst) == ((1, 4), (2, 3))
    assert best.outcome.destroyed == ("blocker_2",)
    assert best.outcome.damage["attacker"] == 5
    assert ruled(**TWO, share="worst").outcome.destroyed == ("blocker_1",)
    assert ruled(**TWO, share="mine", to_1=2, to_2=3).outcome.destroyed == ("blocker_1",)
    assert ruled(**TWO, share="mine", to_1=1, to_2=3).outcome.destroyed == ()
    nothing = ruled(**TWO, share="mine")
    assert (nothing.outcome.destroyed, nothing.outcome.damage) == ((), {"attacker": 5})
    assert told(best.reasons)[-2:] == [
        "The best way to share out: 1 blocker destroyed",
        "The worst way to share out: 1 blocker destroyed",
    ]
    assert clause(**TWO, share="mine", to_1=3, to_2=3) == "HW-A18"
    small = {"av_ground": 3, "dv": 9, "blockers": 3, "dv_1": 1, "dv_2": 2, "dv_3": 5}
    assert ruled(**small).outcome.destroyed == ("blocker_1", "blocker_2")
    assert ruled(**small, share="worst").outcome.destroyed == ()


@pytest.mark.clause("HW-56", "HW-64")
def test_who_does_not_block_that_category_is_refused() -> None:
    assert clause(category="air", av_air=3) == "HW-56"
    found = ruled(category="air", dv=2, av_1=3, may_also_block_1=True)
    assert found.outcome.destroyed[-1] == "attacker"


@pytest.mark.clause("HW-68", "HW-70", "HW-71")
def test_an_unlocked_target_answers_if_it_can() -> None:
    facts = {"category": "air", "av_ground": 1, "dv": 2, "blockers": 0, "target_av": 2, "target_dv": 3}
    found = ruled(**facts)
    assert found.outcome == Battle(damage={"target": 1, "attacker": 2}, destroyed=("attacker",), locked=("target",))
    assert "HW-71" in clauses(found.reasons)
    assert ruled(**facts, answers=False).outcome.damage == {"target": 1}


@pytest.mark.clause("HW-69", "HW-72", "HW-A16", "HW-A21")
def test_what_can_not_answer_says_why() -> None:
    def told_first(**facts: Any) -> str | None:
        found = ruled(blockers=0, **facts)
        assert "attacker" not in found.outcome.damage
        return found.reasons[0].clause

    assert told_first(target_state="locked") == "HW-69"
    assert told_first(target_state="blocked", target_used=True) == "HW-72"
    assert told_first(target_av=None) == "HW-A16"
    assert told_first(target_used=True) == "HW-A21"
    again = ruled(blockers=0, target_state="blocked")
    assert again.outcome.damage["attacker"] == 2
    assert again.outcome.locked == ()


@pytest.mark.clause("HW-A16", "HW-A17")
def test_the_value_against_the_target_counts() -> None:
    assert clause(blockers=0, target="air") == "HW-A16"
    assert ruled(blockers=0, target="air", av_air=3).outcome.destroyed == ("target",)
    harmless = ruled(av_ground=None, av_air=2)
    assert "blocker_1" not in harmless.outcome.damage
    assert english(ruled(av_ground=0, av_1=0).headline) == "Destroyed: nobody"


def test_the_form_asks_for_every_fact() -> None:
    assert GAME.lookups["battle"].facts is BattleFacts
    assert [field.name for field in fields(BattleFacts)] == list(BattleFacts.__struct_fields__)
