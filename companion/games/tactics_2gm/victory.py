"""Victory and defeat: headquarters, cards, surrender, the goals of a scenario, and the time limit.

G2-23 to G2-26, G2-32, G2-160, G2-161, G2-A16, G2-A35 and G2-A39.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from companion.games.tactics_2gm import players, speech
from companion.games.tactics_2gm.cards import Goal
from companion.games.tactics_2gm.options import SIDES, Seat, Side, other, seats_of, side_of
from companion.games.tactics_2gm.players import Number
from companion.games.tactics_2gm.state import How, State
from companion.kit.action import Action, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import NO, YES, Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

victory = Chapter[State, Seat]()
MINUTE = 60_000
DRAWS: dict[How | None, Text] = {
    "cards": say("A draw: neither side has cards left."),
    "turns": say("A draw: the turns have passed, and nobody has won."),
    "time": say("A draw: the time is up, and the headquarters have suffered alike."),
}


class ClaimGoal(Action, frozen=True, tag="claim_goal"):
    """Say that a goal of the scenario is reached; the enemy agrees (G2-24)."""

    goal: Number


class Surrender(Action, frozen=True, tag="surrender"):
    """Give up (G2-25)."""


@victory.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer to say that a goal is reached, and who leads a side to give up at any time."""
    side = side_of(seat)
    for at, goal in claimable(state, side) if state.begun else ():
        yield ClaimGoal.offer(say("Goal reached: {goal}", goal=goal_text(state, goal)), goal=at, clause="G2-24")
    if state.leader(side) == seat:
        question, answer = say("Do you surrender?"), say("I surrender")
        yield Surrender.offer(say("Surrender"), grave=True, clause="G2-25", asks=question, button=answer)


def goals(state: State) -> tuple[Goal, ...]:
    """List the goals of the scenario."""
    return state.scenario.goal if state.scenario else ()


def needed(state: State, goal: Goal) -> int:
    """Return how many a goal asks for: two copies double it, but not the number of turns (G2-161)."""
    return goal.count * (2 if state.options.two_copies else 1)


def so_far(state: State, goal: Goal) -> int:
    """Count how far a goal is reached that Companion counts."""
    enemy = other(goal.side)
    if goal.kind == "destroy_hq":
        return sum(hq.side == enemy and not hq.pi for hq in state.headquarters)
    return state.lost.get(enemy, 0)


def _counted(state: State, goal: Goal) -> bool:
    """Tell whether Companion counts that a goal is reached (G2-24)."""
    return goal.kind in ("destroy_hq", "destroy_units") and so_far(state, goal) >= needed(state, goal)


def goal_text(state: State, goal: Goal) -> Text:
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


def _note_goals(state: State, reached: Callable[[Goal], bool], ask: Ask) -> State:
    """Note the goals that are reached now and tell them; those that players say are noted when they are agreed on."""
    for at, goal in enumerate(goals(state)):
        if at not in state.goals and reached(goal):
            state = _reached(state, at, goal, ask)
    return state


def _reached(state: State, at: int, goal: Goal, ask: Ask) -> State:
    ask.tell(say("{side}: goal reached, {goal}", side=Text(goal.side), goal=goal_text(state, goal)), "G2-24")
    return state.but(goals=(*state.goals, at))


def winners(state: State) -> tuple[Side, ...]:
    """List the sides that have reached all of their goals (G2-24)."""
    numbers = {side: {at for at, goal in enumerate(goals(state)) if goal.side == side} for side in SIDES}
    return tuple(side for side, own in numbers.items() if own and own <= set(state.goals))


def claimable(state: State, side: Side) -> tuple[tuple[int, Goal], ...]:
    """List the goals that a side may say to have reached, by their number."""
    return tuple(
        (at, goal)
        for at, goal in enumerate(goals(state))
        if goal.side == side and goal.kind == "told" and at not in state.goals
    )


