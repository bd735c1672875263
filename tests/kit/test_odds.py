"""Exact odds equal brute force over every ordered throw, and an independent oracle where it can say it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.two_cities.attack import Attack
from companion.games.two_cities.combat import Facts, dice_terms, no_evasion
from companion.games.two_cities.fight import PROTECTIONS, charts_of, fight
from companion.games.two_cities.game import GAME
from companion.games.two_cities.options import Options
from companion.games.two_cities.state import Result
from companion.games.two_cities.turn import EndTurn
from companion.kit.asking import Ask
from companion.kit.odds import hundredths, odds, sums, throws
from companion.kit.questions import Answer, Choice, Choose, Faces, Option, Question, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import say, speak
from tests.support.two_cities_positions import CITIES, playing

RULES = Options()


class Thrown(Ask):
    """Answer throws from a list of faces, the evasion and the protection as told, the rest with what is last."""

    def __init__(self, faces: tuple[int, ...], *, evade: bool, protection: str = "none") -> None:
        super().__init__()
        self.left = list(faces)
        self.evade, self.protection = evade, protection
        self.open: list[str] = []

    def answer(self, question: Question) -> Answer:
        if isinstance(question, Throw):
            faces = tuple(self.left[: question.count])
            del self.left[: question.count]
            return Faces(question.key, faces)
        assert isinstance(question, Choose)
        values = [option.value for option in question.options if option.barred is None]
        if question.key == "evasion":
            return Choice(question.key, "yes" if self.evade else "no", question.seat)
        if question.key == "protection":
            self.open = values
            value = self.protection if self.protection in values else "none"
            return Choice(question.key, value, question.seat)
        return Choice(question.key, values[-1], question.seat)


def defended(facts: Facts, faces: tuple[int, ...], *, evade: bool) -> Result:
    """The result of one ordered throw under the best protection: alive, then fewest hits, then the first named."""
    first = Thrown(faces, evade=evade)
    results = [fight(facts, RULES, first)]
    results += [
        fight(facts, RULES, Thrown(faces, evade=evade, protection=protection))
        for protection in PROTECTIONS
        if protection in first.open and protection != "none"
    ]
    return min(results, key=lambda result: (result.destroyed, result.hits_after))


def ordered_throws(facts: Facts, *, evade: bool) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Every ordered throw with its chance, an evasion die before the dice it leaves."""
    dice = sum(term.value or 0 for term in dice_terms(facts, RULES))
    if not evade:
        yield from ((faces, Fraction(1, 6**dice)) for faces in product(range(1, 7), repeat=dice))
        return
    for die in range(1, 7):
        count = (dice + 1) // 2 if die >= 4 else dice
        yield from (((die, *faces), Fraction(1, 6 ** (count + 1))) for faces in product(range(1, 7), repeat=count))


def brute_force(facts: Facts, *, evade: bool) -> dict[str, Fraction]:
    events = dict.fromkeys(("destroyed", "driven back", "no effect"), Fraction(0))
    for faces, chance in ordered_throws(facts, evade=evade):
        result = defended(facts, faces, evade=evade)
        if result.destroyed:
            events["destroyed"] += chance
        elif result.steps:
            events["driven back"] += chance
        elif result.hits_after == facts.hits:
            events["no effect"] += chance
    return events


def bars(chart: Any) -> dict[str, Fraction]:
    return {bar.label.say: bar.chance for bar in chart.bars}


SITUATIONS = [
    Facts(mode="melee", attacker="light_infantry", target="light_infantry", hits=3, behind=0),
    Facts(mode="melee", attacker="light_infantry", target="light_cavalry", hits=2, behind=1, target_terrain="forest"),
    Facts(mode="melee", attacker="heavy_infantry", target="heavy_infantry", hits=1, behind=2, neighbour=True),
    Facts(mode="melee", attacker="heavy_infantry", target="light_infantry", hits=2, behind=1, neighbour=True,
          target_terrain="hill"),
    Facts(mode="melee", attacker="light_cavalry", target="city", hits=3, neighbour=True, card="QS"),
    Facts(mode="melee", attacker="archers", target="archers", attacker_terrain="hill", behind=7),
    Facts(mode="ranged", attacker="archers", target="light_cavalry", hits=1, behind=1, distance=3),
    Facts(mode="ranged", attacker="archers", target="light_infantry", attacker_terrain="hill", target_terrain="hill",
          card="10S", distance=5, hits=2, behind=0, neighbour=True),
    Facts(mode="ranged", attacker="light_cavalry", target="city", distance=2, moved=True, hits=4),
]  # fmt: skip


