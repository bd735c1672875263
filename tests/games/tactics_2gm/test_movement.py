"""The movement phase: paths, friends and enemies, terrain, changing places, taking back, assault, where units stand."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import movement, terrain
from companion.games.tactics_2gm.assault import Assault
from companion.games.tactics_2gm.fire import Fire
from companion.games.tactics_2gm.movement import Move, Order, TakeBack
from companion.games.tactics_2gm.state import Attached, Last, Natural
from companion.games.tactics_2gm.terrain import Stand
from companion.kit.ruling import Refusal
from tests.support.playing import clauses, options_of
from tests.support.tactics_2gm_positions import after, battle, no, offered, refusal, ruled, told


def moving(written: str, **more: Any) -> Any:
    """A battle in the movement phase of the Allies, in their second turn."""
    return battle(written, **({"phase": "movement", "turn": 3} | more))


def where(state: Any, unit: str) -> set[str]:
    """The free squares that a unit is offered."""
    return {
        square
        for offer in offered(state, "move")
        if offer.on == unit and "swap" not in offer.given
        for square in options_of(offer, "to")
    }


def ends(state: Any, **ways: str) -> dict[str, str | None]:
    return movement.move_together(state, [Order(unit, tuple(path.split())) for unit, path in ways.items()])


def clause_of(state: Any, **ways: str) -> str | None:
    with pytest.raises(Refusal) as no:
        ends(state, **ways)
    return no.value.clause


# Paths


@pytest.mark.clause("G2-58", "G2-82", "G2-83", "G2-84")
def test_a_unit_moves_to_any_side_as_far_as_it_likes_but_never_diagonally() -> None:
    state = moving("a1 m4_sherman d3, x1 tiger h6")
    assert where(state, "a1") == {"d4", "d5", "d2", "d1", "c3", "b3", "e3", "f3", "c4", "e4", "c2", "e2"}
    moved = ruled(state, Move("a1", "d4"))
    assert moved.outcome.unit("a1").square == "d4", "one of its two squares is enough"
    assert moved.outcome.last == Last("d3", "d4")
    assert told(moved.reasons)[0].endswith("d3 moved to d4")
    assert clauses(moved.reasons) == ["G2-82"]
    assert no(state, Move("a1", "d6")) == "G2-58"
    assert no(state, Move("a1", path=("d4", "d5", "d6"))) == "G2-58"
    assert no(state, Move("a1", path=("e4",))) == "G2-84"
    assert no(state, Move("a1", path=("d5",))) == "G2-84"
    assert no(state, Move("a1", path=("d4", "d5"), to="d4")) == "G2-82"
    assert after(state, Move("a1", path=("d4", "e4"), to="e4")).unit("a1").square == "e4"
    assert no(state, Move("a1", "d3")) == "G2-83"
    back = refusal(state, Move("a1", path=("d4", "d3")))
    assert (back.clause, back.field) == ("G2-83", "path")
    for nowhere in (None, "d7", "i1", "zz"):
        assert no(state, Move("a1", nowhere)) == "G2-38"


@pytest.mark.clause("G2-85")
def test_friends_are_passed_but_nobody_ends_where_one_stands() -> None:
    state = moving("a1 half_track d1, a2 light_infantry d2, x1 tiger h6")
    assert "d3" in where(state, "a1")
    assert "d2" not in where(state, "a1")
    assert after(state, Move("a1", path=("d2", "d3"))).unit("a1").square == "d3"
    assert no(state, Move("a1", "d2")) == "G2-85"
    assert no(state, Move("a1", path=("d2",))) == "G2-85"


@pytest.mark.clause("G2-86")
def test_no_unit_passes_an_enemy() -> None:
    state = moving("a1 half_track a1, x1 tiger a2, x2 tiger b2")
    assert no(state, Move("a1", path=("a2", "a3"))) == "G2-86"
    assert no(state, Move("a1", "a2")) == "G2-86"
    assert no(state, Move("a1", "a3")) == "G2-86", "and the way around is too long"
    assert where(state, "a1") == {"b1", "c1", "d1", "c2"}


@pytest.mark.clause("G2-127", "G2-137")
def test_impassable_squares_are_not_entered_whatever_makes_them_so() -> None:
    river, hedge = Natural("river", "impassable"), Natural("hedge", "difficult")
    state = moving("a1 m4_sherman d1, x1 tiger h6", natural={"d2": river, "e1": hedge}, grounds="trench c1 allies")
    assert [terrain.class_at(state, square) for square in ("d2", "e1", "c1", "b1")] == [
        "impassable",
        "difficult",
        "difficult",
        "normal",
    ]
    assert where(state, "a1") == {"c1", "b1", "c2", "e1", "f1", "e2"}
    assert no(state, Move("a1", "d2")) == "G2-127"
    assert no(state, Move("a1", path=("d2", "d3"))) == "G2-127"
    house = moving("a1 m4_sherman d1, x1 tiger h6", grounds="house d2 allies")
    assert terrain.class_at(house, "d2") == "normal"
    assert terrain.class_at(house.with_ground("g1", ruin=True, pi=0), "d2") == "difficult"


@pytest.mark.clause("G2-127")
def test_difficult_terrain_costs_what_the_table_agreed_on() -> None:
    fields = {"natural": {"d2": Natural("forest", "difficult")}}
    free = moving("a1 m4_sherman d1, x1 tiger h6", **fields)
    assert "d3" in where(free, "a1"), "no more than a square, as printed"
    dear = moving("a1 m4_sherman d1, x1 tiger h6", difficult_extra_cost=1, **fields)
    assert "d2" in where(dear, "a1")
    assert "d3" not in where(dear, "a1")
    assert no(dear, Move("a1", path=("d2", "d3"))) == "G2-58"
    assert "d2" not in where(moving("a1 m4_sherman d1", difficult_extra_cost=2, **fields), "a1")
    around = moving("a1 half_track d1, x1 tiger h6", difficult_extra_cost=3, **fields)
    assert after(around, Move("a1", "e2")).unit("a1").square == "e2", "it goes round by itself"
    assert "e3" in where(moving("a1 half_track d1", difficult_extra_cost=1, **fields), "a1"), "by the cheapest way"


# Who moves, and when


@pytest.mark.clause("G2-77", "G2-82", "G2-155")
def test_each_unit_moves_once_in_the_movement_phase_by_its_own_player() -> None:
    state = moving("a1 m4_sherman d1, a2 half_track d5, x1 tiger h6")
    once = after(state, Move("a1", "d2"))
    assert no(once, Move("a1", "d3")) == "G2-82"
    assert where(once, "a1") == set()
    assert where(once, "a2") != set(), "others have not moved"
    assert no(state, Move("x1", "h5")) == "G2-155"
    assert no(state, Move("x1", "h5"), seat="axis") == "G2-02"
    for phase in ("headquarters", "deployment", "fire"):
        assert no(state.but(phase=phase), Move("a1", "d2")) == "G2-77"
        assert offered(state.but(phase=phase), "move") == []


@pytest.mark.clause("G2-155")
def test_partners_move_their_own_units_at_the_same_time() -> None:
    state = moving("a1 light_infantry d2, b1 light_infantry e2, x1 tiger h6", players="three", pair="allies")
    assert no(state, Move("b1", "e3"), seat="allies_1") == "G2-155"
    both = after(after(state, Move("b1", "e3"), seat="allies_2"), Move("a1", "d3"), seat="allies_1")
    assert (both.unit("a1").square, both.unit("b1").square) == ("d3", "e3")
    assert no(state, Move("a1", "e2", swap=True), seat="allies_1") == "G2-155", "each with his own"
    assert "e2" not in {square for offer in offered(state, "move", "allies_1") for square in options_of(offer, "to")}
    assert no(state.but(done=("allies_1",)), Move("a1", "d3"), seat="allies_1") == "G2-77"


@pytest.mark.clause("G2-95")
def test_who_was_just_deployed_stays_unless_its_card_lets_it_move() -> None:
    state = moving("a1 light_infantry d1, x1 tiger h6")
    state = state.with_unit("a1", deployed=3)
    assert no(state, Move("a1", "d2")) == "G2-95"
    assert where(state, "a1") == set()
    assert after(state.with_unit("a1", deployed=1), Move("a1", "d2")).unit("a1").moved
    quick = at_once(state).but(phase="deployment")
    assert where(quick, "a1") == {"c1", "e1", "d2"}
    gone = after(quick, Move("a1", "d2"))
    assert gone.unit("a1").square == "d2"
    assert no(gone, Move("a1", "d3")) == "G2-82"
    assert after(gone, TakeBack("a1")).unit("a1").square == "d1"


def at_once(state: Any) -> Any:
    """Let every card of the Allies move on the turn of its deployment."""
    roster = state.rosters["allies"]
    cards = tuple(replace(card, moves_at_once=True) for card in roster.unit)
    return state.but(rosters={**state.rosters, "allies": replace(roster, unit=cards)})


@pytest.mark.clause("G2-121")
def test_a_heavy_weapon_that_is_set_up_holds_infantry_where_it_is() -> None:
    state = moving("a1 heavy_infantry d1 +hmg, a2 heavy_infantry f1 +bazooka, x1 tiger h6")
    up = state.with_unit("a1", set_up=True).with_unit("a2", set_up=True)
    assert no(up, Move("a1", "d2")) == "G2-121"
    assert where(up, "a1") == set()
    assert where(up, "a2") != set(), "a bazooka pins nobody"
    assert where(state, "a1") != set()


@pytest.mark.clause("G2-20", "G2-58")
def test_a_card_on_the_unit_may_lengthen_its_way() -> None:
    state = moving("a1 light_infantry d1, x1 tiger h6")
    roster = state.rosters["allies"]
    support = tuple(replace(card, movement=1) if card.name == "shovel" else card for card in roster.support)
    state = state.but(rosters={**state.rosters, "allies": replace(roster, support=support)})
    shovel = next(code for code in state.deck("allies").pile if state.find_card("allies", code).name == "shovel")
    assert "d3" not in where(state, "a1")
    assert "d3" in where(state.with_unit("a1", cards=(Attached(shovel, "allies"),)), "a1")


@pytest.mark.clause("G2-139")
def test_aircraft_do_not_move() -> None:
    state = moving("a1 fighter_plane, x1 tiger h6")
    assert no(state, Move("a1", "d2")) == "G2-139"
    assert [offer.action for offer in offered(state, "move") if offer.on == "a1"] == []


# Several at once


@pytest.mark.clause("G2-85")
def test_moves_at_the_same_moment_are_judged_by_where_they_end() -> None:
    state = moving("a1 m4_sherman d1, a2 m4_sherman d2, a3 light_infantry e2, x1 tiger d4")
    assert ends(state, a1="d2", a2="d1") == {"a1": "d2", "a2": "d1"}
    assert ends(state, a1="d2", a2="d3") == {"a1": "d2", "a2": "d3"}
    assert ends(state, a1="d2", a2="e2", a3="e1") == {"a1": "d2", "a2": "e2", "a3": "e1"}
    assert ends(state, a1="", a2="d3") == {"a1": "d1", "a2": "d3"}
    assert clause_of(state, a1="d2", a2="") == "G2-85"
    assert clause_of(state, a1="d2") == "G2-85"
    assert clause_of(state, a1="e1", a3="e1") == "G2-85"
    assert clause_of(state, a1="d2 d3", a2="d3 d4") == "G2-86"
    assert clause_of(state, a1="d2 d3 e3") == "G2-58"
    assert clause_of(state.with_unit("a2", deployed=3), a1="d2", a2="d1") == "G2-95"
    assert ends(state.with_unit("a2", deployed=3), a1="e1", a2="") == {"a1": "e1", "a2": "d2"}, "who stays may stay"
    with pytest.raises(Refusal, match="once a turn"):
        movement.move_together(state, [Order("a1", ("e1",)), Order("a1", ("c1",))])


@pytest.mark.clause("G2-85")
def test_where_places_are_not_changed_moves_must_work_one_after_the_other() -> None:
    state = moving("a1 m4_sherman d1, a2 m4_sherman d2, a3 light_infantry e2", swap_allowed=False)
    assert ends(state, a1="d2", a2="e2", a3="e1") == {"a1": "d2", "a2": "e2", "a3": "e1"}, "a column advances"
    assert clause_of(state, a1="d2", a2="d1") == "G2-85"
    assert clause_of(state, a1="d2 e2", a2="d1", a3="d2") == "G2-85", "nor around in a ring"
    assert no(state, Move("a1", "d2", swap=True)) == "G2-85"
    assert [offer for offer in offered(state, "move") if "swap" in offer.given] == []


@pytest.mark.clause("G2-85")
def test_two_units_change_places_when_both_can_move() -> None:
    state = moving("a1 m4_sherman d1, a2 light_infantry d2, a3 light_infantry f1, x1 tiger h6")
    swaps = {offer.on: options_of(offer, "to") for offer in offered(state, "move") if "swap" in offer.given}
    assert swaps == {"a1": ["d2"], "a2": ["d1"]}, "the rifles on f1 do not reach d1"
    swapped = ruled(state, Move("a1", "d2", swap=True))
    now = swapped.outcome
    assert (now.unit("a1").square, now.unit("a2").square) == ("d2", "d1")
    assert (now.unit("a1").moved, now.unit("a2").moved) == (True, True)
    assert [line[-14:] for line in told(swapped.reasons)] == ["d1 moved to d2", "d2 moved to d1"]
    assert no(now, Move("a2", "c1")) == "G2-82"
    assert no(state, Move("a1", "f1", swap=True)) == "G2-58", "the other does not come that far"
    assert no(after(state, Move("a2", "e2")), Move("a1", "e2", swap=True)) == "G2-82"
    fresh = state.with_unit("a2", deployed=3)
    assert no(fresh, Move("a1", "d2", swap=True)) == "G2-95"
    assert [offer for offer in offered(fresh, "move") if "swap" in offer.given] == []
    back = after(now, TakeBack("a2"))
    assert (back.unit("a1").square, back.unit("a2").square) == ("d1", "d2")
    assert (back.unit("a1").moved, back.unit("a2").moved) == (False, False)


# Taking back


@pytest.mark.clause("G2-82")
def test_a_move_is_taken_back_while_nothing_came_of_it() -> None:
    state = after(moving("a1 m4_sherman d1, a2 half_track c1, x1 tiger h6"), Move("a1", "d3"))
    assert [offer.on for offer in offered(state, "take_back")] == ["a1"]
    back = ruled(state, TakeBack("a1"))
    assert (back.outcome.unit("a1").square, back.outcome.unit("a1").moved) == ("d1", False)
    assert told(back.reasons)[0].endswith("d3 went back to d1")
    assert no(back.outcome, TakeBack("a1")) == "G2-82", "it has not moved any more"
    taken = after(state, Move("a2", "d1"))
    assert no(taken, TakeBack("a1")) == "G2-82", "somebody stands there"
    assert no(state.with_unit("a1", fired=("w0",)), TakeBack("a1")) == "G2-82"
    assert no(state.with_unit("a1", assaulted=True), TakeBack("a1")) == "G2-82"
    assert no(state.but(phase="deployment"), TakeBack("a1")) == "G2-82"
    assert no(state, TakeBack("a1"), seat="axis") == "G2-02"


# The real battlefield


@pytest.mark.clause("G2-38", "G2-82")
def test_on_the_table_moves_need_nothing_of_companion() -> None:
    state = moving("a1 m4_sherman, x1 tiger", board="table")
    assert offered(state, "move") == []
    moved = after(state, Move("a1"))
    assert moved.unit("a1").moved
    assert [offer.on for offer in offered(moved, "take_back")] == ["a1"]
    assert not after(moved, TakeBack("a1")).unit("a1").moved
    assert no(moved, Move("a1")) == "G2-82"
    for named in (Move("a1", "d2"), Move("a1", path=("d2",)), Move("a1", swap=True)):
        assert no(state, named) == "G2-38"


@pytest.mark.clause("G2-125", "G2-127", "G2-85")
def test_on_the_table_people_say_in_which_terrain_a_unit_stands() -> None:
    state = moving(
        "a1 light_infantry, a2 light_infantry, x1 tiger, a3 fighter_plane",
        board="table",
        grounds="trench allies, house axis",
    )
    inside = ruled(state, Stand("a1", "g1"))
    assert inside.outcome.unit("a1").inside == "g1"
    assert clauses(inside.reasons) == ["G2-125"]
    assert no(inside.outcome, Stand("a2", "g1")) == "G2-85"
    assert {offer.on: options_of(offer, "ground") for offer in offered(inside.outcome, "stand") if offer.fields} == {
        "a1": ["g2"],
        "a2": ["g2"],
    }
    assert after(inside.outcome, Stand("a1")).unit("a1").inside is None
    assert after(state, Stand("x1", "g2"), seat="axis").unit("x1").inside == "g2", "the enemy may say it too"
    assert no(state, Stand("x1", "g2")) == "G2-155"
    assert no(state, Stand("a1", "g9")) == "G2-125"
    assert no(state, Stand("a3", "g1")) == "G2-139"
    assert no(moving("a1 light_infantry d1", grounds="trench d2 allies"), Stand("a1", "g1")) == "G2-125"
    assert no(state.but(phase="mulligan"), Stand("a1", "g1")) == "G2-02"


# Assault


@pytest.mark.clause("G2-87", "G2-A26")
def test_infantry_assaults_a_neighbour_and_the_table_says_what_comes_of_it() -> None:
    state = moving("a1 light_infantry d3, a2 m4_sherman e4, x1 light_infantry d4, x2 tiger d6")
    came = ruled(state, Assault("a1", "x1", harm=2, own_harm=1))
    now = came.outcome
    assert (now.unit("x1").wounds, now.unit("a1").wounds) == (2, 1)
    assert "d3 assaults" in told(came.reasons)[0]
    harm = [line for reason in came.reasons for line in reason.harm]
    assert [(line.to.id, line.hits, line.by and line.by.id) for line in harm] == [("x1", 2, "a1"), ("a1", 1, "x1")]
    assert no(now, Assault("a1", "x1", harm=1)) == "G2-87", "once a turn"
    assert no(state, Assault("a1", "x2")) == "G2-87", "not beside it"
    assert no(state, Assault("a2", "x1")) == "G2-87", "no infantry"
    assert no(state, Assault("a1", "a2")) == "G2-87", "no enemy"
    assert no(state, Assault("a1", "x1", weapon="w0")) == "G2-87"
    assert no(state.but(phase="fire"), Assault("a1", "x1")) == "G2-77"
    assert [(offer.on, options_of(offer, "target")) for offer in offered(state, "assault")] == [("a1", ["x1"])]
    assert offered(now, "assault") == []
    assert told(ruled(state, Assault("a1", "x1")).reasons)[-1] == "no harm on either side"


@pytest.mark.clause("G2-87", "G2-112", "G2-85")
def test_who_drives_the_enemy_out_may_take_his_place() -> None:
    state = moving("a1 light_infantry d3, x1 light_infantry d4 2w, x2 tiger d6")
    state = after(state.but(), Assault("a1", "x1", harm=1, enter=True))
    assert state.find("x1") is None
    assert state.lost == {"axis": 1}
    assert (state.unit("a1").square, state.unit("a1").moved) == ("d4", True)
    assert no(state, TakeBack("a1")) == "G2-82"
    stays = moving("a1 light_infantry d3, a2 heavy_infantry e4 +hmg, x1 light_infantry d4")
    assert no(stays, Assault("a1", "x1", harm=1, enter=True)) == "G2-85", "he stands there still"
    assert no(stays, Assault("a1", "x1", harm=9, own_harm=3, enter=True)) == "G2-112"
    assert no(stays.with_unit("a2", set_up=True), Assault("a2", "x1", harm=9, enter=True)) == "G2-121"
    both = after(stays, Assault("a1", "x1", harm=9, own_harm=9))
    assert (both.find("a1"), both.find("x1"), both.lost) == (None, None, {"axis": 1, "allies": 1})


@pytest.mark.clause("G2-87", "G2-136", "G2-137")
def test_a_building_that_the_enemy_holds_is_assaulted_too() -> None:
    state = moving(
        "a1 light_infantry d3, x1 light_infantry d4, x2 light_infantry c3",
        grounds="house d4 axis, house e3 axis, trench c3 axis",
    )
    (offer,) = offered(state, "assault")
    assert options_of(offer, "target") == ["x1", "x2", "g1"], "of a trench only who holds it"
    hurt = after(state, Assault("a1", "g1", harm=2))
    assert hurt.grounds[0].pi == 3
    fallen = after(state, Assault("a1", "g1", harm=5, enter=True))
    assert (fallen.grounds[0].ruin, fallen.find("x1"), fallen.unit("a1").square) == (True, None, "d4")
    assert fallen.ground_of(fallen.with_unit("a1", square="e4").unit("a1")) is None, "who moves on has left it"
    assert after(state, Assault("a1", "g3", harm=1)).unit("x2").wounds == 1, "the trench's holder"
    assert no(state, Assault("a1", "g2")) == "G2-87", "nobody holds it"


@pytest.mark.clause("G2-87", "G2-A26")
def test_assault_on_the_table_takes_any_enemy() -> None:
    state = moving("a1 light_infantry, x1 light_infantry 2w", board="table", grounds="trench axis")
    state = state.with_unit("x1", inside="g1")
    gone = after(state, Assault("a1", "x1", harm=1, enter=True))
    assert (gone.find("x1"), gone.unit("a1").inside) == (None, "g1")
    assert refusal(state, Assault("a1", "x1", enter=True)).field == "enter"


@pytest.mark.clause("G2-87", "G2-97", "G2-A26")
def test_assault_may_be_agreed_to_be_fire_at_a_neighbour() -> None:
    state = moving(
        "a1 light_infantry d3 +grenade, x1 light_infantry d4, x2 light_infantry c3", assault_mode="fire_at_range_1"
    )
    (offer,) = offered(state, "assault")
    assert (options_of(offer, "weapon"), offer.loose) == (["w0", "grenade"], False)
    shot = after(state, Assault("a1", "x1", weapon="grenade"), 7)
    assert (shot.unit("x1").wounds, shot.unit("a1").fired) == (1, ("grenade",))
    assert not shot.unit("x1").shot_by, "no fire phase, no suppressive fire"
    assert no(shot, Assault("a1", "x1", weapon="w0")) == "G2-87"
    assert after(state, Assault("a1", "x1"), 2).unit("a1").fired == ("w0",), "the first one that is ready"
    assert no(shot.but(phase="fire"), Fire("a1", "grenade", "x1")) == "G2-97", "it has fired in this turn"
    assert no(state, Assault("a1", "x1", harm=1)) == "G2-87"
    assert no(state.with_unit("a1", fired=("w0", "grenade")), Assault("a1", "x1")) == "G2-97"
    assert offered(state.with_unit("a1", fired=("w0", "grenade")), "assault") == []
    table = moving("a1 light_infantry, x1 light_infantry", board="table", assault_mode="fire_at_range_1")
    assert after(table, Assault("a1", "x1"), 6).unit("x1").wounds == 1
