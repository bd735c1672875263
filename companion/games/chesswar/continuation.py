"""The continuation move of a unit that destroyed its opponent (CW-97 to CW-106)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import charge as charging
from companion.games.chesswar import rosters, speech, traits
from companion.games.chesswar.movement import enter, trample
from companion.games.chesswar.sides import grid
from companion.kit.asking import Option
from companion.kit.ruling import Reason
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.destruction import Toll
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask

STAY = "stay"
MOVE_IN = "move_in"


def barred(state: State, unit: Unit | None) -> Reason | None:
    """Say why a unit makes no continuation move; None when it may (CW-98, CW-176)."""
    if unit is None or not unit.stands:
        return Reason(say("It was destroyed."), "CW-98")
    if unit.engaged:
        return Reason(say("It is still in melee."), "CW-98")
    if traits.leaderless(state, unit.side):
        return Reason(say("An army without its general makes no continuation moves."), "CW-176")
    if state.winner:
        return Reason(say("The game is over."), "CW-164")
    return None


def move_in_barred(state: State, unit: Unit, square: str | None) -> Reason | None:
    """Say why a unit can not move into its enemy's square; None when it can (CW-99, CW-100, CW-102)."""
    if unit.kind.move == 0:
        return Reason(say("A unit that can not move may only charge."), "CW-102")
    if unit.raised:
        return Reason(say("A unit just raised moves in the next turn."), "CW-135")
    if unit.square is None or square is None:
        return None
    if state.at(square) is not None:
        return Reason(say("{square} is occupied.", square=square), "CW-100")
    beside = charging.common_sides(state, unit.square, square)
    clause = "CW-100"
    if state.options.continuation_strict:
        beside, clause = grid(state.options).beside(square), "CW-Q16"
    for side in beside:
        holder = state.at(side)
        if holder is not None and state.enemies(unit, holder):
            return Reason(say("Beside that square: {enemy}.", enemy=speech.name(state, holder)), clause)
    return None


def charges(state: State, unit: Unit) -> tuple[Unit, ...]:
    """List the enemies that a unit may charge as a continuation (CW-101)."""
    return tuple(target for target, why in charging.targets(state, unit, "continuation") if why is None)


def go_on(state: State, name: str, victim: Unit, toll: Toll, ask: Ask) -> State:
    """Offer the continuation move after all else is settled (CW-103): move in, charge, or stay."""
    unit = state.find(name)
    why = barred(state, unit)
    if why is not None or unit is None:
        return state
    closed = move_in_barred(state, unit, victim.square)
    if not state.mirrored and victim.id in toll.raised:
        closed = Reason(say("A unit was raised there."), "CW-100")
    who = speech.name(state, unit)
    enemies = charges(state, unit)
    if closed is not None and not enemies:
        return state
    square = victim.square or ""
    into = say("Move to {square}", square=square) if square else say("Move into the square of the enemy")
    options = (
        Option(STAY, say("Stay")),
        Option(MOVE_IN, into, closed, victim.square),
        *(
            Option(line.unit.id, say("Charge {enemy}", enemy=speech.foe(state, line.unit)), place=line.unit.square)
            for line in rosters.lines(state, enemies)
        ),
    )
    ask.progress(state)
    chosen = ask.choose(unit.side, options, "continuation", say("{unit}: continuation move?", unit=who), clause="CW-97")
    if chosen == STAY:
        ask.tell(say("{unit} stayed", unit=who), "CW-97")
        return state
    if chosen != MOVE_IN:
        return charging.charge(state, name, chosen, ask, "continuation")
    if not square:
        ask.tell(say("{unit} moved into the square of the enemy", unit=who), "CW-99")
        state = state.with_unit(name, moved=True)
        return trample(state, victim, ask, unit) if victim.id in toll.knocked_down else state
    ask.tell(say("{unit} moved to {square}", unit=who, square=square), "CW-99", marks=((name, "acting"),))
    return enter(state, unit, (square,), ask)
