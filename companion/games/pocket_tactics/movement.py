"""Moving, deploying and passing at the table (PT-27 to PT-30, PT-62, PT-63, PT-A42)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import actions as do
from companion.games.pocket_tactics import assaulting, geometry, landing, moving, speech, turn
from companion.games.pocket_tactics.asked import terrains
from companion.games.pocket_tactics.land import Spot
from companion.games.pocket_tactics.mirrored import Mirrored
from companion.games.pocket_tactics.moving import Hop
from companion.games.pocket_tactics.pieces import Last
from companion.games.pocket_tactics.terrain import known_as
from companion.games.pocket_tactics.ways import landings, places, ways
from companion.kit.hexes import named
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.land import Edge
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.kit.asking import Ask


def can_act(state: State, seat: Seat) -> bool:
    """Tell whether a player can move, deploy or assault; with the map on the table any unit may (PT-A42)."""
    on_map, reserve = state.of(seat, "tile"), state.of(seat, "reserve")
    if not state.mirrored:
        return bool(on_map or reserve)
    moves = any(places(state, unit) for unit in on_map)
    return moves or bool(reserve and landings(state, seat)) or assaulting.can_assault(state, seat)


def rule(state: State, seat: Seat, action: do.Moving, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    match action:
        case do.Move():
            return _move(state, turn.check(state, seat, action.unit), action.to, ask)
        case do.Deploy():
            return _deploy(state, turn.check(state, seat, action.unit), action.to, ask)
        case do.Pass():
            return _pass(state, seat, ask)


def _move(state: State, unit: Unit, to: str, ask: Ask) -> State:
    """Move a unit; whatever comes of it, its player's turn is over (PT-25)."""
    if unit.where != "tile":
        raise Refusal(say("{unit} is not on the map.", unit=speech.unit(state, unit)), "PT-27", "unit")
    there, hop = _step(state, unit, to, ask) if state.mirrored else (_told(state, to), None)
    mover, land = landing.mover(state, unit), landing.land(state, unit)
    fate = moving.move(mover, landing.spot(state, unit), there, land, ask, hop)
    after = landing.landed(state, unit, fate)
    return turn.spent(after.but(last=Last(unit.id, came_from=unit.at)), ask)


def _step(state: State, unit: Unit, to: str, ask: Ask) -> tuple[Edge | Spot, Hop | None]:
    """Find what a place of the mirrored map is to a unit, and what it hops over to get there (PT-27, PT-28)."""
    at = state.bases[unit.seat] if to == "base" else to
    if at not in geometry.land(state).values():
        return "void", None
    land, here = Mirrored(state, unit), landing.spot(state, unit)
    start, end = named(here.at), named(at)
    if start == end:
        raise Refusal(say("It stands there already."), "PT-27", "to")
    over = state.tile(ways(state, unit).get(at))
    if over is not None:
        straight = named(over.at).beyond(start.towards(named(over.at))) == end
        return land.lies(end), Hop("ally", over.terrain, straight=straight)
    if start.apart(end) > 1:
        raise Refusal(say("That is neither beside it nor one hop over a friend away."), "PT-28", "to")
    return land.beyond(here, start.towards(end), ask), None


def _told(state: State, to: str) -> Edge | Spot:
    """Read what the players say where the map lies on the table: a terrain, or ``base``."""
    if to == "base":
        return "own_base"
    if known_as(to) not in terrains(state):
        raise Refusal(say("There is no such terrain."), "PT-27", "to")
    return Spot(known_as(to))


def _deploy(state: State, unit: Unit, to: str, ask: Ask) -> State:
    """Put a unit of the reserve on the map (PT-62)."""
    mover, in_reserve = landing.mover(state, unit), unit.where == "reserve"
    if state.mirrored:
        tile = state.tile(to)
        there: Edge | Spot = Mirrored(state, unit).spot(tile) if tile else "void"
        beside = to in geometry.around(state, state.bases[unit.seat])
    else:
        there, beside = _told(state, to), True
    if not isinstance(there, Spot):
        raise Refusal(say("That is no tile beside your base."), "PT-62", "to")
    fate = moving.deploy(mover, there, ask, in_reserve=in_reserve, beside_base=beside)
    return turn.spent(landing.landed(state, unit, fate).but(last=Last(unit.id)), ask)


def _pass(state: State, seat: Seat, ask: Ask) -> State:
    """Let a player do nothing who can do nothing; with the map on the table the players see to that (PT-A42)."""
    turn.check_acting(state, seat)
    moving.check_pass(state.options, can_act=state.mirrored and can_act(state, seat))
    ask.tell(say("{side} passes", side=Text(seat)), "PT-A42")
    return turn.spent(state.but(last=Last()), ask)
