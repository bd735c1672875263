"""Deployment behind the screen, who begins, and the second player's rearrangement (CW-19 to CW-23, CW-168)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

from companion.games.chesswar import speech
from companion.games.chesswar.armies import ARMIES
from companion.games.chesswar.options import Options, Side, grid, home, named, teams
from companion.games.chesswar.raising import bought, check_before, spend_hint
from companion.games.chesswar.state import BEFORE, Ground, Phase, Square, State, UnitAction
from companion.games.chesswar.turn import begin_turn
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.correction import OFF, OFF_BOARD, Correction, Group
from companion.kit.questions import Faces, Option, Throw, square_options
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

deployment = Chapter[State, Side]()


class Deploy(UnitAction, frozen=True, tag="deploy"):
    """Put one of your units on a home square; two units change places (CW-19, CW-23).

    A page that showed another unit there says that the two change places: it ``swaps`` them.
    """

    to: Square
    swaps: bool = False


class PlaceTerrain(Action, frozen=True, tag="place_terrain"):
    """Put a forest or a hill on a square before the first turn, or take it away (CW-168)."""

    to: Square
    kind: Literal["forest", "hill", "open"]


class Ready(Action, frozen=True, tag="ready"):
    """Say that your army is deployed (CW-20), or rearranged (CW-23).

    A page names the ``phase`` that it showed, so that an old page never says more than its reader meant.
    """

    phase: Phase | None = None


def set_up(options: Options, ask: Ask) -> Ruling[State]:
    """Set the table up: everybody chooses and raises an army."""
    state = State(options=options, phase="choosing" if options.race == "declared" else "raising")
    return Ruling(state, say("Choose your armies, and deploy them in secret."), tuple(ask.reasons))


@deployment.offers
def offers(state: State, side: Side) -> Iterator[Offer]:
    """Offer to deploy an army (CW-19, CW-20, CW-168), and to rearrange it (CW-23)."""
    if state.phase == "raising" and side not in state.ready and any(unit.side == side for unit in state.units):
        ready, advice = say("Ready: my army is deployed"), spend_hint(state, side)
        yield Ready.offer(ready, phase=state.phase, main=True, clause="CW-20", advice=advice)
    if may_redeploy(state, side):
        yield Ready.offer(say("Ready: I keep this position"), phase=state.phase, main=True, clause="CW-23")
    if state.phase in {"raising", "redeploying"} and side not in state.ready and state.mirrored:
        yield from _places(state, side)
    laid = state.phase == "raising" or (state.phase == "choosing" and side in state.ready)
    if laid and state.options.terrain and state.mirrored:
        kinds = tuple(Option(kind, Text(kind)) for kind in ("forest", "hill", "open"))
        kind, board = Field("kind", say("Terrain"), "choice", kinds), speech.to_square(grid(state.options).squares())
        yield PlaceTerrain.offer(say("Place terrain"), kind, board, clause="CW-168")


def _places(state: State, side: Side) -> Iterator[Offer]:
    """Offer each unit the free home squares, and apart from them those on which it changes places with another one."""
    units, squares = state.standing(side), home(state.options, side)
    free = [square for square in squares if state.at(square) is None]
    mine = {unit.id: Option(unit.square, speech.name(state, unit), place=unit.square) for unit in units if unit.square}
    for unit in units:
        who, to = speech.name(state, unit), speech.to_square(free)
        yield Deploy.offer(say("Place: {unit}", unit=who), to, unit=unit.id, on=unit.id, clause="CW-19")
        others = tuple(option for name, option in mine.items() if name != unit.id and option.value in squares)
        if others:
            label, to = say("Swap places: {unit}", unit=who), Field("to", say("Swap places with"), "choice", others)
            yield Deploy.offer(label, to, unit=unit.id, swaps=True, on=unit.id, clause="CW-19")


def may_redeploy(state: State, side: Side) -> bool:
    """Tell whether a side may still rearrange its army (CW-23)."""
    return state.phase == "redeploying" and side not in state.ready


@deployment.rule(Deploy, says=lambda _, side, _action: say("{side} arranges the army", side=Text(side)))
def deploy(state: State, side: Side, action: Deploy, ask: Ask) -> State:
    """Put a unit on a home square; two units change places (CW-19)."""
    check_before(state, "raising", "redeploying")
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
    if action.swaps and there is None:
        raise Refusal(say("Nobody stands on {square} any more.", square=action.to), "CW-19", "to")
    said = say("{unit} moved to {square}", unit=speech.name(state, unit), square=action.to)
    if state.phase in BEFORE:
        ask.tell(said, "CW-19", seat=side)
    else:
        ask.tell(said, "CW-23", marks=((unit.id, "acting"),))
    if there is not None:
        state = state.with_unit(there.id, square=unit.square)
    return state.with_unit(unit.id, square=action.to)


def placed(_state: State, _side: Side, action: PlaceTerrain) -> Text:
    """Say what lies where."""
    return say("{terrain} on {square}", terrain=Text(action.kind), square=action.to)


@deployment.rule(PlaceTerrain, says=placed)
def place_terrain(state: State, side: Side, action: PlaceTerrain, ask: Ask) -> State:
    """Put a forest or a hill on a square, or take it away; everybody looks again (CW-168)."""
    check_before(state, *BEFORE)
    if not state.options.terrain:
        raise Refusal(say("This table plays without forests and hills."), "CW-168", "kind")
    if not state.mirrored:
        raise Refusal(say("At this table only the real board knows where forests and hills lie."), "CW-168", "kind")
    if action.to not in grid(state.options):
        raise Refusal(say("There is no square {square} on the board.", square=action.to), "CW-01", "to")
    terrain = {square: ground for square, ground in state.terrain.items() if square != action.to}
    if action.kind != "open":
        terrain[action.to] = action.kind
    ask.tell(placed(state, side, action), "CW-168")
    return state.but(terrain=dict(sorted(terrain.items())), ready=())


def readied(before: State, after: State, side: Side, _action: Ready) -> Text:
    """Say who is ready, or what follows when all are."""
    if not after.acting or before.phase == after.phase:
        return say("{side} is ready", side=Text(side))
    first = named(after.ready or after.acting)
    if after.phase == "redeploying":
        return say("The armies are seen: the first turn is for {side}", side=first)
    return say("Now it is {side}'s turn", side=first)


@deployment.rule(Ready, headline=readied)
def get_ready(state: State, side: Side, action: Ready, ask: Ask) -> State:
    """Say that an army is deployed; when all are the screen goes and the armies are seen (CW-18, CW-20)."""
    check_before(state, "raising", "redeploying")
    state.check_meant(action.phase)
    if side in state.ready:
        raise Refusal(say("You are ready already."), "CW-20")
    again = state.phase == "redeploying"
    if not again and not any(unit.side == side for unit in state.units):
        raise Refusal(say("Raise your army first."), "CW-13")
    said = say("{side} keeps this position" if again else "{side} has deployed", side=Text(side))
    ask.tell(said, "CW-23" if again else "CW-20")
    state = state.but(ready=(*state.ready, side))
    if len(state.ready) < len(state.sides):
        return state
    return begin_turn(begun(state, "movement"), ask) if again else _seen(state, ask)


def _seen(state: State, ask: Ask) -> State:
    """Show the armies (CW-18), find who moves first (CW-21, CW-22), and let the others rearrange (CW-23)."""
    for shown in state.sides:
        who, army, count = Text(shown), Text(state.armies[shown]), sum(unit.side == shown for unit in state.units)
        said = say("{side}: {army}, {count} unit|{side}: {army}, {count} units", side=who, army=army, count=count)
        ask.tell(said, "CW-18")
    if len(set(state.armies.values())) < len(state.sides) and state.options.race == "secret":
        ask.tell(say("Two of the same army: different ones are recommended"), "CW-12")
    order = turn_order(state, ask)
    first = teams(state.options)[order[0]]
    ask.tell(say("The first turn is for {side}", side=named(first)), "CW-21")
    ask.tell(say("Before that, whoever does not move first may rearrange his army"), "CW-23")
    lists = {side: bought(state, side) for side in state.sides}
    return state.but(order=order, phase="redeploying", ready=first, active=min(1, len(order) - 1), lists=lists, kept=())


def turn_order(state: State, ask: Ask) -> tuple[int, ...]:
    """Order the teams by their quickest army's initiative; who has the same rolls, the higher first (CW-21, CW-22)."""
    playing = teams(state.options)
    order: list[int] = []
    values = [min(ARMIES[state.armies[side]].initiative for side in team) for team in playing]
    for value in sorted(set(values)):
        order += _roll_off([place for place, other in enumerate(values) if other == value], playing, ask)
    return tuple(order)


