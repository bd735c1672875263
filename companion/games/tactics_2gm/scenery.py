"""What else everybody sees: the scenario and its goals, the tiles, terrain that no board shows, the time left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import goals, speech
from companion.games.tactics_2gm.clock import MINUTE
from companion.kit.panels import Clock, Facts, Panel, Row, Tracker
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import Goal
    from companion.games.tactics_2gm.state import State


def panels(state: State) -> tuple[Panel, ...]:
    """Show what everybody sees beside the battlefield and the cards."""
    return (*_clock(state), *_scenario(state), *_terrain(state), *_losses(state), *_tiles(state))


def _clock(state: State) -> tuple[Panel, ...]:
    """Show the time left where the table has a limit (G2-A39)."""
    if not state.options.time_limit_minutes or state.began is None or state.phase == "finished":
        return ()
    clock = Clock(state.options.time_limit_minutes * MINUTE, state.began)
    return (Tracker("time", say("Time limit"), (Row("time_left", say("Time left"), clock=clock),), glyph="clock"),)


def _scenario(state: State) -> tuple[Panel, ...]:
    if state.scenario is None:
        return ()
    rows: list[tuple[Text, Text]] = []
    if state.scenario.text:
        text = Text(state.scenario.text) if state.scenario.sample else say("{text}", text=state.scenario.text)
        rows.append((say("The situation"), text))
    rows += [
        (say("Goal of the {side}", side=Text(goal.side)), _goal(state, at, goal))
        for at, goal in enumerate(state.scenario.goal)
    ]
    if state.scenario.turns:
        rows.append((say("Turns of each side"), say("{count}", count=state.scenario.turns)))
    name = Text(state.scenario.name) if state.scenario.sample else say("{name}", name=state.scenario.name)
    return (Facts(say("Scenario: {name}", name=name), tuple(rows)),)


def _goal(state: State, at: int, goal: Goal) -> Text:
    """Say what a goal is, and how far it is reached (G2-24)."""
    if at in state.goals:
        return say("{goal}: reached", goal=goals.said(state, goal))
    if goal.kind == "destroy_units":
        return say("{goal} ({done} so far)", goal=goals.said(state, goal), done=goals.done(state, goal))
    return goals.said(state, goal)


def _terrain(state: State) -> tuple[Panel, ...]:
    """List terrain cards where no board shows them (G2-125)."""
    if state.mirrored or not state.grounds:
        return ()
    rows = []
    for one in state.grounds:
        card = state.terrain(one)
        value = say("{pi} of {most} PI", pi=one.pi, most=card.pi) if card.building and not one.ruin else None
        inside = state.occupant(one)
        note = say("{unit} inside", unit=speech.unit(state, inside)) if inside else None
        rows.append(Row(one.id, speech.ground(state, one), value, "", note, one.pi, card.pi if value else 0))
    return (Tracker("terrain", say("Terrain"), tuple(rows), glyph="house"),)


def _losses(state: State) -> tuple[Panel, ...]:
    if not state.lost:
        return ()
    rows = tuple(
        (say("Lost by the {side}", side=Text(side)), say("{count} unit|{count} units", count=count))
        for side, count in state.lost.items()
        if count
    )
    return (Facts(say("Losses"), rows),) if rows else ()


def _tiles(state: State) -> tuple[Panel, ...]:
    """Show how the tiles were laid (G2-41)."""
    if not state.tiles or state.begun:
        return ()
    rows = tuple((say("Tile {number}", number=at), say("{tile}", tile=tile)) for at, tile in enumerate(state.tiles, 1))
    return (Facts(say("The tiles, in the order in which they are laid"), rows),)
