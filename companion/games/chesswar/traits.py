"""Special attributes: what is brave, dreadful, plagued or protected just now (CW-107 to CW-113, CW-152, CW-153)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar.sides import grid

if TYPE_CHECKING:
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import Effect, State, Unit


def under(state: State, spell: str, side: Side) -> bool:
    """Tell whether a temporary spell of a side is in force; more of them change nothing (CW-130)."""
    return any(effect.spell == spell and effect.side in state.team(side) for effect in state.effects)


def stormy(state: State) -> bool:
    """Tell whether a storm is in force, whoever called it (CW-156)."""
    return any(effect.spell == "storm" for effect in state.effects)


def protected(state: State, unit: Unit) -> bool:
    """Tell whether a unit stands in a Protection of its own side, which moves with the mage (CW-153, CW-155)."""
    return any(
        effect.spell == "protection" and effect.side in state.team(unit.side) and beside(state, effect, unit)
        for effect in state.effects
    )


def beside(state: State, effect: Effect, unit: Unit) -> bool:
    """Tell whether a unit is the mage of a spell or stands beside him (CW-153)."""
    if unit.id == effect.caster or unit.id in effect.covers:
        return True
    mage = state.find(effect.caster)
    if mage is None or not mage.square or not unit.square:
        return False
    return grid(state.options).moves_apart(mage.square, unit.square) <= 1


def brave(state: State, unit: Unit) -> bool:
    """Tell whether a unit is brave (CW-108, CW-110, CW-153, CW-159)."""
    return unit.kind.brave or unit.flying or protected(state, unit)


def dreadful(state: State, unit: Unit, towards: Side) -> bool:
    """Tell whether a unit is dreadful towards a side (CW-109, CW-110, CW-152, CW-174)."""
    return unit.kind.dreadful or under(state, "fear", unit.side) or leaderless(state, towards)


def leaderless(state: State, side: Side) -> bool:
    """Tell whether a side fights on without a general (CW-174 to CW-177)."""
    return state.options.total_massacre and side in state.leaderless


def plagued(state: State, unit: Unit) -> bool:
    """Tell whether a unit carries the plague (CW-111, CW-140)."""
    return "plague" in unit.kind.traits or under(state, "contagion", unit.side)


def immune(state: State, unit: Unit) -> bool:
    """Tell whether no plague can harm a unit (CW-112)."""
    return plagued(state, unit) or unit.kind.undead or protected(state, unit)


def regenerates(unit: Unit) -> bool:
    """Tell whether a unit is knocked over where others are destroyed (CW-114)."""
    return "regeneration" in unit.kind.traits
