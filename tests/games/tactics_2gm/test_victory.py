"""Victory and defeat in 2GM Tactics: headquarters, cards, surrender, the goals of a scenario, the time limit."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import turn, victory
from companion.games.tactics_2gm.cards import Goal, Scenario
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.income import Gain
from companion.games.tactics_2gm.state import State
from companion.games.tactics_2gm.turn import EndPhase, Income
from companion.games.tactics_2gm.victory import ClaimGoal, Surrender
from companion.kit.questions import Answer, Choose, Instant, Moment, Question
from tests.support.playing import clauses
from tests.support.tactics_2gm_positions import Scripted, after, asked, battle, english, no, offered, rule, ruled

NOON, MINUTE = 1_800_000_000_000, 60_000
IDLE = Gain(1, "nothing")
"""An action that changes nothing of what is judged."""


def end(state: State, seat: str | None = None) -> State:
    return after(state, EndPhase(), seat=seat)


def no_cards(state: State, *seats: Any) -> State:
    for seat in seats:
        state = state.with_deck(seat, pile=(), hand=())
    return state


@pytest.mark.clause("G2-23", "G2-32", "G2-27", "G2-31")
@pytest.mark.parametrize("actor", ["allies", "axis"])
@pytest.mark.parametrize(("loser", "winner"), [("axis", "allies"), ("allies", "axis")])
def test_a_headquarters_at_zero_loses_a_pitched_battle(actor: str, loser: str, winner: str) -> None:
    state = battle("a1 light_infantry a1")
    assert after(state.with_hq(f"hq_{loser}", pi=1), IDLE).winner is None
    ruling = ruled(state.with_hq(f"hq_{loser}", pi=0), IDLE, seat=actor)
    found = ruling.outcome
    assert (found.phase, found.winner, found.how) == ("finished", winner, "headquarters")
    assert clauses(ruling.reasons)[-1] == "G2-32"
    assert english(ruling.headline) == english(victory.said(found))
    assert no(found, IDLE, seat=actor) == "G2-02"


@pytest.mark.clause("G2-160", "G2-159")
@pytest.mark.parametrize("name", ["hq_axis", "hq_axis_2"])
def test_with_two_copies_one_headquarters_is_enough(name: str) -> None:
    state = battle(players="four", copies="two").with_hq(name, pi=0)
    ruling = ruled(state, IDLE, seat="allies_1")
    assert (ruling.outcome.winner, clauses(ruling.reasons)[-1]) == ("allies", "G2-160")


@pytest.mark.clause("G2-26")
@pytest.mark.parametrize("cards", ["companion", "real"])
def test_who_has_no_cards_left_in_deck_and_hand_is_defeated(cards: str) -> None:
    state = battle(hands={"axis": "tiger", "allies": "m4_sherman"}, cards=cards)
    deck = state.deck("allies")
    assert after(state.with_deck("allies", pile=()), IDLE).winner is None
    assert after(state.with_deck("allies", hand=()), IDLE).winner is None
    found = ruled(state.with_deck("allies", pile=(), hand=()), IDLE)
    assert (found.outcome.winner, found.outcome.how, clauses(found.reasons)[-1]) == ("axis", "cards", "G2-26")
    assert deck.pile
    assert after(no_cards(state, "axis"), IDLE).winner == "allies"
    assert after(no_cards(state, "axis", "allies"), IDLE).winner == "draw"


@pytest.mark.clause("G2-26", "G2-32")
def test_a_headquarters_destroyed_is_looked_at_first() -> None:
    state = no_cards(battle(hands={"axis": "tiger"}), "allies").with_hq("hq_axis", pi=0)
    found = after(state, IDLE)
    assert (found.winner, found.how) == ("allies", "headquarters")


@pytest.mark.clause("G2-26")
def test_a_table_may_look_for_cards_at_the_end_of_a_turn_only() -> None:
    state = no_cards(battle("a1 light_infantry a1", deckout_check="end_of_turn"), "axis")
    state = after(state, IDLE)
    assert state.winner is None
    found = end(state)
    assert (found.winner, found.how, found.turn) == ("allies", "cards", 1)
    drawn = end(no_cards(battle("a1 light_infantry a1", deckout_check="end_of_turn"), "axis", "allies"))
    assert drawn.winner == "draw"


@pytest.mark.clause("G2-26", "G2-155")
def test_a_pair_is_out_of_cards_only_when_both_are() -> None:
    state = no_cards(battle(players="four"), "axis_1")
    assert after(state, IDLE, seat="axis_2").winner is None
    assert after(no_cards(state, "axis_2"), IDLE, seat="axis_2").winner == "allies"


@pytest.mark.clause("G2-26")
def test_nobody_is_out_of_cards_before_the_battle() -> None:
    state = no_cards(battle(phase="mulligan", turn=0), "axis")
    assert victory.check(state, Scripted()) == state
    assert victory.check(state.but(phase="headquarters", turn=1), Scripted()).winner == "allies"


@pytest.mark.clause("G2-25")
@pytest.mark.parametrize("phase", ["decks", "mulligan", "fire"])
def test_who_surrenders_is_defeated_also_out_of_turn_and_before_the_battle(phase: str) -> None:
    state = battle(phase=phase)
    for seat, winner in (("allies", "axis"), ("axis", "allies")):
        assert offered(state, "surrender", seat)[0].grave
        ruling = ruled(state, Surrender(), seat=seat)
        assert (ruling.outcome.winner, ruling.outcome.how) == (winner, "surrender")
        assert clauses(ruling.reasons) == ["G2-25"]


@pytest.mark.clause("G2-25", "G2-150")
@pytest.mark.parametrize("marshal", ["axis_1", "axis_2"])
def test_a_pair_surrenders_by_its_marshal_and_the_partner_agrees(marshal: Any) -> None:
    partner = "axis_1" if marshal == "axis_2" else "axis_2"
    state = battle(players="three", marshal={"axis": marshal})
    assert not offered(state, "surrender", partner)
    assert no(state, Surrender(), seat=partner) == "G2-25"
    (question,) = asked(state, Surrender(), seat=marshal, agree="yes")
    assert isinstance(question, Choose)
    assert question.seat == partner
    assert after(state, Surrender(), seat=marshal, agree="yes").winner == "allies"
    refused = ruled(state, Surrender(), seat=marshal, agree="no")
    assert refused.outcome == state
    assert clauses(refused.reasons) == ["G2-25"]


@pytest.mark.clause("G2-25", "G2-A42")
def test_whether_a_side_can_still_win_is_for_the_players_to_say() -> None:
    """With nothing but a medic the Axis will destroy no headquarters: it goes on until they give up."""
    state = battle("a1 m4_sherman d1", hands={"axis": "medic"}).with_deck("axis", pile=())
    ended = after(state, EndPhase())
    assert (ended.winner, ended.active) == (None, "axis")
    assert offered(ended, "surrender", "axis")
    clause = next(one for one in GAME.rulebook.clause if one.id == "G2-25")
    assert (clause.role, clause.ruling) == ("told", "G2-A42")


def fought(*goal: Goal, written: str = "a1 light_infantry a1, x1 tiger a6", turns: int = 9, **more: Any) -> State:
    """A battle by a scenario with those goals."""
    scenario = Scenario(name="bridge", turns=turns, goal=goal)
    return battle(written, mode="scenario", scenario=scenario, **more)


HQ = Goal(side="allies", kind="destroy_hq")
UNITS = Goal(side="allies", kind="destroy_units", count=2)
HOLD = Goal(side="axis", kind="survive")
BRIDGE = Goal(side="axis", kind="told", text="Hold the bridge.")


@pytest.mark.clause("G2-24")
def test_a_scenario_is_won_by_its_goals_and_not_by_the_headquarters() -> None:
    state = fought(UNITS, HOLD).with_hq("hq_axis", pi=0)
    assert after(state, IDLE).winner is None
    ruling = ruled(fought(HQ, HOLD).with_hq("hq_axis", pi=0), IDLE)
    assert (ruling.outcome.winner, ruling.outcome.how) == ("allies", "goals")
    assert clauses(ruling.reasons)[-2:] == ["G2-24", "G2-24"]
    assert after(fought(HQ, HOLD).with_hq("hq_allies", pi=0), IDLE).winner is None


@pytest.mark.clause("G2-24")
def test_units_of_the_enemy_are_counted() -> None:
    state = fought(UNITS)
    assert after(state.but(lost={"axis": 1, "allies": 5}), IDLE).goals == ()
    assert after(state.but(lost={"axis": 2}), IDLE).winner == "allies"


@pytest.mark.clause("G2-24")
def test_a_side_wins_when_all_of_its_goals_are_reached() -> None:
    state = after(fought(HQ, UNITS).with_hq("hq_axis", pi=0), IDLE)
    assert (state.winner, state.goals) == (None, (0,))
    assert after(state.but(lost={"axis": 2}), IDLE).winner == "allies"


@pytest.mark.clause("G2-24")
def test_a_side_without_goals_reaches_none() -> None:
    assert after(fought(), IDLE).winner is None
    assert victory.winners(fought(HQ)) == ()


@pytest.mark.clause("G2-24")
@pytest.mark.parametrize("tapped", ["axis", "allies"])
def test_a_goal_in_words_is_claimed_and_the_enemy_agrees(tapped: str) -> None:
    state = fought(HQ, BRIDGE)
    (offer,) = offered(state, "claim_goal", "axis")
    assert offer.given == {"goal": 1}
    assert not offered(state, "claim_goal", "allies")
    for goal in (0, 1, 7):
        if (tapped, goal) != ("axis", 1):
            assert no(state, ClaimGoal(goal), seat=tapped) == "G2-24"
    (question,) = asked(state, ClaimGoal(1), seat="axis", agree_goal="yes")
    assert isinstance(question, Choose)
    assert question.seat == "allies"
    denied = ruled(state, ClaimGoal(1), seat="axis", agree_goal="no")
    assert denied.outcome == state
    assert clauses(denied.reasons) == ["G2-24"]
    won = after(state, ClaimGoal(1), seat="axis", agree_goal="yes")
    assert (won.winner, won.how, won.goals) == ("axis", "goals", (1,))


@pytest.mark.clause("G2-24", "G2-150")
def test_the_enemys_marshal_agrees_to_a_goal() -> None:
    state = fought(BRIDGE, HQ, written="", players="four", marshal={"allies": "allies_2"})
    (question,) = asked(state, ClaimGoal(0), seat="axis_2", agree_goal="yes")
    assert isinstance(question, Choose)
    assert question.seat == "allies_2"


@pytest.mark.clause("G2-24", "G2-123")
def test_who_has_to_hold_out_wins_when_the_turns_of_both_have_passed() -> None:
    state = fought(HQ, HOLD, turns=2, turn=3)
    assert end(state).winner is None
    found = ruled(state.but(turn=4, active="axis"), EndPhase())
    assert (found.outcome.winner, found.outcome.how, found.outcome.goals) == ("axis", "turns", (1,))
    assert set(clauses(found.reasons)) == {"G2-24"}


@pytest.mark.clause("G2-24")
def test_a_draw_when_the_turns_have_passed_and_nobody_has_won() -> None:
    found = end(fought(HQ, BRIDGE, HOLD, turns=2, turn=4, active="axis"))
    assert (found.winner, found.how, found.phase) == ("draw", "turns", "finished")
    assert end(fought(HQ, BRIDGE, turns=0, turn=4, active="axis")).winner is None
    both = (Goal(side="allies", kind="survive"), HOLD)
    assert end(fought(*both, turns=2, turn=4, active="axis")).winner == "draw"


@pytest.mark.clause("G2-161")
def test_two_copies_double_the_goals_but_not_the_turns() -> None:
    state = fought(HQ, UNITS, HOLD, written="", turns=2, turn=4, active="axis", players="four", copies="two")
    assert [victory.needed(state, goal) for goal in (HQ, UNITS)] == [2, 4]
    one = after(state.with_hq("hq_axis", pi=0).but(lost={"axis": 3}), IDLE, seat="axis_1")
    assert one.goals == ()
    both = one.with_hq("hq_axis_2", pi=0).but(lost={"axis": 4})
    assert after(both, IDLE, seat="axis_1").winner == "allies"
    assert end(end(state.but(phase="deployment"), "axis_1"), "axis_2").winner == "axis"


class At(Scripted):
    """Look at a clock that shows some minutes after noon."""

    def __init__(self, minutes: int) -> None:
        super().__init__()
        self.minutes = minutes

    def _other(self, question: Question) -> Answer | None:
        if isinstance(question, Moment):
            return Instant(question.key, NOON + self.minutes * MINUTE)
        return super()._other(question)


def ended(state: State, minutes: int) -> Any:
    """Play the turn to its end, and end it some minutes after noon."""
    for action in (Income(), EndPhase(), EndPhase()):
        state = after(state, action)
    return rule(state, state.active, EndPhase(), At(minutes))


def begun(**more: Any) -> State:
    state = battle("a1 light_infantry a1, x1 tiger a2", phase="mulligan", turn=0, time_limit_minutes=90, **more)
    return turn.begin(state, At(0))


def test_the_clock_runs_from_the_first_turn_where_there_is_a_limit() -> None:
    assert begun().began == NOON
    state = battle("a1 light_infantry a1", phase="mulligan", turn=0)
    assert turn.begin(state, Scripted()).began is None
    assert not [one for one in asked(battle("a1 light_infantry a1"), EndPhase()) if isinstance(one, Moment)]


@pytest.mark.parametrize(
    ("allies", "axis", "winner"), [(9, 10, "axis"), (4, 3, "allies"), (5, 5, "draw"), (10, 10, "draw")]
)
def test_when_the_time_is_up_each_has_one_last_turn_and_the_headquarters_are_compared(
    allies: int, axis: int, winner: str
) -> None:
    state = ended(begun(), 89).outcome
    assert state.last_turns is None
    ruling = ended(state, 90)
    assert ruling.outcome.last_turns == 2
    assert "G2-A39" in clauses(ruling.reasons)
    state = ended(ruling.outcome, 91).outcome
    assert (state.last_turns, state.winner, state.active) == (1, None, "axis")
    state = state.with_hq("hq_allies", pi=allies).with_hq("hq_axis", pi=axis)
    ruling = ended(state, 92)
    assert (ruling.outcome.winner, ruling.outcome.how, ruling.outcome.phase) == (winner, "time", "finished")
    assert set(clauses(ruling.reasons)) == {"G2-A39"}


def test_what_counts_is_what_the_headquarters_have_lost() -> None:
    state = battle(last_turns=1, began=NOON, time_limit_minutes=90, phase="deployment")
    small = next(one for one in state.headquarters if one.side == "axis")

    state = state.with_hq("hq_axis", card=replace(small.card, pi=6), pi=5).with_hq("hq_allies", pi=8)
    assert end(state).winner == "axis"


def test_a_headquarters_destroyed_in_the_last_turns_still_wins() -> None:
    state = battle(last_turns=2, began=NOON, time_limit_minutes=90).with_hq("hq_axis", pi=0)
    assert (after(state, IDLE).winner, after(state, IDLE).how) == ("allies", "headquarters")


def test_every_ending_is_said() -> None:
    state, seen = battle(), set()
    for winner in ("allies", "axis", "draw", None):
        for how in ("headquarters", "cards", "surrender", "goals", "turns", "time", None):
            seen.add(english(victory.said(state.but(phase="finished", winner=winner, how=how))))
    assert len(seen) == 2 * 6 + 4 + 1
