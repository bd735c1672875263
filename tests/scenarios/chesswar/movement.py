"""Scenarios of the movement phase: moves and charges."""

from __future__ import annotations

from typing import Any

from companion.games.chesswar import charge, movement, shooting
from companion.games.chesswar.charge import Charge
from companion.games.chesswar.game import GAME
from companion.games.chesswar.movement import Move
from companion.games.chesswar.options import grid
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.chesswar.answers import Script
from tests.scenarios.chesswar.fields import sequence, state_of
from tests.scenarios.runner import Given, InAnyOrder, OneOf, Unfit


def move(given: Given, ask: Script) -> dict[str, Any]:
    name = str(given["unit"])
    state = state_of(given, "movement", name)
    path = None if given.get("path") is None else tuple(str(square) for square in sequence("path", given["path"]))
    to = given.get("teleport_to") or given.get("to")
    if path is None and to is None:
        raise Unfit("missing field 'path' or 'teleport_to'")
    unit = state.unit(name)
    if given.get("teleport_to") and not movement.teleports(unit):
        why = movement.barred(unit)
        raise Refusal(say("It does not teleport."), why.clause if why else "CW-119", "teleport_to")
    if path == ():
        return {"square": unit.square, "steps": 0, "moved": unit.moved, "engaged_with": list(unit.engaged_with)}
    action = Move(name, None if to is None else str(to), path)
    after = GAME.rule(state, unit.side, action, ask).outcome
    there = after.unit(name)
    apart = grid(state.options).moves_apart(unit.square or there.square, there.square)
    return {
        "square": there.square,
        "steps": apart if path is None else len(path),
        "moved": there.moved,
        "freed": InAnyOrder([foe.id for foe in state.opponents(unit) if not after.unit(foe.id).engaged]),
        "engaged_with": list(there.engaged_with),
    }


def charging(given: Given, ask: Script) -> dict[str, Any]:
    name, victim = str(given["charger"]), str(given["target"])
    state = state_of(given, "movement", name)
    after = GAME.rule(state, state.acting[0], Charge(name, victim), ask).outcome
    unit = after.unit(name)
    shoots = shooting.barred(unit) is None
    # Of a unit without a weapon it may be said that nothing keeps it from shooting.
    says_both = unit.weapon is None and not unit.engaged
    return {
        "save_needed": charge.dread_save(state, state.unit(name), state.unit(victim)),
        "engaged": victim in unit.engaged_with,
        "may_move": movement.barred(unit) is None,
        "may_shoot": OneOf(shoots, not shoots) if says_both else shoots,
    }
