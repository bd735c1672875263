"""The movement phase: steps, taking them back, trampling, teleports, Flight, charges, and when spells come in."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.chesswar.charge import Charge
from companion.games.chesswar.game import GAME
from companion.games.chesswar.movement import Move, TakeBack
from companion.games.chesswar.spells import Cast
from companion.games.chesswar.state import Last
from companion.games.chesswar.turn import EndPhase
from companion.kit.panels import Board
from tests.support.chesswar_positions import (
    KINGS,
    after,
    asked,
    english,
    fights,
    no,
    offered,
    on,
    position,
    refusal,
    ruled,
)
from tests.support.playing import clauses, options_of


def where(state: Any, unit: str) -> set[str]:
    """The squares that a unit is offered."""
    return {square for offer in offered(state, "move") if offer.on == unit for square in options_of(offer, "to")}


@pytest.mark.clause("CW-28", "CW-29", "CW-35", "CW-65")
def test_units_move_in_a_row_each_once() -> None:
    state = position(f"{KINGS}, w1 hn c3, w2 hn e3, w3 hp g2, b1 op c8")
    first = ruled(state, Move("w1", "c6"))
    assert english(first.headline) == "Knights c3 moved to c6"
    assert clauses(first.reasons) == ["CW-29"]
    state = after(first.outcome, Move("w2", "f6"))
    assert state.last == Last("e3", "f6")
    assert no(state, Move("w1", "c7")) == "CW-35"
    assert where(state, "w1") == set()
    assert (state.unit("w1").moved, state.unit("w3").moved) == (True, False)
    assert {offer.on for offer in offered(state, "move")} == {"wk", "w3"}


@pytest.mark.clause("CW-29", "CW-30", "CW-31", "CW-33", "CW-01")
def test_what_is_offered_is_what_can_be_walked_to_and_the_rest_is_refused() -> None:
    state = position(f"{KINGS}, w1 hn d4, w2 hp d5, b1 op f5, w3 hr b2")
    board = {f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)}
    offers = where(state, "w1")
    for square in sorted(board - offers - {"d4"}):
        assert no(state, Move("w1", square)) in {"CW-29", "CW-31", "CW-33"}
    for square in sorted(offers):
        assert after(state, Move("w1", square)).unit("w1").square == square
    assert "g4" in offers
    assert "g5" not in offers, "past the enemy, square by square beside him"
    assert no(state, Move("w1", "d5")) == "CW-31"
    assert no(state, Move("w1", "d8")) == "CW-29"
    assert no(state, Move("w1", "d4")) == "CW-29"
    assert no(state, Move("w3", "b3")) == "CW-30"
    for nowhere in (Move("w1"), Move("w1", "i4")):
        assert no(state, nowhere) == "CW-01"


@pytest.mark.clause("CW-29", "CW-31", "CW-33", "CW-34", "CW-65", "CW-Q04")
def test_a_path_may_be_told_step_by_step() -> None:
    state = position(f"{KINGS}, w1 hn d4, w2 hp d3, b1 op d6")
    around = after(state, Move("w1", path=("e4", "f5", "e6")))
    assert (around.unit("w1").square, around.unit("w1").came_from) == ("e6", "d4")
    assert no(state, Move("w1", path=("e5", "d5"))) == "CW-33"
    assert no(state, Move("w1", path=("d3", "d2"))) == "CW-31"
    assert no(state, Move("w1", path=("f4",))) == "CW-29"
    assert no(state, Move("w1", path=("e4", "f4", "g4", "h4"))) == "CW-29"
    assert no(state, Move("w1", path=("zz",))) == "CW-29"
    back = after(state, Move("w1", path=("e4", "d4")))
    assert (back.unit("w1").square, back.unit("w1").moved) == ("d4", True), "it entered another square"
    friends = position(f"{KINGS}, w1 hn d4, w2 hp d5, b1 op d8", pass_friends=True)
    assert after(friends, Move("w1", path=("d5", "d6"))).unit("w1").square == "d6"
    assert no(friends, Move("w1", path=("d5",))) == "CW-31"
    assert "d5" not in where(friends, "w1")


@pytest.mark.clause("CW-35")
def test_each_unit_takes_back_its_own_move_as_long_as_nothing_came_of_it() -> None:
    before = position(f"{KINGS}, w1 hn c3, w2 hn e3, b1 op d7")
    state = after(after(before, Move("w1", "c5")), Move("w2", "e6"))
    assert {offer.on: english(offer.label) for offer in offered(state, "take_back")} == {
        "w1": "Back to c3",
        "w2": "Back to e3",
    }
    ruling = ruled(state, TakeBack("w1"))
    assert clauses(ruling.reasons) == ["CW-35"]
    assert english(ruling.headline).endswith(" moved to c3")
    state = ruling.outcome
    assert (state.unit("w1"), state.unit("w2").square) == (before.unit("w1"), "e6")
    assert after(state, Move("w1", "b5")).unit("w1").square == "b5", "and moves again"
    assert after(after(state, TakeBack("w2")), Move("w1", "e6")).units == after(before, Move("w1", "e6")).units


@pytest.mark.clause("CW-35", "CW-115", "CW-119", "CW-127", "CW-129", "CW-40", "CW-42", "CW-161")
@pytest.mark.parametrize(
    ("written", "doings", "dice"),
    [
        ("w1 hn c3, w2 hp c2", [Move("w1", "c5"), Move("w2", "c3")], ()),
        ("w1 hn c3, b1 op d7", [Move("w1", "c6"), Charge("w1", "b1")], ()),
        ("w1 hn c3, b1 up d7", [Move("w1", "c6"), Charge("w1", "b1")], (1,)),
        ("w1 hq c3", [Move("w1", "c4"), Cast("w1", "protection")], ()),
        ("w1 oq c3, w2 op d3", [Move("w1", "c4"), Cast("w1", "flight", target="w2", to="d6")], ()),
        ("w1 hn c3, b1 or c4!", [Move("w1", "c4")], ()),
        ("w1 uk c3, b1 op c4, w1>b1", [Move("w1", "e5")], ()),
        ("w1 hn c3", [], ()),
    ],
)
def test_a_move_of_which_something_came_is_not_taken_back(written: str, doings: Any, dice: Any) -> None:
    state = position(f"{KINGS}, {written.replace('!', '')}")
    if "!" in written:
        state = state.with_unit("b1", down=True)
    for action in doings:
        last = action is doings[-1]
        state = after(state, action, *(dice if last else ()))
    assert no(state, TakeBack("w1")) == "CW-35"
    assert "w1" not in {offer.on for offer in offered(state, "take_back")}


@pytest.mark.clause("CW-35", "CW-25")
def test_a_move_is_not_taken_back_after_its_phase_nor_one_in_the_air() -> None:
    shooting = after(after(position(f"{KINGS}, w1 hb c3, b1 op d7"), Move("w1", "c4")), EndPhase())
    assert no(shooting, TakeBack("w1")) == "CW-25"
    flown = after(position(f"{KINGS}, w1 oq c3, w2 op d3"), Cast("w1", "flight", target="w2", to="d6"))
    assert no(flown, TakeBack("w2")) == "CW-35"
    assert no(flown, Move("w2", "d7")) == "CW-35", "and it replaces the move"


@pytest.mark.clause("CW-115", "CW-118", "CW-31")
@pytest.mark.parametrize("path", [("c4",), ("c4", "c5")])
def test_who_lies_on_the_way_is_trampled(path: tuple[str, ...]) -> None:
    state = position(f"{KINGS}, w1 hn c3, b1 or c4, b2 or d5").with_unit("b1", down=True).with_unit("b2", down=True)
    ruling = ruled(state, Move("w1", path=path))
    assert clauses(ruling.reasons) == ["CW-29", "CW-115"]
    left = ruling.outcome.find("b1")
    assert left is not None
    assert (left.on_board, left.down, left.square) == (False, False, None)
    around = ruled(state, Move("w1", path=("b4", "b5", "c5"))).outcome
    assert [unit.id for unit in around.units if unit.down] == ["b1", "b2"]
    assert "d6" in where(state, "w1"), "nobody minds moving beside one who lies there"


@pytest.mark.clause("CW-119", "CW-120", "CW-43", "CW-28", "CW-Q18")
def test_a_teleport_leaves_a_melee_and_passes_over_everybody() -> None:
    state = position("wk uk d4, w1 uq a1, bk ok h8, b1 op d5, b2 op e4, w2 up e5, wk>b1, wk>b2, w2>b2")
    assert where(state, "wk") == {
        f"{file}{rank}" for file in "bcdef" for rank in range(2, 7) if f"{file}{rank}" not in {"d4", "d5", "e4", "e5"}
    }
    ruling = ruled(state, Move("wk", "f6"))
    assert clauses(ruling.reasons) == ["CW-119", "CW-120"]
    assert fights(ruling.outcome) == {"w2>b2"}
    assert no(ruling.outcome, Move("wk", "f7")) == "CW-35"
    near = after(state, Move("wk", "e6"))
    assert fights(after(near, Charge("wk", "b1"))) == {"w2>b2", "wk>b1"}
    assert no(state, Move("wk", "g4")) == "CW-119"
    assert no(state, Move("wk", "e5")) == "CW-119"
    assert no(state, Move("wk", "i4")) == "CW-01"
    assert no(state, Move("wk")) == "CW-01"
    assert no(state, Move("w2", "f6")) == "CW-43", "others stay in it"
    assert where(state, "w2") == set()


@pytest.mark.clause("CW-127", "CW-35", "CW-Q20")
def test_a_movement_spell_comes_right_after_the_move_of_its_mage() -> None:
    state = position(f"{KINGS}, w1 hq c3, w2 hp e3, b1 op d6")
    storm = Cast("w1", "storm")
    for before in ([], [Move("w2", "e4")], [Move("w1", "c5")], [Move("w2", "e4"), Move("w1", "c5")]):
        ready = state
        for action in before:
            ready = after(ready, action)
        cast = after(ready, storm)
        assert [effect.spell for effect in cast.effects] == ["storm"]
        assert no(cast, Move("w1", "c2")) == "CW-35", "he has moved, or stayed"
        assert no(cast, storm) == "CW-122"
    late = after(after(state, Move("w1", "c5")), Move("w2", "e4"))
    assert no(late, storm) == "CW-127"
    assert offered(late, "cast") == []
    assert after(after(late, TakeBack("w1")), storm).effects
    charged = after(after(state, Move("w1", "c5")), Charge("w1", "b1"))
    assert no(charged, storm) == "CW-127"
    held = after(position(f"{KINGS}, w1 hq c3, b1 up c4"), Charge("w1", "b1"), 1)
    assert no(held, storm) == "CW-127"
    casting = after(after(state, Move("w1", "c5")), storm)
    assert fights(after(casting, Charge("w1", "b1"))) == {"w1>b1"}, "and then he charges"


@pytest.mark.clause("CW-159", "CW-160", "CW-161", "CW-119")
def test_flight_is_asked_for_its_square() -> None:
    state = position(f"{KINGS}, w1 oq c3, w2 op d3, w3 op d5, b1 op d4, w2>b1")
    fly = Cast("w1", "flight", target="w2")
    assert asked(state, fly) == ["to"]
    ruling = ruled(state, fly, to="c5")
    flown = ruling.outcome
    assert (flown.unit("w2").square, flown.unit("w2").flying, flown.unit("w2").moved) == ("c5", True, True)
    assert fights(flown) == set()
    assert clauses(ruling.reasons) == ["CW-159", "CW-159", "CW-120"]
    assert no(state, fly, to="d5") == "CW-159"
    told = {"d5": "CW-119", "d8": "CW-159", "h3": "CW-159", "e5": "CW-159", "i3": "CW-01"}
    for square, clause in told.items():
        assert no(state, Cast("w1", "flight", target="w2", to=square)) == clause, square
    assert fights(after(flown, Charge("w2", "b1"))) == {"w2>b1"}
    shooting = after(flown.with_unit("w3", type="orc_archers"), EndPhase())
    assert (shooting.phase, shooting.unit("w2").flying) == ("shooting", False), "only until the phase ends"


@pytest.mark.clause("CW-160", "CW-161", "CW-127", "CW-135")
def test_who_can_fly() -> None:
    state = position(f"{KINGS}, w1 oq c3, w2 op d2, b1 op c4, w1>b1")
    assert english(offered(state, "cast")[0].label).startswith("Flight")
    assert options_of(offered(state, "cast")[0], "target") == ["w1"], "in a melee only himself"
    assert no(state, Cast("w1", "flight", target="w2", to="d5")) == "CW-127"
    free = after(state, Cast("w1", "flight", to="e5"))
    assert (free.unit("w1").square, fights(free)) == ("e5", set())
    calm = position(f"{KINGS}, w1 oq c3, w2 op d3, w3 op c6, w4 op c7, b1 op e6")
    assert no(calm, Cast("w1", "flight", target="b1", to="d5")) == "CW-161"
    assert no(calm, Cast("w1", "flight", target="w4", to="d5")) == "CW-159", "he does not see it"
    for action in (Move("w2", "d4"), Charge("w3", "b1")):
        gone = calm if action.unit == "w2" else calm.with_unit("b1", square="d7")
        moved = after(gone, action)
        assert no(moved, Cast("w1", "flight", target=action.unit, to="d5")) == "CW-161"
    assert no(after(calm, Move("w1", "c4")), Cast("w1", "flight", to="d5")) == "CW-161"
    assert no(calm.with_unit("w2", raised=True), Cast("w1", "flight", target="w2", to="d5")) == "CW-135"
    assert no(calm.with_unit("w2", charge_failed=True), Cast("w1", "flight", target="w2", to="d5")) == "CW-161"
    brave = after(position(f"{KINGS}, w1 oq c3, w2 op d3, b1 up d6"), Cast("w1", "flight", target="w2", to="d5"))
    assert asked(brave, Charge("w2", "b1")) == [], "in the air everybody is brave"


@pytest.mark.clause("CW-36", "CW-38", "CW-40", "CW-41", "CW-42", "CW-43", "CW-44", "CW-135")
def test_charges_are_offered_with_what_they_need_and_refused_with_why() -> None:
    state = position(f"{KINGS}, w1 hp c3, b1 up c4, b2 op d4, b3 op g7, w2 hp b3")
    (offer,) = [one for one in offered(state, "charge") if one.on == "w1"]
    assert options_of(offer, "target") == ["b1"]
    barred = {option.value: option.barred.clause for option in offer.fields[0].options if option.barred}
    assert barred == {"b2": "CW-38"}
    assert (offer.chancy, [english(option.note) for option in offer.fields[0].options]) == (True, ["save 4+ (50%)", ""])
    for target, clause in {"b2": "CW-38", "b3": "CW-36", "w2": "CW-36"}.items():
        refused = refusal(state, Charge("w1", target))
        assert (refused.clause, refused.field) == (clause, "target")
    held = ruled(state, Charge("w1", "b1"), 3)
    assert english(held.headline).startswith("Infantry c3 did not dare to charge")
    for action, clause in ((Move("w1", "c2"), "CW-41"), (Charge("w1", "b1"), "CW-41")):
        assert no(held.outcome, action) == clause
    dared = ruled(state, Charge("w1", "b1"), 4)
    assert fights(dared.outcome) == {"w1>b1"}
    assert (dared.outcome.unit("w1").square, dared.outcome.unit("w1").moved) == ("c3", False)
    assert no(dared.outcome, Move("w1", "c2")) == "CW-43"
    assert no(dared.outcome, Charge("w1", "b1")) == "CW-43"
    assert no(state.with_unit("w1", raised=True), Charge("w1", "b1")) == "CW-135"
    board = next(panel for panel in GAME.view(dared.outcome, "white").panels if isinstance(panel, Board))
    assert board.links == (("c3", "c4"),)


@pytest.mark.clause("CW-35", "CW-36", "CW-119")
def test_who_charged_and_left_the_melee_again_does_not_charge_twice() -> None:
    state = position("wk uk d4, w1 up a1, bk ok h8, b1 op d5, b2 op f6")
    state = after(state, Charge("wk", "b1"))
    assert no(state, Move("wk", "e6")) == "CW-35"
    freed = state.disengage("wk")
    assert no(freed, Charge("wk", "b1")) == "CW-36"


@pytest.mark.clause("CW-135", "CW-43")
def test_who_was_just_raised_stays() -> None:
    state = position(f"{KINGS}, w1 hn c3, b1 op d6").with_unit("w1", raised=True)
    assert no(state, Move("w1", "c4")) == "CW-135"
    assert where(state, "w1") == set()
    assert on(after(state.with_unit("w1", raised=False), Move("w1", "c4")))["w1"] == "c4"
