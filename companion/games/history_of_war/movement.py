"""Movement: units go to a territory, and come back from one (HW-48, HW-49, HW-79, HW-80, HW-84 to HW-86)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.history_of_war import actions as do
    from companion.games.history_of_war.pieces import Played, Territory
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask
    from companion.kit.game import Offer


def can_deploy(state: State, seat: Seat) -> bool:
    """Tell whether a player has a unit that may move to a territory (HW-48, HW-A10)."""
    return any(goals(state, unit) for unit in state.units(seat))


def can_retreat(state: State, seat: Seat) -> bool:
    """Tell whether a player has a unit that may retreat (HW-84)."""
    return any(not unit.locked and unit.place[0] == "t" for unit in state.units(seat))


def goals(state: State, unit: Played) -> tuple[Territory, ...]:
    """List the territories that a unit may move to: from the own deployment area, or as agreed on (HW-A10)."""
    from_here = unit.place == "deployment" or (state.options.territory_to_territory and unit.place[0] == "t")
    if unit.locked or not from_here:
        return ()
    return tuple(one for one in state.open if one.id != unit.place)


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return []


def rule(state: State, seat: Seat, action: do.Moving, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    return state
