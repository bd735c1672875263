"""Edges of ChessWar's rules that ordinary play seldom meets."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.chesswar import combat, destruction, traits, victory
from companion.games.chesswar.armies import ARMIES
from companion.games.chesswar.catapults import Bombard
from companion.games.chesswar.charge import Charge
from companion.games.chesswar.combat import Attack
from companion.games.chesswar.movement import Move, destinations
from companion.games.chesswar.shooting import Shoot
from companion.games.chesswar.spells import Cast
from companion.games.chesswar.state import Last
from companion.games.chesswar.turn import EndPhase
from companion.kit.questions import Draw
from tests.support.chesswar_positions import (
    KINGS,
    after,
    asked,
    fights,
    no,
    offered,
    on,
    position,
    refusal,
    rule,
    ruled,
)
from tests.support.playing import clauses
from tests.support.two_cities_positions import Plays


@pytest.mark.clause("CW-66", "CW-167")
def test_a_catapult_reaches_across_a_chessboard_and_no_farther_on_a_larger_board() -> None:
    large: dict[str, Any] = {"phase": "shooting", "size": 16}
    state = position("wk hk a1, w1 hr a2, bk ok p16, b1 op i2, b2 op j2, b3 op a15", **large)
    assert asked(state, Bombard("w1", "i2"), 1, 1) == ["scatter"]
    assert no(state, Bombard("w1", "j2")) == "CW-167", "nine squares away"
    assert no(state, Bombard("w1", "a15")) == "CW-167"
    told = position("wk hk, w1 hr, bk ok, b1 op", board="table", **large)
    assert [field.high for offer in offered(told, "bombard") for field in offer.fields if field.name == "distance"] == [
        8
    ]
    assert no(told, Bombard("w1", distance=9)) == "CW-167"
    assert asked(told, Bombard("w1", distance=8), 1, 1, impact="nobody") == ["scatter", "impact"]


@pytest.mark.clause("CW-77", "CW-78", "CW-73")
@pytest.mark.parametrize("thrower", ["cr", "or", "rb"])
def test_who_throws_from_one_square_away_does_not_throw_at_itself(thrower: str) -> None:
    state = position(f"wk ck a1, w1 {thrower} c6, bk hk h8, b1 hp c7, b2 hp e6", phase="shooting")
    refused = refusal(state, Bombard("w1", "c6"))
    assert (refused.clause, refused.field) == ("CW-73", "square")
    assert asked(state, Bombard("w1", "c7"), 6, 6) == ["scatter", "save_b1"]
    assert asked(state, Bombard("w1", "e6"), 6, 6) == ["scatter", "save_b2"]
    told = position(f"wk ck, w1 {thrower}, bk hk, b1 hp", board="table", phase="shooting")
    fields = [field for offer in offered(told, "bombard") for field in offer.fields if field.name == "distance"]
    assert [(field.low, field.high) for field in fields] == [(1, 2)]
    assert refusal(told, Bombard("w1", distance=0)).field == "distance"


@pytest.mark.clause("CW-153", "CW-155")
def test_on_a_real_board_a_mage_stands_in_his_own_protection() -> None:
    told = position("wk hk, w1 hq, w2 hp, w3 hp, bk ok, b1 op, protection w1 w2", board="table", phase="combat")
    need = {name: traits.save_needed(told, told.unit(name), "melee") for name in ("w1", "w2", "w3")}
    bare = {name: told.unit(name).kind.save for name in need}
    assert need == {"w1": bare["w1"] - 1, "w2": bare["w2"] - 1, "w3": bare["w3"]}


@pytest.mark.clause("CW-138", "CW-131", "CW-139")
def test_an_enemy_raised_out_of_its_melee_is_free_of_it() -> None:
    state = position(
        "wk hk a1, w1 hp d4, bk uk h8, b1 uq e6, rk ok a8, r1 on d5, r1>w1", phase="combat", active=2, sides="three"
    )
    assert state.acting == ("red",)
    raised = after(state, Attack("r1", "w1"), 6, raise_w1="b1", continuation="stay")
    new = next(unit for unit in raised.units if unit.stands and unit.side == "black" and unit.id not in {"bk", "b1"})
    assert new.square == "d4"
    assert fights(raised) == set(), "White's unit fought Red; Black's fights nobody"


@pytest.mark.clause("CW-128", "CW-150")
def test_a_mage_who_attacked_does_not_strike_too() -> None:
    state = position(f"{KINGS}, w1 oq d4, b1 hp d5, w1>b1", phase="combat")
    hit = after(state, Attack("w1", "b1"), 3)
    assert hit.unit("w1").attacked
    assert no(hit, Cast("w1", "strike", target="b1")) == "CW-128"
    assert not offered(hit, "cast")
    assert asked(state, Cast("w1", "strike", target="b1"), 6) == ["save_b1"]


@pytest.mark.clause("CW-29", "CW-115")
def test_a_way_goes_over_no_one_who_lies_there_where_another_is_as_short() -> None:
    for lying, free in (("d5", "e5"), ("e5", "d5")):
        state = position(f"{KINGS}, w1 hn d4, b1 or {lying}").with_unit("b1", down=True)
        assert destinations(state, state.unit("w1"))["e6"] == (free, "e6")
        moved = ruled(state, Move("w1", "e6"))
        assert clauses(moved.reasons) == ["CW-29"]
        assert "b1" in {unit.id for unit in moved.outcome.units if unit.on_board}
    both = position(f"{KINGS}, w1 hn d4, b1 or d5, b2 or e5").with_unit("b1", down=True).with_unit("b2", down=True)
    assert destinations(both, both.unit("w1"))["e6"] == ("d5", "e6"), "the only ways of two steps"
    assert destinations(both, both.unit("w1"))["d7"] == ("c5", "c6", "d7")


@pytest.mark.clause("CW-65", "CW-57")
def test_who_walks_round_to_where_it_stood_has_moved() -> None:
    state = position(f"{KINGS}, w1 hn d4")
    moved = after(state, Move("w1", path=("e4", "d4")))
    assert (moved.unit("w1").moved, moved.unit("w1").square) == (True, "d4")
    assert moved.last == Last("d4", "d4")


@pytest.mark.clause("CW-179")
def test_partners_who_lost_both_generals_too_do_not_win_by_those_of_the_enemy() -> None:
    armies = "w1 hp a1, r1 ep b1, b1 op a8, u1 dp b8"
    state = position(armies, sides="teams", leaderless=("white", "red", "black", "blue"))
    assert victory.victors(state) == victory.NOBODY
    assert victory.victors(state.but(leaderless=("white", "black", "blue"))) == (("white", "red"), "CW-179")
    assert set(on(state)) == {"w1", "r1", "b1", "u1"}


@pytest.mark.clause("CW-51", "CW-179")
def test_a_partner_sees_for_a_shooter() -> None:
    state = position("w1 hb d2, b2 op d3, b1 op d5, r1 ep e4, u1 dp h8", phase="shooting", sides="teams")
    shot = Shoot("w1", "b1")
    assert asked(state, shot, 1) == ["hit"]
    assert no(state.with_unit("r1", square="d1"), shot) == "CW-47"


@pytest.mark.clause("CW-53")
def test_any_opponent_may_be_the_one_that_is_struck() -> None:
    state = position(
        f"{KINGS}, w1 hb d2, b1 op d5, w2 hp e5, w3 hp e6, w4 hp c6, w2>b1, w3>b1, w4>b1", phase="shooting"
    )
    ask = Plays(6, 1, 1, drawn=("w4",))
    assert set(on(state)) - set(on(rule(state, "white", Shoot("w1", "b1"), ask).outcome)) == {"w4"}
    (drawn,) = (question for question in ask.asked if isinstance(question, Draw))
    assert drawn.pile == ("w2", "w3", "w4")


@pytest.mark.clause("CW-64", "CW-66")
def test_a_catapult_that_was_flown_somewhere_does_not_shoot_from_there() -> None:
    state = position(f"{KINGS}, w1 oq d1, w2 hr d2, b1 op d7")
    flown = after(state, Cast("w1", "flight", target="w2", to="g4")).but(phase="shooting")
    assert no(flown, Bombard("w2", "d7")) == "CW-64"
    assert asked(state.but(phase="shooting"), Bombard("w2", "d7"), 1, 1) == ["scatter"]


@pytest.mark.clause("CW-101", "CW-106", "CW-107", "CW-36")
def test_who_charged_in_its_move_may_charge_again_as_a_continuation_without_a_bonus() -> None:
    state = position(f"{KINGS}, w1 hn d4, b1 op d5, b2 op e5")
    charged = after(state, Charge("w1", "b1")).but(phase="combat")
    assert [term.clause for term in combat.added_to_the_die(charged, charged.unit("w1"), charged.unit("b1"))] == [
        None,
        "CW-107",
        None,
    ]
    again = after(charged, Attack("w1", "b1"), 6, continuation="b2")
    assert fights(again) == {"w1>b2"}
    assert no(again, Attack("w1", "b2")) == "CW-106"
    assert [term.clause for term in combat.added_to_the_die(again, again.unit("w1"), again.unit("b2"))] == [None, None]


@pytest.mark.clause("CW-118", "CW-116", "CW-Q17")
def test_a_troll_that_fell_in_its_own_turn_stands_up_at_the_end_of_it() -> None:
    state = position("wk ok a1, w1 or d4, bk ck d5, w1>bk", phase="combat")
    fallen = after(state, Attack("w1", "bk"), 1, 1, 6)
    assert fallen.units[1].down
    assert asked(fallen, EndPhase(), 3) == ["regenerate_w1"]
    assert after(fallen, EndPhase(), 3).unit("w1").stands


@pytest.mark.clause("CW-128", "CW-162")
def test_a_mage_who_is_said_to_have_shot_zaps_nobody() -> None:
    state = position(f"{KINGS}, w1 hq c3, b1 op c5", phase="shooting")
    assert asked(state, Cast("w1", "zap", target="b1"), 6) == ["save_b1"]
    assert no(state.with_unit("w1", shot=True), Cast("w1", "zap", target="b1")) == "CW-128"


@pytest.mark.clause("CW-130", "CW-149")
def test_a_spell_that_two_mages_cast_is_in_force_twice() -> None:
    state = position(f"{KINGS}, w1 hq a3, w2 hq a5, storm w1")
    twice = after(state, Cast("w2", "storm"))
    assert [effect.caster for effect in twice.effects] == ["w1", "w2"]


@pytest.mark.clause("CW-133", "CW-134")
def test_only_the_units_of_the_own_army_count_for_the_maximum() -> None:
    most = ARMIES["undead"].of("knight")
    assert most is not None
    theirs = ", ".join(f"b{number} un {file}8" for number, file in zip(range(1, most.max + 1), "abcdefg", strict=False))
    state = position(f"wk uk a1, w1 uq c3, bk uk h8, {theirs}, w9 hn d4")
    assert destruction.raised_type(state, "white", state.unit("w9")) is most
    assert destruction.raised_type(state, "black", state.unit("w9")).id == "undead_zombies"


@pytest.mark.clause("CW-166", "CW-173")
def test_of_two_armies_that_the_same_plague_wipes_out_the_first_to_go_has_lost() -> None:
    state = position("w1 hn d4, b1 cp d5, r1 dp e5, w1>b1, r1>b1", phase="combat", sides="three", massacre=True)
    ended = after(state, Attack("w1", "b1"), 6, 1, 1)
    assert on(ended) == {}
    assert ended.winner == ("red",)
