"""Moments of ChessWar in which several rules meet: who may still cast, who is asked first, what was entered."""

from __future__ import annotations

import pytest

from companion.games.chesswar import magic
from companion.games.chesswar.catapults import Bombard
from companion.games.chesswar.charge import Charge
from companion.games.chesswar.combat import Attack
from companion.games.chesswar.deployment import PlaceTerrain
from companion.games.chesswar.game import GAME
from companion.games.chesswar.movement import Move, TakeBack
from companion.games.chesswar.shooting import Shoot
from companion.games.chesswar.spells import Cast
from companion.games.chesswar.state import Last
from companion.games.chesswar.turn import EndPhase
from companion.kit.panels import Facts
from tests.support.chesswar_positions import KINGS, after, by, end, english, fights, no, offered, on, position, ruled
from tests.support.playing import options_of
from tests.support.two_cities_positions import Plays

PARTNERS = "wk hk a1, rk ek l1, bk ok a12, uk uk l12"


@pytest.mark.clause("CW-161", "CW-35")
def test_a_mage_who_charged_does_not_fly_out_of_it() -> None:
    state = position("wk ok a1, w1 oq d4, bk hk h8, b1 hp d5")
    engaged = after(state, Charge("w1", "b1"))
    assert no(engaged, Cast("w1", "flight", target="w1", to="d1")) == "CW-161"
    assert [offer.given["spell"] for offer in offered(engaged, "cast")] == []
    before = position("wk ok a1, w1 oq d4, bk hk h8, b1 hp d5, w1>b1")
    flown = after(before, Cast("w1", "flight", target="w1", to="d1"))
    assert (on(flown)["w1"], fights(flown)) == ("d1", set())


@pytest.mark.clause("CW-127", "CW-179")
def test_only_an_own_deed_takes_the_moment_of_a_mage_away() -> None:
    state = position(PARTNERS + ", w1 hq d4, w2 hp f4, r1 ep j4", sides="teams")
    moved = after(state, Move("w1", "d5"), seat="white")
    partner = after(moved, Move("r1", "j5"), seat="red")
    assert "protection" in {offer.given["spell"] for offer in offered(partner, "cast", "white")}
    own = after(moved, Move("w2", "f5"), seat="white")
    assert no(own, Cast("w1", "protection"), seat="white") == "CW-127"
    back = after(own, TakeBack("w2"), seat="white")
    assert after(back, Cast("w1", "protection"), seat="white").effects


@pytest.mark.clause("CW-144", "CW-Q22")
def test_whose_spell_is_countered_answers_first() -> None:
    state = position("wk hk a1, w1 hq a2, bk ek l12, b1 eq k11, rk ok a6, r1 oq a7", sides="three", phase="combat")
    for owner, order in (("black", ["black", "white"]), ("white", ["white", "black"])):
        ask = Plays()
        magic.stands(state, state.unit("r1"), "counterspell", ask, owner=owner)
        assert [question.seat for question in ask.asked] == order


@pytest.mark.clause("CW-147", "CW-144")
def test_a_mage_who_is_falling_counters_nothing() -> None:
    state = position("wk hk a1, w1 hn d4, w2 hq b3, bk hk h8, b1 uq d5, b2 uq e6, w1>b1", phase="combat")
    asked = by(state, Attack("w1", "b1"), 6, 4, 5, heal_b1="b2", counter_b2="w2", raise_b1="no")
    assert ("counter_w2", "black") not in asked


@pytest.mark.clause("CW-135", "CW-99")
def test_a_unit_just_raised_does_not_move_on() -> None:
    state = position(f"{KINGS}, w1 hp d4, b1 op d5, w1>b1", phase="combat")
    assert by(state, Attack("w1", "b1"), 6) == [("attack", "white"), ("continuation", "white")]
    raised = state.with_unit("w1", raised=True)
    assert by(raised, Attack("w1", "b1"), 6) == [("attack", "white")]


@pytest.mark.clause("CW-115")
def test_moving_onto_a_troll_on_the_real_board_removes_it() -> None:
    state = position(f"{KINGS}, w1 hp d4, b1 or d5, w1>b1", phase="combat", board="table")
    moved = after(state, Attack("w1", "b1"), 6, 6, continuation="move_in")
    assert not moved.units[-1].on_board
    assert by(moved, EndPhase()) == [], "nobody asks whether its square was entered"
    stays = after(state, Attack("w1", "b1"), 6, 6, continuation="stay")
    assert end(stays, 3, entered_b1="no").unit("b1").stands


@pytest.mark.clause("CW-52", "CW-53")
def test_the_shooter_throws_who_is_struck() -> None:
    state = position(f"{KINGS}, w1 hb d1, w2 hp d3, b1 op d4, w2>b1", phase="shooting")
    assert by(state, Shoot("w1", "b1"), 6, 5, 6) == [("hit", "white"), ("melee", "white"), ("save_b1", "black")]


