"""Skill tests of Pocket-Tactics, and kickers that effects change (PT-91 to PT-98)."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.pocket_tactics.dice import Value
from companion.games.pocket_tactics.skill_tests import ShiftKicker, TestSkill, Trial, passed
from companion.games.pocket_tactics.state import Shift, State
from companion.kit.questions import Throw
from companion.kit.text import Text
from tests.support.playing import Scripted, clauses, options_of
from tests.support.pocket_tactics_positions import P, code, game, table


def trial(value: Value, target: int, *dice: int) -> tuple[bool, Scripted]:
    ask = Scripted(*dice)
    success = passed(Trial("blue", Text("blue"), Text("melee"), value, target), ask)
    ask.finish("PT-92")
    P.check(ask.reasons)
    return success, ask


def trying(state: State, unit: str, slot: Any, pool: Any, target: int) -> TestSkill:
    return TestSkill(unit=code(state, unit), slot=slot, pool=pool, target=target)


def shift(state: State, unit: str, slot: Any, pool: Any, by: int) -> ShiftKicker:
    return ShiftKicker(unit=code(state, unit), slot=slot, pool=pool, by=by)


# The test


@pytest.mark.clause("PT-91", "PT-92")
@pytest.mark.parametrize(("dice", "success"), [((4, 1), True), ((1, 5), True), ((3, 3), False)])
def test_one_die_of_the_target_number_or_more_is_enough(dice: tuple[int, ...], success: bool) -> None:
    found, ask = trial(Value(2), 4, *dice)
    assert found is success
    assert [(one.key, one.count, one.by) for one in ask.asked if isinstance(one, Throw)] == [("test", 2, "blue")]
    assert (ask.reasons[-1].clause, ask.reasons[-1].faces) == ("PT-92", dice)


@pytest.mark.clause("PT-92", "PT-93", "PT-95")
def test_the_kicker_counts_like_a_die_and_is_not_rolled() -> None:
    assert trial(Value(2, 4), 5, 1, 5)[0], "the worked example"
    assert trial(Value(2, 4), 4, 1, 1)[0]
    found, ask = trial(Value(1, 4), 5, 4)
    assert (found, clauses(ask.reasons)) == (False, ["PT-93", "PT-92"])
    alone, ask = trial(Value(0, 4), 4)
    assert (alone, ask.asked) == (True, [])


@pytest.mark.clause("PT-91")
def test_with_nothing_to_roll_the_test_fails() -> None:
    found, ask = trial(Value(), 1)
    assert (found, P.told(ask.reasons)[0]) == (False, "There is nothing to roll.")


@pytest.mark.clause("PT-92", "PT-A47")
def test_it_says_what_was_needed_and_nobody_rolls_again() -> None:
    state = game("b bowman m2, b levy l2, r prowler m3", ground="m2 hills, l2 field, m3 field")
    ruling = P.ruled(state, trying(state, "b bowman", "ballistic", "offence", 5), 4, 5)
    assert P.told(ruling.reasons) == ["Bowman 1 (Blue) passes the test of ballistic, offence (needed: 5 or more)"]
    assert P.english(ruling.headline) == "Bowman 1 (Blue) passes the skill test"
    failed = P.ruled(state, trying(state, "b bowman", "ballistic", "offence", 5), 4, 4)
    assert P.english(failed.headline) == "Bowman 1 (Blue) fails the skill test"


@pytest.mark.clause("PT-91", "PT-97")
def test_a_test_uses_no_turn_up_and_is_taken_at_any_time_in_the_game() -> None:
    state = game("b shield_captain m2, r prowler m3").but(active="red")
    after = P.after(state, trying(state, "b shield_captain", "melee", "defence", 4), 1, 1, seat="blue")
    assert (after.active, after.turn, after.units) == ("red", 1, state.units)
    assert after.last.passed is True, "the kicker of 4"
    in_reserve = trying(state, "b levy", "melee", "offence", 4)
    assert P.after(state, in_reserve, 3, seat="blue").last.passed is False


@pytest.mark.clause("PT-A04", "PT-93")
def test_kickers_count_in_tests_even_where_they_do_not_in_assaults() -> None:
    state = game("b shield_captain m2, r prowler m3", kicker_in_assault=False)
    assert P.after(state, trying(state, "b shield_captain", "melee", "defence", 4), 1, 1).last.passed is True


@pytest.mark.clause("PT-91", "PT-10")
def test_only_the_owner_tests_a_unit_in_play_with_a_skill_that_it_has() -> None:
    state = game("b levy m2, b ember_mage captured, r prowler m3")
    for action, seat, clause, field in (
        (trying(state, "b levy", "melee", "offence", 4), "red", "PT-91", "unit"),
        (trying(state, "b ember_mage", "third", "offence", 4), "blue", "PT-91", "unit"),
        (trying(state, "b levy", "third", "offence", 4), "blue", "PT-10", "slot"),
        (TestSkill(unit="b9.9", slot="melee", pool="offence", target=4), "blue", "PT-02", "unit"),
    ):
        refused = P.refusal(state, action, 1, seat=seat)
        assert (refused.clause, refused.field) == (clause, field)
    before = table().mustered()
    assert P.no(before, trying(before, "b levy", "melee", "offence", 4), 1, seat="blue") == "PT-24"
    assert P.no(before, shift(before, "b levy", "melee", "offence", 1), seat="blue") == "PT-24"


# Kickers


@pytest.mark.clause("PT-98", "PT-94", "PT-A05")
@pytest.mark.parametrize(("by", "kicker"), [(1, 5), (2, 6), (5, 6), (-3, 1), (-4, 0), (-6, 0)])
def test_a_changed_kicker_stays_between_0_and_6(by: int, kicker: int) -> None:
    state = game("b shield_captain m2, r prowler m3")
    ruling = P.ruled(state, shift(state, "b shield_captain", "melee", "defence", by))
    after = ruling.outcome
    assert after.value(after.unit("b4.1"), "melee", "defence") == Value(2, kicker)
    assert ("PT-94" in clauses(ruling.reasons)) is (4 + by != kicker)
    assert (after.active, after.turn) == ("blue", 1)


@pytest.mark.clause("PT-98")
def test_changes_do_not_add_up_and_0_is_as_printed() -> None:
    state = game("b shield_captain m2, r prowler m3")
    for by, shifts in ((2, 2), (-1, -1), (0, None)):
        state = P.after(state, shift(state, "b shield_captain", "melee", "defence", by))
        expected = (Shift("melee", "defence", shifts),) if shifts else ()
        assert state.unit("b4.1").shifts == expected
    state = P.after(state, shift(state, "b shield_captain", "melee", "defence", 1))
    state = P.after(state, shift(state, "b shield_captain", "ballistic", "defence", 3))
    assert state.unit("b4.1").shifts == (Shift("melee", "defence", 1), Shift("ballistic", "defence", 3))


@pytest.mark.clause("PT-98")
def test_an_effect_changes_a_kicker_of_either_player() -> None:
    state = game("b levy m2, r outrider m3, r ravager captured")
    after = P.after(state, shift(state, "r outrider", "ballistic", "offence", -3))
    assert after.value(after.unit(code(state, "r outrider")), "ballistic", "offence") == Value(2, 0)
    assert P.no(state, shift(state, "r ravager", "melee", "offence", 1)) == "PT-98"
    assert P.no(state, shift(state, "r outrider", "third", "offence", 1)) == "PT-10"


# Offers


@pytest.mark.clause("PT-91", "PT-98")
def test_both_are_offered_aside_to_both_players_as_long_as_the_game_lasts() -> None:
    state = game("b levy m2, r prowler m3, r ravager captured")
    for seat in ("blue", "red"):
        (test,) = P.offered(state, "test_skill", seat)
        (change,) = P.offered(state, "shift_kicker", seat)
        assert {test.aside, test.loose, change.aside, change.loose} == {True}
        own = {unit.id for unit in state.units if unit.seat == seat and unit.where != "captured"}
        assert set(options_of(test, "unit")) == own
        assert set(options_of(change, "unit")) == {unit.id for unit in state.units if unit.where != "captured"}
    assert P.offered(table(), "test_skill", "blue") == []
    assert P.offered(table(), "shift_kicker", "blue") == []
