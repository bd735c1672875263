"""Units of a table as hazards meet them, and what hazards did to them put into effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics.asked import Asked
from companion.games.pocket_tactics.land import Spot
from companion.games.pocket_tactics.mirrored import Mirrored
from companion.games.pocket_tactics.movers import mover

if TYPE_CHECKING:
    from companion.games.pocket_tactics.hazards import Fate
    from companion.games.pocket_tactics.land import Land
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.state import State

__all__ = ["land", "landed", "mover", "spot"]


def spot(state: State, unit: Unit) -> Spot:
    """Return the tile that a unit stands on."""
    return Spot(state.terrain(unit), None, unit.at or "")


def land(state: State, unit: Unit) -> Land:
    """Return the land around a unit: the mirrored map, or the players are asked."""
    return Mirrored(state, unit) if state.mirrored else Asked(state, unit)


def landed(state: State, unit: Unit, fate: Fate) -> State:
    """Put into effect what became of a unit, and of the friends who made room for it."""
    for left in fate.friends_leave:
        state = state.gone(left.unit, "reserve")
    match fate.where:
        case "reserve" | "captured" as where:
            return state.gone(unit.id, where)
        case _:
            return state.standing(unit.id, fate.spot.at or fate.spot.terrain) if fate.spot else state
