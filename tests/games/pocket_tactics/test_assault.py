"""The dice of an assault of Pocket-Tactics, and its course, over facts (PT-31 to PT-60, PT-65 to PT-71, PT-93)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from companion.games.pocket_tactics import targets
from companion.games.pocket_tactics.cards import AbilityText, UnitCard, slot_of
from companion.games.pocket_tactics.dice import Value, affinity_tiles, base_party
from companion.games.pocket_tactics.fight import Outcome
from companion.games.pocket_tactics.hazards import Fate
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.targets import Aim
from companion.games.pocket_tactics.terrain import Spot
from companion.kit.questions import Throw
from companion.kit.ruling import Fighter, Harm, Refusal
from companion.kit.text import Text
from tests.support.playing import clauses
from tests.support.pocket_tactics_assaults import facts, fought, party, ran
from tests.support.pocket_tactics_lands import Script


def card(**fields: Any) -> UnitCard:
    return UnitCard(name="hero", affinities=("hills",), cost=10, **fields)


# What is rolled


@pytest.mark.clause("PT-36", "PT-09", "PT-A06")
def test_both_roll_offence_and_defence_in_order_each_their_own() -> None:
    found = fought("2/1", "1/3", 1, 1, 1, 1, 1, 1, 1)
    assert found.keys == ["attacker_offence 2", "attacker_defence 1", "defender_offence 1", "defender_defence 3"]
    assert [one.by for one in found.thrown] == ["blue", "blue", "red", "red"]
    assert {one.sides for one in found.thrown} == {6}


@pytest.mark.clause("PT-36")
@pytest.mark.parametrize("dice", [(7, 1, 1, 1), (0, 1, 1, 1), (1, 1, 1), (1, 1, 1, 1, 1)])
def test_a_face_that_no_die_has_and_dice_too_few_or_too_many_are_refused(dice: tuple[int, ...]) -> None:
    with pytest.raises(Refusal) as refused:
        fought("1/1", "1/1", *dice)
    assert refused.value.clause == "PT-36"


@pytest.mark.clause("PT-60", "PT-A22")
def test_a_target_that_does_not_reach_the_attacker_does_not_counter_and_nobody_rolls_for_it() -> None:
    found = fought("2/1", "3/2", 2, 2, 5, 1, kind="ranged", reached=False)
    assert found.keys == ["attacker_offence 2", "defender_defence 2"]
    assert found.told("PT-60")
    assert found.outcome == Outcome(attack_hits=False, counter_hits=False)


@pytest.mark.clause("PT-A07", "PT-A22")
def test_a_target_without_the_skill_has_no_counter_and_no_defence() -> None:
    found = fought("1/1", "0/0", 1)
    assert found.keys == ["attacker_offence 1"]
    assert (found.end, len(found.told("PT-A07"))) == ("defender_captured", 1)


@pytest.mark.clause("PT-A22")
def test_whoever_can_not_be_hit_back_still_meets_the_defence() -> None:
    assert fought("1/3", "0/2", 4, 5, 1).keys == ["attacker_offence 1", "defender_defence 2"]


# What hits


@pytest.mark.clause("PT-39", "PT-40", "PT-41", "PT-43", "PT-A02")
def test_the_sheets_own_example() -> None:
    found = fought("1/2", "2/1", 6, 6, 3, 6, 4, 1)
    assert (found.outcome.attack_hits, found.outcome.counter_hits, found.end) == (True, True, "both_captured")
    assert found.duels == [[(6, 1, "left")], [(6, 6, "tie"), (4, 3, "left")]]


@pytest.mark.clause("PT-40", "PT-41", "PT-45", "PT-A03")
def test_ties_cancel_and_a_higher_defence_saves() -> None:
    found = fought("2/1", "1/2", 5, 2, 4, 4, 3, 5)
    assert found.outcome == Outcome(attack_hits=False, counter_hits=False)
    assert found.duels == [[(5, 5, "tie"), (2, 3, "right")], [(4, 4, "tie")]]


@pytest.mark.clause("PT-41", "PT-A03")
def test_a_spare_die_of_the_offence_hits_and_one_of_the_defence_saves() -> None:
    assert fought("3/0", "0/1", 4, 1, 4, 4).outcome.attack_hits
    assert not fought("1/0", "0/2", 4, 4, 1).outcome.attack_hits
    assert not fought("1/0", "0/1", 4, 4).outcome.attack_hits


@pytest.mark.clause("PT-42", "PT-44", "PT-45", "PT-43", "PT-39")
@pytest.mark.parametrize(
    ("dice", "end", "clause"),
    [
        ((6, 6, 1, 1), "defender_captured", "PT-42"),
        ((1, 1, 6, 6), "attacker_captured", "PT-44"),
        ((6, 1, 6, 1), "both_captured", "PT-43"),
        ((1, 6, 1, 6), "stall", "PT-45"),
    ],
)
def test_the_four_ends(dice: tuple[int, ...], end: str, clause: str) -> None:
    found = fought("1/1", "1/1", *dice)
    assert (found.end, found.reasons[-1].clause) == (end, clause)


@pytest.mark.clause("PT-42", "PT-43", "PT-44")
def test_captures_are_told_to_the_statistics() -> None:
    one, other = Fighter("b0.1", "blue", Text("levy"), "m2"), Fighter("r0.1", "red", Text("prowler"), "m3")
    blue, red = party("1/1", piece=one), party("1/1", "red", piece=other)
    ends = {(6, 6, 1, 1): (other,), (1, 1, 6, 6): (one,), (6, 1, 6, 1): (other, one), (1, 6, 1, 6): ()}
    for dice, lost in ends.items():
        harm = [harm for reason in fought(blue, red, *dice).reasons for harm in reason.harm]
        assert harm == [Harm(loser, 0, "gone", other if loser is one else one) for loser in lost]


def test_the_dice_of_a_duel_say_whose_they_are() -> None:
    duels = [reason.duel for reason in fought("1(2)/1", "1/1", 6, 6, 1, 1).reasons if reason.duel]
    assert [(duel.left_side, duel.right_side) for duel in duels] == [("blue", "red"), ("red", "blue")]
    assert [(pair.left, pair.left_fixed, pair.verdict) for pair in duels[0].pairs] == [
        (6, False, "left"),
        (2, True, "idle"),
    ]


@pytest.mark.clause("PT-40", "PT-41")
def test_what_is_told_is_what_happens_whatever_the_dice() -> None:
    for dice in product((1, 3, 6), repeat=6):
        found = fought("2/1", "1/2", *dice)
        first = [next((verdict for *_, verdict in duel if verdict != "tie"), "tie") for duel in found.duels]
        assert [one == "left" for one in first] == [found.outcome.attack_hits, found.outcome.counter_hits]


# Kickers


@pytest.mark.clause("PT-93", "PT-95", "PT-A04", "PT-A05")
def test_a_kicker_counts_as_one_more_die_that_nobody_rolls() -> None:
    found = fought("2(4)/0", "0/2", 1, 3, 2, 4)
    assert found.keys == ["attacker_offence 2", "defender_defence 2"]
    assert found.outcome.attack_hits
    assert not fought("2/0", "0/2(4)", 1, 3, 1, 3).outcome.attack_hits


@pytest.mark.clause("PT-A04")
def test_without_the_option_kickers_do_not_count_in_assaults() -> None:
    without = Options(kicker_in_assault=False)
    assert not fought("2(4)/0", "0/2", 1, 3, 2, 4, options=without).outcome.attack_hits
    assert fought("1/0", "0/1(6)", 3, 2, options=without).outcome.attack_hits
    assert fought("1/0(6)", "1/1", 1, 5, 6, options=without).outcome.counter_hits
    assert not fought("1/1", "1(6)/1", 1, 5, 4, 6, options=without).outcome.counter_hits


@pytest.mark.clause("PT-A05", "PT-A21")
def test_a_kicker_alone_strikes_and_strikes_back() -> None:
    found = fought("0(3)/0", "0(2)/1", 1)
    assert (found.keys, found.end) == (["defender_defence 1"], "both_captured")
    found = fought("0(3)/0", "0(2)/1", 1, options=Options(kicker_in_assault=False))
    assert (found.keys, found.end) == (["defender_defence 1"], "stall")


@pytest.mark.clause("PT-A05")
def test_a_kicker_of_none_adds_nothing() -> None:
    assert fought("1(0)/0", "0/1", 4, 4).duels == [[(4, 4, "tie")]]


# Bases


@pytest.mark.clause("PT-65", "PT-66", "PT-67", "PT-A19")
def test_a_base_defends_with_three_plain_dice_and_does_not_strike_back() -> None:
    found = fought("3/2", "base", 5, 3, 2, 5, 2, 1)
    assert found.keys == ["attacker_offence 3", "defender_defence 3"]
    assert (found.end, found.reasons[-1].clause, found.told("PT-A19")) == (
        "base_taken",
        "PT-65",
        ["A base does not strike back."],
    )
    assert fought("3/2", "base", 5, 3, 2, 5, 3, 2).end == "stall"


@pytest.mark.clause("PT-A20")
def test_a_base_falls_to_a_ranged_assault_too() -> None:
    assert fought("1/0", "base", 6, 5, 1, 1, kind="ranged").end == "base_taken"


@pytest.mark.clause("PT-67", "PT-A19")
def test_a_base_has_no_affinity() -> None:
    base = base_party("red", Text("red"), 2)
    assert (base.defence, base.offence, base.favoured, base.rerolls.situational) == (Value(3), Value(), False, 2)


# Declaring


@pytest.mark.clause("PT-08", "PT-32", "PT-34", "PT-54", "PT-10", "PT-A21")
@pytest.mark.parametrize(
    ("kind", "skill", "clause"),
    [
        ("melee", "melee", None),
        ("melee", "arcane", None),
        ("ranged", "arcane", None),
        ("ranged", "ballistic", "PT-A21"),
        ("melee", "ballistic", "PT-34"),
        ("ranged", "melee", "PT-54"),
        ("melee", "tech", "PT-10"),
        ("ranged", "tech", "PT-10"),
    ],
)
def test_what_an_arcane_unit_can_declare(kind: Any, skill: Any, clause: str | None) -> None:
    mage = card(melee="1/1", ballistic="0/2", third="arcane", third_skill="2/1")
    barred = targets.skill_barred(mage, kind, skill, mage.value(slot_of(skill), "offence"))
    assert (barred.clause if barred else None, barred.field if barred else "skill") == (clause, "skill")


@pytest.mark.clause("PT-35", "PT-A08")
def test_mage_tech_is_declared_as_arcane_or_as_tech() -> None:
    mixed = card(third="magetech", third_skill="1/1")
    assert mixed.declares("third") == ("arcane", "tech")
    for kind, skill in product(("melee", "ranged"), ("arcane", "tech")):
        assert targets.skill_barred(mixed, kind, skill, Value(1)) is None  # type: ignore[arg-type]


@pytest.mark.clause("PT-37", "PT-38", "PT-A07", "PT-A08")
def test_a_skill_is_met_with_its_like_arcane_and_tech_with_the_third() -> None:
    assert [slot_of(skill) for skill in ("melee", "ballistic", "arcane", "tech")] == [
        "melee",
        "ballistic",
        "third",
        "third",
    ]


@pytest.mark.clause("PT-33", "PT-54", "PT-59", "PT-81", "PT-89", "PT-A17", "PT-A36")
@pytest.mark.parametrize(
    ("kind", "skill", "aim", "clause"),
    [
        ("melee", "melee", Aim(), None),
        ("melee", "melee", Aim(1, open_edge=False), "PT-81"),
        ("melee", "melee", Aim(2), "PT-33"),
        ("melee", "melee", Aim(2, hop=True), "PT-A17"),
        ("ranged", "ballistic", Aim(), None),
        ("ranged", "ballistic", Aim(1, seen=False), None),
        ("ranged", "ballistic", Aim(1, open_edge=False), "PT-81"),
        ("ranged", "ballistic", Aim(3, open_edge=False), None),
        ("ranged", "ballistic", Aim(3, seen=False), "PT-89"),
        ("ranged", "ballistic", Aim(4), "PT-59"),
        ("ranged", "arcane", Aim(2), "PT-54"),
        ("melee", "arcane", Aim(2), "PT-33"),
    ],
)
def test_how_far_and_over_which_edge(kind: Any, skill: Any, aim: Aim, clause: str | None) -> None:
    shooter = card(reach=3, reach_with="ballistic")
    barred = targets.aim_barred(shooter, kind, skill, aim)
    assert (barred.clause if barred else None, barred.field if barred else "target") == (clause, "target")


@pytest.mark.clause("PT-A17")
def test_with_the_option_melee_goes_over_a_friend() -> None:
    for aim in (Aim(2, hop=True), Aim(1, open_edge=False, hop=True)):
        assert targets.aim_barred(card(), "melee", "melee", aim, hop_assault=True) is None
        assert targets.aim_barred(card(), "ranged", "ballistic", aim, hop_assault=True) is not None
    assert targets.aim_barred(card(), "melee", "melee", Aim(2), hop_assault=True) is not None


@pytest.mark.clause("PT-60", "PT-59")
def test_who_reaches_back_counters() -> None:
    far = card(reach=3, reach_with="ballistic")
    assert (far.reaches("ballistic"), far.reaches("third"), card(reach=3).reaches("melee")) == (3, 1, 1)
    assert targets.reaches_back(far, "ranged", "ballistic", 3)
    assert not targets.reaches_back(far, "ranged", "ballistic", 4)
    assert not targets.reaches_back(far, "ranged", "arcane", 2)
    assert targets.reaches_back(card(), "ranged", "arcane", 1)
    assert targets.reaches_back(card(), "melee", "melee", 2)


@pytest.mark.clause("PT-48")
def test_the_re_rolls_of_abilities_are_those_for_assaults() -> None:
    hero = card(
        ability=(
            AbilityText(name="a", rerolls=2, pool="defence"),
            AbilityText(name="b", rerolls=1, timing="assault"),
            AbilityText(name="c", rerolls=1, timing="test"),
            AbilityText(name="d", timing="assault"),
            AbilityText(name="e", rerolls=1, timing="move"),
            AbilityText(name="f", rerolls=1, timing="deploy"),
        )
    )
    assert targets.ability_rerolls(hero) == ("defence", "defence", "any")


# The course: the ground first, the dice, the ice last


@pytest.mark.clause("PT-57", "PT-A10")
def test_in_melee_both_are_favoured_by_the_contested_tile_and_from_afar_each_by_its_own() -> None:
    assert affinity_tiles("melee", "hills", "forest") == ("forest", "forest")
    assert affinity_tiles("ranged", "hills", "forest") == ("hills", "forest")


@pytest.mark.clause("PT-71", "PT-79", "PT-A29")
def test_charging_into_water_is_tested_before_the_dice() -> None:
    result, ask = ran(facts("3/3", "1/1"), 2, target="water")
    assert (result.outcome, result.fate) == (None, Fate("captured"))
    assert [question.key for question in ask.asked] == ["hazard_entry"]
    result, _ = ran(facts("3/3", "1/1"), 4, 6, 1, 1, 6, 6, 6, 1, 1, target="water")
    assert result.outcome is not None
    assert result.outcome.end == "defender_captured"
    assert result.fate == Fate("there", Spot("water", at="to")), "no second test"


@pytest.mark.clause("PT-71", "PT-73", "PT-A29")
def test_charging_into_a_cave_leads_to_the_reserve() -> None:
    assert ran(facts("1/1", "1/1"), 3, target="cave")[0] == (None, Fate("reserve"))


@pytest.mark.clause("PT-56", "PT-A29", "PT-A15")
@pytest.mark.parametrize("target", ["water", "cave", "ice"])
def test_from_afar_nobody_enters_the_tile(target: str) -> None:
    result, ask = ran(facts("1/1", "0/1", "ranged"), 6, 1, target=target)
    assert result == (Outcome(attack_hits=True, counter_hits=False), None)
    assert [question.key for question in ask.asked] == ["attacker_offence", "defender_defence"]


@pytest.mark.clause("PT-71", "PT-78", "PT-A27")
@pytest.mark.parametrize("kind", ["melee", "ranged"])
def test_a_swamp_holds_whoever_assaults_out_of_it(kind: Any) -> None:
    result, ask = ran(facts("1/1", "1/1", kind), 3, origin="swamp")
    assert result == (None, Fate("stays"))
    assert clauses(ask.reasons)[-1] == "PT-71"
    result, _ = ran(facts("1/1", "1/1", kind), 4, 1, 6, 1, 6, origin="swamp")
    assert result.outcome is not None


@pytest.mark.clause("PT-A27")
def test_with_the_option_off_a_ranged_assault_out_of_a_swamp_is_not_tested() -> None:
    off = Options(exit_hazard_applies_to_ranged=False)
    assert ran(facts("1/1", "1/1", "ranged"), 1, 6, 1, 6, origin="swamp", options=off)[0].outcome is not None


@pytest.mark.clause("PT-71", "PT-76", "PT-77")
def test_a_labyrinth_loses_the_attacker_before_the_other_tile_matters() -> None:
    land = Script(opponent=Spot("hills", at="k3"))
    result, _ = ran(facts("1/1", "1/1"), 1, origin="labyrinth", target="water", land=land)
    assert result == (None, Fate("there", Spot("hills", at="k3"), sent=True))


@pytest.mark.clause("PT-74", "PT-A25")
def test_slipping_before_a_melee_cancels_it_and_from_afar_nobody_slips() -> None:
    land = Script({"from": {"1": {"terrain": "field", "occupied_by": None}}})
    result, _ = ran(facts("1/1", "1/1"), 2, 1, origin="ice", land=land)
    assert result.outcome is None
    assert result.fate is not None
    assert result.fate.directions == (1,)
    assert ran(facts("1/1", "1/1", "ranged"), 1, 6, 1, 6, origin="ice")[0].fate is None


@pytest.mark.clause("PT-74", "PT-75", "PT-A24")
def test_a_victor_on_ice_is_tested_after_the_assault() -> None:
    won = Script({"to": {"4": {"terrain": "field", "occupied_by": None}}})
    result, ask = ran(facts("1/1", "1/1"), 6, 6, 1, 1, 2, 4, target="ice", won=won)
    assert [one.key for one in ask.asked if isinstance(one, Throw)][-2:] == ["hazard_after", "direction"]
    assert result.fate == Fate("there", Spot("field", at="to.4"), directions=(4,))
    assert ran(facts("1/1", "1/1"), 6, 6, 1, 1, 3, target="ice")[0].fate == Fate("there", Spot("ice", at="to"))


@pytest.mark.clause("PT-A24", "PT-A16")
@pytest.mark.parametrize("dice", [(1, 6, 1, 6), (6, 1, 6, 1), (1, 1, 6, 6)])
def test_whoever_does_not_stay_on_the_ice_is_not_tested_there(dice: tuple[int, ...]) -> None:
    assert ran(facts("1/1", "1/1"), *dice, target="ice")[0].fate is None


@pytest.mark.clause("PT-A16", "PT-45")
def test_going_back_after_a_stall_is_no_move() -> None:
    result, ask = ran(facts("1/1", "1/1"), 4, 1, 6, 1, 6, origin="swamp")
    assert result == (Outcome(attack_hits=False, counter_hits=False), None)
    assert [question.key for question in ask.asked].count("hazard_exit") == 1


@pytest.mark.clause("PT-65", "PT-66")
def test_a_base_is_no_terrain_to_be_tested_for() -> None:
    result, _ = ran(facts("1/1", "base"), 6, 5, 1, 1, target="")
    assert result == (Outcome(attack_hits=True, counter_hits=False, base=True), None)


# Worked examples


def third(kind: Any, written: str) -> UnitCard:
    return card(melee="3/3", third=kind, third_skill=written)


@pytest.mark.clause("PT-34", "PT-38", "PT-42")
def test_an_arcane_attack_is_met_by_a_technological_unit() -> None:
    mage, smith = third("arcane", "2/1"), third("tech", "1/2")
    assert targets.skill_barred(mage, "melee", "arcane", mage.value("third", "offence")) is None
    blue = party("0/0", offence=mage.value("third", "offence"), defence=mage.value("third", "defence"))
    slot = slot_of("arcane")
    red = party("0/0", "red", offence=smith.value(slot, "offence"), defence=smith.value(slot, "defence"))
    result, ask = ran(facts(blue, red), 6, 2, 5, 5, 4, 4, target="village")
    assert result == (Outcome(attack_hits=True, counter_hits=False), Fate("there", Spot("village", at="to")))
    assert [one.count for one in ask.asked if isinstance(one, Throw)] == [2, 1, 1, 2]
