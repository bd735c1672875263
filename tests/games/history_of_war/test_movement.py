"""Movement in History of War: units go to a territory and retreat from one, and are locked for it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.history_of_war import movement
from companion.games.history_of_war.state import State
from tests.support import history_of_war_positions as front
from tests.support.history_of_war_positions import able, after, lying, named, no, offered, refusal, ruled
from tests.support.playing import clauses, options_of

TANK = "b medium_tank, r rifle_company t1"


def game(written: str, **more: Any) -> State:
    """A game in which no phase passes by itself."""
    return front.game(written, **({"step_by_step": True} | more))


def deploy(state: State, unit: str, to: str) -> movement.Deploy:
    return movement.Deploy(named(state, unit), to)


@pytest.mark.clause("HW-48", "HW-49")
def test_an_unlocked_unit_moves_to_a_territory_and_is_locked() -> None:
    state = game(TANK)
    ruling = ruled(state, deploy(state, "b medium_tank", "t2"))
    tank = lying(ruling.outcome, "b medium_tank")
    assert (tank.place, tank.locked) == ("t2", True)
    assert clauses(ruling.reasons)[:2] == ["HW-48", "HW-49"]
    assert ruling.outcome.last.acting == (tank.id,)
    assert ruling.outcome.last.target == ("t2",)


@pytest.mark.clause("HW-79", "HW-80")
def test_the_defender_deploys_in_a_phase_of_its_own() -> None:
    state = game("b medium_tank, r rifle_company", phase="defender_deployment")
    assert no(state, deploy(state, "b medium_tank", "t1"), seat="blue") == "HW-29"
    ruling = ruled(state, deploy(state, "r rifle_company", "t1"), seat="red")
    rifles = lying(ruling.outcome, "r rifle_company")
    assert (rifles.place, rifles.locked) == ("t1", True)
    assert clauses(ruling.reasons)[:2] == ["HW-79", "HW-80"]


@pytest.mark.clause("HW-48", "HW-36")
def test_only_own_unlocked_units_deploy() -> None:
    state = game("b medium_tank locked, b railhead t1, r rifle_company, b steel_works")
    assert no(state, deploy(state, "b medium_tank", "t1")) == "HW-36"
    assert no(state, deploy(state, "b railhead", "t1")) == "HW-48"
    assert no(state, deploy(state, "b steel_works", "t1")) == "HW-48"
    assert no(state, deploy(state, "r rifle_company", "t1")) == "HW-48"
    assert not able(movement.goals, state, "blue")
    assert able(movement.goals, state, "red")
    assert offered(state, "deploy") == []


@pytest.mark.clause("HW-31")
def test_units_deploy_only_in_their_phase() -> None:
    state = game(TANK, phase="attacker_attack")
    assert no(state, deploy(state, "b medium_tank", "t1")) == "HW-31"
    assert offered(state, "deploy") == []


@pytest.mark.clause("HW-48")
def test_a_unit_goes_to_a_territory_that_is_still_to_conquer() -> None:
    state = game(TANK, lands="b coastal_province, b river_line r, r capital_region")
    assert no(state, deploy(state, "b medium_tank", "t2")) == "HW-48"
    assert refusal(state, deploy(state, "b medium_tank", "deployment")).field == "to"
    (offer,) = offered(state, "deploy")
    assert options_of(offer, "to") == ["t1", "t3"]
    assert offer.on == named(state, "b medium_tank")
    assert not able(movement.goals, game(TANK, lands="b coastal_province b, r river_line r"), "blue")


@pytest.mark.clause("HW-A10")
def test_units_deploy_from_the_deployment_area_alone() -> None:
    state = game("b medium_tank t1")
    assert no(state, deploy(state, "b medium_tank", "t2")) == "HW-A10"
    assert not able(movement.goals, state, "blue")
    agreed = game("b medium_tank t1", territory_to_territory=True)
    assert able(movement.goals, agreed, "blue")
    assert no(agreed, deploy(agreed, "b medium_tank", "t1")) == "HW-48"
    assert lying(after(agreed, deploy(agreed, "b medium_tank", "t2")), "b medium_tank").place == "t2"
    (offer,) = offered(agreed, "deploy")
    assert options_of(offer, "to") == ["t2", "t3", "t4"]


@pytest.mark.clause("HW-A39")
def test_what_is_set_aside_with_a_territory_stays_there() -> None:
    state = game("b medium_tank t1", lands="b coastal_province b, r river_line", territory_to_territory=True)
    assert no(state, deploy(state, "b medium_tank", "t2")) == "HW-A39"
    back = state.but(phase="attacker_retreat")
    assert no(back, movement.Retreat(named(back, "b medium_tank"))) == "HW-A39"
    assert not able(movement.goals, state, "blue")
    assert not able(movement.may_retreat, back, "blue")


@pytest.mark.clause("HW-84", "HW-85")
def test_an_unlocked_unit_retreats_and_is_locked() -> None:
    state = game("b medium_tank t1, b rifle_company t2 locked, r rifle_company t1", phase="attacker_retreat")
    ruling = ruled(state, movement.Retreat(named(state, "b medium_tank")))
    tank = lying(ruling.outcome, "b medium_tank")
    assert (tank.place, tank.locked) == ("deployment", True)
    assert clauses(ruling.reasons)[:2] == ["HW-84", "HW-85"]
    assert no(state, movement.Retreat(named(state, "b rifle_company"))) == "HW-36"
    assert no(state, movement.Retreat(named(state, "r rifle_company"))) == "HW-84"
    assert [offer.on for offer in offered(state, "retreat")] == [named(state, "b medium_tank")]
    assert able(movement.may_retreat, state, "blue")
    assert not able(movement.may_retreat, ruling.outcome, "blue")


@pytest.mark.clause("HW-86")
def test_the_defender_retreats_after_the_attacker() -> None:
    state = game("b medium_tank t1, r rifle_company t1", phase="defender_retreat")
    assert no(state, movement.Retreat(named(state, "b medium_tank")), seat="blue") == "HW-29"
    ruling = ruled(state, movement.Retreat(named(state, "r rifle_company")), seat="red")
    assert lying(ruling.outcome, "r rifle_company").place == "deployment"
    assert clauses(ruling.reasons)[0] == "HW-86"


@pytest.mark.clause("HW-84")
def test_only_a_unit_in_a_territory_retreats() -> None:
    state = game("b medium_tank", phase="attacker_retreat")
    assert no(state, movement.Retreat(named(state, "b medium_tank"))) == "HW-84"
    assert not able(movement.may_retreat, state, "blue")
    assert offered(state, "retreat") == []