def _claimed(_before: State, after: State, _seat: Seat, action: ClaimGoal) -> Text:
    if action.goal in after.goals:
        return say("A goal is reached")
    return say("The enemy does not agree: the goal is not reached")


@victory.rule(ClaimGoal, headline=_claimed)
def claim(state: State, seat: Seat, action: ClaimGoal, ask: Ask) -> State:
    """Say that a goal is reached; who leads the enemy agrees or not (G2-24)."""
    players.check_begun(state)
    side = side_of(seat)
    goal = dict(claimable(state, side)).get(action.goal)
    if goal is None:
        raise Refusal(say("That is no goal that you can say to have reached."), "G2-24", "goal")
    enemy = state.leader(other(side))
    why = say("{side}: goal reached, {goal}. Do you agree?", side=Text(side), goal=goal_text(state, goal))
    if ask.choose(enemy, AGREE, "agree_goal", why, clause="G2-24") == "no":
        ask.tell(say("{seat} said no: the goal is not reached", seat=Text(enemy)), "G2-24")
        return state
    return _reached(state, action.goal, goal, ask)


AGREE = (Option("yes", YES), Option("no", NO))


@victory.rule(Surrender, says=lambda _, seat, _action: say("{seat}: no surrender", seat=Text(seat)))
def surrender(state: State, seat: Seat, _action: Surrender, ask: Ask) -> State:
    """Give up; of a pair the field marshal does, and his partner agrees (G2-25, G2-A42)."""
    side = side_of(seat)
    if seat != state.leader(side):
        raise Refusal(say("The field marshal surrenders, and you agree or not."), "G2-25")
    partner = state.partner(seat)
    if partner is not None:
        why = say("{seat} would surrender. Do you agree?", seat=Text(seat))
        if ask.choose(partner, AGREE, "agree", why, clause="G2-25") == "no":
            ask.tell(say("{seat} said no: the battle goes on", seat=Text(partner)), "G2-25")
            return state
    return finish(state, other(side), "surrender", "G2-25", ask)


def check(state: State, ask: Ask) -> State:
    """Look after an action whether somebody has won: headquarters first, then who is out of cards (G2-A16)."""
    if not state.begun:
        return state
    state = _headquarters(state, ask)
    return out_of_cards(state, ask) if state.begun and state.options.deckout_check == "immediate" else state


def finish(state: State, winner: Side | Literal["draw"], how: How, clause: str, ask: Ask) -> State:
    """End the battle and tell how."""
    state = state.but(phase="finished", winner=winner, how=how, done=())
    ask.tell(said(state), clause)
    return state


def said(state: State) -> Text:
    """Say how the battle ended."""
    if state.winner is None:
        return say("The battle is over.")
    if state.winner == "draw":
        return DRAWS.get(state.how, say("A draw."))
    won, lost = Text(state.winner), Text(other(state.winner))
    match state.how:
        case "headquarters":
            return say("Victory for the {side}: the headquarters of the {other} is destroyed.", side=won, other=lost)
        case "cards":
            return say("Victory for the {side}: the {other} ran out of cards.", side=won, other=lost)
        case "surrender":
            return say("Victory for the {side}: the {other} surrendered.", side=won, other=lost)
        case "goals" | "turns":
            return say("Victory for the {side}: all goals are reached.", side=won)
        case "time":
            text = "Victory for the {side}: the time is up, and the headquarters of the {other} has suffered more."
            return say(text, side=won, other=lost)
        case _:
            return say("Victory for the {side}.", side=won)


def _headquarters(state: State, ask: Ask) -> State:
    """End a pitched battle when a headquarters is destroyed, a scenario by its goals (G2-23, G2-24, G2-160)."""
    if state.options.mode == "scenario":
        return _by_goals(_note_goals(state, lambda goal: _counted(state, goal), ask), "goals", ask)
    for side in (other(state.active), state.active):
        if any(hq.side == side and not hq.pi for hq in state.headquarters):
            return finish(state, other(side), "headquarters", "G2-160" if state.options.two_copies else "G2-32", ask)
    return state


