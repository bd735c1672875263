"""What a unit can fire with, and what that reaches (G2-70, G2-97, G2-101, G2-102, G2-140)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm.pieces import Headquarters
from companion.games.tactics_2gm.sides import distance, hq_distance, other

if TYPE_CHECKING:
    from companion.games.tactics_2gm.aiming import Targeted
    from companion.games.tactics_2gm.cards import Weapon
    from companion.games.tactics_2gm.pieces import Unit
    from companion.games.tactics_2gm.state import State


def grey(shooter: Unit, weapon: str) -> bool:
    """Tell whether the token of a weapon lies on its grey side (G2-69)."""
    token = shooter.token(weapon)
    return token is not None and token.used is not None


def apart(shooter: Unit, target: Targeted) -> int | None:
    """Count the squares to a target (G2-102); None where no board tells."""
    if shooter.square is None:
        return None
    if isinstance(target, Headquarters):
        return hq_distance(shooter.square, target.side, target.board)
    return None if target.square is None else distance(shooter.square, target.square)


def ready(state: State, unit: Unit) -> dict[str, Weapon]:
    """Return the weapons that a unit can fire: each once a turn, none that is grey (G2-70, G2-97)."""
    return {
        name: weapon
        for name, weapon in state.weapons(unit).items()
        if weapon.range and name not in unit.fired and not grey(unit, name)
    }


def targets(state: State, unit: Unit, reach: int) -> tuple[Targeted, ...]:
    """List what a unit can shoot at within a reach, or anywhere where no board tells (G2-101)."""
    enemy = other(unit.side)
    buildings = (
        ground
        for ground in state.grounds
        if state.terrain(ground).building and not ground.ruin and not _holds(state, unit, ground.id)
    )
    hqs = (hq for hq in state.headquarters if hq.side == enemy and hq.pi)
    found: tuple[Targeted, ...] = (*state.on_ground(enemy), *buildings, *hqs)
    return tuple(one for one in found if (far := apart(unit, one)) is None or far <= reach)


def fires(state: State, unit: Unit) -> bool:
    """Tell whether a unit can fire at anything now; of an aircraft no range counts (G2-97, G2-140)."""
    if state.flies(unit):
        armed = not unit.fired and any(not grey(unit, name) for name in state.weapons(unit))
        return armed and bool(targets(state, unit, 0))
    return any(targets(state, unit, weapon.range) for weapon in ready(state, unit).values())


def _holds(state: State, unit: Unit, ground: str) -> bool:
    """Tell whether the shooter's own side is in that terrain."""
    return any(
        one.id == ground and (inside := state.occupant(one)) is not None and inside.side == unit.side
        for one in state.grounds
    )
