"""Declarations in History of War: who attacks what, who blocks whom, and what that locks."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.history_of_war import battle
from companion.games.history_of_war.pieces import Attack
from companion.games.history_of_war.state import State
from tests.support import history_of_war_positions as front
from tests.support.history_of_war_positions import able, after, lying, named, no, offered, refusal, ruled
from tests.support.playing import clauses, options_of

DUEL = "b medium_tank t1, r rifle_company t1"


def game(written: str, phase: str = "attacker_attack", **more: Any) -> State:
    """A game in which no phase passes by itself, in the attacker's declaration of attacks or another phase."""
    return front.game(written, phase=phase, **({"step_by_step": True} | more))


def attack(state: State, unit: str, **more: Any) -> battle.DeclareAttack:
    return battle.DeclareAttack(named(state, unit), **more)


def block(state: State, unit: str, attacker: str) -> battle.DeclareBlock:
    return battle.DeclareBlock(named(state, unit), named(state, attacker))


def attacked(written: str, *attackers: str, base: bool = False, phase: str = "defender_block", **more: Any) -> State:
    """A game in which units have attacked, in the phase of blocks."""
    state = game(written, phase, **more)
    for attacker in attackers:
        name = named(state, attacker)
        state = state.with_card(name, locked=True).but(attacks=(*state.attacks, Attack(name, base)))
    return state


@pytest.mark.clause("HW-35", "HW-50", "HW-53", "HW-105")
def test_an_unlocked_unit_attacks_and_is_locked() -> None:
    state = game(DUEL)
    ruling = ruled(state, attack(state, "b medium_tank"))
    tank = lying(ruling.outcome, "b medium_tank")
    assert tank.locked
    assert ruling.outcome.attacks == (Attack(tank.id),)
    assert clauses(ruling.reasons)[:2] == ["HW-50", "HW-53"]
    assert ruling.outcome.last.acting == (tank.id,)
    assert no(ruling.outcome, attack(state, "b medium_tank")) == "HW-36"


@pytest.mark.clause("HW-35", "HW-50", "HW-36")
def test_only_own_unlocked_units_attack() -> None:
    state = game("b medium_tank t1 locked, b bunker_line t1, r rifle_company t1")
    assert no(state, attack(state, "b medium_tank")) == "HW-36"
    assert no(state, attack(state, "b bunker_line")) == "HW-50"
    assert no(state, attack(state, "r rifle_company")) == "HW-50"
    assert not able(battle.aims, state, "blue")
    assert offered(state, "attack") == []


@pytest.mark.clause("HW-51", "HW-A11")
def test_a_unit_attacks_enemies_of_its_own_territory() -> None:
    state = game("b medium_tank t1, b rifle_company, r rifle_company t2, r motorised_company")
    assert no(state, attack(state, "b medium_tank")) == "HW-A11"
    assert no(state, attack(state, "b rifle_company")) == "HW-51"
    assert not able(battle.aims, state, "blue")
    assert offered(state, "attack") == []
    fort = game("b medium_tank t1, r bunker_line t1")
    assert able(battle.aims, fort, "blue")
    assert [offer.on for offer in offered(fort, "attack")] == [named(fort, "b medium_tank")]
    assert after(fort, attack(fort, "b medium_tank")).attacks


@pytest.mark.clause("HW-81")
def test_the_defender_attacks_in_the_second_half() -> None:
    state = game(DUEL, "defender_attack")
    assert no(state, attack(state, "b medium_tank"), seat="blue") == "HW-29"
    ruling = ruled(state, attack(state, "r rifle_company"), seat="red")
    assert clauses(ruling.reasons)[0] == "HW-81"
    assert ruling.outcome.attacks == (Attack(named(state, "r rifle_company")),)
    assert no(game(DUEL, "damage_1"), attack(state, "b medium_tank")) == "HW-31"


@pytest.mark.clause("HW-52")
def test_a_base_attack_takes_the_ability() -> None:
    state = game("b bomber_wing t1, b medium_tank t1, r rifle_company t2")
    assert no(state, attack(state, "b medium_tank", base=True)) == "HW-52"
    ruling = ruled(state, attack(state, "b bomber_wing", base=True))
    assert ruling.outcome.attacks == (Attack(named(state, "b bomber_wing"), base=True),)
    assert clauses(ruling.reasons)[:2] == ["HW-52", "HW-53"]
    assert [offer.given for offer in offered(state, "attack")] == [
        {"unit": named(state, "b bomber_wing"), "base": True}
    ]
    both = game("b bomber_wing t1, r rifle_company t1")
    assert [offer.given.get("base", False) for offer in offered(both, "attack")] == [False, True]


@pytest.mark.clause("HW-52")
def test_an_upgrade_can_give_a_base_attack() -> None:
    state = game("b medium_tank t1 +veteran_crews")
    roster = state.rosters["blue"]
    crews = tuple(replace(card, abilities=("base_attack",)) for card in roster.upgrade)
    trained = state.but(rosters={**state.rosters, "blue": replace(roster, upgrade=crews)})
    assert not able(battle.aims, state, "blue")
    assert able(battle.aims, trained, "blue")


@pytest.mark.clause("HW-A12")
def test_a_base_attack_starts_from_a_territory_unless_agreed_otherwise() -> None:
    state = game("b bomber_wing")
    assert no(state, attack(state, "b bomber_wing", base=True)) == "HW-A12"
    assert not able(battle.aims, state, "blue")
    agreed = game("b bomber_wing", base_attack_from_deployment=True)
    assert able(battle.aims, agreed, "blue")
    assert after(agreed, attack(agreed, "b bomber_wing", base=True)).attacks
    assert no(agreed, attack(agreed, "b bomber_wing")) == "HW-51"


