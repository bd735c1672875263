"""Exact odds of an attack, and of both shots of a Double rain at one target."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from companion.games.two_cities.attack import prepare, strike
from companion.games.two_cities.combat import fight
from companion.games.two_cities.deck import rule_of
from companion.games.two_cities.evasion import no_evasion
from companion.games.two_cities.position import squares_behind
from companion.games.two_cities.protection import CHOICES
from companion.games.two_cities.speech import hits
from companion.games.two_cities.state import Result, State
from companion.kit import odds as exact
from companion.kit.chart import Bar, Chart
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.games.two_cities.actions import Attack
    from companion.games.two_cities.facts import Facts
    from companion.games.two_cities.options import Options
    from companion.kit.asking import Choose

    Chances = Mapping["Fate", Fraction]

DESTROYED = say("Destroyed")
DRIVEN_BACK = say("Driven back")
ONLY_HIT = say("Hits only")
NO_EFFECT = say("No effect")
WHAT_HAPPENS = say("What happens")
HOW_MANY_HITS = say("How many hits")
ORDER = tuple(CHOICES)


class Fate(msgspec.Struct, frozen=True):
    """Hold what becomes of a target: new hits, whether it is destroyed, squares gone back, protection used."""

    hits: int
    destroyed: bool
    steps: int
    used: str = ""


def _fate(result: Result, before: int) -> Fate:
    return Fate(result.hits_after - before, result.destroyed, result.steps, result.used)


def _worth(fates: Chances) -> tuple[Fraction, Fraction]:
    dead = sum((chance for fate, chance in fates.items() if fate.destroyed), Fraction(0))
    harm = sum((chance * fate.hits for fate, chance in fates.items()), Fraction(0))
    return dead, harm


def _pick(_: Choose, ways: Mapping[str, dict[Fate, Fraction]]) -> str:
    """Protect as the defender would: stay alive, then fewest new hits, then the protection named first."""
    return min(ways, key=lambda value: (*_worth(ways[value]), ORDER.index(value)))


def _settled(question: Choose, *, evade: bool) -> str | None:
    """Settle what changes no odds, or is asked for: the evasion, as far back as it can go, the advance."""
    if question.key == "protection":
        return None
    if question.key == "evasion":
        return "yes" if evade else "no"
    return max(option.value for option in question.options if option.barred is None)


@lru_cache(maxsize=4096)
def chances(facts: Facts, rules: Options, *, evade: bool) -> dict[Fate, Fraction]:
    """Work out the distribution of a target's fate; ``evade`` when it declares an evasion if it may."""
    return exact.odds(
        lambda ask: _fate(fight(facts, rules, ask), facts.hits), _pick, lambda question: _settled(question, evade=evade)
    )


def both_shots(state: State, action: Attack, *, evade: bool) -> dict[Fate, Fraction]:
    """Work out the fate of a target of both shots of a Double rain: the second is checked afresh (TTC-48)."""
    state, facts = prepare(state, action)
    unit, target = state.unit(action.unit), state.unit(action.target)
    behind = squares_behind(state, unit, target)
    total: dict[Fate, Fraction] = {}
    for first, chance in chances(facts, state.options, evade=evade).items():
        for second, further in _second_shot(state, action, first, behind, evade=evade).items():
            fate = Fate(first.hits + second.hits, first.destroyed or second.destroyed, first.steps + second.steps)
            total[fate] = total.get(fate, Fraction(0)) + chance * further
    return total


def _second_shot(
    state: State, action: Attack, first: Fate, behind: tuple[str, ...], *, evade: bool
) -> dict[Fate, Fraction]:
    missed = {Fate(0, destroyed=False, steps=0): Fraction(1)}
    target = state.unit(action.target)
    result = Result(
        "ranged", 0, hits_after=target.hits + first.hits, destroyed=first.destroyed, steps=first.steps, used=first.used
    )
    after = strike(state, target, result, behind).with_unit(action.unit, attacks=1)
    try:
        _, facts = prepare(after, action)
    except Refusal:
        return missed
    return chances(facts, state.options, evade=evade)


def charts(fates: Chances, case: Text | None = None) -> tuple[Chart, Chart]:
    """Show a distribution in two ways, each of which adds up to one: what becomes of the target, how many new hits."""

    def chance(event: Callable[[Fate], bool]) -> Fraction:
        return sum((part for fate, part in fates.items() if event(fate)), Fraction(0))

    def titled(what: Text) -> Text:
        return what if case is None else say("{what} {case}", what=what, case=case)

    happens = (
        Bar(DESTROYED, chance(lambda fate: fate.destroyed)),
        Bar(DRIVEN_BACK, chance(lambda fate: not fate.destroyed and fate.steps > 0)),
        Bar(ONLY_HIT, chance(lambda fate: not fate.destroyed and fate.steps == 0 and fate.hits > 0)),
        Bar(NO_EFFECT, chance(lambda fate: not fate.destroyed and fate.steps == 0 and fate.hits == 0)),
    )
    struck = (
        sum((part for fate, part in fates.items() if fate.hits == count), Fraction(0))
        for count in range(max(fate.hits for fate in fates) + 1)
    )
    return (
        Chart(titled(WHAT_HAPPENS), happens),
        Chart(titled(HOW_MANY_HITS), tuple(Bar(hits(count), chance) for count, chance in enumerate(struck))),
    )


def charts_of(facts: Facts, rules: Options) -> tuple[Chart, ...]:
    """Show the odds of one attack: with and without evasion where the defender may evade."""
    stands = chances(facts, rules, evade=False)
    if no_evasion(facts, rules) is not None:
        return charts(stands)
    return (
        *charts(stands, say("if it stands")),
        *charts(chances(facts, rules, evade=True), say("if it evades")),
    )


def foresee(state: State, action: Attack) -> tuple[Chart, ...]:
    """Show the odds of an attack at a table, and of both shots where a Double rain allows two."""
    after, facts = prepare(state, action)
    single = charts_of(facts, state.options)
    unit = after.unit(action.unit)
    if not state.mirrored or facts.mode == "melee" or rule_of(state.card).shots - unit.attacks < 2:
        return single
    stands = both_shots(state, action, evade=False)
    if no_evasion(facts, state.options) is not None:
        return (*single, *charts(stands, say("with both shots")))
    return (
        *single,
        *charts(stands, say("with both shots if it stands")),
        *charts(both_shots(state, action, evade=True), say("with both shots if it evades")),
    )
