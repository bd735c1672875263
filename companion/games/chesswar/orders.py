"""Shots as a player orders them: aimed by a mirrored board, or with what only the real board knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import bows, catapults
from companion.games.chesswar.shooting import Aim
from companion.games.chesswar.state import Last
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.actions import Bombard, Shoot
    from companion.games.chesswar.catapults import Impact
    from companion.games.chesswar.destruction import Toll
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask


def shoot(state: State, unit: Unit, action: Shoot, ask: Ask) -> tuple[State, Toll]:
    """Shoot a bow (CW-45 to CW-65)."""
    target = state.unit(action.target, "target")
    if state.mirrored:
        return bows.shoot(state, unit, target, bows.aim(state, unit, target), ask)
    if action.distance is None:
        raise Refusal(say("How far away is it?"), "CW-58", "distance")
    if action.moved is not None and action.moved != unit.moved:
        state = state.with_unit(unit.id, moved=action.moved)
        unit = state.unit(unit.id)
    given = Aim(action.distance, action.direct is not False)
    return bows.shoot(state, unit, target, bows.checked(state, unit, given), ask)


def bombard(state: State, unit: Unit, action: Bombard, ask: Ask) -> tuple[State, Toll, Impact]:
    """Throw at a square (CW-66 to CW-81)."""
    if state.mirrored:
        if action.square is None:
            raise Refusal(say("Which square is aimed at?"), "CW-67", "square")
        aim = catapults.aim(state, unit, action.square)
        return catapults.bombard(state, unit, action.square, aim, ask)
    if action.distance is None:
        raise Refusal(say("How far away is it?"), "CW-66", "distance")
    aim = catapults.checked(state, unit, Aim(action.distance, action.direct is not False))
    return catapults.bombard(state, unit, None, aim, ask)