@pytest.mark.clause("HW-57", "HW-59", "HW-A22")
def test_a_blocker_is_locked_and_its_value_spent() -> None:
    state = attacked("b medium_tank t1, r motorised_company t1", "b medium_tank")
    ruling = ruled(state, block(state, "r motorised_company", "b medium_tank"), seat="red")
    blocker = lying(ruling.outcome, "r motorised_company")
    assert (blocker.locked, blocker.blocked, blocker.used) == (True, True, ("ground",))
    assert ruling.outcome.attacks[0].blockers == (blocker.id,)
    assert clauses(ruling.reasons)[:2] == ["HW-57", "HW-59"]
    assert ruling.outcome.last.target == (named(state, "b medium_tank"),)


@pytest.mark.clause("HW-57", "HW-A22", "HW-36")
def test_only_unlocked_units_of_the_territory_block() -> None:
    written = "b medium_tank t1, r rifle_company t1 locked, r motorised_company t2, r heavy_tank, r bunker_line t1"
    state = attacked(written, "b medium_tank")
    assert no(state, block(state, "r rifle_company", "b medium_tank"), seat="red") == "HW-36"
    assert no(state, block(state, "r motorised_company", "b medium_tank"), seat="red") == "HW-57"
    assert no(state, block(state, "r heavy_tank", "b medium_tank"), seat="red") == "HW-57"
    assert no(state, block(state, "r bunker_line", "b medium_tank"), seat="red") == "HW-57"
    assert no(state, block(state, "b medium_tank", "b medium_tank"), seat="red") == "HW-57"
    assert not able(battle.may_block, state, "red")
    assert offered(state, "block", "red") == []


@pytest.mark.clause("HW-56", "HW-64")
def test_a_unit_blocks_its_own_category_and_what_its_card_says() -> None:
    written = "b fighter_wing t1, b medium_tank t1, r rifle_company t1, r flak_battery t1, r fighter_wing t1"
    state = attacked(written, "b fighter_wing", "b medium_tank")
    assert no(state, block(state, "r rifle_company", "b fighter_wing"), seat="red") == "HW-56"
    assert no(state, block(state, "r fighter_wing", "b medium_tank"), seat="red") == "HW-56"
    assert after(state, block(state, "r fighter_wing", "b fighter_wing"), seat="red").attacks[0].blockers
    assert after(state, block(state, "r flak_battery", "b fighter_wing"), seat="red").attacks[0].blockers
    fighter, tank = named(state, "b fighter_wing"), named(state, "b medium_tank")
    found = {offer.on: options_of(offer, "attacker") for offer in offered(state, "block", "red")}
    assert found == {
        named(state, "r rifle_company"): [tank],
        named(state, "r flak_battery"): [fighter, tank],
        named(state, "r fighter_wing"): [fighter],
    }


@pytest.mark.clause("HW-60", "HW-A14")
def test_several_units_block_one_attacker_but_each_only_one() -> None:
    written = "b medium_tank t1, b heavy_tank t1, r rifle_company t1, r motorised_company t1"
    state = attacked(written, "b medium_tank", "b heavy_tank")
    first = after(state, block(state, "r rifle_company", "b medium_tank"), seat="red")
    ruling = ruled(first, block(state, "r motorised_company", "b medium_tank"), seat="red")
    assert ruling.outcome.attacks[0].blockers == (named(state, "r rifle_company"), named(state, "r motorised_company"))
    assert "HW-60" in clauses(ruling.reasons)
    assert no(first, block(state, "r rifle_company", "b heavy_tank"), seat="red") == "HW-36"


@pytest.mark.clause("HW-58", "HW-A13")
def test_a_base_attack_is_blocked_from_the_deployment_area() -> None:
    written = "b bomber_wing t1, r fighter_wing, r fighter_wing t1, r rifle_company"
    state = attacked(written, "b bomber_wing", base=True)
    assert no(state, block(state, "r fighter_wing 2", "b bomber_wing"), seat="red") == "HW-58"
    behind = state.with_card(named(state, "r fighter_wing 1"), place="base")
    assert no(behind, block(state, "r fighter_wing 1", "b bomber_wing"), seat="red") == "HW-58"
    assert no(state, block(state, "r rifle_company", "b bomber_wing"), seat="red") == "HW-56"
    done = after(state, block(state, "r fighter_wing 1", "b bomber_wing"), seat="red")
    assert lying(done, "r fighter_wing 1").locked
    assert [offer.on for offer in offered(state, "block", "red")] == [named(state, "r fighter_wing 1")]


@pytest.mark.clause("HW-82")
def test_the_attacker_blocks_in_the_second_half() -> None:
    state = attacked(DUEL, "r rifle_company", phase="attacker_block")
    assert no(state, block(state, "b medium_tank", "r rifle_company"), seat="red") == "HW-29"
    ruling = ruled(state, block(state, "b medium_tank", "r rifle_company"), seat="blue")
    assert clauses(ruling.reasons)[0] == "HW-82"
    assert able(battle.may_block, state, "blue")
    assert not able(battle.may_block, ruling.outcome, "blue")


@pytest.mark.clause("HW-57")
def test_only_an_attacker_is_blocked() -> None:
    state = attacked("b medium_tank t1, b heavy_tank t1, r rifle_company t1", "b medium_tank")
    refused = refusal(state, block(state, "r rifle_company", "b heavy_tank"), seat="red")
    assert (refused.clause, refused.field) == ("HW-57", "attacker")


def test_a_block_says_what_it_brings() -> None:
    state = attacked("b medium_tank t1, r motorised_company t1", "b medium_tank")
    (offer,) = offered(state, "block", "red")
    assert front.english(offer.fields[0].options[0].note) == "deals 2 of 4, takes up to 4 of 3"
