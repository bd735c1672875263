"""The start of a battle: decks that are ready, the secret bid, who starts and with how many AP, headquarters."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import decks, lookups, players, start
from companion.games.tactics_2gm.cards import GeneralCard, HeadquartersCard, Roster
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.lookups import BID, Bid, BidFacts
from companion.games.tactics_2gm.options import Seat, hq_distance
from companion.games.tactics_2gm.start import Ready
from companion.games.tactics_2gm.state import State
from companion.kit.asking import Pending
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import Facts
from companion.kit.prepared_answers import PreparedAnswers
from companion.kit.questions import Choose, Together
from companion.kit.ruling import Refusal
from companion.kit.text import Text
from tests.support.playing import clauses
from tests.support.tactics_2gm_positions import (
    after,
    asked,
    battlefield,
    english,
    no,
    offered,
    refusal,
    ruled,
    table,
    told,
)
from tests.support.toy_tables import Clock, open_tables, public

if TYPE_CHECKING:
    from pathlib import Path

    from companion.kit.ruling import Ruling

HALVES = {"players": "four", "pair_decks": "split"}


def nearly(**options: Any) -> State:
    """A table at which everybody but the last has said to be ready."""
    state = table(**options)
    for seat in state.seats[:-1]:
        state = after(state, Ready("decks"), seat=seat)
    return state


def bid(state: State, *dice: int, allies: int = 0, axis: int = 0, first: str = "allies") -> Ruling[State]:
    """The ruling that ends the building of decks."""
    bids = {"bid_allies": str(allies), "bid_axis": str(axis)}
    return ruled(state, Ready(), *dice, seat=state.seats[-1], first=first, **bids)


def with_roster(state: State, seat: Seat, **changes: Any) -> State:
    return state.but(rosters={**state.rosters, seat: replace(state.rosters[seat], **changes)})


@pytest.mark.clause("G2-08", "G2-10", "G2-11")
def test_a_player_is_ready_with_a_deck_within_the_limit() -> None:
    state = table()
    assert [offer.given for offer in offered(state, "ready")] == [{"phase": "decks"}]
    assert after(state, Ready("decks"), seat="axis").ready == ("axis",)
    small = table(limit=119)
    assert (decks.points_of(small, "allies"), decks.limit_of(small, "allies")) == (119, 119)
    dear = small.but(rosters=table().rosters)
    assert offered(dear, "ready") == []
    refused = refusal(dear, Ready("decks"))
    assert (refused.clause, english(refused.text)) == ("G2-11", "The deck costs 120 points; the limit is 119.")
    after(dear, Ready("decks"), seat="axis")


def test_nobody_is_ready_twice_or_without_a_card() -> None:
    state = after(table(), Ready("decks"))
    assert no(state, Ready("decks")) == "G2-06"
    without = state.but(rosters={"allies": state.rosters["allies"]})
    assert no(without, Ready(), seat="axis") == "G2-06"
    empty = state.but(rosters={**state.rosters, "axis": Roster(name="nothing")})
    assert no(empty, Ready(), seat="axis") == "G2-26"


def test_whoever_is_ready_last_is_shown_so_through_the_bid_and_the_roll() -> None:
    for answers in ({}, {"bid_allies": "0", "bid_axis": "0"}):
        with pytest.raises(Pending) as pending:
            GAME.rule(nearly(), "axis", Ready(), PreparedAnswers(answers, ()))
        for seat in ("allies", "axis"):
            shown = GAME.view(pending.value.progress, seat)
            (facts,) = (panel for panel in shown.panels if isinstance(panel, Facts))
            assert [english(said) for _, said in facts.rows[:2]] == ["has said ready"] * 2
            assert english(shown.headline) == "The decks are ready."


def test_who_was_ready_may_look_at_the_deck_again() -> None:
    state = after(table(), Ready("decks"))
    (offer,) = offered(state, "ready")
    assert offer.given == {"phase": "decks", "on": False}
    assert after(state, Ready("decks", stands=False)).ready == ()
    assert no(table(), Ready(stands=False)) == "G2-06"
    laying = bid(nearly(), 9, 1, allies=3).outcome
    assert no(laying, Ready(stands=False)) == "G2-77"


def test_a_deck_that_fits_no_more_holds_the_start_up_and_shows_nothing() -> None:
    state = nearly()
    grown = with_roster(state, "allies", support=(replace(state.rosters["allies"].support[0], cost=30),))
    grown = with_roster(grown, "allies", unit=tuple(replace(card, count=99) for card in grown.rosters["allies"].unit))
    refused = refusal(grown, Ready(), seat="axis")
    assert (refused.clause, english(refused.text)) == ("G2-11", "Allies: the deck has to be changed first")


def test_an_old_page_makes_nobody_ready_for_another_phase() -> None:
    state = bid(nearly(), 9, 1, allies=3, axis=2).outcome
    assert (state.phase, state.laying) == ("terrain", ("allies", "axis"))
    assert no(state, Ready("decks")) == "G2-77"
    assert after(state, Ready("terrain")).laying == ("axis",)
    hands = bid(nearly(), 9, 1).outcome
    assert no(hands, Ready()) == no(hands, Ready("terrain")) == "G2-77"


@pytest.mark.clause("G2-148", "G2-A36")
def test_a_pair_has_half_the_points_each_and_the_marshal_an_odd_one() -> None:
    state = table(limit=101, **HALVES)
    assert [decks.limit_of(state, seat) for seat in state.seats] == [51, 50, 51, 50]
    other_way = state.but(marshal={"allies": "allies_2"})
    assert [decks.limit_of(other_way, seat) for seat in state.seats] == [50, 51, 51, 50]
    alone = table(players="three", pair="axis", limit=101)
    assert [decks.limit_of(alone, seat) for seat in alone.seats] == [101, 51, 50]


@pytest.mark.clause("G2-149")
def test_partners_who_share_spend_all_the_points_together() -> None:
    state = table(players="four", pair_decks="shared", limit=100)
    assert [decks.limit_of(state, seat) for seat in state.seats] == [100] * 4
    whole = state.rosters["allies_1"].points + state.rosters["allies_2"].points
    assert [decks.points_of(state, seat) for seat in ("allies_1", "allies_2")] == [whole, whole]
    grown = with_roster(state, "allies_2", unit=table().rosters["allies"].unit)
    assert no(grown, Ready(), seat="allies_1") == no(grown, Ready(), seat="allies_2") == "G2-11"
    after(grown, Ready(), seat="axis_1")


@pytest.mark.clause("G2-42", "G2-43", "G2-A11", "G2-A33", "G2-151")
def test_both_leaders_bid_at_once_and_in_secret_from_none_to_all_five() -> None:
    state = nearly(players="three").but(marshal={"axis": "axis_2"})
    together = next(one for one in asked(state, Ready(), 9, 1, seat="axis_2") if isinstance(one, Together))
    assert set(together.questions) == {"allies", "axis_2"}
    for seat, question in together.questions.items():
        assert isinstance(question, Choose)
        assert (question.seat, [option.value for option in question.options]) == (seat, list("012345"))
    with pytest.raises(Refusal) as refused:
        bid(nearly(), 9, 1, allies=6)
    assert refused.value.clause == "G2-43"


@pytest.mark.clause("G2-44", "G2-50", "G2-46")
def test_the_die_and_what_was_spent_decide_and_what_is_spent_is_gone_for_both() -> None:
    ruling = bid(nearly(), 4, 6, allies=3, axis=0)
    state = ruling.outcome
    totals = [(line.value, line.faces) for line in ruling.reasons if line.terms]
    assert totals == [(7, (4,)), (6, (6,))]
    assert "Allies: the higher total" in told(ruling.reasons)
    assert [line for line in told(ruling.reasons) if "AP" in line] == [
        "Allies: 3 AP spent on the start",
        "Axis: 0 AP spent on the start",
        "Allies: 2 AP to begin with",
        "Axis: 5 AP to begin with",
    ]
    assert (state.bids, state.ap) == ({"allies": 3, "axis": 0}, {"allies": 2, "axis": 5})
    assert state.budget == {"allies": 3, "axis": 0}
    lost = bid(nearly(), 1, 6, allies=3, axis=5).outcome
    assert (lost.ap, lost.budget) == ({"allies": 2, "axis": 0}, {"allies": 3, "axis": 5})


@pytest.mark.clause("G2-45", "G2-A11")
def test_a_tie_is_rolled_again_with_the_same_bids() -> None:
    ruling = bid(nearly(), 4, 6, 1, 3, 8, 7, allies=3, axis=1)
    assert clauses(ruling.reasons).count("G2-45") == 2
    assert "Allies: the higher total" in told(ruling.reasons)
    assert ruling.outcome.bids == {"allies": 3, "axis": 1}
    bids = {"bid_allies": "3", "bid_axis": "1"}
    keys = [question.key for question in asked(nearly(), Ready(), 4, 6, 1, 3, 8, 7, seat="axis", **bids)]
    assert (keys.count("bid"), keys.count("start_roll")) == (1, 6)


@pytest.mark.clause("G2-A12", "G2-44")
@pytest.mark.parametrize(("dice", "winner"), [((9, 1), "allies"), ((1, 9), "axis")])
def test_the_winner_chooses_who_starts(dice: tuple[int, ...], winner: str) -> None:
    for first in ("allies", "axis"):
        state = bid(nearly(), *dice, first=first).outcome
        assert state.first == first
    question = asked(nearly(), Ready(), *dice, seat="axis")[-1 - len(nearly().seats)]
    assert isinstance(question, Choose)
    assert (question.key, question.seat) == ("first", winner)


@pytest.mark.clause("G2-152", "G2-153", "G2-A33")
def test_a_pair_divides_what_is_left_and_the_marshal_has_the_odd_point() -> None:
    state = nearly(**HALVES).but(marshal={"axis": "axis_2"})
    found = bid(state.but(ready=state.seats[:-1]), 9, 1, allies=0, axis=2).outcome
    assert found.ap == {"allies_1": 3, "allies_2": 2, "axis_2": 2, "axis_1": 1}


@pytest.mark.clause("G2-34", "G2-A09")
def test_nobody_begins_with_more_than_the_headquarters_may_hold() -> None:
    state = with_roster(nearly(), "allies", headquarters=HeadquartersCard(ap_cap=3))
    ruling = bid(state, 9, 1, allies=1, axis=1)
    assert ruling.outcome.ap == {"allies": 3, "axis": 4}
    assert "1 AP is above the maximum of 3, and lost" in told(ruling.reasons)
    carried = with_roster(nearly(cap_scope="carry_only"), "allies", headquarters=HeadquartersCard(ap_cap=3))
    kept = bid(carried, 9, 1, allies=1, axis=1)
    assert kept.outcome.ap == {"allies": 4, "axis": 4}
    assert not [line for line in told(kept.reasons) if "above the maximum" in line]


@pytest.mark.clause("G2-31", "G2-29", "G2-28")
def test_each_side_begins_with_a_headquarters_of_its_own_card_behind_the_middle() -> None:
    own = HeadquartersCard(pi=14, income=4, ap_cap=9, armour=1)
    state = with_roster(nearly(), "allies", headquarters=own)
    state = with_roster(state, "axis", headquarters=None)
    found = bid(state, 9, 1).outcome
    assert [(one.id, one.side, one.pi, one.card) for one in found.headquarters] == [
        ("hq_allies", "allies", 14, own),
        ("hq_axis", "axis", 10, HeadquartersCard()),
    ]
    assert players.cap(found, "allies") == 9
    assert [hq_distance(place, "allies") for place in ("d1", "e1", "a1", "d2")] == [1, 1, 4, 2]
    assert [hq_distance(place, "axis") for place in ("d6", "h6", "d1")] == [1, 4, 6]


@pytest.mark.clause("G2-159")
def test_two_copies_have_two_headquarters_a_side() -> None:
    state = with_roster(nearly(copies="two", **HALVES), "allies_2", headquarters=HeadquartersCard(pi=12))
    found = bid(state, 9, 1).outcome
    assert [(one.id, one.board, one.pi) for one in found.headquarters] == [
        ("hq_allies", 0, 10),
        ("hq_allies_2", 1, 12),
        ("hq_axis", 0, 10),
        ("hq_axis_2", 1, 10),
    ]
    assert [hq_distance(place, "allies", 1) for place in ("l1", "m1", "i1", "d1")] == [1, 1, 4, 9]
    one_copy = bid(nearly(**HALVES), 9, 1).outcome
    assert [one.id for one in one_copy.headquarters] == ["hq_allies", "hq_axis"]


@pytest.mark.clause("G2-51", "G2-09")
def test_a_scenario_begins_as_it_is_written() -> None:
    state = nearly(mode="scenario")
    assert state.scenario is not None
    assert decks.limit_of(state, "allies") == state.scenario.limit == 100
    ruling = ruled(state, Ready(), seat="axis")
    found = ruling.outcome
    assert (found.first, found.ap, found.bids, found.laying) == ("allies", {"allies": 6, "axis": 6}, {}, ())
    assert found.phase == "mulligan"
    other = state.but(scenario=replace(state.scenario, first="axis", start_ap=2, limit=None))
    assert decks.limit_of(other, "allies") == 120
    found = ruled(other, Ready(), seat="axis").outcome
    assert (found.first, found.ap) == ("axis", {"allies": 2, "axis": 2})


@pytest.mark.clause("G2-51")
def test_a_scenario_with_a_bid_has_its_own_number_of_points_to_bid() -> None:
    state = nearly(mode="scenario")
    assert state.scenario is not None
    state = state.but(scenario=replace(state.scenario, bid=True, start_ap=3))
    found = bid(state, 9, 1, allies=3, axis=1).outcome
    assert (found.ap, found.budget) == ({"allies": 0, "axis": 2}, {"allies": 3, "axis": 1})
    with pytest.raises(Refusal) as refused:
        bid(state, 9, 1, allies=4)
    assert refused.value.clause == "G2-43"


@pytest.mark.clause("G2-37")
def test_generals_are_there_from_the_start_where_the_scenario_says_so() -> None:
    state = nearly(mode="scenario")
    assert state.scenario is not None
    with_them = state.but(scenario=replace(state.scenario, generals=True))
    only = with_roster(with_them, "axis", general=(GeneralCard(name="a fox", income=2),))
    found = ruled(only, Ready(), seat="axis", general_allies="1").outcome
    assert [one.general for one in found.headquarters] == ["strategist", "a fox"]
    assert (players.cap(found, "allies"), players.generals_income(found, "axis")) == (11, 2)
    nobody = with_roster(with_roster(with_them, "axis", general=()), "allies", general=())
    for other in (nobody, state):
        assert [one.general for one in after(other, Ready(), seat="axis").headquarters] == [None, None]


def test_headquarters_can_be_laid_before_anybody_has_a_deck() -> None:
    assert [one.pi for one in start.lay_headquarters(table().but(rosters={})).headquarters] == [10, 10]


@pytest.mark.clause("G2-03", "G2-A37")
def test_dice_for_the_start_have_ten_faces() -> None:
    for wrong in (0, 11):
        with pytest.raises(Refusal) as refused:
            bid(nearly(), 9, wrong)
        assert refused.value.clause == "G2-03"


def test_bids_stay_sealed_until_both_are_in(tmp_path: Path) -> None:
    """Two tables differ in the bid of the Allies: until the Axis has bid, everybody else is told the same."""
    told_to_others = []
    for number, spent in enumerate(("0", "5")):
        folder = tmp_path / str(number)
        folder.mkdir()
        with open_tables(folder, clock=Clock(), tactics_2gm=GAME) as tables:
            sitting = battlefield(tables, dice="typed")
            for seat in ("allies", "axis"):
                sitting.act(seat, "use_sample", sample=f"{seat}_sample")
                sitting.act(seat, "ready", phase="decks")
            sitting.answer("allies", value=spent)
            seen = [sitting.seen(seat) for seat in ("axis", RULEKEEPER, SCREEN)]
            assert [one.asked is not None for one in seen] == [True, False, False]
            told_to_others.append([public(one) for one in seen])
            sitting.answer("axis", value="2")
            sitting.answer("allies", faces=[4])
            sitting.answer("axis", faces=[9])
            sitting.answer("axis", value="axis")
            assert english(sitting.seen("screen").view.headline) == "Axis: laying terrain."
    assert told_to_others[0] == told_to_others[1]


def odds_by_hand(ahead: int) -> tuple[Fraction, Fraction]:
    """The chance that the Allies decide, ``ahead`` of the Axis in their bids, and that of a tie on the first roll."""
    rolls = list(product(range(1, 11), repeat=2))
    wins = sum(one + ahead > two for one, two in rolls)
    ties = sum(one + ahead == two for one, two in rolls)
    return Fraction(wins, len(rolls) - ties), Fraction(ties, len(rolls))


@pytest.mark.clause("G2-44", "G2-45")
@pytest.mark.parametrize(("allies", "axis"), [*product(range(6), repeat=2)])
def test_the_odds_of_the_bid_are_exact(allies: int, axis: int) -> None:
    found = lookups.first_roll(BidFacts(allies=allies, axis=axis))
    assert (found.decides("allies"), found.tie) == odds_by_hand(allies - axis)
    assert found.decides("allies") + found.decides("axis") == 1
    assert sum(found.higher.values()) + found.tie == 1
    assert BID.charts is not None
    who, first = BID.charts(BidFacts(allies=allies, axis=axis))
    assert [bar.chance for bar in who.bars] == [found.decides("allies"), found.decides("axis")]
    assert sum(bar.chance for bar in first.bars) == 1
    assert first.bars[-1].chance == found.tie


@pytest.mark.clause("G2-42", "G2-44", "G2-45", "G2-50", "G2-46")
def test_the_bid_is_looked_up_by_the_rule_of_the_table() -> None:
    ask = PreparedAnswers({}, (4, 6, 7, 8))
    ruling = BID.rule(BidFacts(allies=3, axis=1), ask)
    ask.finish()
    assert ruling.outcome == Bid("allies", {"allies": 2, "axis": 4}, {"allies": 3, "axis": 1})
    assert english(ruling.headline) == "Allies: may choose who starts"
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"allies": 6}, BidFacts)


@pytest.mark.clause("G2-42", "G2-50")
def test_what_may_be_spent_on_the_start_is_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Of 5 AP." in english(Text(lookups.BID_HINT))
    monkeypatch.setattr(start, "START_AP", 3)
    together = next(one for one in asked(nearly(), Ready(), 9, 1, seat="axis") if isinstance(one, Together))
    for choose in together.questions.values():
        assert isinstance(choose, Choose)
        assert "How many of your 3 AP" in english(choose.why)
        assert [option.value for option in choose.options] == ["0", "1", "2", "3"]
    ruling = bid(nearly(), 9, 1, allies=1)
    assert ruling.outcome.ap == {"allies": 2, "axis": 3}
