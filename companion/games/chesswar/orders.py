"""Shots as a player orders them: aimed by a mirrored board, or with what only the real board knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import bows, catapults, speech
from companion.games.chesswar.around import Around
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


def aimed(state: State, unit: Unit, action: Shoot) -> tuple[State, Unit, Aim]:
    """Return the aim of a shot, with the shooter and the state as the players tell them (CW-47, CW-55 to CW-65)."""
    target = state.unit(action.target, "target")
    if state.mirrored:
        return state, unit, bows.aim(state, unit, target)
    if action.distance is None:
        raise Refusal(say("How far away is it?"), "CW-58", "distance")
    if action.moved is not None and action.moved != unit.moved:
        state = state.with_unit(unit.id, moved=action.moved)
        unit = state.unit(unit.id)
    return state, unit, bows.checked(state, unit, Aim(action.distance, action.direct is not False))


def shoot(state: State, unit: Unit, action: Shoot, ask: Ask) -> tuple[State, Toll]:
    """Shoot a bow (CW-45 to CW-65)."""
    state, unit, aim = aimed(state, unit, action)
    state, toll = bows.shoot(state, unit, state.unit(action.target, "target"), aim, ask)
    # Whoever shoots next often shoots at the same.
    return (state if state.mirrored else state.but(last=Last(None, None, action.target))), toll


def thrown(state: State, unit: Unit, action: Bombard) -> Aim:
    """Return the aim of a throw (CW-66 to CW-68)."""
    if state.mirrored:
        if action.square is None:
            raise Refusal(say("Which square is aimed at?"), "CW-67", "square")
        return catapults.aim(state, unit, action.square)
    if action.distance is None:
        raise Refusal(say("How far away is it?"), "CW-66", "distance")
    return catapults.checked(state, unit, Aim(action.distance, action.direct is not False), "distance")


def bombard(state: State, unit: Unit, action: Bombard, ask: Ask) -> tuple[State, Toll, Impact]:
    """Throw at a square (CW-66 to CW-81)."""
    aim = thrown(state, unit, action)
    if state.mirrored:
        return catapults.bombard(state, unit, action.square, aim, ask)
    target = _named(state, action)
    if target is not None and target.id == unit.id:
        raise Refusal(say("A unit does not aim at itself."), "CW-67", "target")
    return catapults.bombard(state, unit, None, aim, ask, target)


def _named(state: State, action: Bombard) -> Unit | None:
    """Return who stands on the square aimed at, where the players say."""
    return None if action.target in {None, catapults.NOBODY} else state.unit(action.target or "", "target")


def around(state: State, action: Bombard) -> Around:
    """Return what the players say of the square aimed at, and of those beside it."""
    target = _named(state, action)
    return Around(None if target is None else speech.name(state, target), action.enemies, action.own)
