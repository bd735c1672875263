"""The headquarters phase of 2GM Tactics: income, supply, the maximum, two partners; by a table and by the look-up."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import income, players, turn
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.income import IncomeFacts
from companion.games.tactics_2gm.lookups import INCOME
from companion.games.tactics_2gm.state import State
from companion.games.tactics_2gm.turn import Income
from companion.kit.asking import Ask
from companion.kit.ruling import Refusal
from tests.support.playing import clauses, options_of
from tests.support.tactics_2gm_positions import after, battle, english, no, offered, ruled, told

LINES = "a1 light_infantry a1, a2 light_infantry b2, a3 light_infantry c4"


def produced(**facts: Any) -> income.Income:
    return income.produce(IncomeFacts(**facts), Ask())


def lines(*held: int) -> Any:
    return tuple(str(line) for line in held)


def values(reasons: Any) -> list[tuple[str | None, int | None]]:
    return [(reason.clause, reason.value) for reason in reasons if reason.seat is None and reason.value]


def taken(state: State, *held: int, seat: str | None = None) -> State:
    return after(state.but(phase="headquarters"), Income(lines(*held)), seat=seat)


@pytest.mark.clause("G2-75", "G2-74", "G2-76")
@pytest.mark.parametrize(
    ("held", "ap"),
    [((), 0), ((1,), 1), ((1, 2, 4), 2), ((2, 3, 4, 5, 6), 0), ((6, 5, 4, 3, 2, 1), 6), ((1, 3), 1), ((1, 2, 3), 3)],
)
def test_the_supply_line_ends_at_the_first_gap(held: tuple[int, ...], ap: int) -> None:
    assert income.supply(lines(*held)) == ap
    assert produced(lines_with_units=lines(*held), hq_income=0).added == ap


@pytest.mark.clause("G2-75", "G2-76", "G2-79", "G2-80", "G2-34")
def test_a_gap_then_the_maximum() -> None:
    found = produced(stored=5, cap=8, hq_income=3, command_bonus=0, lines_with_units=lines(1, 2, 4))
    assert (found.supply_ap, found.ap_after, found.lost, found.added) == (2, 8, 2, 3)
    assert found.marshal is found.general is None


@pytest.mark.clause("G2-34", "G2-79")
def test_never_above_the_maximum_and_nothing_vanishes() -> None:
    for stored, cap, gains in product(range(13), (1, 5, 8), range(8)):
        found = produced(stored=stored, cap=cap, hq_income=gains)
        assert found.ap_after == min(cap, stored + gains)
        assert found.lost == stored + gains - found.ap_after
        free = produced(stored=stored, cap=cap, hq_income=gains, cap_scope="carry_only")
        assert (free.ap_after, free.lost) == (min(cap, stored) + gains, max(0, stored - cap))
        assert free.added == gains


@pytest.mark.clause("G2-34")
@pytest.mark.parametrize(("scope", "ap"), [("always", 8), ("carry_only", 11)])
def test_a_table_may_limit_only_what_is_carried_over(scope: str, ap: int) -> None:
    state = taken(battle("", cap_scope=scope, ap=8))
    assert state.ap["allies"] == ap
    assert taken(state).ap["allies"] == ap


@pytest.mark.clause("G2-72", "G2-73", "G2-75", "G2-76", "G2-80")
def test_lines_are_counted_from_their_owner() -> None:
    state = battle(f"{LINES}, x1 tiger a6, x2 tiger b5, x3 tiger c1")
    assert income.lines_held(state, "allies") == lines(1, 2, 4)
    assert income.lines_held(state, "axis") == lines(1, 2, 6)
    far = battle("x1 tiger a1, x2 tiger b2")
    assert income.lines_held(far, "axis") == lines(5, 6)


@pytest.mark.clause("G2-76", "G2-28", "G2-80", "G2-79", "G2-72", "G2-74")
def test_the_headquarters_phase_is_told_line_by_line() -> None:
    state = battle(f"{LINES}, a4 command_group a2", phase="headquarters", ap=1)
    ruling = ruled(state, Income())
    assert values(ruling.reasons) == [("G2-79", 1), ("G2-28", 3), ("G2-80", 1), ("G2-76", 2)]
    assert ruling.outcome.ap == {"allies": 7, "axis": 1}
    assert "line 3 holds no unit: what stands beyond it is cut off" in told(ruling.reasons)
    (offer,) = offered(state, "income")
    assert english(offer.label) == "Take 6 AP and draw"


@pytest.mark.clause("G2-152", "G2-153")
@pytest.mark.parametrize("marshal", ["allies_1", "allies_2"])
def test_each_of_a_pair_is_told_the_own_share_before_it_is_taken(marshal: Any) -> None:
    units = "a1 light_infantry a1, b1 light_infantry a2"
    state = battle(units, phase="headquarters", players="four", ap=1, marshal={"allies": marshal})
    now = after(state, Income())
    for seat in state.acting:
        (offer,) = offered(state, "income", seat)
        mine = 3 if seat == marshal else 2
        assert english(offer.label) == f"Take 5 AP, {mine} for you, and draw"
        assert now.ap[seat] == 1 + mine


@pytest.mark.clause("G2-34")
def test_what_is_lost_is_told() -> None:
    ruling = ruled(battle(LINES, phase="headquarters", ap=7), Income())
    assert ("G2-34", -4) in values(ruling.reasons)
    assert ruling.outcome.ap["allies"] == 8


@pytest.mark.clause("G2-28", "G2-A40")
def test_a_damaged_headquarters_has_its_whole_income() -> None:
    whole = battle(ap=0)
    assert taken(whole.with_hq("hq_allies", pi=1)).ap == taken(whole).ap


@pytest.mark.clause("G2-75", "G2-139")
def test_aircraft_terrain_and_enemies_hold_no_line() -> None:
    state = battle("a1 fighter_plane, x1 tiger a1", grounds="wall b1 allies", phase="headquarters", ap=0)
    ruling = ruled(state, Income())
    assert ruling.outcome.ap["allies"] == 3
    assert "no unit holds line 1: no supply line" in told(ruling.reasons)


@pytest.mark.clause("G2-75", "G2-80")
def test_a_unit_just_deployed_counts_and_several_in_one_line_once() -> None:
    state = battle("a1 light_infantry a1, a2 light_infantry b1", ap=0)
    state = state.with_unit("a1", deployed=1).with_unit("a2", deployed=1)
    assert taken(state).ap["allies"] == 4


@pytest.mark.clause("G2-80")
def test_command_groups_count_on_the_battlefield_only() -> None:
    two = battle("a1 command_group a3, a2 command_group b3, x1 command_group a5", ap=0)
    assert taken(two).ap["allies"] == 5
    assert taken(battle(ap=0, hands={"allies": "command_group"})).ap["allies"] == 3


@pytest.mark.clause("G2-163")
@pytest.mark.parametrize("many", ["two", "four"])
def test_novices_get_one_more_a_side(many: str) -> None:
    seat = "axis" if many == "two" else "axis_1"
    state = battle(novices=("axis",), players=many, ap=0)
    assert players.pool(taken(state.but(active="axis"), seat=seat), "axis") == 4
    assert players.pool(taken(state, seat="allies" if many == "two" else "allies_2"), "allies") == 3


@pytest.mark.clause("G2-36", "G2-35")
def test_a_general_adds_income_and_room() -> None:
    plain = battle(ap=8, phase="headquarters")
    rich = plain.with_hq("hq_allies", general="quartermaster")
    ruling = ruled(rich.with_ap("allies", 0), Income())
    assert ("G2-36", 1) in values(ruling.reasons)
    assert ruling.outcome.ap["allies"] == 4
    assert taken(plain.with_hq("hq_allies", general="strategist")).ap["allies"] == 11


@pytest.mark.clause("G2-50", "G2-80")
def test_the_first_turn_has_what_is_left_of_the_start_and_the_ordinary_income() -> None:
    assert taken(battle(ap=2)).ap["allies"] == 5


@pytest.mark.clause("G2-152", "G2-153", "G2-155")
@pytest.mark.parametrize("amount", range(10))
def test_an_odd_point_is_the_marshals(amount: int) -> None:
    marshal, general = income.shares(amount)
    assert marshal + general == amount
    assert marshal - general == amount % 2
    found = produced(pair=True, cap=40, hq_income=amount, stored=4, stored_general=1)
    assert (found.marshal, found.general) == (4 + marshal, 1 + general)


@pytest.mark.clause("G2-152", "G2-153", "G2-34")
def test_the_maximum_is_for_both_and_what_fits_is_shared() -> None:
    found = produced(pair=True, cap=8, hq_income=3, lines_with_units=lines(1, 2), stored=4, stored_general=1)
    assert (found.added, found.lost, found.marshal, found.general, found.ap_after) == (3, 2, 6, 2, 8)


@pytest.mark.clause("G2-152", "G2-34")
def test_a_pair_never_goes_above_the_maximum_or_below_zero() -> None:
    for marshal, general, gains, scope in product(range(13), range(13), range(6), ("always", "carry_only")):
        found = produced(pair=True, cap=8, hq_income=gains, stored=marshal, stored_general=general, cap_scope=scope)
        assert found.marshal is not None
        assert found.general is not None
        assert min(found.marshal, found.general) >= 0
        assert found.marshal + found.general == found.ap_after == marshal + general + gains - found.lost
        assert scope == "carry_only" or found.ap_after <= 8
        assert found.ap_after <= 8 + gains


@pytest.mark.clause("G2-152", "G2-153", "G2-155", "G2-150", "G2-146", "G2-157", "G2-158")
@pytest.mark.parametrize("players", ["three", "four"])
@pytest.mark.parametrize(("marshal", "tapped"), [("axis_1", "axis_2"), ("axis_2", "axis_2")])
def test_one_tap_of_either_partner_takes_the_income_of_both(players: str, marshal: Any, tapped: str) -> None:
    general = "axis_1" if marshal == "axis_2" else "axis_2"
    state = battle("x1 tiger a6, y1 tiger b5", players=players, active="axis", marshal={"axis": marshal}, ap=1)
    ruling = ruled(state.but(phase="headquarters"), Income(), seat=tapped)
    after_it = ruling.outcome
    assert (after_it.ap[marshal], after_it.ap[general]) == (4, 3)
    assert after_it.phase == "movement"
    assert {"G2-152", "G2-153"} <= set(clauses(ruling.reasons))
    assert no(after_it, Income(), seat=general) == "G2-77"


@pytest.mark.clause("G2-147", "G2-146")
def test_a_single_player_against_two_takes_all() -> None:
    state = taken(battle("", players="three", ap=1), seat="allies")
    assert state.ap == {"allies": 4, "axis_1": 1, "axis_2": 1}


@pytest.mark.clause("G2-159", "G2-162", "G2-76")
def test_two_copies_have_one_joint_line_and_both_headquarters() -> None:
    state = battle("a1 light_infantry a1, b1 light_infantry p2", players="four", copies="two", ap=0)
    found = income.facts_of(state, income.lines_held(state, "allies"))
    assert (found.cap, found.hq_income, found.lines_with_units) == (16, 6, lines(1, 2))
    assert taken(state, seat="allies_1").ap == {"allies_1": 4, "allies_2": 4, "axis_1": 0, "axis_2": 0}


@pytest.mark.clause("G2-75", "G2-76")
def test_where_no_board_tells_the_lines_are_tapped() -> None:
    state = battle("a1 light_infantry, a2 light_infantry", board="table", phase="headquarters", ap=0)
    (offer,) = offered(state, "income")
    assert options_of(offer, "lines") == ["1", "2"]
    assert after(state, Income(("1", "2"))).ap["allies"] == 5
    assert after(state, Income(("1", "5"))).ap["allies"] == 4
    assert no(state, Income(("1", "2", "3"))) == "G2-75"
    alone = battle("", board="table", phase="headquarters", ap=0)
    assert not offered(alone, "income")[0].fields
    assert no(alone, Income(("1",))) == "G2-75"
    assert after(alone, Income()).ap["allies"] == 3


@pytest.mark.clause("G2-75")
def test_where_companion_knows_the_lines_nobody_tells_them() -> None:
    assert no(battle(LINES, phase="headquarters"), Income(("1",))) == "G2-75"


@pytest.mark.clause("G2-79", "G2-80")
def test_the_forecast_is_what_is_taken() -> None:
    for ap in (0, 4, 8):
        state = battle(f"{LINES}, a4 command_group a2", phase="headquarters", ap=ap)
        said = income.forecast(state)
        assert said.value == taken(state).ap["allies"]
        assert said.value == sum(term.value or 0 for term in said.terms)
        assert all(term.value is not None for term in said.terms), "what is cut off gives nothing"


@pytest.mark.clause("G2-79", "G2-80", "G2-163", "G2-152")
def test_the_look_up_rules_as_the_table_does() -> None:
    facts = IncomeFacts(stored=2, lines_with_units=lines(1, 2), command_bonus=1, card_bonus=1, novice=True, cap=20)
    ruling = INCOME.rule(facts, Ask())
    assert ruling.outcome.ap_after == 2 + 3 + 2 + 1 + 1 + 1
    assert english(ruling.headline) == "10 AP"
    assert sum(reason.value or 0 for reason in ruling.reasons) == 10
    pair = INCOME.rule(replace(facts, pair=True, stored_general=1), Ask())
    assert (pair.outcome.marshal, pair.outcome.general) == (6, 5)
    assert english(pair.headline) == "Field marshal 6 AP, general 5 AP"
    with pytest.raises(Refusal) as refused:
        INCOME.rule(replace(facts, stored_general=1), Ask())
    assert (refused.value.clause, refused.value.field) == ("G2-152", "stored_general")
    assert {reason.clause for reason in ruling.reasons} <= GAME.rulebook.ids()


@pytest.mark.parametrize(
    ("before", "said"),
    [(2, "Allies: +3 AP, and 5 in all"), (5, "Allies: 0 AP, and 5 in all"), (19, "Allies: −14 AP, and 5 in all")],
)
def test_what_the_pool_became_is_said_with_its_sign(before: int, said: str) -> None:
    headline = turn._taken(battle(ap=before), battle(ap=5), "allies", Income())
    assert english(headline) == said