def due(state: State) -> tuple[Reason, ...]:
    """Say why the battle is about to end, and what to set by hand in order to play on (G2-24, G2-26)."""
    if not state.begun:
        return ()
    cards = "{side}: no cards left, so the battle ends. To play on, set some by hand."
    reached = "{side}: all goals are reached, so the battle ends. To play on, set goals and losses by hand."
    reasons = [Reason(say(cards, side=Text(side)), "G2-26") for side in _out(state)]
    reasons += [Reason(say(reached, side=Text(side)), "G2-24") for side in winners(state)]
    if not reasons and _last(state):
        last = say("The last turn: the battle ends with it. To play on, set the round by hand.")
        reasons.append(Reason(last, "G2-24"))
    return tuple(reasons)


def _by_goals(state: State, how: How, ask: Ask) -> State:
    won = winners(state)
    return finish(state, won[0] if len(won) == 1 else "draw", how, "G2-24", ask) if won else state


def out_of_cards(state: State, ask: Ask) -> State:
    """End the battle when a side has no cards left, in deck and hand, of a pair neither (G2-26, G2-A35)."""
    out = _out(state)
    return finish(state, other(out[0]) if len(out) == 1 else "draw", "cards", "G2-26", ask) if out else state


def _out(state: State) -> list[Side]:
    return [side for side in SIDES if all(state.deck(seat).empty for seat in seats_of(state.options, side))]


def end_of_turn(state: State, ask: Ask) -> State:
    """Look at the end of a turn who is out of cards, and whether turns or time have passed (G2-24, G2-A16, G2-A39)."""
    state = out_of_cards(state, ask)
    if state.begun and state.scenario is not None and _last(state):
        ask.tell(say("the last turn has passed"), "G2-24", state.scenario.turns)
        state = _by_goals(_note_goals(state, lambda goal: goal.kind == "survive", ask), "turns", ask)
        state = finish(state, "draw", "turns", "G2-24", ask) if state.begun else state
    return _watch_clock(state, ask) if state.begun else state


def _last(state: State) -> bool:
    """Tell whether this is the last turn of the scenario, or a later one (G2-24)."""
    return state.scenario is not None and 0 < 2 * state.scenario.turns <= state.turn


def start_clock(state: State, ask: Ask) -> State:
    """Note when the battle begins, where time is limited."""
    count = state.options.time_limit_minutes
    if not count:
        return state
    ask.tell(say("the clock runs: {count} minute|the clock runs: {count} minutes", count=count), "G2-A39")
    return state.but(began=ask.now("clock"))


def _watch_clock(state: State, ask: Ask) -> State:
    """Look at the clock: tell when the time is up, count the last turns, and end the battle after them."""
    if state.began is None:
        return state
    if state.last_turns is None:
        if ask.now("clock") - state.began < state.options.time_limit_minutes * MINUTE:
            return state
        ask.tell(say("the time is up: one last turn each"), "G2-A39")
        return state.but(last_turns=len(SIDES))
    state = state.but(last_turns=state.last_turns - 1)
    return state if state.last_turns else _compare(state, ask)


def _compare(state: State, ask: Ask) -> State:
    """End the battle: the side whose headquarters have suffered more loses."""
    for hq in state.headquarters:
        said = say("{headquarters}: impact points lost", headquarters=speech.hq(state, hq))
        ask.tell(said, "G2-A39", hq.card.pi - hq.pi)
    allies, axis = (suffered(state, side) for side in SIDES)
    if allies == axis:
        return finish(state, "draw", "time", "G2-A39", ask)
    return finish(state, "axis" if allies > axis else "allies", "time", "G2-A39", ask)


def suffered(state: State, side: Side) -> int:
    """Add up the impact points that a side's headquarters have lost."""
    return sum(hq.card.pi - hq.pi for hq in state.headquarters if hq.side == side)