@pytest.mark.clause("CW-67", "CW-Q07")
def test_a_catapult_aimed_at_nobody_is_told_so() -> None:
    state = position(f"{KINGS}, w1 hr d1, b1 op d6", phase="shooting")
    empty = ruled(state, Bombard("w1", "d5"), 5, 5)
    assert empty.reasons[0].clause == "CW-67"
    assert ruled(state, Bombard("w1", "d6"), 5, 5, 6).reasons[0].clause == "CW-69"


@pytest.mark.clause("CW-67", "CW-76")
def test_squares_are_named_by_who_stands_there_and_those_of_friends_are_kept_aside() -> None:
    state = position(f"{KINGS}, w1 hr a4, w2 hp d4, b1 op d5, w3 hp f4, b2 on h4, w2>b1", phase="shooting")
    (offer,) = offered(state, "bombard")
    named = {option.value: english(option.label) for option in offer.fields[0].options}
    assert named["h4"].startswith("Black: ")
    assert named["d5"].startswith("Black: ")
    assert (named["d4"], named["f4"], named["e4"]) == ("Your own infantry d4", "Your own infantry f4", "e4")
    (into,) = [option for option in offer.fields[0].options if option.value == "d4"]
    assert english(into.note) == "in melee with Orcs d5", "a shot at it may strike the enemy"
    assert {option.value for option in offer.fields[0].options if option.aside} == {"a1", "d4", "f4"}


@pytest.mark.clause("CW-67", "CW-179")
def test_a_shot_at_a_partner_is_kept_aside_too() -> None:
    state = position(PARTNERS + ", w1 hr d4, r1 ep d7, b1 op e7", phase="shooting", sides="teams")
    (offer,) = offered(state, "bombard", "white")
    aside = {option.value: english(option.label) for option in offer.fields[0].options if option.aside}
    assert aside["d7"] == "Red: Archers d7"
    assert "e7" not in aside


@pytest.mark.clause("CW-129", "CW-153")
def test_everybody_sees_which_spells_are_in_force_and_whom_they_cover() -> None:
    state = position(f"{KINGS}, w1 eq d4, w2 ep d5, w3 ep f4, w4 eq a4")
    cast = after(after(state, Cast("w1", "protection")), Cast("w4", "fear"))
    for seat in ("white", "black", "screen"):
        (facts,) = [panel for panel in GAME.view(cast, seat).panels if isinstance(panel, Facts)]
        rows = {english(label): english(value) for label, value in facts.rows}
        assert rows["Protection of White"] == "Mage d4: Archers d5"
        assert rows["Fear of White"] == "Mage a4"


@pytest.mark.clause("CW-72")
def test_the_board_marks_where_a_shot_came_down() -> None:
    state = position(f"{KINGS}, w1 hr d1, b1 op d6", phase="shooting")
    drifted = after(state, Bombard("w1", "d6"), 2, 3)
    assert drifted.last == Last("d1", "e5")


@pytest.mark.clause("CW-24", "CW-178")
def test_the_turn_of_an_army_that_is_wiped_out_is_over() -> None:
    state = position("wk hk d4, bk ok d5, rk ek a6, wk>bk", sides="three", phase="combat", leaderless=("white",))
    fallen = after(state, Attack("wk", "bk"), 1, 1)
    assert (set(on(fallen)), fallen.acting) == ({"bk", "rk"}, ("black",))
    assert GAME.offers(fallen, "white") == (), "there is nothing left to give up"


@pytest.mark.clause("CW-168")
def test_terrain_of_a_real_board_is_not_laid_in_companion() -> None:
    state = position("wk hk a1, bk ok h8", phase="raising", board="table", terrain=True)
    assert no(state, PlaceTerrain("d4", "forest"), seat="white") == "CW-168"
    assert offered(state, "place_terrain", "white") == []


@pytest.mark.clause("CW-153")
def test_a_protection_told_by_the_players_covers_their_own() -> None:
    state = position(f"{KINGS}, w1 hq a2, w2 hp a3, b1 op d5", board="table")
    assert no(state, Cast("w1", "protection", covers=("b1",))) == "CW-153"
    cast = after(state, Cast("w1", "protection", covers=("w2",)))
    assert cast.effects[0].covers == ("w2",)
    assert options_of(offered(cast, "cover")[0], "covers") == ["wk", "w2"]


@pytest.mark.clause("CW-29")
def test_a_way_and_a_square_that_differ_are_refused() -> None:
    state = position(f"{KINGS}, w1 hn d4")
    assert no(state, Move("w1", "d7", ("e4",))) == "CW-29"
    assert on(after(state, Move("w1", "e4", ("e4",))))["w1"] == "e4"
