"""Charges: going into melee with a neighbour, after a move or as a continuation (CW-36 to CW-44)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.games.chesswar import speech, traits
from companion.games.chesswar.saves import needed, save
from companion.games.chesswar.sides import grid
from companion.games.chesswar.state import Last
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask

How = Literal["movement", "continuation"]


def barred(unit: Unit, how: How = "movement") -> Reason | None:
    """Say why a unit can not charge now; None when it can."""
    if unit.engaged:
        return Reason(say("It is in melee already."), "CW-43")
    if unit.charge_failed:
        return Reason(say("Dread held it back: no more melee this turn."), "CW-41")
    if unit.raised:
        return Reason(say("A unit just raised moves in the next turn."), "CW-135")
    if how == "movement" and unit.charged:
        return Reason(say("Each unit charges once in a turn."), "CW-36")
    return None


def target_barred(state: State, unit: Unit, target: Unit) -> Reason | None:
    """Say why a unit can not charge a target where it stands; None when it can (CW-36 to CW-38)."""
    if not state.enemies(unit, target):
        return Reason(say("Only an enemy is charged."), "CW-36")
    if unit.square is None or target.square is None:
        return None
    board = grid(state.options)
    if board.moves_apart(unit.square, target.square) != 1:
        return Reason(say("{unit}: not on a square beside it.", unit=speech.name(state, target)), "CW-36")
    for square in common_sides(state, unit.square, target.square):
        holder = state.at(square)
        if holder is not None and state.enemies(unit, holder):
            who = speech.name(state, holder)
            return Reason(say("With {enemy} beside both there is no charge across that corner.", enemy=who), "CW-38")
    return None


def common_sides(state: State, one: str, other: str) -> tuple[str, ...]:
    """List the squares that share a side with both squares of a diagonal pair; none for squares in a line (CW-38)."""
    board = grid(state.options)
    if not board.share_a_corner(one, other):
        return ()
    return tuple(square for square in board.beside(one) if square in board.beside(other))


def dread(state: State, unit: Unit, target: Unit) -> bool:
    """Tell whether a unit must pass a saving roll to charge a target (CW-40)."""
    return traits.dreadful(state, target, unit.side) and not traits.brave(state, unit)


def dread_save(state: State, unit: Unit, target: Unit) -> int | None:
    """Return the face that a charge needs; None when nothing is rolled (CW-40)."""
    return needed(state, unit, "dread") if dread(state, unit, target) else None


def dread_says(state: State, unit: Unit, target: Unit) -> Reason:
    """Say that a unit needs a save to charge a target (CW-40)."""
    one, other = speech.name(state, unit), speech.name(state, target)
    return Reason(say("Dread of {enemy}: {unit} must save to charge", enemy=other, unit=one), "CW-40")


def charge(state: State, name: str, victim: str, ask: Ask, how: How = "movement") -> State:
    """Charge an enemy (CW-36): past its dread (CW-40), and both are in melee (CW-42)."""
    unit, target = state.unit(name), state.unit(victim, "target")
    why = barred(unit, how)
    if why is not None:
        raise Refusal(why.text, why.clause, "unit")
    why = target_barred(state, unit, target)
    if why is not None:
        raise Refusal(why.text, why.clause, "target")
    marks = ((unit.id, "acting"), (target.id, "target"))
    one, other = speech.name(state, unit), speech.name(state, target)
    state = state.after_deed(unit).but(last=Last(unit.square, target.square))
    if dread(state, unit, target):
        held = dread_says(state, unit, target)
        ask.tell(held.text, held.clause, marks=marks)
        if not save(state, unit, "dread", ask):
            ask.tell(say("{unit} stayed put: no more moves and no melee this turn", unit=one), "CW-41")
            return state.with_unit(name, charge_failed=True, settled=True)
    ask.tell(say("{unit} charged {enemy}", unit=one, enemy=other), "CW-42", marks=marks)
    return state.with_unit(name, charged=how, settled=True).engage(name, victim)


def targets(state: State, unit: Unit, how: How = "movement") -> tuple[tuple[Unit, Reason | None], ...]:
    """List the enemies beside a unit (all of them where no board tells), each with why it can not be charged."""
    if barred(unit, how) is not None:
        return ()
    found = []
    for target in state.standing():
        if not state.enemies(unit, target):
            continue
        if unit.square and target.square and grid(state.options).moves_apart(unit.square, target.square) != 1:
            continue
        found.append((target, target_barred(state, unit, target)))
    return tuple(found)
