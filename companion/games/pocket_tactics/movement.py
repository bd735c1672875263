"""Moving, deploying, passing (PT-27 to PT-30, PT-62, PT-63, PT-A42)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import assaulting
from companion.games.pocket_tactics.ways import landings, places

if TYPE_CHECKING:
    from companion.games.pocket_tactics import actions as do
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.kit.asking import Ask
    from companion.kit.game import Offer


def can_act(state: State, seat: Seat) -> bool:
    """Tell whether a player can move, deploy or assault; with the map on the table a unit on it may (PT-A42)."""
    on_map, reserve = state.of(seat, "tile"), state.of(seat, "reserve")
    if not state.mirrored:
        return bool(on_map or reserve)
    moves = any(places(state, unit) for unit in on_map)
    return moves or bool(reserve and landings(state, seat)) or assaulting.can_assault(state, seat)


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return []


def rule(state: State, seat: Seat, action: do.Moving, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    return state
