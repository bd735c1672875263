"""A shot of 2GM Tactics from its facts: its numbers, its die, and what comes of it."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from companion.games.tactics_2gm import shooting
from companion.games.tactics_2gm.cards import Weapon
from companion.games.tactics_2gm.shooting import Inside, Result, Shot
from companion.kit.asking import Ask
from companion.kit.questions import Faces
from companion.kit.ruling import Refusal
from companion.kit.text import Text
from tests.support.tactics_2gm_positions import check, english

if TYPE_CHECKING:
    from companion.kit.ruling import Reason

RIFLE = Weapon(name="rifle", range=2, hit=5, crit=10, penetration=2, damage=1)
GUN = Weapon(name="gun", range=4, hit=5, crit=9, penetration=5, damage=2)
HOWITZER = Weapon(name="howitzer", range=4, hit=6, crit=9, penetration=4, damage=3, flips=True)
WALL = (Text("wall"), "G2-107", (1, 1))
PRONE = (Text("prone"), "G2-108", (1, 0))


def shot(weapon: Weapon = RIFLE, **facts: Any) -> Shot:
    """A shot at fresh light infantry, or at what the facts say."""
    usual: dict[str, Any] = {"armour": 1, "wounds_max": 3, "distance": 1}
    return Shot(weapon=weapon, shooter=Text("the shooter"), enemy=Text("the target"), **(usual | facts))


def fired(one: Shot, face: int) -> tuple[Result, list[Reason]]:
    """What comes of a face, and what is told."""
    ask = Ask((Faces("shot", (face,), "typed"),))
    found = shooting.shoot(one, ask, "allies")
    ask.finish()
    check(ask.reasons)
    return found, ask.reasons


def told(reasons: list[Reason]) -> list[str]:
    return [english(reason.text) for reason in reasons]


def terms(reasons: list[Reason], clause: str) -> list[tuple[str, int | None]]:
    """What the line of a clause adds up."""
    line = next(reason for reason in reasons if reason.clause == clause)
    return [(english(term.text), term.value) for term in line.terms]


@pytest.mark.clause("G2-60", "G2-103")
@pytest.mark.parametrize(("face", "result"), [(1, "miss"), (4, "miss"), (5, "hit"), (9, "hit")])
def test_a_hit_takes_the_hit_number_or_more(face: int, result: str) -> None:
    assert fired(shot(), face)[0].result == result


@pytest.mark.clause("G2-61", "G2-104")
def test_the_critical_number_destroys_at_once() -> None:
    found, reasons = fired(shot(), 10)
    assert (found.result, found.destroyed) == ("critical", True)
    assert told(reasons)[-1] == "10 or more: a critical hit destroys at once"


@pytest.mark.clause("G2-63", "G2-105", "G2-110")
@pytest.mark.parametrize("face", [5, 10])
def test_too_little_penetration_does_nothing_not_even_on_a_ten(face: int) -> None:
    found, reasons = fired(shot(armour=3), face)
    assert (found.result, found.target_wounds, found.destroyed) == ("bounced", 0, False)
    assert told(reasons)[-1] == "armour 3: penetration 2 does no harm"


@pytest.mark.clause("G2-63")
def test_penetration_that_equals_the_armour_goes_through() -> None:
    assert fired(shot(armour=2), 5)[0].result == "hit"


@pytest.mark.clause("G2-65", "G2-66", "G2-111", "G2-112")
@pytest.mark.parametrize(("before", "after", "destroyed"), [(0, 2, False), (1, 3, True), (2, 3, True)])
def test_damage_is_wounds_and_what_is_beyond_the_last_is_lost(before: int, after: int, *, destroyed: bool) -> None:
    found, reasons = fired(shot(GUN, target_wounds=before), 5)
    assert (found.target_wounds, found.destroyed) == (after, destroyed)
    assert reasons[-1].clause == "G2-111"


@pytest.mark.clause("G2-106", "G2-107", "G2-108", "G2-109")
def test_modifiers_add_up_and_the_critical_number_stays_at_ten() -> None:
    one = shot(modifiers=(WALL, PRONE))
    assert shooting.numbers(one) == (7, 10)
    assert fired(one, 6)[0].result == "miss"
    assert terms(fired(one, 7)[1], "G2-103") == [("on its card", 5), ("wall", 1), ("prone", 1)]
    assert terms(fired(one, 7)[1], "G2-104") == [("on its card", 10), ("wall", 1), ("no more than 10", -1)]


@pytest.mark.clause("G2-62", "G2-116")
def test_each_wound_of_the_shooter_adds_one_to_both_numbers() -> None:
    assert shooting.thresholds(4, 7, wounds=2) == (6, 9)
    assert terms(fired(shot(wounds=2), 7)[1], "G2-103") == [("on its card", 5), ("wounds of the shooter", 2)]


@pytest.mark.clause("G2-117")
def test_wounds_never_add_more_than_three_and_nothing_else_is_capped() -> None:
    assert shooting.thresholds(3, 6, wounds=5) == (6, 9)
    assert shooting.thresholds(4, 9, wounds=5, modifiers=[(1, 1)]) == (8, 10)
    assert shooting.thresholds(2, 3, wounds=3, modifiers=[(2, 2), (2, 2)]) == (9, 10)


@pytest.mark.clause("G2-109")
def test_everything_is_summed_before_it_is_limited() -> None:
    assert shooting.thresholds(9, 10, wounds=3, modifiers=[(-4, -4)]) == (8, 9)
    assert shooting.thresholds(3, 4, modifiers=[(-9, -9), (4, 4)]) == (1, 1)


@pytest.mark.clause("G2-104", "G2-109")
def test_a_critical_has_to_hit_first() -> None:
    assert shooting.thresholds(9, 9, modifiers=[(1, 0)]) == (10, 10)
    assert shooting.thresholds(6, 2) == (6, 6)
    one = shot(Weapon(name="x", hit=6, crit=4, penetration=2, damage=1, range=1))
    assert fired(one, 5)[0].result == "miss"
    assert terms(fired(one, 6)[1], "G2-104") == [("on its card", 4), ("a critical has to hit first", 2)]


@pytest.mark.clause("G2-109")
def test_numbers_above_ten_may_be_kept() -> None:
    assert shooting.thresholds(9, 10, modifiers=[(2, 2)], natural_ten="hard") == (11, 12)
    one = shot(natural_ten="hard", modifiers=((Text("smoke"), "G2-106", (6, 6)),))
    assert fired(one, 10)[0].result == "miss"
    assert fired(shot(natural_ten="hard", modifiers=(WALL,)), 10)[0].result == "hit"


@pytest.mark.clause("G2-109", "G2-116", "G2-117")
def test_every_combination_of_numbers() -> None:
    shifts = [(), ((1, 0),), ((1, 1),), ((2, 1), (1, 1)), ((-2, -1),), ((-9, 3), (2, -9))]
    for hit, crit, wounds, added in product(range(1, 11), range(1, 11), range(7), shifts):
        hurt = {0: 0, 1: 1, 2: 2}.get(wounds, 3)
        for_hit = hit + hurt + sum(one for one, _ in added)
        for_crit = crit + hurt + sum(one for _, one in added)
        found = shooting.thresholds(hit, crit, wounds, added)
        hits = [face for face in range(1, 11) if face >= for_hit or face == 10]
        assert [face for face in range(1, 11) if face >= found.hit_on] == hits
        criticals = [face for face in hits if face >= for_crit or face == 10]
        assert [face for face in range(1, 11) if face >= found.crit_on] == criticals
        kept = shooting.thresholds(hit, crit, wounds, added, "hard")
        assert kept == (max(1, for_hit), max(1, for_hit, for_crit))


@pytest.mark.clause("G2-103", "G2-104", "G2-110", "G2-33", "G2-134")
def test_every_combination_of_a_face_armour_and_target() -> None:
    for face, armour, target in product(range(1, 11), range(4), ("unit", "hq", "building")):
        one = shot(GUN, armour=armour + 3, target=target, pi=9)
        expected = "miss" if face < 5 else "bounced" if armour == 3 else "hit"
        if expected == "hit" and face >= 9 and target == "unit":
            expected = "critical"
        assert (shooting.came(one, face), fired(one, face)[0].result) == (expected, expected)


@pytest.mark.clause("G2-31", "G2-33")
def test_a_headquarters_takes_a_critical_as_an_ordinary_hit() -> None:
    found, reasons = fired(shot(GUN, target="hq", pi=10, armour=0), 10)
    assert (found.result, found.target_pi, found.destroyed, found.winner) == ("hit", 8, False, None)
    assert [reason.clause for reason in reasons] == ["G2-101", "G2-103", "G2-63", "G2-33", "G2-31"]
    plain = fired(shot(GUN, target="hq", pi=10, armour=0), 8)[1]
    assert [reason.clause for reason in plain] == ["G2-101", "G2-103", "G2-63", "G2-31"]


@pytest.mark.clause("G2-32")
def test_a_headquarters_without_points_is_destroyed_and_never_below_zero() -> None:
    found, _ = fired(shot(HOWITZER, target="hq", pi=2, armour=0), 6)
    assert (found.target_pi, found.destroyed, found.winner, found.becomes_ruin) == (0, True, "allies", False)


@pytest.mark.clause("G2-133", "G2-134", "G2-136", "G2-137")
def test_a_building_collapses_on_the_unit_inside() -> None:
    found, reasons = fired(shot(HOWITZER, target="building", pi=3, armour=2, occupant=True, distance=4), 9)
    assert found == Result(
        hit_on=6,
        crit_on=9,
        result="hit",
        target_pi=0,
        destroyed=True,
        occupant_destroyed=True,
        becomes_ruin=True,
        weapon_flipped=True,
    )
    assert "Criticals do not affect buildings: an ordinary hit" in told(reasons)


@pytest.mark.clause("G2-133", "G2-136")
def test_a_building_that_stands_keeps_whom_it_holds() -> None:
    found, _ = fired(shot(HOWITZER, target="building", pi=4, armour=4, occupant=True), 6)
    assert (found.target_pi, found.destroyed, found.occupant_destroyed, found.becomes_ruin) == (1, False, False, False)


@pytest.mark.clause("G2-131", "G2-132", "G2-135")
def test_a_unit_inside_a_building_has_its_cover_and_armour_and_takes_criticals() -> None:
    one = shot(in_building=Inside((2, 2), 1))
    assert shooting.numbers(one) == (7, 10)
    assert terms(fired(one, 10)[1], "G2-63") == [("armour", 1), ("inside the building", 1)]
    assert fired(one, 10)[0].result == "critical"
    assert fired(shot(in_building=Inside((2, 2), 2)), 10)[0].result == "bounced"


@pytest.mark.clause("G2-71", "G2-113", "G2-114")
@pytest.mark.parametrize("face", [1, 10])
def test_a_weapon_that_flips_is_turned_over_whatever_comes_up(face: int) -> None:
    assert fired(shot(HOWITZER), face)[0].weapon_flipped
    assert not fired(shot(RIFLE), face)[0].weapon_flipped


@pytest.mark.parametrize(
    ("facts", "clause", "field"),
    [
        pytest.param({"distance": 3}, "G2-101", "distance", marks=pytest.mark.clause("G2-59", "G2-101")),
        pytest.param({"distance": 0}, "G2-102", "distance", marks=pytest.mark.clause("G2-102")),
        pytest.param({"grey": True}, "G2-70", "weapon", marks=pytest.mark.clause("G2-69", "G2-70")),
        pytest.param({"fired": True}, "G2-97", "weapon", marks=pytest.mark.clause("G2-97")),
        pytest.param({"own": True}, "G2-99", "target", marks=pytest.mark.clause("G2-99")),
        pytest.param({"target_wounds": 3}, "G2-112", "target_wounds", marks=pytest.mark.clause("G2-112")),
        pytest.param({"target": "hq", "pi": 0}, "G2-31", "pi", marks=pytest.mark.clause("G2-31")),
        pytest.param({"target": "building", "pi": 0}, "G2-133", "pi", marks=pytest.mark.clause("G2-133")),
    ],
)
def test_what_can_not_be_shot_is_refused_before_a_die_is_thrown(facts: dict[str, Any], clause: str, field: str) -> None:
    with pytest.raises(Refusal) as refused:
        shooting.shoot(shot(**facts), Ask(), "allies")
    assert (refused.value.clause, refused.value.field) == (clause, field)


@pytest.mark.clause("G2-03")
@pytest.mark.parametrize("faces", [(0,), (11,), (5, 5), ()])
def test_only_one_face_from_1_to_10_is_taken(faces: tuple[int, ...]) -> None:
    with pytest.raises(Refusal):
        shooting.shoot(shot(), Ask((Faces("shot", faces, "typed"),)), "allies")


def test_an_aircraft_has_no_range() -> None:
    assert fired(shot(GUN, distance=None), 5)[1][0].clause == "G2-103"


def test_every_step_is_told_with_its_clause() -> None:
    _, reasons = fired(shot(), 5)
    assert [(english(reason.text), reason.clause) for reason in reasons] == [
        ("1 away, range 2", "G2-101"),
        ("the shooter hit the target with 5 or more", "G2-103"),
        ("armour 1: penetration 2 goes through", "G2-63"),
        ("critical on 10 or more", "G2-104"),
        ("the target: 1 of 3 wounds", "G2-111"),
    ]
    assert reasons[1].faces == (5,)
