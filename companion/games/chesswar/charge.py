"""Charges: going into melee with a neighbour, after a move or as a continuation (CW-36 to CW-44)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from companion.games.chesswar import clashes, odds, speech, traits
from companion.games.chesswar.options import Side, grid
from companion.games.chesswar.speech import Line
from companion.games.chesswar.state import Last, State, Unit, UnitAction, UnitId
from companion.kit.action import Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.odds import Chart
from companion.kit.questions import Option
from companion.kit.ruling import Reason, refuse
from companion.kit.text import Text, say

charge = Chapter[State, Side]()

How = Literal["movement", "continuation"]
CHARGES = say("It charges")
STAYS = say("It stays where it is")


class Charge(UnitAction, frozen=True, tag="charge"):
    """Charge an enemy beside the unit (CW-36)."""

    target: UnitId


def charges(state: State, line: Line) -> Iterator[Offer]:
    """Offer the charges of a unit, on a mirrored board with why some can not be (CW-36 to CW-41)."""
    unit, near = line.unit, targets(state, line.unit)
    if all(why for _, why in near):
        return
    if state.mirrored:
        options = []
        for target, why in near:
            note = speech.save(need) if why is None and (need := dread_save(state, unit, target)) else None
            options.append(Option(target.id, speech.name(state, target), why, target.square, note))
        field = Field("target", say("Target"), "choice", tuple(options))
    else:
        field = speech.target(state, tuple(target for target, why in near if why is None))
    label = say("Charge: {unit}", unit=speech.called(state, line))
    chancy = not state.mirrored or any(option.note for option in field.options)
    yield Charge.offer(label, field, unit=unit.id, on=unit.id, chancy=chancy, clause="CW-36")


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
    if grid(state.options).moves_apart(unit.square, target.square) != 1:
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
    return traits.save_needed(state, unit, "dread") if dread(state, unit, target) else None


def dread_says(state: State, unit: Unit, target: Unit) -> Reason:
    """Say that a unit needs a save to charge a target (CW-40)."""
    one, other = speech.name(state, unit), speech.name(state, target)
    return Reason(say("Dread of {enemy}: {unit} must save to charge", enemy=other, unit=one), "CW-40")


def go_in(state: State, name: str, victim: str, ask: Ask, how: How = "movement") -> State:
    """Charge an enemy (CW-36): past its dread (CW-40), and both are in melee (CW-42)."""
    unit, target = state.unit(name), state.unit(victim, "target")
    refuse(barred(unit, how), "unit")
    refuse(target_barred(state, unit, target), "target")
    marks = ((unit.id, "acting"), (target.id, "target"))
    one, other = speech.name(state, unit), speech.name(state, target)
    state = state.after_deed(unit).but(last=Last(unit.square, target.square))
    if dread(state, unit, target):
        held = dread_says(state, unit, target)
        ask.tell(held.text, held.clause, marks=marks)
        if not ask.unread:
            ask.clash(clashes.charge(state, unit, target))
        if not traits.save(state, unit, "dread", ask):
            ask.tell(say("{unit} stayed put: no more moves and no melee this turn", unit=one), "CW-41")
            return state.with_unit(name, charge_failed=True, settled=True)
    ask.tell(say("{unit} charged {enemy}", unit=one, enemy=other), "CW-42", marks=marks)
    return state.with_unit(name, charged=how, settled=True).engage(name, victim)


def targets(state: State, unit: Unit, how: How = "movement") -> tuple[tuple[Unit, Reason | None], ...]:
    """List the enemies beside a unit (all of them where no board tells), each with why it can not be charged."""
    if barred(unit, how) is not None:
        return ()
    foes = (foe for foe in state.standing() if state.enemies(unit, foe))
    if unit.square:
        around = grid(state.options).around(unit.square)
        foes = (foe for foe in foes if foe.square is None or foe.square in around)
    return tuple((foe, target_barred(state, unit, foe)) for foe in foes)


def charged(before: State, after: State, _side: Side, action: Charge) -> Text:
    """Say whether a unit dared to charge."""
    unit, foe = (speech.name(before, before.unit(name)) for name in (action.unit, action.target))
    dared = action.target in after.unit(action.unit).engaged_with
    return say("{unit} charged {enemy}" if dared else "{unit} did not dare to charge {enemy}", unit=unit, enemy=foe)


def charts(state: State, name: str, victim: str) -> tuple[Chart, ...]:
    """Show whether a unit dares to charge (CW-40, CW-41)."""
    chances = odds.explored(state, lambda ask: victim in go_in(state, name, victim, ask).unit(name).engaged_with)
    unit, target = state.unit(name), state.unit(victim, "target")
    held = dread(state, unit, target)
    needs = (dread_says(state, unit, target), traits.save_required(state, unit, "dread")) if held else ()
    return (Chart(say("The charge"), odds.bars_of(chances, ((True, CHARGES), (False, STAYS))), reasons=needs),)


def foresee(state: State, side: Side, action: Charge) -> tuple[Chart, ...]:
    """Show whether a unit at the table dares to charge."""
    state.actor(side, "movement", action.unit)
    return charts(odds.calm(state), action.unit, action.target)


@charge.rule(Charge, headline=charged, odds=foresee)
def rule(state: State, side: Side, action: Charge, ask: Ask) -> State:
    """Charge in the movement phase (CW-36)."""
    state.actor(side, "movement", action.unit)
    return go_in(state, action.unit, action.target, ask)
