"""The battle: declarations of attacks and blocks (HW-50 to HW-61, HW-81, HW-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war.sides import other

if TYPE_CHECKING:
    from companion.games.history_of_war import actions as do
    from companion.games.history_of_war.pieces import Attack, Played
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask
    from companion.kit.game import Offer


def can_attack(state: State, seat: Seat) -> bool:
    """Tell whether a player has a unit that may attack (HW-50 to HW-52, HW-A11)."""
    return any(meets_enemy(state, unit) or reaches_base(state, unit) for unit in state.units(seat) if not unit.locked)


def can_block(state: State, seat: Seat) -> bool:
    """Tell whether a player has a unit that may block one of the attackers (HW-56 to HW-58)."""
    return any(may_block(state, unit, attack) for unit in state.units(seat) for attack in state.attacks)


def meets_enemy(state: State, unit: Played) -> bool:
    """Tell whether there is an enemy unit or development in a unit's territory (HW-51, HW-A11)."""
    return unit.place[0] == "t" and bool(state.of(other(unit.seat), unit.place))


def reaches_base(state: State, unit: Played) -> bool:
    """Tell whether a unit may attack the enemy base from where it is (HW-52, HW-A12)."""
    there = unit.place[0] == "t" or (state.options.base_attack_from_deployment and unit.place == "deployment")
    return there and state.can(unit, "base_attack")


def may_block(state: State, unit: Played, attack: Attack) -> bool:
    """Tell whether a unit may block an attacker."""
    return False


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return []


def rule(state: State, seat: Seat, action: do.Fighting, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    return state