def _roll_off(places: list[int], playing: tuple[tuple[Side, ...], ...], ask: Ask) -> list[int]:
    if len(places) == 1:
        return places
    why, leaders = say("The same army: the higher die moves first"), {place: playing[place][0] for place in places}
    thrown = ask.together({side: Throw("first", why, side, 1, 6, "CW-10") for side in leaders.values()}, "first", why)
    faces: dict[int, int] = {}
    for place, side in leaders.items():
        answer = thrown[side]
        if isinstance(answer, Faces):
            faces[place] = answer.faces[0]
            ask.tell(say("{side} rolls", side=Text(side)), "CW-22", faces=answer.faces)
    order: list[int] = []
    for face in sorted(set(faces.values()), reverse=True):
        order += _roll_off([place for place in places if faces[place] == face], playing, ask)
    return order


TERRAIN = Group("terrain.", say("Terrain"))
READY = Group("ready.", say("The game"))
GROUNDS: tuple[Ground, ...] = ("forest", "hill")


def terrain_corrections(state: State) -> Iterator[Correction[State]]:
    """Declare the forests and hills, and one more of each that lies beside the board."""
    where = (*square_options(grid(state.options).squares()), OFF_BOARD)
    for kind in GROUNDS if state.options.terrain or state.terrain else ():
        lying = sorted(square for square, ground in state.terrain.items() if ground == kind)
        for number, square in enumerate((*lying, OFF), start=1):
            label = say("{terrain} {number}", terrain=Text(kind), number=number)
            yield TERRAIN.choice(f"{kind}.{number}", label, where, square, partial(_lay, state, kind, square))


