"""Exact odds of an assault before it is made: the ground first, then the four ends (PT-42 to PT-45, PT-71)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from companion.games.pocket_tactics import actions as do
from companion.games.pocket_tactics import assaulting, chances, dangers, odds, threats
from companion.games.pocket_tactics.best_play import AT_ONCE
from companion.kit.chart import Bar, Chart
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.course import Course
    from companion.games.pocket_tactics.state import State


def charts(state: State, seat: str, action: do.Action) -> tuple[Chart, ...]:
    """Work out the odds of an assault; empty for what has none."""
    if not isinstance(action, do.Assault):
        return ()
    mine = state.unit(action.unit).seat
    if mine != seat:
        return ()
    course = assaulting.planned(state, action, *assaulting.declared(state, mine, action))
    return (*_ground(course), *chances.charts(course.facts, state.options, AT_ONCE))


def _ground(course: Course) -> tuple[Chart, ...]:
    """Show how likely the ground lets the assault take place, where it is tested first (PT-71)."""
    mover, here, there, how = course.mover, course.origin.terrain, course.target.terrain, course.facts.kind
    tests = [dangers.exit_test(mover, here, there, how)]
    if how == "melee":
        tests.append(dangers.entry_test(mover, there, how))
    met = [dangers.TESTS[found].fails_to for found in tests if found is not None]
    if not met:
        return ()
    safe = odds.p_path(met)
    bars = (Bar(say("The assault takes place"), safe), Bar(say("The ground prevents it"), Fraction(1) - safe))
    entering = threats.entering(mover, [there] if how == "melee" and tests[-1] is not None else [])
    reasons = (*threats.leaving(mover, here, [there], how), *entering)
    return (Chart(say("The ground first"), bars, reasons=reasons),)
