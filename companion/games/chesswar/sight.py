"""Who sees what: lines of sight over units, forests and hills (CW-47 to CW-51, CW-169, CW-172)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar.sides import grid
from companion.kit.sight import clear

if TYPE_CHECKING:
    from companion.games.chesswar.state import State, Unit


def visible(state: State, start: str, goal: str) -> bool:
    """Tell whether a line of sight joins two squares (CW-48 to CW-50).

    Units block it, forests and hills too; from a hill, and on to one, units do not (CW-172).
    """
    closed = frozenset(state.terrain)
    if "hill" not in {state.terrain.get(start), state.terrain.get(goal)}:
        closed |= state.occupied()
    return clear(grid(state.options), start, goal, closed, strict=state.options.strict_sight)


def sees(state: State, unit: Unit, square: str) -> bool:
    """Tell whether a unit sees a square."""
    return unit.square is not None and visible(state, unit.square, square)


def spotted(state: State, shooter: Unit, square: str) -> bool:
    """Tell whether any other unit of the shooter's side sees a square, engaged or not (CW-51)."""
    return any(
        sees(state, friend, square) for friend in state.standing(*state.team(shooter.side)) if friend.id != shooter.id
    )


def apart(state: State, one: Unit, square: str) -> int:
    """Count the squares from a unit to a square (CW-09)."""
    return grid(state.options).moves_apart(one.square, square) if one.square else 0
