"""Where a step or a hop leads on the mirrored map (PT-26 to PT-30, PT-62, PT-81, PT-A17, PT-A18)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import geometry
from companion.kit.hexes import named

if TYPE_CHECKING:
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State


def ways(state: State, unit: Unit) -> dict[str, str]:
    """List what a step or a hop leads to on the mirrored map, whoever stands there: tiles and bases by their names.

    The value is the tile hopped over, empty for a step. A hop leads over one friend, through open edges
    (PT-28, PT-81, PT-A18).
    """
    if not state.mirrored or unit.at is None:
        return {}
    start, names = named(unit.at), geometry.land(state)
    beside = [one for one in start.beside if one in names and geometry.open_edge(state, start, one)]
    found = {names[one]: "" for one in beside}
    for one in beside:
        friend = state.on(names[one])
        if friend is None or friend.seat != unit.seat:
            continue
        way = start.towards(one)
        onward = (one.beyond(way),) if state.options.hop_straight_only else one.beside
        for to in onward:
            if to in names and to != start and geometry.open_edge(state, one, to):
                found.setdefault(names[to], names[one])
    return found


def places(state: State, unit: Unit) -> dict[str, str]:
    """List where a unit may move to: empty tiles by their names, and ``base`` (PT-27, PT-28, PT-30); values as above.

    Empty where the map lies on the table: there the players see it.
    """
    home = state.bases.get(unit.seat)
    bases = set(state.bases.values())
    return {
        "base" if to == home else to: over
        for to, over in ways(state, unit).items()
        if to == home or (to not in bases and state.on(to) is None)
    }


def landings(state: State, seat: Seat) -> tuple[str, ...]:
    """List the empty tiles beside a player's base on the mirrored map, for a unit of the reserve (PT-62)."""
    if seat not in state.bases:
        return ()
    beside = geometry.around(state, state.bases[seat])
    return tuple(at for at in beside if state.tile(at) and state.on(at) is None)