def _lay(state: State, kind: Ground, old: str, new: str) -> State:
    if new in state.terrain:
        raise Refusal(say("Terrain lies on {square} already.", square=new), "CW-168", "value")
    terrain = {square: ground for square, ground in state.terrain.items() if square != old}
    return state.but(terrain=terrain if new == OFF else dict(sorted({**terrain, new: kind}.items())))


def ready_corrections(state: State) -> Iterator[Correction[State]]:
    """Declare who has deployed or rearranged an army: of those who chose one, which everybody heard of."""
    if state.phase in {"raising", "redeploying"}:
        for side in state.sides:
            if side in state.armies:
                label, put = say("{side} is ready", side=Text(side)), partial(_set_ready, state, side)
                yield READY.yes_no(side, label, put, value=side in state.ready)


def _set_ready(state: State, side: Side, ready: bool) -> State:
    """Set who is ready; the armies are seen only when the last player says so himself, for nobody can unsee them."""
    all_ready = tuple(other for other in state.sides if (ready if other == side else other in state.ready))
    if len(all_ready) < len(state.sides):
        return state.but(ready=all_ready)
    if state.phase == "raising":
        raise Refusal(say("The last one says so himself: then the armies are seen."), "CW-20", "value")
    return begun(state, "movement")


def begun(state: State, phase: Phase) -> State:
    """Return the first turn, in one of its phases."""
    return state.but(phase=phase, ready=(), active=0, round=1)
