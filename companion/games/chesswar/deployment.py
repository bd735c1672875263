"""Deployment behind the screen, who begins, and the second player's rearrangement (CW-19 to CW-23, CW-168)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import speech
from companion.games.chesswar.armies import ARMIES
from companion.games.chesswar.sides import grid, home, teams
from companion.games.chesswar.state import BEFORE, State
from companion.games.chesswar.turn import begin_turn
from companion.kit.asking import Choose, Faces, Throw
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.actions import Deploy, PlaceTerrain
    from companion.games.chesswar.options import Options
    from companion.games.chesswar.sides import Side
    from companion.kit.asking import Ask


def set_up(options: Options) -> State:
    """Set the table up: no army yet."""
    return State(options=options, phase="choosing" if options.race == "declared" else "raising")


def deploy(state: State, side: Side, action: Deploy, ask: Ask) -> State:
    """Put a unit on a home square; two units change places (CW-19)."""
    unit = state.find(action.unit)
    # Of an enemy's unit nobody learns whether there is one of that name.
    if unit is None or unit.side != side or not unit.stands:
        raise Refusal(say("Each player deploys his own units."), "CW-19", "unit")
    if not state.mirrored:
        raise Refusal(say("At this table only the real board knows where units stand."), "CW-19", "unit")
    if side in state.ready:
        raise Refusal(say("Your army is deployed."), "CW-23" if state.phase == "redeploying" else "CW-20", "unit")
    if action.to not in home(state.options, side):
        raise Refusal(say("{square} is not on your three first ranks.", square=action.to), "CW-19", "to")
    there = state.at(action.to)
    said = say("{unit} moved to {square}", unit=speech.name(state, unit), square=action.to)
    if state.phase in BEFORE:
        ask.tell(said, "CW-19", seat=side)
    else:
        ask.tell(said, "CW-23", marks=((unit.id, "acting"),))
    if there is not None:
        state = state.with_unit(there.id, square=unit.square)
    return state.with_unit(unit.id, square=action.to)


def place_terrain(state: State, action: PlaceTerrain, ask: Ask) -> State:
    """Put a forest or a hill on a square, or take it away; everybody looks again (CW-168)."""
    if not state.options.terrain:
        raise Refusal(say("This table plays without forests and hills."), "CW-168", "kind")
    if not state.mirrored:
        raise Refusal(say("At this table only the real board knows where forests and hills lie."), "CW-168", "kind")
    if action.to not in grid(state.options):
        raise Refusal(say("There is no square {square} on the board.", square=action.to), "CW-01", "to")
    terrain = {square: ground for square, ground in state.terrain.items() if square != action.to}
    if action.kind != "open":
        terrain[action.to] = action.kind
    ask.tell(say("{terrain} on {square}", terrain=Text(action.kind), square=action.to), "CW-168")
    return state.but(terrain=dict(sorted(terrain.items())), ready=())


def get_ready(state: State, side: Side, ask: Ask) -> State:
    """Say that an army is deployed; when all are the screen goes and the armies are seen (CW-18, CW-20)."""
    if side in state.ready:
        raise Refusal(say("You are ready already."), "CW-20")
    if state.phase == "redeploying":
        return _rearranged(state, side, ask)
    if not any(unit.side == side for unit in state.units):
        raise Refusal(say("Raise your army first."), "CW-13")
    ask.tell(say("{side} has deployed", side=Text(side)), "CW-20")
    state = state.but(ready=(*state.ready, side))
    if len(state.ready) < len(state.sides):
        return state
    for one in state.sides:
        count = sum(unit.side == one for unit in state.units)
        ask.tell(
            say(
                "{side}: {army}, {count} unit|{side}: {army}, {count} units",
                side=Text(one),
                army=Text(state.armies[one]),
                count=count,
            ),
            "CW-18",
        )
    if len(set(state.armies.values())) < len(state.sides) and state.options.race == "secret":
        ask.tell(say("Two of the same army: different ones are recommended"), "CW-12")
    return _first_move(state.but(ready=tuple(one for one in state.sides)), ask)


def _first_move(state: State, ask: Ask) -> State:
    """Find who moves first (CW-21, CW-22), and let the others rearrange (CW-23)."""
    order = turn_order(state, ask)
    first = teams(state.options)[order[0]]
    ask.tell(say("The first turn is for {side}", side=speech.sides(first)), "CW-21")
    state = state.but(order=order, phase="redeploying", ready=first, active=min(1, len(order) - 1))
    ask.tell(say("Before that, whoever does not move first may rearrange his army"), "CW-23")
    return state


def initiative(state: State, team: tuple[Side, ...]) -> int:
    """Return a team's initiative: that of its quickest army (CW-21)."""
    return min(ARMIES[state.armies[side]].initiative for side in team)


def turn_order(state: State, ask: Ask) -> tuple[int, ...]:
    """Order the teams by initiative; who has the same rolls, the higher first (CW-21, CW-22)."""
    playing = teams(state.options)
    found: list[int] = []
    values = {place: initiative(state, team) for place, team in enumerate(playing)}
    for value in sorted(set(values.values())):
        found += _roll_off([place for place in values if values[place] == value], playing, ask)
    return tuple(found)


def _roll_off(places: list[int], playing: tuple[tuple[Side, ...], ...], ask: Ask) -> list[int]:
    if len(places) == 1:
        return places
    asking: dict[str, Throw | Choose] = {
        playing[place][0]: Throw(
            "first", say("The same army: the higher die moves first"), playing[place][0], 1, 6, "CW-10"
        )
        for place in places
    }
    thrown = ask.together(asking, "first", say("The same army: the higher die moves first"))
    faces: dict[int, int] = {}
    for place in places:
        answer = thrown[playing[place][0]]
        if isinstance(answer, Faces):
            faces[place] = answer.faces[0]
            ask.tell(say("{side} rolls", side=Text(playing[place][0])), "CW-22", faces=answer.faces)
    found: list[int] = []
    for face in sorted(set(faces.values()), reverse=True):
        found += _roll_off([place for place in places if faces[place] == face], playing, ask)
    return found


def _rearranged(state: State, side: Side, ask: Ask) -> State:
    ask.tell(say("{side} keeps this position", side=Text(side)), "CW-23")
    state = state.but(ready=(*state.ready, side))
    if len(state.ready) < len(state.sides):
        return state
    return begin_turn(state.but(phase="movement", active=0, ready=(), round=1), ask)


def may_redeploy(state: State, side: Side) -> bool:
    """Tell whether a side may still rearrange its army (CW-23)."""
    return state.phase == "redeploying" and side not in state.ready
