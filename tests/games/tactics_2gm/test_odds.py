"""The odds of shots of 2GM Tactics: exact, and equal to every face thrown out."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from companion.games.tactics_2gm import shooting, shot_odds
from companion.games.tactics_2gm.cards import Weapon
from companion.games.tactics_2gm.fire import Fire
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.shooting import Shot
from companion.games.tactics_2gm.state import State
from companion.kit import odds as exact
from companion.kit.asking import Ask
from companion.kit.questions import Faces
from companion.kit.ruling import Refusal
from companion.kit.text import Text
from tests.support.playing import clauses
from tests.support.sizes import some
from tests.support.tactics_2gm_positions import battle, english, ruled

if TYPE_CHECKING:
    from companion.kit.odds import Chart
    from companion.kit.ruling import Ruling

WEAPONS = (
    Weapon(name="rifle", range=2, hit=5, crit=10, penetration=2, damage=1),
    Weapon(name="gun", range=4, hit=4, crit=9, penetration=6, damage=2),
    Weapon(name="pistol", range=1, hit=6, crit=6, penetration=0, damage=1),
    Weapon(name="bombs", range=9, hit=1, crit=4, penetration=3, damage=5),
)
TARGETS: tuple[dict[str, Any], ...] = (
    {"wounds_max": 3, "armour": 1},
    {"wounds_max": 5, "armour": 6, "target_wounds": 3},
    {"wounds_max": 4, "armour": 2, "wounds": 3},
    {"target": "hq", "pi": 4},
    {"target": "building", "pi": 3, "armour": 2},
    {"wounds_max": 2, "natural_ten": "hard", "modifiers": ((Text("smoke"), "G2-106", (5, 5)),)},
)


def shot(weapon: Weapon, facts: dict[str, Any]) -> Shot:
    return Shot(weapon=weapon, shooter=Text("a"), enemy=Text("b"), distance=1, **facts)


def thrown(one: Shot, face: int) -> Any:
    """What the rule of a shot answers to a face."""
    return shooting.shoot(one, Ask((Faces("shot", (face,), "typed"),)), "allies")


def harmed(one: Shot, face: int) -> Shot | None:
    """The same shot after a face; None when the target is destroyed."""
    found = thrown(one, face)
    if found.destroyed:
        return None
    if one.target == "unit":
        return replace(one, target_wounds=found.target_wounds)
    return replace(one, pi=found.target_pi)


@pytest.mark.clause("G2-103", "G2-104", "G2-110")
@pytest.mark.parametrize("weapon", WEAPONS, ids=lambda weapon: weapon.name)
@pytest.mark.parametrize("facts", TARGETS, ids=str)
def test_the_odds_of_one_shot_are_its_ten_faces(weapon: Weapon, facts: dict[str, Any]) -> None:
    one = shot(weapon, facts)
    counted = Counter(thrown(one, face).result for face in range(1, 11))
    assert shot_odds.of_shot(one) == (
        Fraction(counted["miss"] + counted["bounced"], 10),
        Fraction(counted["hit"], 10),
        Fraction(counted["critical"], 10),
    )
    assert shot_odds.faces_of(one) == {what: Fraction(count, 10) for what, count in counted.items()}
    assert exact.odds(lambda ask: shooting.shoot(one, ask, "allies").result) == shot_odds.faces_of(one)
    assert sum(bar.chance for bar in shot_odds.chart(one).bars) == 1


@pytest.mark.clause("G2-111", "G2-112")
@pytest.mark.parametrize("facts", some(TARGETS, every=3), ids=str)
@pytest.mark.parametrize(
    "weapons", [(0,), (0, 0, 0), (1, 0), (0, 1, 2), (2, 3, 0)], ids=lambda used: "-".join(map(str, used))
)
def test_the_odds_of_several_shots_are_every_throw_of_them(weapons: tuple[int, ...], facts: dict[str, Any]) -> None:
    shots = [shot(WEAPONS[at], facts) for at in weapons]
    gone = [0] * len(shots)
    for faces in product(range(1, 11), repeat=len(shots)):
        harm = {"target_wounds": shots[0].target_wounds, "pi": shots[0].pi}
        for at, (one, face) in enumerate(zip(shots, faces, strict=True)):
            stands = harmed(replace(one, **harm), face)
            if stands is None:
                gone[at:] = [count + 1 for count in gone[at:]]
                break
            harm = {"target_wounds": stands.target_wounds, "pi": stands.pi}
    whole = 10 ** len(shots)
    assert shot_odds.destroyed_after(shots, shot_odds.left(shots[0])) == tuple(Fraction(count, whole) for count in gone)


def test_how_many_shots_a_chance_takes() -> None:
    chances = shot_odds.destroyed_after([shot(WEAPONS[0], TARGETS[0])] * 30, 3)
    even = shot_odds.shots_for(chances, Fraction(1, 2))
    assert even is not None
    assert chances[even - 1] >= Fraction(1, 2) > chances[even - 2]
    assert shot_odds.shots_for(chances, chances[4]) == 5
    assert shot_odds.shots_for(chances[:2], Fraction(1, 2)) is None
    assert list(chances) == sorted(chances)


def foreseen(state: State, **told: Any) -> Chart:
    chart, *more = GAME.foresee(state, "allies", Fire("a1", "w0", **told))
    assert not more
    return chart


@pytest.mark.clause("G2-03", "G2-103")
@pytest.mark.parametrize("target", ["x1", "x2", "x3", "g1", "hq_axis"])
def test_what_is_foreseen_at_a_table_is_what_its_ten_faces_bring(target: str) -> None:
    state = battle(
        "a1 m4_sherman d4 1w, x1 light_infantry d5 1w, x2 tiger e5, x3 light_infantry d6", grounds="house d6 axis"
    )
    bars = Counter[str]()
    for face in range(1, 11):
        bars[fate(ruled(state, Fire("a1", "w0", target), face), target)] += 1
    found = {english(bar.label): bar.chance for bar in foreseen(state, target=target).bars}
    assert found == {what: Fraction(count, 10) for what, count in bars.items()}


def fate(ruling: Ruling[State], target: str) -> str:
    """What the chart calls what has come of a target."""
    now, found = ruling.outcome, clauses(ruling.reasons)
    if "G2-63" not in found:
        return "It hits without effect" if "G2-110" in found else "It misses"
    if target == "hq_axis" or target.startswith("g"):
        left = now.headquarters[1].pi if target == "hq_axis" else now.grounds[0].pi
        return f"{left} impact points left"
    unit = now.find(target)
    if unit is not None:
        return f"{unit.wounds} of {now.card(unit).wounds} wounds"
    return "A hit destroys it" if "G2-111" in found else "A critical hit destroys it"


def test_what_rests_on_what_is_said_with_the_odds() -> None:
    state = battle("a1 light_infantry d4 1w, x1 light_infantry d5", grounds="wall d5 axis")
    lines = [english(reason.text) for reason in foreseen(state, target="x1").reasons]
    assert lines == [
        "light infantry d4: 7 or more to hit",
        "armour 1: penetration 2 goes through",
        "critical on 10 or more",
    ]


@pytest.mark.clause("G2-101")
def test_a_shot_that_can_not_be_made_has_no_odds() -> None:
    state = battle("a1 light_infantry d1, x1 light_infantry d5")
    with pytest.raises(Refusal) as refused:
        foreseen(state, target="x1")
    assert refused.value.clause == "G2-101"
