"""Stopping at every phase, so that there is time for action cards; and what ends a phase without a word (HW-32)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.games.history_of_war import construction, hands, rounds
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.pieces import ROUND, SEATS, STEPS
from companion.kit.game import SCREEN
from companion.kit.panels import Tracker
from tests.support.correction_tests import Mending
from tests.support.history_of_war_positions import (
    Scripted,
    after,
    code,
    english,
    game,
    no,
    offered,
    refusal,
    ruled,
    told,
)
from tests.support.playing import clauses

if TYPE_CHECKING:
    from companion.games.history_of_war.state import State

BY_HAND = Mending(GAME, Scripted)
STORM = {"blue": "sudden_storm", "red": "steel_works"}


def stopped(state: State, seat: str = "blue") -> State:
    held: State = after(state, rounds.Hold(), seat=seat)
    return held


def built(state: State) -> Any:
    """The ruling that ends construction."""
    return ruled(after(state, construction.Build(), seat="red"), construction.Build(), seat="blue")


@pytest.mark.clause("HW-32", "HW-104", "HW-A09")
def test_no_phase_passes_by_itself_while_somebody_stops_at_every_one() -> None:
    assert built(game(phase="construction")).outcome.round == 2, "the windows for action cards are over at once"
    state = stopped(game("b steel_works", hands=STORM, phase="construction"))
    gone = []
    state = built(state).outcome
    while state.round == 1:
        assert not state.content
        gone.append(state.phase)
        assert rounds.awaited(state) == rounds.agreeing(state)
        assert bool(offered(state, "play_action", "blue")) != bool(STEPS[state.phase].no_cards)
        for seat in rounds.agreeing(state):
            state = after(state, rounds.Done(), seat=seat)
    assert gone == [step.id for step in ROUND[2:]]
    assert (state.phase, state.holding) == ("draw", ("blue",))


@pytest.mark.clause("HW-32")
def test_who_does_not_wish_to_stop_is_asked_no_more_than_before() -> None:
    state = built(stopped(game(phase="construction"))).outcome
    state = after(state, rounds.Done(until="needed"), seat="red")
    assert (state.phase, rounds.awaited(state)) == ("construction", ("blue",))
    for phase in ("attacker_deployment", "attacker_attack", "damage_1"):
        state = after(state, rounds.Done(), seat="blue")
        assert (state.phase, state.content, rounds.awaited(state)) == (phase, ("red",), ("blue",))


@pytest.mark.clause("HW-32")
def test_who_stops_at_every_phase_is_not_content_until_needed() -> None:
    state = after(game("b medium_tank"), rounds.Done(until="needed"), seat="red")
    assert (state.content, state.done) == (("red",), ("red",))
    held = stopped(state, "red")
    assert (held.content, held.done, held.holding, rounds.awaited(held)) == ((), (), ("red",), SEATS)
    assert no(held, rounds.Done(until="needed"), seat="red") == "HW-32"
    assert [offer.given.get("until") for offer in offered(held, "done", "red")] == [None]
    assert [offer.main for offer in offered(held, "done", "red")] == [True]
    word = after(game("b medium_tank"), rounds.Done(), seat="red")
    assert stopped(word, "red").done == ("red",), "he has said so of this phase"


@pytest.mark.clause("HW-32")
def test_the_wish_moves_nothing_is_taken_back_and_is_offered_aside() -> None:
    state = game("b medium_tank")
    (offer,) = offered(state, "hold", "red")
    assert (offer.given, offer.aside, offer.main, english(offer.label)) == (
        {"on": True},
        True,
        False,
        "Stop at every phase",
    )
    ruling = ruled(state, rounds.Hold(), seat="red")
    assert (ruling.quiet, ruling.outcome, english(ruling.headline)) == (
        True,
        state.but(holding=("red",)),
        "Red: stops at every phase",
    )
    (offer,) = offered(ruling.outcome, "hold", "red")
    assert (offer.given, offer.aside) == ({"on": False}, True)
    assert no(ruling.outcome, rounds.Hold(), seat="red") == no(state, rounds.Hold(yes=False), seat="red") == "HW-32"
    draw = game(phase="draw", holding=("red",))
    again = ruled(draw, rounds.Hold(yes=False), seat="red")
    assert (again.outcome, again.quiet) == (draw.but(holding=()), True), "a wish ends no phase and draws no card"
    assert english(again.headline) == "Red: stops at every phase no more"
    assert after(again.outcome, rounds.Done(), seat="blue").phase == "base_expansion"
    assert no(game(phase="mulligan", round=0), rounds.Hold(), seat="red") == "HW-27"


@pytest.mark.clause("HW-104")
def test_a_table_that_goes_step_by_step_stops_anyway() -> None:
    state = game(step_by_step=True)
    assert no(state, rounds.Hold(), seat="red") == "HW-104"
    assert not offered(state, "hold", "red")
    assert "game.holding.red" not in BY_HAND.tracked(state)


def test_all_see_who_stops_at_every_phase() -> None:
    def notes(state: State, seat: str) -> list[str]:
        (score,) = [one for one in GAME.view(state, seat).panels if isinstance(one, Tracker)]
        return [english(row.note) for row in score.rows]

    state = stopped(game(), "red")
    assert notes(state, SCREEN) == ["attacks first", "defends first, stops at every phase"]
    assert notes(state, "red") == ["defends first, stops at every phase", "attacks first"]


def test_the_wish_can_be_corrected_and_nobody_wishes_both() -> None:
    state = game("b medium_tank", content=("red",))
    held = BY_HAND.correct(state, "game.holding.red", "true")
    assert (held.holding, held.content) == (("red",), ())
    assert BY_HAND.correct(held, "game.holding.red", "false").holding == ()
    content = BY_HAND.correct(held, "game.content.red", "true")
    assert (content.holding, content.content) == ((), ("red",))


@pytest.mark.clause("HW-32", "HW-38")
def test_who_has_put_a_base_expansion_down_is_done_with_the_phase() -> None:
    state = game(hands={"blue": "power_plant steel_works", "red": "steel_works"}, phase="base_expansion")
    ruling = ruled(state, hands.PlayBase(code(state, "blue", "power_plant")), seat="blue")
    assert "Blue: one in a round, so done with this phase" in told(ruling.reasons)
    assert clauses(ruling.reasons)[-1] == "HW-38"
    one = ruling.outcome
    assert (one.done, rounds.needed(one, "blue"), rounds.awaited(one)) == (("blue",), False, ("red",))
    second = refusal(one, hands.PlayBase(code(one, "blue", "steel_works")), seat="blue")
    assert (second.clause, english(second.text)) == ("HW-38", "You have put one into your base in this round.")
    assert after(one, hands.PlayBase(code(one, "red", "steel_works")), seat="red").phase == "construction"
    again = after(one, rounds.Done(yes=False), seat="blue")
    assert (again.phase, rounds.awaited(again)) == ("base_expansion", SEATS), "he may want to play an action card"


@pytest.mark.clause("HW-38")
@pytest.mark.parametrize("waits", [{"step_by_step": True}, {"holding": ("blue",)}])
def test_a_base_expansion_ends_no_phase_where_its_player_is_waited_for(waits: Any) -> None:
    state = game(hands=STORM, phase="base_expansion", **waits)
    one = after(state, hands.PlayBase(code(state, "red", "steel_works")), seat="red")
    assert one.done == (() if "step_by_step" in waits else ("red",))
    held = game(hands={"blue": "steel_works"}, phase="base_expansion", done=("red",), **waits)
    mine = after(held, hands.PlayBase(code(held, "blue", "steel_works")), seat="blue")
    assert (mine.phase, mine.done, rounds.awaited(mine)) == ("base_expansion", ("red",), ("blue",))


@pytest.mark.clause("HW-32", "HW-38")
def test_who_is_content_until_needed_is_not_asked_for_the_base_expansion_of_the_other() -> None:
    state = game(hands={"blue": "steel_works"}, phase="base_expansion")
    state = after(state, rounds.Done(until="needed"), seat="red")
    assert after(state, hands.PlayBase(code(state, "blue", "steel_works")), seat="blue").phase == "construction"
