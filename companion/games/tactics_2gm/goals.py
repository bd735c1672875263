"""The goals of a scenario: what Companion counts, what the players say, and who has reached all of his (G2-24)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm.sides import SIDES, other, side_of
from companion.kit.asking import NO, YES, Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import Goal
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask


def listed(state: State) -> tuple[Goal, ...]:
    """List the goals of the scenario."""
    return state.scenario.goal if state.scenario else ()


def needed(state: State, goal: Goal) -> int:
    """Return how many a goal asks for: two copies double it, but not the number of turns (G2-161)."""
    return goal.count * (2 if state.options.two_copies else 1)


def done(state: State, goal: Goal) -> int:
    """Count how far a goal is reached that Companion counts."""
    enemy = other(goal.side)
    if goal.kind == "destroy_hq":
        return sum(one.side == enemy and not one.pi for one in state.headquarters)
    return state.lost.get(enemy, 0)


def said(state: State, goal: Goal) -> Text:
    """Say what a goal is."""
    count = needed(state, goal)
    match goal.kind:
        case "destroy_hq":
            return say("destroy the enemy headquarters|destroy {count} enemy headquarters", count=count)
        case "destroy_units":
            return say("destroy {count} enemy unit|destroy {count} enemy units", count=count)
        case "survive":
            return say("hold out until the last turn")
        case "told":
            return Text(goal.text) if state.scenario and state.scenario.sample else say("{text}", text=goal.text)


def note(state: State, ask: Ask) -> State:
    """Note the goals that are reached now and tell them; those that players say are noted when they are agreed on."""
    for at, goal in enumerate(listed(state)):
        counted = goal.kind in ("destroy_hq", "destroy_units")
        if at not in state.goals and counted and done(state, goal) >= needed(state, goal):
            state = _reached(state, at, goal, ask)
    return state


def hold_out(state: State, ask: Ask) -> State:
    """Note that the turns have passed, for those who had to hold out (G2-24)."""
    for at, goal in enumerate(listed(state)):
        if at not in state.goals and goal.kind == "survive":
            state = _reached(state, at, goal, ask)
    return state


def _reached(state: State, at: int, goal: Goal, ask: Ask) -> State:
    ask.tell(say("{side}: goal reached, {goal}", side=Text(goal.side), goal=said(state, goal)), "G2-24")
    return state.but(goals=(*state.goals, at))


def winners(state: State) -> tuple[Side, ...]:
    """List the sides that have reached all of their goals (G2-24)."""
    return tuple(
        side
        for side in SIDES
        if (own := [at for at, goal in enumerate(listed(state)) if goal.side == side]) and set(own) <= set(state.goals)
    )


def claimable(state: State, side: Side) -> tuple[tuple[int, Goal], ...]:
    """List the goals that a side may say to have reached, by their number."""
    return tuple(
        (at, goal)
        for at, goal in enumerate(listed(state))
        if goal.side == side and goal.kind == "told" and at not in state.goals
    )


def claim(state: State, seat: Seat, at: int, ask: Ask) -> State:
    """Say that a goal is reached; who leads the enemy agrees or not (G2-24)."""
    side = side_of(seat)
    goal = dict(claimable(state, side)).get(at)
    if goal is None:
        raise Refusal(say("That is no goal that you can say to have reached."), "G2-24", "goal")
    enemy = state.leader(other(side))
    why = say("{side}: goal reached, {goal}. Do you agree?", side=Text(side), goal=said(state, goal))
    if ask.choose(enemy, (Option("yes", YES), Option("no", NO)), "agree_goal", why, clause="G2-24") == "no":
        ask.tell(say("{seat} said no: the goal is not reached", seat=Text(enemy)), "G2-24")
        return state
    return _reached(state, at, goal, ask)
