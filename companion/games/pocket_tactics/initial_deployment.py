"""The first three units of each player (PT-21 to PT-23)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from companion.games.pocket_tactics import geometry, turn
from companion.games.pocket_tactics.cards import terrain_name
from companion.games.pocket_tactics.geometry import NEVER
from companion.games.pocket_tactics.land import terrains
from companion.games.pocket_tactics.state import Place, Seat, State, Unit, UnitId, other
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, listed, say

initial_deployment = Chapter[State, Seat]()

STARTING = 3
"""Units that each player begins with on the map (PT-21)."""


class SetOut(Action, frozen=True, tag="set_out"):
    """Put one of your starting units on the map (PT-21, PT-22)."""

    unit: UnitId
    to: Place


class TakeBack(Action, frozen=True, tag="take_back"):
    """Take a starting unit of yours back, to set another one out."""

    unit: UnitId


@initial_deployment.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer whose turn it is to set out a unit of the reserve and, unless that goes in turns, to take one back."""
    if state.phase != "setting_out" or seat != state.active:
        return
    to = Field("to", say("Where to"), "choice", _places(state, seat))
    for unit in state.of(seat, "reserve"):
        yield SetOut.offer(say("Set out {unit}", unit=state.kind(unit)), to, unit=unit.id, on=unit.id, clause="PT-22")
    for unit in () if state.options.alternate_initial_deploy else state.of(seat, "tile"):
        yield TakeBack.offer(say("Remove {unit}", unit=state.kind(unit)), unit=unit.id, on=unit.id, clause="PT-21")


def _places(state: State, seat: Seat) -> tuple[Option, ...]:
    if not state.mirrored:
        return tuple(Option(terrain, terrain_name(terrain)) for terrain in terrains(state))
    near = nearest(_free(state, seat), _taken(state, seat), _wanted(state, seat))
    return tuple(Option(at, state.place(at), place=at) for at in near)


def _set_out_to(before: State, after: State, _seat: Seat, action: SetOut) -> Text:
    unit = after.unit(action.unit)
    return say("{unit} → {place}", unit=before.name(unit), place=after.place(unit.at or unit.terrain or ""))


@initial_deployment.rule(SetOut, headline=_set_out_to)
def set_out(state: State, seat: Seat, action: SetOut, ask: Ask) -> State:
    """Put a starting unit on the map; hazards are not tested (PT-21, PT-22, PT-A40)."""
    unit, to = _mine(state, seat, action.unit), action.to
    if unit.where != "reserve":
        raise Refusal(say("{unit} is not in reserve.", unit=state.name(unit)), "PT-23", "unit")
    if state.mirrored:
        free = _free(state, seat)
        check(free, _taken(state, seat), _wanted(state, seat), to)
        ask.tell(say("{unit}: {place}", unit=state.name(unit), place=state.place(to)), "PT-21")
        ask.tell(_steps(free[to]), "PT-22")
    elif to in terrains(state):
        ask.tell(say("{unit}: {place}", unit=state.name(unit), place=terrain_name(to)), "PT-21")
        ask.tell(say("The starting units stand as close to their base as possible"), "PT-22")
    else:
        raise Refusal(say("There is no such terrain."), "PT-22", "to")
    turns = (other(seat), seat) if state.options.alternate_initial_deploy else (seat, other(seat))
    return _whose(state.standing(unit.id, to), turns, ask)


@initial_deployment.rule(
    TakeBack, says=lambda state, _, action: say("{unit} leaves the map", unit=state.name(state.unit(action.unit)))
)
def take_back(state: State, seat: Seat, action: TakeBack, ask: Ask) -> State:
    """Take a starting unit back, as long as its player has not set out all of them."""
    unit = _mine(state, seat, action.unit)
    if unit.where != "tile":
        raise Refusal(say("{unit} is not on the map.", unit=state.name(unit)), "PT-21", "unit")
    if state.options.alternate_initial_deploy:
        raise Refusal(say("In turns each unit stays where it was set out."), "PT-A41", "unit")
    ask.tell(say("{unit}: back to the reserve", unit=state.name(unit)), "PT-23")
    return state.gone(unit.id, "reserve")


