"""The look-ups of fire: a shot from its facts, and how many shots destroy a target."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import msgspec
import pytest

from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.shot_lookups import COVERS, Killed, KillFacts, ShotFacts
from companion.kit.asking import Ask
from companion.kit.odds import Chart
from companion.kit.questions import Faces
from companion.kit.ruling import Refusal, Ruling
from tests.support.playing import clauses
from tests.support.tactics_2gm_positions import check, english, told


def shot(face: int, **facts: Any) -> Ruling[Any]:
    """The answer of the look-up to a face."""
    ask = Ask((Faces("shot", (face,), "typed"),))
    ruling = GAME.lookups["shot"].rule(msgspec.convert(facts, ShotFacts), ask)
    ask.finish()
    check(ruling.reasons)
    return ruling


def charts(slug: str, **facts: Any) -> tuple[Chart, ...]:
    lookup = GAME.lookups[slug]
    assert lookup.charts is not None
    return lookup.charts(msgspec.convert(facts, lookup.facts))


def kill(**facts: Any) -> Killed:
    ruling = GAME.lookups["shots_to_kill"].rule(msgspec.convert(facts, KillFacts), Ask())
    check(ruling.reasons)
    assert isinstance(ruling.outcome, Killed)
    return ruling.outcome


HOUSE = {"cover": "house"}
GUN = {"crit": 9, "penetration": 5, "damage": 2, "range": 4, "distance": 3}
HOWITZER = {"hit": 6, "crit": 9, "penetration": 4, "damage": 3, "range": 4, "distance": 4, "flips": True}
EXAMPLES: tuple[tuple[str, int, dict[str, Any], dict[str, Any]], ...] = (
    ("W01", 5, {"distance": 2, "target_wounds": 1}, {"hit_on": 5, "crit_on": 10, "result": "hit", "target_wounds": 2,
                                                     "destroyed": False}),
    ("W02", 6, {"cover": "wall", "prone": True}, {"hit_on": 7, "crit_on": 10, "result": "miss"}),
    ("W03", 6, {"wounds": 2}, {"hit_on": 7, "crit_on": 10, "result": "miss", "target_wounds": 0, "destroyed": False}),
    ("W04", 10, {"armour": 6, "wounds_max": 5}, {"hit_on": 5, "crit_on": 10, "result": "bounced", "target_wounds": 0,
                                                 "destroyed": False}),
    ("W05", 7, {"hit": 4, "crit": 9, "wounds": 5, "cover": "wall"}, {"hit_on": 8, "crit_on": 10}),
    ("W06", 10, {**GUN, "target": "hq", "armour": 0}, {"result": "hit", "target_pi": 8, "destroyed": False}),
    ("W07", 9, {**HOWITZER, "target": "building", "pi": 3, "armour": 2, "occupant": True},
     {"result": "hit", "target_pi": 0, "destroyed": True, "occupant_destroyed": True, "becomes_ruin": True,
      "weapon_flipped": True}),
    ("W08", 10, HOUSE, {"hit_on": 7, "crit_on": 10, "result": "critical", "destroyed": True}),
)  # fmt: skip


@pytest.mark.parametrize(("face", "facts", "answer"), [pytest.param(*rest, id=name) for name, *rest in EXAMPLES])
def test_the_worked_examples_come_out(face: int, facts: dict[str, Any], answer: dict[str, Any]) -> None:
    outcome = msgspec.to_builtins(shot(face, **facts).outcome)
    said = {"destroyed": False, "occupant_destroyed": False} | outcome
    assert {name: said[name] for name in answer} == answer


@pytest.mark.clause("G2-101")
def test_out_of_range_there_is_no_answer_and_no_odds() -> None:
    for ask in (lambda: shot(5, distance=3), lambda: charts("shot", distance=3)):
        with pytest.raises(Refusal) as refused:
            ask()
        assert (refused.value.clause, refused.value.field) == ("G2-101", "distance")


@pytest.mark.clause("G2-115")
def test_suppressive_fire_is_off_unless_it_is_ticked() -> None:
    assert shot(5).outcome.hit_on == 5
    assert shot(5, suppressed=True).outcome.hit_on == 6


@pytest.mark.clause("G2-107", "G2-131")
@pytest.mark.parametrize("cover", [*COVERS, "ruin", "none"])
def test_cover_is_that_of_the_sample_cards(cover: str) -> None:
    added = {"none": (0, 0), "ruin": (1, 1)} | {name: card.cover for name, card in COVERS.items()}
    outcome = shot(5, cover=cover, crit=8).outcome
    assert (outcome.hit_on - 5, outcome.crit_on - 8) == added[cover]


@pytest.mark.clause("G2-133")
@pytest.mark.parametrize("target", ["hq", "building"])
def test_only_a_unit_has_cover(target: str) -> None:
    outcome = shot(10, target=target, cover="house", prone=True, advancing=True).outcome
    assert (outcome.hit_on, outcome.target_pi) == (5, 9)


@pytest.mark.clause("G2-88", "G2-106")
def test_what_else_counts_is_added() -> None:
    assert shot(5, advancing=True).outcome.hit_on == 6
    assert shot(5, more_hit=-2, more_crit=-3).outcome.hit_on == 3
    assert shot(5, more_hit=-2, more_crit=-3).outcome.crit_on == 7


@pytest.mark.parametrize(
    ("facts", "face", "headline", "clause"),
    [
        ({}, 1, "It misses", "G2-103"),
        ({"armour": 3}, 10, "It hits without effect", "G2-110"),
        ({}, 5, "It hits", "G2-111"),
        ({"target_wounds": 2}, 5, "The unit is destroyed", "G2-112"),
        ({}, 10, "A critical hit destroys it", "G2-104"),
        ({"target": "hq", "pi": 1}, 5, "The headquarters is destroyed", "G2-32"),
        ({"target": "building", "pi": 1}, 5, "The building is destroyed: it is a ruin", "G2-137"),
        ({"target": "building", "pi": 1, "occupant": True}, 5, "The building is destroyed: it is a ruin", "G2-136"),
        ({"flips": True}, 1, "It misses", "G2-113"),
    ],
)
def test_what_came_of_it_is_said(facts: dict[str, Any], face: int, headline: str, clause: str) -> None:
    ruling = shot(face, **facts)
    assert english(ruling.headline) == headline
    assert clauses(ruling.reasons)[-1] == clause


def test_the_odds_are_those_of_its_ten_faces() -> None:
    (chart,) = charts("shot", cover="wall", wounds=1, target_wounds=1)
    assert [(english(bar.label), bar.chance) for bar in chart.bars] == [
        ("It misses", Fraction(3, 5)),
        ("2 of 3 wounds", Fraction(3, 10)),
        ("A critical hit destroys it", Fraction(1, 10)),
    ]
    assert [reason.clause for reason in chart.reasons] == ["G2-103", "G2-63", "G2-104"]


@pytest.mark.clause("G2-111", "G2-112")
def test_how_likely_a_target_falls_after_each_shot_is_every_throw_of_them() -> None:
    (chart,) = charts("shots_to_kill", shots=3, wounds_max=3)
    fallen = [0, 0, 0]
    for faces in product(range(1, 11), repeat=3):
        wounds = 0
        for at, face in enumerate(faces):
            wounds += 3 if face == 10 else face >= 5
            if wounds >= 3:
                fallen[at:] = [count + 1 for count in fallen[at:]]
                break
    assert [bar.chance for bar in chart.bars[:3]] == [Fraction(count, 1000) for count in fallen]
    assert kill(shots=3).turn == f"{Fraction(fallen[2], 1000).numerator}/{Fraction(fallen[2], 1000).denominator}"


def test_how_many_shots_it_takes() -> None:
    found = kill()
    (chart,) = charts("shots_to_kill")
    assert (found.turn_shots, found.turn, found.even, found.safe) == (1, "1/10", 4, 7)
    assert len(chart.bars) == 7
    assert chart.bars[3].chance >= Fraction(1, 2) > chart.bars[2].chance
    assert chart.bars[6].chance >= Fraction(9, 10) > chart.bars[5].chance


def test_several_weapons_fire_in_turn() -> None:
    found = kill(shots=1, second_shots=1, third_shots=2, armour=3, wounds_max=2)
    assert found.turn_shots == 4
    (chart,) = charts("shots_to_kill", shots=1, second_shots=1, third_shots=2, armour=3, wounds_max=2)
    assert [bar.chance for bar in chart.bars[:5]] == [0, Fraction(3, 5), Fraction(3, 5), Fraction(3, 5), Fraction(3, 5)]
    ruling = GAME.lookups["shots_to_kill"].rule(KillFacts(), Ask())
    assert told(ruling.reasons)[0::3] == ["the shooter: 5 or more to hit"]
    ruling = GAME.lookups["shots_to_kill"].rule(KillFacts(second_shots=1), Ask())
    assert told(ruling.reasons)[0] == "weapon 1: 5 or more to hit"
    assert told(ruling.reasons)[3] == "weapon 2: 5 or more to hit"


@pytest.mark.clause("G2-110")
def test_what_can_never_be_is_said() -> None:
    found = kill(penetration=0)
    assert (found.turn, found.even, found.safe) == ("0/1", None, None)
    ruling = GAME.lookups["shots_to_kill"].rule(KillFacts(penetration=0), Ask())
    assert english(ruling.headline) == "Shots for 50%: more than 100"


def test_what_takes_very_long_is_said() -> None:
    ruling = GAME.lookups["shots_to_kill"].rule(KillFacts(target="hq", armour=0, pi=50), Ask())
    assert english(ruling.headline) == "Shots for 50%: 83; for 90%: 93"
    ruling = GAME.lookups["shots_to_kill"].rule(KillFacts(target="hq", armour=0, pi=58), Ask())
    assert english(ruling.headline) == "Shots for 50%: 96; for 90%: more than 100"
    assert len(charts("shots_to_kill", target="hq", armour=0, pi=58)[0].bars) == 20


@pytest.mark.clause("G2-112")
@pytest.mark.parametrize("slug", ["shot", "shots_to_kill"])
def test_who_is_destroyed_already_is_no_target(slug: str) -> None:
    with pytest.raises(Refusal) as refused:
        charts(slug, target_wounds=3)
    assert refused.value.field == "target_wounds"


def test_every_look_up_is_there() -> None:
    assert set(GAME.lookups) == {"shot", "shots_to_kill", "income", "bid", "deck_cost"}
