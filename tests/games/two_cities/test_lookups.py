"""Lookups: the same rulings from typed-in facts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from companion.games.two_cities.game import GAME
from companion.games.two_cities.lookups import DiscardFacts, EvasionFacts, MeleeFacts, ShootingFacts
from companion.kit.ruling import Refusal, Ruling
from tests.support.two_cities_positions import Plays


def consult(slug: str, facts: Any, *dice: int, **choices: str) -> Ruling[Any]:
    ask = Plays(*dice, **choices)
    ruling: Ruling[Any] = GAME.lookups[slug].rule(facts, ask)
    ask.finish("TTC-86")
    return ruling


def chances(slug: str, facts: Any) -> list[dict[str, Fraction]]:
    charts = GAME.lookups[slug].charts
    assert charts is not None
    return [{bar.label.say: bar.chance for bar in chart.bars} for chart in charts(facts)]


@pytest.mark.clause("TTC-87", "TTC-88", "TTC-110", "TTC-113")
def test_melee() -> None:
    facts = MeleeFacts(attacker="heavy_infantry", attacker_terrain="forest", target="heavy_infantry", hits=1, behind=1)
    result = consult("melee", facts, 1, 2, 3, 5, 6, 6).outcome
    assert (result.dice, result.hits, result.retreats) == (6, 2, 2)
    assert (result.steps, result.blocked, result.hits_after, result.destroyed) == (1, 1, 4, True)
    assert not result.advances


@pytest.mark.clause("TTC-118", "TTC-102")
def test_melee_asks_the_defender() -> None:
    facts = MeleeFacts(target_terrain="hill", behind=2)
    result = consult("melee", facts, 5, 1, 6, 3, evasion="yes", evasion_steps="2", protection="terrain").outcome
    assert (result.evaded, result.dice, result.hits_taken, result.steps) == (True, 3, 0, 2)


@pytest.mark.clause("TTC-96", "TTC-93", "TTC-97", "TTC-100")
def test_shooting() -> None:
    facts = ShootingFacts(attacker_terrain="hill", distance=4)
    result = consult("shooting", facts, 1, 2, 6).outcome
    assert (result.dice, result.range, result.hits, result.retreats) == (3, 4, 1, 1)
    for wrong, clause in (
        (ShootingFacts(distance=4), "TTC-93"),
        (ShootingFacts(target_terrain="forest"), "TTC-97"),
        (ShootingFacts(target_terrain="hill"), "TTC-98"),
        (ShootingFacts(attacker_terrain="forest", moved=True), "TTC-100"),
    ):
        with pytest.raises(Refusal) as refused:
            consult("shooting", wrong)
        assert refused.value.clause == clause
        with pytest.raises(Refusal):
            chances("shooting", wrong)


@pytest.mark.clause("TTC-123", "TTC-124", "TTC-127")
def test_evasion() -> None:
    good = consult("evasion", EvasionFacts(), 4).outcome
    assert (good.evaded, good.dice, good.most_steps) == (True, 3, 2)
    bad = consult("evasion", EvasionFacts(), 3).outcome
    assert (bad.evaded, bad.dice, bad.most_steps) == (False, 5, 0)
    assert chances("evasion", EvasionFacts()) == [{"It succeeds": Fraction(1, 2), "It fails": Fraction(1, 2)}]
    with pytest.raises(Refusal) as refused:
        consult("evasion", EvasionFacts(behind=0))
    assert refused.value.clause == "TTC-121"
    with pytest.raises(Refusal):
        chances("evasion", EvasionFacts(card="JS"))


@pytest.mark.clause("TTC-54")
def test_discard_roll() -> None:
    assert consult("discard", DiscardFacts(card="KS"), 2).outcome.to == "removed"
    assert consult("discard", DiscardFacts(card="KS"), 3).outcome.to == "discard_pile"
    assert chances("discard", DiscardFacts(card="KS")) == [
        {"It goes to the discard pile": Fraction(2, 3), "It leaves the game": Fraction(1, 3)}
    ]


def test_a_target_that_would_be_gone_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        consult("melee", MeleeFacts(target="light_cavalry", hits=3))
    assert (refused.value.clause, refused.value.field) == ("TTC-04", "hits")


def test_charts_add_up() -> None:
    charts = GAME.lookups["melee"].charts(MeleeFacts())
    assert [sum(bar.chance for bar in chart.bars) for chart in charts] == [1, 1, 1, 1]
    stands = chances("melee", MeleeFacts())[0]
    assert stands["Destroyed"] == Fraction(11, 243)