def _mine(state: State, seat: Seat, name: str) -> Unit:
    """Return the unit that a player sets out or takes back; raise Refusal where it is not his turn, or not his unit."""
    if state.phase != "setting_out":
        raise Refusal(say("The starting units are not being set out now."), "PT-21")
    if seat != state.active:
        raise Refusal(say("{side} sets out a unit now.", side=Text(state.active)), "PT-21")
    return turn.own(state, seat, name, "PT-21")


def begin(state: State, ask: Ask) -> State:
    """Let the first player set out the starting units (PT-21)."""
    return _whose(state.but(phase="setting_out"), (state.first, state.second), ask)


def left(state: State, seat: Seat) -> int:
    """Count the starting units that a player still has to set out (PT-21)."""
    return _wanted(state, seat) - len(state.of(seat, "tile"))


def _wanted(state: State, seat: Seat) -> int:
    """Count the starting units of a player: three, or all of a smaller army, or as many as find a tile (PT-A40)."""
    count = min(STARTING, len(state.of(seat, "tile")) + len(state.of(seat, "reserve")))
    return min(count, len(_free(state, seat))) if state.mirrored else count


def _free(state: State, seat: Seat) -> dict[str, int]:
    occupied = {unit.at for unit in state.of(other(seat), "tile")}
    return {at: far for at, far in geometry.steps(state, seat).items() if at not in occupied}


def _taken(state: State, seat: Seat) -> tuple[str, ...]:
    return tuple(unit.at for unit in state.of(seat, "tile") if unit.at)


def _whose(state: State, turns: tuple[Seat, Seat], ask: Ask) -> State:
    """Find who sets out the next unit, in that order; when all stand the first turn begins (PT-21, PT-23, PT-24)."""
    for seat in turns:
        if left(state, seat):
            return state.but(active=seat)
    for seat in (state.first, state.second):
        count = len(state.of(seat, "reserve"))
        text = say("{side}: {count} unit in reserve|{side}: {count} units in reserve", side=Text(seat), count=count)
        ask.tell(text, "PT-23")
    ask.tell(say("{side} takes the first turn", side=Text(state.first)), "PT-24")
    return state.but(phase="play", turn=1, active=state.first)


def _steps(far: int) -> Text:
    if far == NEVER:
        return say("No way leads there from the base, but nothing closer is free")
    return say("{count} step from the base|{count} steps from the base", count=far)


def nearest(free: Mapping[str, int], taken: Collection[str], count: int) -> tuple[str, ...]:
    """List the tiles that the next of ``count`` units may take, so that together they have the closest ones (PT-22).

    ``free`` are the steps to each tile where no other player's unit stands, ``taken`` the own tiles among them. In
    which order they are taken does not matter (PT-A40).
    """
    closest = sorted(free.values())[:count]
    if len(taken) >= len(closest):
        return ()
    last = closest[-1]
    room = closest.count(last) - sum(free[at] == last for at in taken)
    return tuple(at for at, far in free.items() if at not in taken and (far < last or (far == last and room > 0)))


def check(free: Mapping[str, int], taken: Collection[str], count: int, at: str) -> None:
    """Raise Refusal where the next of ``count`` starting units may not go (PT-22, PT-26)."""
    if at in taken or at not in free:
        raise Refusal(say("No free tile lies there."), "PT-26", "to")
    may = nearest(free, taken, count)
    if at not in may:
        closer = listed([say("{square}", square=tile) for tile in may], say("nowhere"))
        text = say("The starting units go as close to their base as possible: {tiles}.", tiles=closer)
        raise Refusal(text, "PT-22", "to")
