"""The turn: three phases in their order, rounds, partners and several armies, what ends with a turn, giving up."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.chesswar.catapults import Bombard
from companion.games.chesswar.charge import Charge
from companion.games.chesswar.combat import Attack
from companion.games.chesswar.game import GAME
from companion.games.chesswar.movement import Move, TakeBack
from companion.games.chesswar.shooting import Shoot
from companion.games.chesswar.spells import Cast
from companion.games.chesswar.state import Effect, State
from companion.games.chesswar.turn import EndPhase
from companion.games.chesswar.victory import Surrender
from tests.support.chesswar_positions import (
    KINGS,
    after,
    asked,
    end,
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

ARMED = f"{KINGS}, w1 hb d3, w2 hn e4, b1 ob d6, b2 op e5, w2>b2"
"""Both sides have something to do in every phase."""


@pytest.mark.clause("CW-25", "CW-24", "CW-27")
def test_three_phases_in_their_order_then_the_other_side() -> None:
    state = position(ARMED)
    seen = []
    for _ in range(6):
        seen.append((state.phase, state.acting))
        ruling = ruled(state, EndPhase())
        state = ruling.outcome
    assert seen == [(phase, (side,)) for side in ("white", "black") for phase in ("movement", "shooting", "combat")]
    assert (state.phase, state.acting, state.round) == ("movement", ("white",), 2)
    assert clauses(ruling.reasons) == ["CW-24"]
    assert english(ruling.headline) == "Now it is White's turn"


@pytest.mark.clause("CW-25")
def test_an_old_page_ends_no_later_phase() -> None:
    state = position(ARMED)
    (old,) = offered(state, "end_phase")
    meant = msgspec.convert({"action": old.action, **old.given}, GAME.actions)
    shooting = after(state, meant)
    assert shooting.phase == "shooting"
    assert no(shooting, meant) == "CW-25"
    again = end(shooting.but(phase="combat", round=2, active=1))
    assert (again.phase, again.acting, again.round) == ("movement", ("white",), 3)
    assert no(again, meant) == "CW-25"


@pytest.mark.clause("CW-25", "CW-27", "CW-24", "CW-126")
@pytest.mark.parametrize(
    ("action", "phase"),
    [
        (Move("w1", "d4"), "movement"),
        (TakeBack("w1"), "movement"),
        (Charge("w1", "b1"), "movement"),
        (Shoot("w1", "b1"), "shooting"),
        (Bombard("w1", "d6"), "shooting"),
        (Attack("w2", "b2"), "combat"),
    ],
)
def test_what_belongs_to_another_phase_or_turn_is_refused(action: Any, phase: str) -> None:
    for now in ("movement", "shooting", "combat"):
        state = position(ARMED, phase=now)
        if now != phase:
            assert no(state, action) == "CW-25"
        refused = refusal(state, action, seat="black")
        assert refused.clause == "CW-27"
        assert english(refused.text) == "It is White's turn: only instant spells interrupt it."
        assert no(state.but(active=1), action, seat="black") == ("CW-27" if now == phase else "CW-25")
        assert no(state.but(phase="finished", winner=("white",)), action) == "CW-164"
    assert no(position(ARMED), EndPhase(), seat="black") == "CW-27"


@pytest.mark.clause("CW-25", "CW-45", "CW-83")
def test_a_phase_in_which_nobody_can_act_is_passed_over() -> None:
    calm = position(f"{KINGS}, w1 hp c3, b1 op c6")
    ruling = ruled(calm, EndPhase())
    assert (ruling.outcome.phase, ruling.outcome.acting) == ("movement", ("black",))
    assert clauses(ruling.reasons) == ["CW-45", "CW-83", "CW-24"]
    shooting = ruled(position(f"{KINGS}, w1 hb c3, b1 op c6"), EndPhase()).outcome
    assert shooting.phase == "shooting"
    assert end(shooting).acting == ("black",)
    fighting = ruled(position(f"{KINGS}, w1 hn c3, b1 op c4, w1>b1"), EndPhase())
    assert (fighting.outcome.phase, english(fighting.headline)) == ("combat", "Combat phase")
    mage = position(f"{KINGS}, w1 hq c3, b1 op c6")
    assert end(mage).phase == "shooting", "he could cast Zap"
    assert end(mage.with_unit("w1", cast=True)).acting == ("black",)
    crossbows = position("wk dk a1, w1 db c3, bk ok h8").with_unit("w1", moved=True).with_unit("wk", moved=True)
    assert end(crossbows).acting == ("black",)


@pytest.mark.clause("CW-03", "CW-26", "CW-28")
def test_all_units_act_in_a_turn_one_by_one_in_any_order_and_after_seeing_what_came_of_it() -> None:
    position_ = f"{KINGS}, w1 hb c3, w2 hb e3, w3 hb d3, b1 op d5"
    state = position(position_, phase="shooting")
    state = after(state, Shoot("w2", "b1"), 2)
    state = after(state, Shoot("w1", "b1"), 6, 1)
    assert "b1" not in on(state)
    assert offered(state, "shoot") == [], "and now nobody is left for the third"
    walking = position(position_)
    for unit, to in (("w3", "d4"), ("w1", "b3"), ("wk", "a2"), ("w2", "f3")):
        walking = after(walking, Move(unit, to))
    assert on(walking) == {"wk": "a2", "w1": "b3", "w2": "f3", "w3": "d4", "b1": "d5", "bk": "h8"}
    assert no(walking, Move("w1", "d5")) == "CW-35", "and nobody is taken by moving on to his square"
    assert no(position(position_), Move("w3", "d5")) == "CW-31"


@pytest.mark.clause("CW-46", "CW-83", "CW-84", "CW-35")
def test_every_unit_moves_shoots_and_attacks_once_if_it_wants_to() -> None:
    state = after(position(f"{KINGS}, w1 hb d3, b1 ob d6", phase="shooting"), Shoot("w1", "b1"), 1)
    assert no(state, Shoot("w1", "b1")) == "CW-46"
    assert offered(state, "shoot") == []
    assert offered(position(f"{KINGS}, w1 hb d3, b1 ob d6", phase="shooting"), "end_phase"), "nobody has to"
    melee = position(f"{KINGS}, w1 hn d4, b1 op d5, b2 op e5, w1>b1, w1>b2", phase="combat")
    fought = after(melee, Attack("w1", "b1"), 3)
    assert no(fought, Attack("w1", "b2")) == "CW-83"
    assert fights(end(melee)) == {"w1>b1", "w1>b2"}, "nobody has to"
    assert no(position(f"{KINGS}, w1 hn d4, w2 hp a3, b1 op d5, w1>b1", phase="combat"), Attack("w2", "b1")) == (
        "CW-83"
    )


@pytest.mark.clause("CW-27")
def test_everybody_acts_with_his_own_units() -> None:
    assert no(position(ARMED), Move("b1", "d5")) == "CW-27"
    assert no(position(ARMED), Cast("b1", "storm")) == "CW-27"
    partners = position("wk hk a1, rk ek c1, bk ok h8, uk uk f8", sides="teams")
    assert no(partners, Move("rk", "d1"), seat="white") == "CW-27"
    assert after(partners, Move("rk", "d1"), seat="red").unit("rk").moved
    refused = refusal(position(ARMED), Move("nobody", "d5"))
    assert (refused.clause, refused.field) == ("CW-28", "unit")


@pytest.mark.clause("CW-179", "CW-25")
def test_partners_act_together_and_end_a_phase_together() -> None:
    state = position("wk hk a1, w1 hn c3, rk ek l1, r1 ep j3, bk ok a12, uk uk l12", sides="teams")
    assert state.acting == ("white", "red")
    state = after(state, Move("r1", "j4"), seat="red")
    state = after(state, Move("w1", "c5"), seat="white")
    waiting = ruled(state, EndPhase(), seat="white")
    assert english(waiting.headline) == "White has ended the movement phase"
    state = waiting.outcome
    assert (state.phase, state.done) == ("movement", ("white",))
    assert GAME.view(state, "screen").to_move == ("red",)
    assert no(state, Move("wk", "a2"), seat="white") == "CW-25"
    assert no(state, EndPhase(), seat="white") == "CW-25"
    assert offered(state, "move", "white") == []
    assert offered(state, "move", "red")
    state = after(state, EndPhase(), seat="red")
    assert (state.phase, state.done) == ("shooting", ())
    state = after(after(state, EndPhase(), seat="red"), EndPhase(), seat="white")
    assert state.acting == ("black", "blue")


@pytest.mark.clause("CW-25", "CW-179")
def test_each_partner_reads_what_his_own_units_can_still_do_and_whom_the_phase_waits_for() -> None:
    written = "wk hk a1, w1 hn c3, rk ek l1, r1 ep j3, bk ok a12, b1 op c4, uk uk l12, w1>b1"

    def reads(state: State, *seats: str) -> list[str]:
        return [english(GAME.view(state, seat).headline) for seat in seats]

    state = position(written, sides="teams")
    assert reads(after(state, EndPhase(), seat="white"), "white", "blue") == ["Red: movement phase."] * 2
    state = position(written, sides="teams", phase="shooting")
    idle, ready = "None of your units can shoot any more: go on.", "Shoot with your units."
    assert reads(state, "white", "red") == [idle, ready]
    state = position(written, sides="teams", phase="combat")
    idle, ready = "None of your units can attack any more: end the turn.", "Attack with your units in melee."
    assert reads(state, "white", "red") == [ready, idle]


@pytest.mark.clause("CW-25", "CW-179")
def test_who_has_ended_a_phase_casts_nothing_in_it_any_more() -> None:
    state = position("wk hk a1, w1 hq c3, rk ek l1, bk ok a12, uk uk l12", sides="teams", done=("white",))
    assert no(state, Cast("w1", "storm"), seat="white") == "CW-25"


@pytest.mark.clause("CW-178", "CW-24")
def test_several_armies_take_their_turns_in_order_and_those_that_are_gone_are_passed_over() -> None:
    four = "wk hk a1, bk ok l12, rk ck a6, uk uk l6"
    state = position(four, sides="four", order=(2, 0, 3, 1))
    turns = []
    for _ in range(5):
        turns.append((state.acting[0], state.round))
        state = end(state)
    assert turns == [("red", 1), ("white", 1), ("blue", 1), ("black", 1), ("red", 2)]
    fewer = position(four, sides="four", order=(2, 0, 3, 1), active=1).with_unit("uk", on_board=False, square=None)
    assert end(fewer).acting == ("black",)
    first_gone = position(four, sides="four", order=(2, 0, 3, 1), active=3).with_unit("rk", on_board=False, square=None)
    ended = end(first_gone)
    assert (ended.acting, ended.round) == (("white",), 2)
    lying = position(f"{four}, r1 or a8", sides="four", order=(2, 0, 3, 1), active=3)
    lying = lying.with_unit("rk", on_board=False, square=None)
    assert end(lying).acting == ("red",), "who still has a unit has his turn"


@pytest.mark.clause("CW-179", "CW-25")
def test_a_partner_without_units_is_not_waited_for() -> None:
    state = position("wk hk a1, w1 hn c3, rk ek l1, bk ok a12, uk uk l12", sides="teams")
    state = state.with_unit("rk", on_board=False, square=None).but(leaderless=("red",))
    assert GAME.view(state, "screen").to_move == ("white",)
    assert after(state, EndPhase(), seat="white").acting == ("black", "blue")


@pytest.mark.clause("CW-57", "CW-107", "CW-122", "CW-135", "CW-41", "CW-123")
def test_what_is_noted_about_a_turn_is_over_with_it() -> None:
    state = position(ARMED + ", w3 hq b2, b3 oq g7")
    marks = {
        "moved": True,
        "came_from": "d2",
        "settled": True,
        "charged": "movement",
        "charge_failed": True,
        "shot": True,
        "attacked": True,
        "raised": True,
        "trampled": True,
        "flying": True,
        "cast": True,
    }
    for unit in state.units:
        state = state.with_unit(unit.id, **marks)
    state = (
        state.with_unit("w3", locked=True).with_unit("b3", locked=True).but(phase="combat", acted={"white": ("w1",)})
    )
    ended = end(state)
    plain = position(ARMED + ", w3 hq b2, b3 oq g7").with_unit("b3", locked=True)
    assert ended == plain.but(active=1), "only who was locked out for a turn that is still to come stays so"
    assert end(state.but(phase="movement")).unit("w1").flying is False


@pytest.mark.clause("CW-129", "CW-155")
def test_temporary_spells_last_until_the_turn_of_who_cast_them() -> None:
    spells = "storm w3, fear w3, storm b3, protection b3"
    state = position(f"{KINGS}, w3 hq b2, b3 oq g7, {spells}", phase="combat")
    black = ruled(state, EndPhase())
    assert [(one.spell, one.side) for one in black.outcome.effects] == [("storm", "white"), ("fear", "white")]
    assert clauses(black.reasons) == ["CW-24", "CW-129", "CW-129"]
    assert english(GAME.view(black.outcome, "white").note.text) == "In force: Storm of White, Fear of White"
    assert end(black.outcome.but(phase="combat")).effects == ()


@pytest.mark.clause("CW-175", "CW-173", "CW-174")
def test_an_undead_army_without_its_general_crumbles_at_the_start_of_its_turns() -> None:
    written = "wk hk a1, bk uk h8, b1 up d6, b2 un e5, w2 hn e4, w2>b2"
    state = position(written, massacre=True, leaderless=("black",), phase="combat").with_unit(
        "bk", on_board=False, square=None
    )
    ruling = ruled(state, EndPhase(), crumble_black="b2")
    assert on(ruling.outcome) == {"wk": "a1", "b1": "d6", "w2": "e4"}
    assert fights(ruling.outcome) == set()
    assert "CW-175" in clauses(ruling.reasons)
    assert asked(state, EndPhase()) == ["crumble_black"]
    assert asked(state.but(leaderless=()), EndPhase()) == []
    last = state.disengage("b2").with_unit("b2", on_board=False, square=None)
    assert after(last, EndPhase()).winner == ("white",)
    humans = state.but(armies={"white": "undead", "black": "humans"})
    assert asked(humans, EndPhase()) == []


@pytest.mark.clause("CW-175")
def test_a_unit_that_crumbles_is_neither_healed_nor_raised() -> None:
    state = position(
        "wk hk a1, w1 uq c3, bk uk h8, b1 up d6, b2 uq e6", massacre=True, leaderless=("black",), phase="combat"
    ).with_unit("bk", on_board=False, square=None)
    assert asked(state, EndPhase(), crumble_black="b1") == ["crumble_black"]


@pytest.mark.clause("CW-164", "CW-173", "CW-178")
def test_giving_up() -> None:
    state = position(ARMED)
    for seat, winner in (("white", "black"), ("black", "white")):
        ruling = ruled(state, Surrender(), seat=seat)
        assert (ruling.outcome.phase, ruling.outcome.winner) == ("finished", (winner,))
        assert english(ruling.headline) == f"{seat.capitalize()} surrenders"
        assert english(GAME.view(ruling.outcome, seat).headline) == f"Victory for {winner.capitalize()}."
        assert GAME.offers(ruling.outcome, "white") == ()
        assert GAME.view(ruling.outcome, "white").over
        assert no(ruling.outcome, Surrender(), seat=seat) == "CW-164"
    partners = position("wk hk a1, rk ek l1, bk ok a12, uk uk l12", sides="teams")
    alone = after(partners, Surrender(), seat="blue")
    assert (alone.winner, set(on(alone))) == ((), {"wk", "rk", "bk"}), "his partner fights on"
    assert after(alone, Surrender(), seat="black").winner == ("white", "red")


@pytest.mark.clause("CW-178", "CW-173", "CW-129")
def test_of_three_armies_one_may_leave_and_the_others_go_on() -> None:
    written = "wk hk a1, w1 hq c3, bk ok l12, b1 op d4, r1 rp d5, rk rk a6, b1>r1"
    state = position(written, sides="three").but(effects=(Effect("storm", "red", "rk"),))
    left = after(state, Surrender(), seat="red")
    assert set(on(left)) == {"wk", "w1", "bk", "b1"}
    assert (left.acting, left.effects, fights(left), left.winner) == (("white",), (), set(), ())
    own = ruled(state, Surrender(), seat="white")
    assert own.outcome.acting == ("black",), "his turn is over"
    assert english(own.headline) == "White surrenders"
    assert after(left, Surrender(), seat="white").winner == ("black",)


@pytest.mark.clause("CW-25", "CW-45", "CW-83")
@pytest.mark.parametrize(
    ("written", "phase", "said", "comes"),
    [
        (ARMED, "movement", "To the shooting phase", "shooting"),
        (f"{KINGS}, w1 hb c3, b1 op c6", "movement", "To the shooting phase", "shooting"),
        (f"{KINGS}, w1 hq c3, b1 op c6", "movement", "To the shooting phase", "shooting"),
        (f"{KINGS}, w1 hn c3, b1 op c4, w1>b1", "movement", "To the combat phase", "combat"),
        (f"{KINGS}, w1 hp c3, b1 op c6", "movement", "End the turn", "movement"),
        (ARMED, "shooting", "To the combat phase", "combat"),
        (f"{KINGS}, w1 hb c3, b1 op c6", "shooting", "End the turn", "movement"),
        (ARMED, "combat", "End the turn", "movement"),
    ],
)
def test_the_way_on_says_what_really_comes(written: str, phase: str, said: str, comes: str) -> None:
    state = position(written, phase=phase)
    (offer,) = offered(state, "end_phase")
    assert (english(offer.label), end(state).phase) == (said, comes)


@pytest.mark.clause("CW-25", "CW-64")
def test_the_way_on_says_what_would_come_if_the_phase_ended_now() -> None:
    crossbows = position("wk hk a1, w1 db c3, bk ok h8")
    moved = after(crossbows, Move("w1", "c4"))
    labels = [english(offered(state, "end_phase")[0].label) for state in (crossbows, moved)]
    assert labels == ["To the shooting phase", "End the turn"]


@pytest.mark.clause("CW-25", "CW-179")
def test_while_a_partner_still_acts_the_way_on_ends_only_ones_own_phase() -> None:
    state = position("wk hk a1, w1 hn c3, rk ek l1, r1 ep j3, bk ok a12, uk uk l12", sides="teams")

    def way_on(state: State, seat: str) -> str:
        return english(offered(state, "end_phase", seat)[0].label)

    assert [way_on(state, seat) for seat in ("white", "red")] == ["End my movement phase"] * 2
    assert way_on(after(state, EndPhase(), seat="white"), "red") == "To the shooting phase"
    gone = state.with_unit("rk", on_board=False, square=None).with_unit("r1", on_board=False, square=None)
    assert way_on(gone, "white") == "End the turn"


@pytest.mark.clause("CW-25")
def test_the_way_on_is_said_and_stands_out_when_nothing_is_left_to_do() -> None:
    labels = {}
    for phase in ("movement", "shooting", "combat"):
        (offer,) = offered(position(ARMED, phase=phase), "end_phase")
        labels[phase] = (english(offer.label), offer.main)
    assert labels == {
        "movement": ("To the shooting phase", False),
        "shooting": ("To the combat phase", False),
        "combat": ("End the turn", False),
    }
    fought = position(ARMED, phase="combat").with_unit("w2", attacked=True)
    assert offered(fought, "end_phase")[0].main
    assert options_of(offered(position(ARMED), "move")[0], "to")
    assert {offer.action for offer in GAME.offers(position(ARMED), "black")} == {"surrender"}
    assert GAME.offers(position(ARMED), "screen") == ()
