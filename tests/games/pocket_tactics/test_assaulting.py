"""Assaults of Pocket-Tactics at the table: who may assault whom, and what comes of it (PT-31 to PT-68)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.games.pocket_tactics import targets
from companion.games.pocket_tactics.assault import Assault, declared
from companion.games.pocket_tactics.assault import facts as fought_with
from companion.games.pocket_tactics.dice import Facts, Value
from companion.games.pocket_tactics.state import Last, Shift, State
from companion.games.pocket_tactics.turn import Concede
from companion.kit.asking import Pending
from companion.kit.questions import Choose
from tests.support.playing import Scripted, options_of
from tests.support.pocket_tactics_positions import P, code, game

if TYPE_CHECKING:
    from companion.kit.action import Offer

WIDE = "m2 field, l2 field, n2 field, m3 field, l3 field, n3 field, m4 field, l4 field, n4 field"


def assault(state: State, unit: str, target: str, kind: Any = "melee", skill: Any = None, **more: int) -> Assault:
    """Blue's ``levy`` assaults Red's ``prowler`` or the ``base``; melee, or ballistic from afar."""
    mine, enemy = ("b", "r") if state.active == "blue" else ("r", "b")
    to = "base" if target == "base" else code(state, f"{enemy} {target}")
    said = skill or ("melee" if kind == "melee" else "ballistic")
    return Assault(unit=code(state, f"{mine} {unit}"), target=to, kind=kind, skill=said, **more)


def no(state: State, *what: Any, **more: Any) -> tuple[str | None, str | None]:
    """The clause and the field of the refusal."""
    refused = P.refusal(state, assault(state, *what, **more))
    return refused.clause, refused.field


def facts(state: State, *what: Any, **more: Any) -> Facts:
    action = assault(state, *what, **more)
    return fought_with(state, action, *declared(state, state.active, action))


def rerolls(state: State, *what: Any, **more: Any) -> tuple[int, int]:
    """How many situational re-rolls the attacker and the defender have."""
    found = facts(state, *what, **more)
    return found.attacker.rerolls.situational, found.defender.rerolls.situational


def where(state: State, unit: str) -> str | None:
    found = state.unit(code(state, unit))
    return found.at or found.terrain if found.where == "tile" else found.where


def of(state: State, unit: str) -> list[Offer]:
    """The assaults that a unit is offered."""
    return [offer for offer in P.offered(state, "assault") if offer.on == code(state, unit)]


# What comes of it


@pytest.mark.clause("PT-25", "PT-31", "PT-33", "PT-42", "PT-A15")
def test_the_victor_of_a_melee_takes_the_tile_and_the_turn_is_over() -> None:
    state = game("b levy m2, r prowler m3")
    after = P.after(state, assault(state, "levy", "prowler"), 6, 6, 1, 1, 1)
    assert (where(after, "b levy"), where(after, "r prowler"), after.active, after.turn) == ("m3", "captured", "red", 2)
    assert after.last == Last("b0.1", "r0.1", "m2")


@pytest.mark.clause("PT-25", "PT-45", "PT-A15", "PT-A16")
def test_after_a_stall_everybody_stands_where_he_stood_and_the_turn_is_over() -> None:
    state = game("b levy m2, r prowler m3")
    after = P.after(state, assault(state, "levy", "prowler"), 1, 6, 1, 1, 6)
    assert (where(after, "b levy"), where(after, "r prowler"), after.active) == ("m2", "m3", "red")


@pytest.mark.clause("PT-43", "PT-44")
def test_the_counter_captures_the_attacker() -> None:
    state = game("b levy m2, r prowler m3")
    lost = P.after(state, assault(state, "levy", "prowler"), 1, 1, 6, 1, 6)
    assert (where(lost, "b levy"), where(lost, "r prowler"), lost.active) == ("captured", "m3", "red")
    both = P.after(state, assault(state, "levy", "prowler"), 6, 1, 6, 1, 1)
    assert (where(both, "b levy"), where(both, "r prowler"), both.active) == ("captured", "captured", "red")


@pytest.mark.clause("PT-55", "PT-56", "PT-A15", "PT-42")
def test_from_afar_the_victor_stays_where_it_is() -> None:
    state = game("b bowman m2, r prowler m3")
    action = assault(state, "bowman", "prowler", "ranged")
    after = P.after(state, action, 6, 1, 6, 1, 1)
    assert (where(after, "b bowman"), where(after, "r prowler"), after.active) == ("m2", "captured", "red")
    lost = P.after(state, action, 1, 1, 1, 6, 6)
    assert (where(lost, "b bowman"), where(lost, "r prowler")) == ("captured", "m3")


@pytest.mark.clause("PT-65", "PT-66", "PT-67")
def test_whoever_takes_the_base_wins() -> None:
    state = game("b levy m4, r prowler l2")
    ruling = P.ruled(state, assault(state, "levy", "base"), 6, 5, 5, 5)
    after = ruling.outcome
    assert (after.phase, after.winner, after.how) == ("finished", "blue", "base")
    assert P.english(ruling.headline) == "Blue wins: Red's base is taken."
    held = P.after(state, assault(state, "levy", "base"), 6, 6, 1, 1)
    assert (held.phase, held.active, where(held, "b levy")) == ("play", "red", "m4")


def test_it_is_said_who_has_given_up_as_both_read_it() -> None:
    ruling = P.ruled(game("b levy m2, r prowler m3"), Concede(), seat="blue")
    assert P.english(ruling.headline) == "Red wins: Blue has given up."


@pytest.mark.clause("PT-66", "PT-A20", "PT-59")
def test_a_base_is_assaulted_from_afar_like_a_unit() -> None:
    state = game("b bowman m3, r prowler l2")
    assert P.after(state, assault(state, "bowman", "base", "ranged"), 6, 5, 5, 5, 5).winner == "blue"
    assert no(state, "bowman", "base") == ("PT-33", "target")


@pytest.mark.clause("PT-64", "PT-A43")
def test_the_last_unit_captured_ends_the_game() -> None:
    rest = ", ".join(
        f"r {name} captured"
        for name in (
            "prowler.2",
            "prowler.3",
            "ravager",
            "ravager.2",
            "bulwark",
            "bulwark.2",
            "hedge_witch",
            "hedge_witch.2",
            "outrider",
            "grove_elder",
        )
    )
    state = game(f"b levy m2, r prowler m3, {rest}")
    after = P.after(state, assault(state, "levy", "prowler"), 6, 6, 1, 1, 1)
    assert (after.phase, after.winner, after.how) == ("finished", "blue", "army")


@pytest.mark.clause("PT-43", "PT-A43")
@pytest.mark.parametrize(("agreed", "winner"), [("draw", "draw"), ("active_player_wins", "red")])
def test_when_the_last_units_of_both_are_captured_at_once_nobody_wins_or_whose_turn_it_is(
    agreed: str, winner: str
) -> None:
    state = game("b levy m2, r prowler m3", active="red", double_elimination=agreed)
    lonely = tuple(unit for unit in state.units if unit.where == "tile")
    after = P.after(state.but(units=lonely), assault(state, "prowler", "levy"), 6, 6, 1, 6, 1)
    assert (after.phase, after.winner, after.how) == ("finished", winner, "both_gone")


# Who may not


@pytest.mark.clause("PT-24", "PT-25", "PT-31")
def test_only_the_active_player_assaults_with_an_own_unit_that_is_on_the_map() -> None:
    state = game("b levy m2, r prowler m3, r ravager captured")
    action = assault(state, "levy", "prowler")
    assert P.no(state, action, seat="red") == "PT-24"
    theirs = Assault(unit=code(state, "r prowler"), target=code(state, "b levy"), kind="melee", skill="melee")
    refused = P.refusal(state, theirs)
    assert (refused.clause, refused.field) == ("PT-25", "unit")
    assert no(state, "levy.2", "prowler") == ("PT-31", "unit")


@pytest.mark.clause("PT-31")
@pytest.mark.parametrize("target", ["b0.2", "r0.2", "r1.1", "r9.9", "b1.1"])
def test_only_enemies_on_the_map_are_assaulted(target: str) -> None:
    state = game("b levy m2, b levy.2 m3, r prowler l2, r ravager captured")
    refused = P.refusal(state, Assault(unit="b0.1", target=target, kind="melee", skill="melee"))
    assert (refused.clause, refused.field) == ("PT-31", "target")


@pytest.mark.clause("PT-34", "PT-54", "PT-10", "PT-A21", "PT-32")
def test_skills_that_can_not_be_declared_are_refused() -> None:
    state = game("b levy m2, r prowler m3")
    assert no(state, "levy", "prowler", "melee", "ballistic") == ("PT-34", "skill")
    assert no(state, "levy", "prowler", "ranged", "melee") == ("PT-54", "skill")
    assert no(state, "levy", "prowler", "melee", "arcane") == ("PT-10", "skill")
    assert no(state, "levy", "prowler", "ranged", "ballistic") == ("PT-A21", "skill")


@pytest.mark.clause("PT-A21", "PT-A05", "PT-A04", "PT-98")
def test_a_kicker_is_offence_enough_unless_kickers_do_not_count() -> None:
    for counts, clause in ((True, None), (False, "PT-A21")):
        state = game("b levy m2, r prowler m3", kicker_in_assault=counts)
        state = state.with_unit("b0.1", shifts=(Shift("ballistic", "offence", 2),))
        action = assault(state, "levy", "prowler", "ranged")
        assert (P.no(state, action) if clause else None) == clause
        assert any(offer.given["skill"] == "ballistic" for offer in of(state, "b levy")) is counts
    assert facts(state.but(options=game().options), "levy", "prowler", "ranged").attacker.offence == Value(0, 2)


@pytest.mark.clause("PT-33", "PT-54", "PT-59", "PT-A17")
def test_targets_too_far_away_are_refused() -> None:
    state = game("b levy m2, b bowman l2, b ember_mage n2, r prowler m4")
    assert no(state, "levy", "prowler") == ("PT-33", "target")
    assert no(state, "ember_mage", "prowler", "melee", "arcane") == ("PT-33", "target")
    state = game(
        "b bowman m2, b ember_mage l2, r prowler n5, r outrider l3",
        ground="m2 field, m3 field, m4 field, n4 field, n5 field, l2 field, l3 field",
    )
    assert no(state, "bowman", "prowler", "ranged") == ("PT-59", "target")
    red = state.but(active="red")
    assert (
        P.no(
            red,
            Assault(unit=code(state, "r prowler"), target=code(state, "b bowman"), kind="ranged", skill="ballistic"),
        )
        == "PT-54"
    )


@pytest.mark.clause("PT-81", "PT-59", "PT-89")
def test_a_tunnel_wall_saves_from_the_next_tile_and_from_afar() -> None:
    walled = game("b bowman m2, r prowler m3, r ravager m4", ground="m2 field, m3 complex 1+2, m4 field")
    assert no(walled, "bowman", "prowler") == ("PT-81", "target")
    assert no(walled, "bowman", "prowler", "ranged") == ("PT-81", "target")
    assert no(walled, "bowman", "ravager", "ranged") == ("PT-89", "target")
    open_ = game("b bowman m2, r prowler m3, r ravager m4", ground="m2 field, m3 complex 1+4, m4 field")
    assert facts(open_, "bowman", "prowler")
    assert facts(open_, "bowman", "ravager", "ranged")


@pytest.mark.clause("PT-59", "PT-61", "PT-90", "PT-88")
def test_gaps_block_the_sight_of_an_archer_and_units_do_not() -> None:
    seen = game("b bowman m2, b levy m3, r ravager m4")
    assert facts(seen, "bowman", "ravager", "ranged")
    gap = game("b bowman m2, r ravager m4", ground="m2 field, n2 field, n3 field, m4 field")
    assert no(gap, "bowman", "ravager", "ranged") == ("PT-89", "target")


@pytest.mark.clause("PT-A17", "PT-A18")
def test_melee_over_a_friend_needs_the_option() -> None:
    units = "b levy m2, b levy.2 m3, r prowler m4, r ravager n3"
    assert no(game(units), "levy", "prowler") == ("PT-A17", "target")
    hopping = game(units, hop_assault=True)
    after = P.after(
        hopping,
        assault(hopping, "levy", "prowler"),
        6,
        6,
        1,
        1,
        1,
        reroll_attacker_situational_1="pass",
        reroll_defender_situational_1="pass",
    )
    assert (where(after, "b levy"), where(after, "r prowler")) == ("m4", "captured")
    assert facts(hopping, "levy", "ravager").reached
    straight = game(units, hop_assault=True, hop_straight_only=True)
    assert facts(straight, "levy", "prowler")
    assert no(straight, "levy", "ravager") == ("PT-33", "target")


# What it is fought with


@pytest.mark.clause("PT-37", "PT-38", "PT-08", "PT-A07", "PT-A08")
def test_both_fight_with_the_skill_that_is_declared() -> None:
    state = game("b ember_mage m2, r grove_elder m3, r hedge_witch l3, r bulwark n3, r prowler l2")
    elder = facts(state, "ember_mage", "grove_elder", "melee", "arcane")
    assert (elder.attacker.offence, elder.attacker.defence) == (Value(2, 4), Value(2))
    assert (elder.defender.offence, elder.defender.defence) == (Value(2), Value(2, 5))
    hand_to_hand = facts(state, "ember_mage", "grove_elder")
    assert (hand_to_hand.attacker.offence, hand_to_hand.defender.defence) == (Value(1), Value(2))
    bulwark = facts(game("b ember_mage m2, r bulwark m3"), "ember_mage", "bulwark", "melee", "arcane")
    assert (bulwark.defender.offence, bulwark.defender.defence) == (Value(), Value())


@pytest.mark.clause("PT-06")
def test_a_unit_is_worth_its_cost() -> None:
    found = facts(game("b levy m2, r bulwark m3"), "levy", "bulwark")
    assert (found.attacker.worth, found.defender.worth) == (6, 12)


@pytest.mark.clause("PT-35")
def test_mage_tech_is_told_as_what_it_was_declared() -> None:
    state = game("b levy m2, r grove_elder m3", active="red")
    for skill in ("arcane", "tech"):
        ruling = P.ruled(state, assault(state, "grove_elder", "levy", "melee", skill), 1, 1)
        assert (ruling.reasons[0].clause, P.english(ruling.reasons[0].text)) == (
            "PT-35",
            f"Grove elder (Red) assaults Levy 1 (Blue): melee, {skill}",
        )
    assert P.no(state, assault(state, "grove_elder", "levy", "ranged", "ballistic")) == "PT-A21"


@pytest.mark.clause("PT-98", "PT-94")
def test_changed_kickers_count() -> None:
    state = game("b shield_captain m2, r prowler m3")
    state = state.with_unit(code(state, "b shield_captain"), shifts=(Shift("melee", "defence", -1),))
    assert facts(state, "shield_captain", "prowler").attacker.defence == Value(2, 3)


@pytest.mark.clause("PT-60", "PT-59", "PT-A36")
def test_who_reaches_back_counters_and_who_does_not_can_not() -> None:
    ground = "m2 field, m3 field, m4 field, m5 field"
    far = game("b bowman m2, r outrider m5, r prowler m4", ground=ground, bases="m1 m6")
    assert not facts(far, "bowman", "prowler", "ranged").reached
    red = far.but(active="red")
    assert not facts(red, "outrider", "bowman", "ranged").reached
    near = game("b bowman m2, r outrider m4", ground=ground, bases="m1 m6")
    assert facts(near, "bowman", "outrider", "ranged").reached
    assert facts(near.but(active="red"), "outrider", "bowman", "ranged").reached


@pytest.mark.clause("PT-52", "PT-57", "PT-A10")
def test_affinity_is_of_the_contested_tile_in_melee_and_of_the_own_one_from_afar() -> None:
    state = game("b bowman m2, r prowler m3", ground="m2 hills, m3 forest")
    assert rerolls(state, "bowman", "prowler") == (0, 1)
    assert rerolls(state, "bowman", "prowler", "ranged") == (1, 1)
    turned = game("b bowman m2, r prowler m3", ground="m2 forest, m3 hills")
    assert rerolls(turned, "bowman", "prowler") == (1, 0)
    assert rerolls(turned, "bowman", "prowler", "ranged") == (0, 0)
    base = game("b bowman m4, r prowler l2", ground=WIDE.replace("m4 field", "m4 hills"))
    assert (rerolls(base, "bowman", "base"), rerolls(base, "bowman", "base", "ranged")) == ((0, 0), (1, 0))


@pytest.mark.clause("PT-53", "PT-58", "PT-A11", "PT-A12")
def test_assists_are_the_friends_beside_the_contested_tile() -> None:
    state = game(
        "b bowman m2, b levy l2, b levy.2 n3, b levy.3 l4, r prowler m3, r ravager n2, r bulwark m4", ground=WIDE
    )
    assert rerolls(state, "bowman", "prowler") == rerolls(state, "bowman", "prowler", "ranged")
    beside = {"l2", "l3", "n2", "n3", "m2", "m4"}
    ours = sum(where(state, f"b {name}") in beside for name in ("levy", "levy.2", "levy.3"))
    theirs = sum(where(state, f"r {name}") in beside for name in ("ravager", "bulwark"))
    assert rerolls(state, "bowman", "prowler") == (ours, theirs) == (2, 2)


@pytest.mark.clause("PT-A11", "PT-58")
def test_with_the_option_those_beside_the_attackers_tile_assist_in_melee_too() -> None:
    units = "b bowman m2, b levy l1, b levy.2 l2, r prowler m3, r ravager n1, r bulwark m4"
    ground = WIDE + ", l1 field, n1 field"
    assert rerolls(game(units, ground=ground), "bowman", "prowler") == (1, 1)
    either = game(units, ground=ground, melee_assist_scope="either_tile")
    assert rerolls(either, "bowman", "prowler") == (2, 2)
    assert rerolls(either, "bowman", "prowler", "ranged") == (1, 1)


@pytest.mark.clause("PT-A12")
def test_tunnel_walls_do_not_keep_friends_from_assisting() -> None:
    state = game(
        "b levy m2, b levy.2 l2, r prowler m3, r ravager n3",
        ground="m2 field, l2 complex 4, m3 complex 4, n3 complex 1",
    )
    assert rerolls(state, "levy", "prowler") == (1, 1)


@pytest.mark.clause("PT-68", "PT-53", "PT-A12")
def test_a_base_has_the_assists_of_its_own_units_and_the_attacker_of_his() -> None:
    state = game("b levy m4, b levy.2 l4, r prowler n4, r ravager l2", ground=WIDE)
    assert rerolls(state, "levy", "base") == (1, 1)


@pytest.mark.clause("PT-48", "PT-50")
def test_the_sample_captains_ability_is_asked_for_first() -> None:
    state = game("b shield_captain m2, b levy l2, r prowler m3")
    asked = P.questions(
        state,
        assault(state, "shield_captain", "prowler"),
        6,
        6,
        1,
        1,
        1,
        1,
        1,
        reroll_attacker_ability_1="pass",
        reroll_attacker_situational_1="pass",
    )
    chosen = [(one.key, one.seat) for one in asked if isinstance(one, Choose)]
    assert chosen == [("reroll_attacker_ability_1", "blue"), ("reroll_attacker_situational_1", "blue")]


# Hazards


@pytest.mark.clause("PT-71", "PT-78", "PT-25")
def test_stuck_in_the_swamp_the_assault_is_cancelled_and_the_turn_is_over() -> None:
    state = game("b levy m2, r prowler m3", ground="m2 swamp, m3 field")
    after = P.after(state, assault(state, "levy", "prowler"), 3)
    assert (where(after, "b levy"), where(after, "r prowler"), after.active) == ("m2", "m3", "red")


@pytest.mark.clause("PT-71", "PT-79", "PT-73", "PT-A29", "PT-A34")
def test_charging_into_water_or_a_cave_may_end_there() -> None:
    state = game("b levy m2, r prowler m3", ground="m2 field, m3 water")
    after = P.after(state, assault(state, "levy", "prowler"), 2)
    assert (where(after, "b levy"), where(after, "r prowler"), after.active) == ("captured", "m3", "red")
    state = game("b levy m2, r prowler m3", ground="m2 field, m3 cave")
    assert where(P.after(state, assault(state, "levy", "prowler"), 3), "b levy") == "reserve"


@pytest.mark.clause("PT-64", "PT-79")
def test_drowning_with_the_last_unit_loses_the_game() -> None:
    state = game("b levy m2, r prowler m3", ground="m2 field, m3 water")
    state = state.but(units=tuple(one for one in state.units if one.seat == "red" or one.id == "b0.1"))
    after = P.after(state, assault(state, "levy", "prowler"), 2)
    assert (after.winner, after.how) == ("red", "army")


@pytest.mark.clause("PT-76", "PT-77", "PT-25")
def test_lost_in_the_labyrinth_the_opponent_sends_the_attacker_away() -> None:
    state = game("b levy m2, r prowler m3", ground="m2 labyrinth, m3 field, l2 hills, n2 field")
    action = assault(state, "levy", "prowler")
    asked = P.questions(state, action, 1, opponent_choice="l2")
    assert [(one.seat, [option.value for option in one.options]) for one in asked if isinstance(one, Choose)] == [
        ("red", ["l2", "n2"])
    ]
    after = P.after(state, action, 1, opponent_choice="l2")
    assert (where(after, "b levy"), where(after, "r prowler"), after.active) == ("l2", "m3", "red")


@pytest.mark.clause("PT-74", "PT-75", "PT-A24", "PT-84")
def test_a_victor_on_ice_may_slide_back_to_the_tile_it_came_from() -> None:
    state = game("b levy m2, r prowler m3, r ravager m4", ground="m2 field, m3 ice, m4 field")
    action = assault(state, "levy", "prowler")
    asked = {"reroll_defender_situational_1": "pass"}
    after = P.after(state, action, 6, 6, 1, 1, 1, 2, 4, **asked)
    assert (where(after, "b levy"), where(after, "r prowler"), after.active) == ("m2", "captured", "red")
    lost = P.after(state, action, 6, 6, 1, 1, 1, 1, 1, **asked)
    assert (where(lost, "b levy"), where(lost, "r prowler")) == ("captured", "captured")
    assert where(P.after(state, action, 6, 6, 1, 1, 1, 3, **asked), "b levy") == "m3"


@pytest.mark.clause("PT-42", "PT-74", "PT-A24")
def test_while_the_ice_is_tested_the_map_shows_who_was_captured_and_where_the_victor_stands() -> None:
    state = game("b levy m2, r prowler m3", ground="m2 field, m3 ice, m4 field")
    ask = Scripted(6, 6, 1, 1, 1)
    ask.otherwise = lambda _: None
    with pytest.raises(Pending) as waits:
        P.rule(state, "blue", assault(state, "levy", "prowler"), ask)
    assert waits.value.question.key == "hazard_after"
    shown = waits.value.progress
    assert (where(shown, "b levy"), where(shown, "r prowler"), shown.active) == ("m3", "captured", "blue")
    assert shown.last == Last("b0.1", "r0.1", "m2")


@pytest.mark.clause("PT-A24", "PT-A25")
def test_sliding_from_ice_to_ice_and_back_finds_the_tile_of_the_captured_empty() -> None:
    state = game("b levy m2, r prowler m3", ground="m2 field, m3 ice, m4 ice")
    after = P.after(state, assault(state, "levy", "prowler"), 6, 6, 1, 1, 1, 1, 1, 2, 4, 5)
    assert (where(after, "b levy"), where(after, "r prowler")) == ("m3", "captured")


@pytest.mark.clause("PT-71", "PT-A25")
def test_the_headline_says_when_the_ground_kept_somebody_from_the_assault() -> None:
    for ground, dice, headline in (
        ("m2 swamp, m3 field", (1,), "Levy 1 (Blue) does not get to assault"),
        ("m2 field, m3 water", (1,), "Levy 1 (Blue) is lost (captured)"),
        ("m2 field, m3 cave", (1,), "Levy 1 (Blue) is back in reserve"),
        ("m2 swamp, m3 field", (4, 1, 6, 1, 1, 6), "Levy 1 (Blue) against Prowler 1 (Red): neither is captured"),
    ):
        state = game("b levy m2, r prowler m3", ground=ground)
        ruling = P.ruled(state, assault(state, "levy", "prowler"), *dice)
        assert (P.english(ruling.headline), ruling.outcome.last.cancelled) == (headline, len(dice) == 1)


# Offers, reminders and questions


@pytest.mark.clause("PT-32", "PT-34", "PT-54", "PT-35")
def test_each_unit_kind_and_skill_has_its_own_offer() -> None:
    state = game("b levy m2, b ember_mage l2, r grove_elder m3")
    assert [(offer.given["kind"], offer.given["skill"]) for offer in of(state, "b levy")] == [("melee", "melee")]
    assert [(offer.given["kind"], offer.given["skill"]) for offer in of(state, "b ember_mage")] == [
        ("melee", "melee"),
        ("melee", "arcane"),
        ("ranged", "arcane"),
    ]
    assert P.english(of(state, "b ember_mage")[2].label) == "Ranged, arcane: Ember mage"
    red = state.but(active="red")
    assert [(offer.given["kind"], offer.given["skill"]) for offer in of(red, "r grove_elder")] == [
        ("melee", "arcane"),
        ("melee", "tech"),
        ("ranged", "arcane"),
        ("ranged", "tech"),
    ]
    assert P.offered(state, "assault", "red") == []


def test_targets_have_their_names_and_places() -> None:
    state = game("b bowman m3, r prowler m4, r ravager l2")
    melee, ranged = of(state, "b bowman")
    assert [(option.value, P.english(option.label), option.place) for option in ranged.fields[0].options] == [
        ("r0.1", "Prowler 1 (Red)", "m4"),
        ("r1.1", "Ravager 1 (Red)", "l2"),
        ("base", "Red's base", "m5"),
    ]
    assert (options_of(melee, "target"), melee.chancy, melee.fields[0].value) == (["r0.1", "r1.1"], True, None)


@pytest.mark.clause("PT-81", "PT-89")
def test_who_is_near_but_behind_a_wall_is_shown_with_the_reason() -> None:
    state = game(
        "b bowman m2, r prowler m3, r ravager m4, r bulwark l2", ground="m2 field, m3 complex 1+2, m4 field, l2 field"
    )
    ranged = of(state, "b bowman")[1]
    barred = {option.value: option.barred.clause for option in ranged.fields[0].options if option.barred}
    assert (options_of(ranged, "target"), barred) == (["r2.1"], {"r0.1": "PT-81", "r1.1": "PT-89"})
    assert ranged.fields[0].value == "r2.1"


def test_whatever_is_offered_is_legal() -> None:
    units = (
        "b bowman m2, b ember_mage l2, b blade_guard n2, r prowler m3, r outrider l3, r grove_elder n3, r bulwark m4"
    )
    ground = "m2 swamp, l2 ice, n2 hills, m3 water, l3 complex 5+6, n3 complex 4, m4 ice"
    for options in ({}, {"hop_assault": True}, {"map": "table"}):
        state = game(units if not options.get("map") else units_on_the_table(), ground=ground, **options)
        for seat in ("blue", "red"):
            active = state.but(active=seat)
            offered = [(one, to) for one in P.offered(active, "assault") for to in options_of(one, "target")]
            assert offered
            for one, to in offered:
                declared(active, active.active, Assault(**one.given, target=to))


def units_on_the_table() -> str:
    return "b bowman hills, b ember_mage ice, b blade_guard field, r prowler water, r outrider forest"


@pytest.mark.clause("PT-70", "PT-71")
def test_what_the_ground_threatens_is_said_before() -> None:
    state = game(
        "b blade_guard m2, b bowman n2, r prowler m3, r ravager l2, r bulwark n3",
        ground="m2 swamp, m3 water, l2 ice, n2 field, n3 ice",
    )
    melee = of(state, "b blade_guard")[0]
    assert [P.english(reason.text) for reason in melee.advice] == ["Leaving is tested first, swamp: stuck on 1–3 (50%)"]
    notes = {option.value: P.english(option.note) for option in melee.fields[0].options}
    assert notes == {"r0.1": "drowns on 1–3 (50%)", "r1.1": "after a victory: slips on 1–2 (33%)"}
    ranged = of(state, "b bowman")[1]
    assert [option.note for option in ranged.fields[0].options] == [None] * len(ranged.fields[0].options)
    aimed = game("b bowman m2, r prowler m3", ground="m2 labyrinth, m3 field")
    assert [P.english(reason.text) for reason in of(aimed, "b bowman")[1].advice] == [
        "Aiming out of it is tested first, labyrinth: the opponent moves it on 1–3 (50%)"
    ]


@pytest.mark.clause("PT-05", "PT-29")
def test_abilities_for_assaults_are_reminded_of_before_and_told() -> None:
    state = game("b shield_captain m2, r prowler m3")
    said = "Shield captain. Cover: One re-roll of a defence die of this unit"
    offer = of(state, "b shield_captain")[0]
    assert [(P.english(one.text), one.clause) for one in offer.advice] == [(said, "PT-05")]
    red = state.but(active="red")
    ruling = P.ruled(
        red, assault(red, "prowler", "shield_captain"), 6, 1, 1, 6, 6, 6, 6, reroll_defender_ability_1="pass"
    )
    assert said in [P.english(reason.text) for reason in ruling.reasons if reason.clause == "PT-05"]


@pytest.mark.clause("PT-46", "PT-47")
def test_while_a_re_roll_is_decided_the_board_marks_who_fights_and_the_dice_lie_there() -> None:
    state = game("b bowman m2, r bulwark m3", ground="m2 hills, m3 forest")
    ask = Scripted(6, 2, 3, 3, 3)
    ask.otherwise = lambda _: None
    with pytest.raises(Pending) as pending:
        P.rule(state, "blue", assault(state, "bowman", "bulwark", "ranged"), ask)
    waits = pending.value
    assert isinstance(waits.question, Choose)
    assert waits.question.seat == "blue"
    assert [reason.marks for reason in waits.reasons if reason.marks] == [(("b1.1", "acting"), ("r2.1", "target"))]
    assert [P.english(option.note) for option in waits.question.options] == [
        "nothing to gain: captures 100%, falls 0%",
        "captures 100%, falls 0%",
        "captures 50%, falls 0%",
    ]


@pytest.mark.clause("PT-A42", "PT-31")
def test_whether_somebody_can_assault() -> None:
    assert targets.can_assault(game("b levy m2, r prowler m3"), "blue")
    assert not targets.can_assault(game("b levy m2, r prowler m4"), "blue")
    assert targets.can_assault(game("b bowman m2, r prowler m4"), "blue")
    assert targets.can_assault(game("b levy m4, r prowler l2"), "blue"), "the base"
    assert not targets.can_assault(game("b levy m2, r hedge_witch m4"), "red")
    assert not targets.can_assault(game("b levy m2, r prowler m3", ground="m2 field, m3 complex 1"), "blue")
    for units, can in (("b levy field", True), ("", False)):
        assert targets.can_assault(game(units, map="table"), "blue") is can


# The map on the table

TABLE = "b bowman hills, b levy field, b ember_mage field, r prowler forest, r bulwark hills, r outrider field"


@pytest.mark.clause("PT-42", "PT-33")
def test_on_the_table_the_victor_stands_on_the_terrain_of_the_captured() -> None:
    state = game(TABLE, map="table")
    after = P.after(state, assault(state, "levy", "prowler"), 6, 6, 1, 1, 1, reroll_defender_situational_1="pass")
    assert (where(after, "b levy"), where(after, "r prowler"), after.active) == ("forest", "captured", "red")


@pytest.mark.clause("PT-52", "PT-57", "PT-53", "PT-58")
def test_on_the_table_terrains_are_remembered_and_assists_are_said() -> None:
    state = game(TABLE, map="table")
    assert rerolls(state, "bowman", "prowler") == (0, 1)
    assert rerolls(state, "bowman", "prowler", "ranged", attacker_assists=2, defender_assists=1) == (3, 2)
    assert rerolls(state, "bowman", "base", "ranged", defender_assists=3) == (1, 3)


@pytest.mark.clause("PT-59", "PT-60", "PT-33", "PT-54")
def test_on_the_table_the_distance_is_said() -> None:
    state = game(TABLE, map="table")
    assert no(state, "bowman", "prowler", "ranged", distance=3) == ("PT-59", "target")
    assert no(state, "levy", "prowler", distance=2) == ("PT-33", "target")
    assert not facts(state, "bowman", "prowler", "ranged", distance=2).reached
    assert facts(state, "bowman", "outrider", "ranged", distance=2).reached
    assert facts(game(TABLE, map="table", hop_assault=True), "levy", "prowler", distance=2).reached


@pytest.mark.clause("PT-53")
def test_on_the_table_nobody_has_more_assists_than_units() -> None:
    state = game(TABLE, map="table")
    assert no(state, "levy", "prowler", attacker_assists=3) == ("PT-53", "attacker_assists")
    assert no(state, "levy", "prowler", defender_assists=3) == ("PT-53", "defender_assists"), "not the target itself"
    assert rerolls(state, "levy", "prowler", attacker_assists=2, defender_assists=2) == (2, 3)
    assert no(state, "levy", "base", defender_assists=4) == ("PT-53", "defender_assists")
    assert facts(state, "levy", "base", defender_assists=3).defender.assists == 3


@pytest.mark.clause("PT-A11")
def test_on_the_table_there_is_room_for_six_assists_or_for_ten_around_both_tiles() -> None:
    many = ", ".join(
        f"r {name} field"
        for name in ("prowler", "prowler.2", "prowler.3", "ravager", "ravager.2", "bulwark", "bulwark.2", "outrider")
    )
    state = game(f"b bowman field, {many}", map="table")
    assert no(state, "bowman", "prowler", defender_assists=7) == ("PT-53", "defender_assists")
    either = game(f"b bowman field, {many}", map="table", melee_assist_scope="either_tile")
    assert facts(either, "bowman", "prowler", defender_assists=7).defender.assists == 7
    assert no(either, "bowman", "prowler", "ranged", defender_assists=7) == ("PT-53", "defender_assists")


def test_on_the_table_the_form_asks_for_what_the_players_see() -> None:
    state = game(TABLE, map="table")
    melee, ranged = of(state, "b bowman")
    assert [(field.name, field.value, field.low, field.high) for field in ranged.fields[1:]] == [
        ("distance", 1, 1, 2),
        ("attacker_assists", 0, 0, 2),
        ("defender_assists", 0, 0, 3),
    ]
    assert [field.name for field in melee.fields] == ["target", "attacker_assists", "defender_assists"]
    assert [P.english(option.label) for option in melee.fields[0].options] == [
        "Prowler 1 (Red), forest",
        "Bulwark 1 (Red), hills",
        "Outrider (Red), field",
        "Red's base",
    ]
    alone = game("b levy field", map="table")
    assert [field.name for field in of(alone, "b levy")[0].fields] == ["target"]
    hints = [
        P.english(field.hint)
        for field in of(game(TABLE, map="table", melee_assist_scope="either_tile"), "b levy")[0].fields[1:]
    ]
    assert hints == ["Units beside either tile, without the two that fight."] * 2


@pytest.mark.clause("PT-65")
def test_on_the_table_the_base_is_taken_too() -> None:
    state = game(TABLE, map="table")
    assert P.after(state, assault(state, "levy", "base"), 6, 5, 5, 5).winner == "blue"


@pytest.mark.clause("PT-78", "PT-79", "PT-71")
def test_on_the_table_the_ground_is_tested_as_on_the_map() -> None:
    state = game("b levy swamp, r prowler water", map="table")
    action = assault(state, "levy", "prowler")
    assert where(P.after(state, action, 3), "b levy") == "swamp"
    assert where(P.after(state, action, 4, 2), "b levy") == "captured"