@pytest.mark.clause("TTC-81", "TTC-82", "TTC-83", "TTC-84", "TTC-124", "TTC-125")
@pytest.mark.parametrize("facts", SITUATIONS, ids=lambda facts: f"{facts.mode}-{facts.attacker}-{facts.target}")
def test_charts_equal_brute_force(facts: Facts) -> None:
    ways = [False] if no_evasion(facts, RULES) else [False, True]
    charts = charts_of(facts, RULES)
    assert all(sum(bar.chance for bar in chart.bars) == 1 for chart in charts)
    for chart, evade in zip(charts[::2], ways, strict=True):
        found, expected = bars(chart), brute_force(facts, evade=evade)
        assert found["Destroyed"] == expected["destroyed"]
        assert found["Driven back"] == expected["driven back"]
        assert found["No effect"] == expected["no effect"]


def test_each_number_of_hits_is_charted() -> None:
    facts = SITUATIONS[2]
    _, chart = charts_of(facts, RULES)
    shown = {bar.label.places["count"]: bar.chance for bar in chart.bars}
    counted: dict[object, Fraction] = {}
    for faces, chance in ordered_throws(facts, evade=False):
        new = defended(facts, faces, evade=False).hits_after - facts.hits
        counted[new] = counted.get(new, Fraction(0)) + chance
    assert shown == counted


@pytest.mark.parametrize("dice", [2, 5])
def test_an_open_melee_equals_icepool(dice: int) -> None:
    attacker: Any = {2: "light_infantry", 5: "heavy_infantry"}[dice]
    facts = Facts(mode="melee", attacker=attacker, target="heavy_infantry", hits=3, behind=0)
    die = icepool.d6.map({1: 1, 2: 1, 3: 0, 4: 0, 5: 0, 6: 1})
    total = (dice @ die).probability(0)
    chart, _ = charts_of(facts, RULES)
    assert bars(chart)["No effect"] == Fraction(total)
    assert bars(chart)["Destroyed"] == 1 - Fraction(total)


def test_a_pool_of_hits_equals_icepool() -> None:
    facts = Facts(mode="melee", attacker="heavy_infantry", target="city", card="6S", hits=0)
    pool = 6 @ icepool.d6.map({1: 1, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0})
    _, chart = charts_of(facts, RULES)
    shown = {bar.label.places["count"]: bar.chance for bar in chart.bars}
    assert shown == {
        0: Fraction(pool.probability(0)),
        1: Fraction(pool.probability(1)),
        2: Fraction(pool.probability(2)),
        3: Fraction(pool.probability(3)),
        4: Fraction(pool.probability(4)),
        5: Fraction(sum(pool.probability(n) for n in (5, 6))),
    }


@pytest.mark.clause("TTC-46", "TTC-48")
def test_both_shots_of_a_double_rain_equal_brute_force() -> None:
    state = playing(f"{CITIES}, w1 ar d3, b1 hi d5 2, b2 li e5", "KS")
    expected = dict.fromkeys(("destroyed", "driven back", "no effect"), Fraction(0))
    action = Attack("w1", "b1", "ranged")
    for faces in product(range(1, 7), repeat=4):
        between = best(state, action, faces[:2])
        target = between.find("b1")
        if target.on_board and target.square in {"d5", "d6"}:
            between = best(between, action, faces[2:])
        target = between.find("b1")
        chance = Fraction(1, 6**4)
        if not target.on_board:
            expected["destroyed"] += chance
        elif target.square != "d5":
            expected["driven back"] += chance
        elif target.hits == 2:
            expected["no effect"] += chance
    charts = {speak(chart.title, str): bars(chart) for chart in GAME.foresee(state, "white", action)}
    found = charts["What happens with both shots"]
    assert (found["Destroyed"], found["Driven back"], found["No effect"]) == tuple(expected.values())


def best(state: Any, action: Attack, faces: tuple[int, ...]) -> Any:
    """The state after one shot, the defender protecting as in the odds."""
    ways = []
    for protection in PROTECTIONS:
        ask = Thrown(faces, evade=False, protection=protection)
        after = GAME.rule(state, "white", action, ask).outcome
        target = after.find("b1")
        if protection == "none" or protection in ask.open:
            ways.append((not target.on_board, target.hits, after))
    return min(ways, key=lambda way: way[:2])[2]


def test_throws_that_are_alike_are_counted_together() -> None:
    listed = throws(3, 6, ((1, 2), (3, 4, 5), (6,)))
    assert sum(chance for _, chance in listed) == 1
    assert len(listed) == 10
    assert dict(listed)[6, 6, 6] == Fraction(1, 216)
    assert dict(listed)[1, 3, 6] == 6 * Fraction(2 * 3 * 1, 216)
    with pytest.raises(ValueError, match="share out"):
        throws(1, 6, ((1, 2), (3,)))


