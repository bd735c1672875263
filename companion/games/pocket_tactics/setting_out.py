"""The first three units of each player (PT-21 to PT-23)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.games.pocket_tactics import actions as do
from companion.games.pocket_tactics import geometry, speech
from companion.games.pocket_tactics.asked import terrains
from companion.games.pocket_tactics.sides import other
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Refusal
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.kit.asking import Ask

STARTING = 3
"""Units that each player begins with on the map (PT-21)."""


class Started(NamedTuple):
    """Hold how many units of a player begin on the map, and how many in reserve (PT-21, PT-23)."""

    on_board: int
    reserve: int


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if state.phase != "setting_out" or seat != state.active:
        return []
    to = Field("to", say("Where to"), "choice", _places(state, seat))
    out = [
        Offer(
            "set_out",
            say("Set out {unit}", unit=speech.kind(state, unit)),
            {"unit": unit.id},
            (to,),
            on=unit.id,
            clause="PT-22",
        )
        for unit in state.of(seat, "reserve")
    ]
    if state.options.alternate_initial_deploy:
        return out
    back = [
        Offer(
            "take_back",
            say("Take back {unit}", unit=speech.kind(state, unit)),
            {"unit": unit.id},
            on=unit.id,
            clause="PT-21",
        )
        for unit in state.of(seat, "tile")
    ]
    return [*out, *back]


def _places(state: State, seat: Seat) -> tuple[Option, ...]:
    if not state.mirrored:
        return tuple(Option(one, speech.terrain(one)) for one in terrains(state))
    near = nearest(_free(state, seat), _taken(state, seat), _wanted(state, seat))
    return tuple(Option(at, speech.place(state, at), place=at) for at in near)


def rule(state: State, seat: Seat, action: do.Setting, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    if state.phase != "setting_out":
        raise Refusal(say("The starting units are not being set out now."), "PT-21")
    if seat != state.active:
        raise Refusal(say("It is {side} who sets out a unit.", side=Text(state.active)), "PT-21")
    unit = state.unit(action.unit)
    if unit.seat != seat:
        raise Refusal(say("{unit} is not yours.", unit=speech.unit(state, unit)), "PT-21", "unit")
    if isinstance(action, do.SetOut):
        return set_out(state, unit, action.to, ask)
    return take_back(state, unit, ask)


def begin(state: State, ask: Ask) -> State:
    """Let the first player set out the starting units (PT-21)."""
    return _whose(state.but(phase="setting_out"), (state.first, state.second), ask)


def set_out(state: State, unit: Unit, to: str, ask: Ask) -> State:
    """Put a starting unit on the map; hazards are not tested (PT-21, PT-22, PT-A40)."""
    if unit.where != "reserve":
        raise Refusal(say("{unit} is not in reserve.", unit=speech.unit(state, unit)), "PT-23", "unit")
    seat = unit.seat
    if state.mirrored:
        free = _free(state, seat)
        check(free, _taken(state, seat), _wanted(state, seat), to)
        where = say("{unit}: {place}", unit=speech.unit(state, unit), place=speech.place(state, to))
        ask.tell(where, "PT-21")
        ask.tell(_steps(free[to]), "PT-22")
    elif to in terrains(state):
        ask.tell(say("{unit}: {place}", unit=speech.unit(state, unit), place=speech.terrain(to)), "PT-21")
        ask.tell(say("The starting units stand as close to their base as can be"), "PT-22")
    else:
        raise Refusal(say("There is no such terrain."), "PT-22", "to")
    state = state.standing(unit.id, to)
    turns = (other(seat), seat) if state.options.alternate_initial_deploy else (seat, other(seat))
    return _whose(state, turns, ask)


def take_back(state: State, unit: Unit, ask: Ask) -> State:
    """Take a starting unit back, as long as its player has not set out all of them."""
    if unit.where != "tile":
        raise Refusal(say("{unit} is not on the map.", unit=speech.unit(state, unit)), "PT-21", "unit")
    if state.options.alternate_initial_deploy:
        raise Refusal(say("In turns each unit stays where it was set out."), "PT-A41", "unit")
    ask.tell(say("{unit}: back to the reserve", unit=speech.unit(state, unit)), "PT-23")
    return state.gone(unit.id, "reserve")


def left(state: State, seat: Seat) -> int:
    """Count the starting units that a player still has to set out (PT-21)."""
    return _wanted(state, seat) - len(state.of(seat, "tile"))


def _wanted(state: State, seat: Seat) -> int:
    """Count the starting units of a player: three, or all of a smaller army, or as many as find a tile (PT-A40)."""
    count = min(STARTING, len(state.of(seat, "tile")) + len(state.of(seat, "reserve")))
    return min(count, len(_free(state, seat))) if state.mirrored else count


def _free(state: State, seat: Seat) -> dict[str, int]:
    """Count the steps to each tile that the opponent does not stand on."""
    held = {unit.at for unit in state.of(other(seat), "tile")}
    return {at: far for at, far in geometry.steps(state, seat).items() if at not in held}


def _taken(state: State, seat: Seat) -> tuple[str, ...]:
    return tuple(unit.at for unit in state.of(seat, "tile") if unit.at)


def _whose(state: State, turns: tuple[Seat, Seat], ask: Ask) -> State:
    """Find who sets out the next unit, in that order; when all stand the first turn begins (PT-21, PT-23, PT-24)."""
    for seat in turns:
        if left(state, seat):
            return state.but(active=seat)
    for seat in (state.first, state.second):
        count = len(state.of(seat, "reserve"))
        ask.tell(
            say("{side}: {count} unit in reserve|{side}: {count} units in reserve", side=Text(seat), count=count),
            "PT-23",
        )
    ask.tell(say("{side} takes the first turn", side=Text(state.first)), "PT-24")
    return state.but(phase="play", turn=1, active=state.first)


def _steps(far: int) -> Text:
    if far == geometry.NEVER:
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
        closer = listed([say("{square}", square=one) for one in may], say("nowhere"))
        raise Refusal(
            say("The starting units go as close to their base as can be: {tiles}.", tiles=closer), "PT-22", "to"
        )


def started(free: Mapping[str, int], chosen: Sequence[str], army: int) -> Started:
    """Set out a player's starting units all at once; raise Refusal where they stand on wrong tiles (PT-21 to PT-23)."""
    count = min(STARTING, army, len(free))
    if len(chosen) != count:
        must = say("{count} unit must be set out.|{count} units must be set out.", count=count)
        raise Refusal(must, "PT-21", "chosen")
    for at, tile in enumerate(chosen):
        check(free, chosen[:at], count, tile)
    return Started(count, army - count)