def test_a_card_is_drawn_evenly() -> None:
    drawn = odds(lambda ask: ask.draw(("a", "b", "b"), 1, "draw", say("draw"), by="x", secret=True))
    assert drawn == {("a",): Fraction(1, 3), ("b",): Fraction(2, 3)}
    with pytest.raises(ValueError, match="no exact odds"):
        odds(lambda ask: ask.draw(("a", "b"), 2, "draw", say("draw"), by="x"))


def test_a_choice_needs_somebody_who_decides() -> None:
    options = (Option("a", say("a")), Option("b", say("b")))
    with pytest.raises(ValueError, match="nobody decides"):
        odds(lambda ask: ask.choose("x", options, "choose", say("choose")))


def test_a_caller_may_list_the_throws_that_differ() -> None:
    steps = ((0, 1), (1, 0), (0, -1), (-1, 0), (0, 0), (0, 0))

    def total(faces: tuple[int, ...]) -> tuple[int, int]:
        return sum(steps[face - 1][0] for face in faces), sum(steps[face - 1][1] for face in faces)

    everything: dict[tuple[int, int], Fraction] = {}
    for faces in product(range(1, 7), repeat=4):
        everything[total(faces)] = everything.get(total(faces), Fraction(0)) + Fraction(1, 6**4)
    listed = sums(4, steps)
    assert {total(faces): chance for faces, chance in listed} == everything
    assert len(listed) == len(everything) == 41
    found = odds(
        lambda ask: total(ask.throw(4, 6, "scatter", say("scatter"), by="x")),
        listed=lambda question: sums(question.count, steps),
    )
    assert found == everything


@pytest.mark.clause("TTC-118")
def test_charts_say_whether_the_target_evades() -> None:
    facts = Facts(mode="melee", attacker="heavy_infantry", target="light_infantry", behind=1)
    assert [speak(chart.title, str) for chart in charts_of(facts, RULES)] == [
        "What happens if it stands",
        "How many hits if it stands",
        "What happens if it evades",
        "How many hits if it evades",
    ]


def test_only_attacks_are_foreseen() -> None:
    state = playing(f"{CITIES}, w1 hi d4, b1 hi d5", "AH")
    assert GAME.foresee(state, "white", EndTurn()) == ()
    assert GAME.foresee(state, "screen", Attack("w1", "b1")) == ()
    with pytest.raises(Refusal):
        GAME.foresee(state, "white", Attack("w1", "bc"))


def test_nothing_is_foreseen_when_the_game_is_over() -> None:
    state = playing(f"{CITIES}, w1 hi d4, b1 hi d5", "AH").but(phase="finished", winner="black")
    with pytest.raises(Refusal) as refused:
        GAME.foresee(state, "white", Attack("w1", "b1"))
    assert refused.value.clause == "TTC-128"


def chances(*parts: int) -> list[Fraction]:
    return [Fraction(part, sum(parts)) for part in parts]


def test_the_chances_of_one_chart_add_up_to_a_hundred_by_largest_remainder() -> None:
    assert hundredths(chances(376, 57, 567)) == (37, 6, 57), "each by itself they make 38 + 6 + 57 = 101"
    assert hundredths(chances(1, 1, 1)) == (34, 33, 33)
    assert hundredths(chances(503, 494, 3)) == (50, 50, 0)
    assert hundredths(chances(997, 3)) == (100, 0)
    assert hundredths(chances(1, 0, 1)) == (50, 0, 50)
    assert hundredths(chances(1)) == (100,)


def test_of_equal_remainders_the_larger_chance_is_rounded_up() -> None:
    assert hundredths([Fraction(1, 12), Fraction(1, 3), Fraction(1, 12), Fraction(1, 2)]) == (8, 34, 8, 50)


def test_chances_that_are_no_parts_of_one_whole_are_rounded_each() -> None:
    assert hundredths([Fraction(1, 3), Fraction(2, 3), Fraction(1, 6)]) == (33, 67, 17)
    assert hundredths([]) == ()


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=40).filter(any))
def test_rounding_stays_within_one_and_gives_nothing_to_what_can_not_be(parts: list[int]) -> None:
    exact = chances(*parts)
    whole = hundredths(exact)
    assert sum(whole) == 100
    assert all(abs(100 * chance - of) < 1 and (chance or not of) for chance, of in zip(exact, whole, strict=True))
