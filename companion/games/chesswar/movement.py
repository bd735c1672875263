"""The movement phase: steps, and units that teleport (CW-28 to CW-35, CW-115, CW-119, CW-120)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta

from companion.games.chesswar import speech, victory
from companion.games.chesswar.options import Side, grid
from companion.games.chesswar.speech import Line
from companion.games.chesswar.state import Last, Square, State, Unit, UnitAction
from companion.kit import counts
from companion.kit.action import Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.once import once
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

movement = Chapter[State, Side]()

NOBODY = frozenset[str]()


class Move(UnitAction, frozen=True, tag="move"):
    """Move a unit; ``path`` lists the squares it enters, where the way matters (CW-28 to CW-35).

    On a table whose board is not mirrored there is no square to name.
    """

    to: Square | None = None
    path: Annotated[tuple[Square, ...], Meta(min_length=1, max_length=32)] | None = None


class TakeBack(UnitAction, frozen=True, tag="take_back"):
    """Put a unit back where it began its move in this phase, as long as nothing came of it."""


def steps(state: State, line: Line) -> Iterator[Offer]:
    """Offer the squares that a unit can move to on a mirrored board (CW-28)."""
    unit = line.unit
    if where := destinations(state, unit):
        label = say("Move: {unit}", unit=speech.called(state, line))
        yield Move.offer(label, speech.to_square(where), unit=unit.id, on=unit.id, clause="CW-28")


def after_moving(state: State, line: Line) -> Iterator[Offer]:
    """Offer to take a move back and, on the real board, to leave a melee (CW-35, CW-119)."""
    unit = line.unit
    if can_take_back(state, unit):
        label = say("Back to {square}", square=unit.came_from or "")
        yield TakeBack.offer(label, unit=unit.id, on=unit.id, clause="CW-35")
    if not state.mirrored and teleports(unit) and unit.engaged and not unit.settled:
        label = say("Leave the melee: {unit}", unit=speech.called(state, line))
        yield Move.offer(label, unit=unit.id, on=unit.id, clause="CW-119")


def teleports(unit: Unit) -> bool:
    """Tell whether a unit is placed instead of stepping (CW-119)."""
    return "teleport" in unit.kind.traits


def barred(unit: Unit) -> Reason | None:
    """Say why a unit can not move now; None when it can."""
    if unit.raised:
        return Reason(say("A unit just raised moves in the next turn."), "CW-135")
    if unit.charge_failed:
        return Reason(say("Dread holds it where it is."), "CW-41")
    if unit.engaged and not teleports(unit):
        return Reason(say("A unit in melee cannot move."), "CW-43")
    if unit.settled:
        return Reason(say("Each unit moves once in a movement phase."), "CW-35")
    if unit.kind.move == 0:
        return Reason(say("This unit cannot move."), "CW-30")
    return None


def _steps(state: State, unit: Unit) -> Mapping[str, tuple[str, ...]]:
    """Find every square that a unit can walk to, with the squares entered on a shortest way (CW-29 to CW-33).

    Of ways as short, one over as few of those who lie knocked over as can be: whom it enters on it removes (CW-115).
    """
    assert unit.square is not None
    friends = {friend.square for friend in state.standing(*state.team(unit.side))}
    lying = {fallen.square for fallen in state.units if fallen.on_board and fallen.down}
    ways: dict[str, tuple[str, ...]] = {unit.square: ()}
    edge = [unit.square]
    for _ in range(unit.kind.move):
        ahead: dict[str, tuple[str, ...]] = {}
        for here in sorted(edge, key=lambda square: len(lying.intersection(ways[square]))) if lying else edge:
            for there in grid(state.options).around(here):
                if there not in ways and there not in ahead and step_barred(state, unit, here, there) is None:
                    ahead[there] = (*ways[here], there)
        ways |= ahead
        edge = list(ahead)
    return {square: path for square, path in ways.items() if square != unit.square and square not in friends}


def step_barred(state: State, unit: Unit, here: str, there: str) -> Reason | None:
    """Say why a unit can not step from a square to a neighbour; None when it can (CW-29, CW-31, CW-33)."""
    board = grid(state.options)
    if there not in board or board.moves_apart(here, there) != 1:
        return Reason(say("A step goes to one of the 8 squares around."), "CW-29")
    holder = state.at(there)
    if holder is not None and holder.id != unit.id and (state.enemies(unit, holder) or not state.options.pass_friends):
        return Reason(say("{square} is occupied.", square=there), "CW-31")
    beside = _beside_enemies(state, unit.side)
    both = beside.get(here, NOBODY) & beside.get(there, NOBODY)
    foe = next((foe for foe in state.standing() if foe.id in both), None) if both else None
    if foe is None:
        return None
    who = speech.name(state, foe)
    return Reason(say("{square} is beside {enemy}, as the square before is.", square=there, enemy=who), "CW-33")


@once
def _beside_enemies(state: State, side: Side) -> Mapping[str, frozenset[str]]:
    """Name the enemies of a side that stand beside each square."""
    board, team, beside = grid(state.options), state.team(side), defaultdict[str, set[str]](set)
    for foe in state.standing():
        if foe.square and foe.side not in team:
            for square in board.around(foe.square):
                beside[square].add(foe.id)
    return {square: frozenset(foes) for square, foes in beside.items()}


def _landings(state: State, unit: Unit) -> Mapping[str, tuple[str, ...]]:
    """Find every square that a unit can be placed on: empty, within its movement (CW-119)."""
    assert unit.square is not None
    board, taken = grid(state.options), state.occupied()
    return {
        square: (square,)
        for square in board.squares()
        if square not in taken and board.moves_apart(unit.square, square) <= unit.kind.move
    }


@once
def destinations(state: State, unit: Unit) -> Mapping[str, tuple[str, ...]]:
    """Find every square that a unit can move to, with the squares that it enters on the way."""
    if unit.square is None or barred(unit) is not None:
        return {}
    return _landings(state, unit) if teleports(unit) else _steps(state, unit)


def moved(before: State, after: State, _side: Side, action: UnitAction) -> Text:
    """Say where a unit went."""
    unit, now = before.unit(action.unit), after.find(action.unit)
    if now is None or now.square is None:
        return say("{unit} moved", unit=speech.name(before, unit))
    return say("{unit} moved to {square}", unit=speech.name(before, unit), square=now.square)


@movement.rule(Move, headline=moved)
def move(state: State, side: Side, action: Move, ask: Ask) -> State:
    """Move a unit along a path, or to a square by a shortest way (CW-28 to CW-35)."""
    unit = state.actor(side, "movement", action.unit)
    refuse(barred(unit), "unit")
    if not state.mirrored:
        if action.to is not None or action.path is not None:
            where = "to" if action.path is None else "path"
            raise Refusal(say("At this table only the real board knows where units stand."), "CW-28", where)
        said = say("{unit} left the melee" if unit.engaged else "{unit} moved", unit=speech.name(state, unit))
        ask.tell(said, "CW-119" if unit.engaged else "CW-28", marks=((unit.id, "acting"),))
        return state.disengage(unit.id).with_unit(unit.id, moved=True, settled=True).after_deed(unit)
    if action.path and action.to not in {None, action.path[-1]}:
        raise Refusal(say("The way leads to {square}.", square=action.path[-1]), "CW-29", "path")
    path = action.path or (teleports(unit) and action.to and (action.to,)) or _way(state, unit, action.to)
    path = _landing(state, unit, path) if teleports(unit) else _walk(state, unit, path)
    said = say("{unit} moved to {square}", unit=speech.name(state, unit), square=path[-1])
    ask.tell(said, "CW-119" if teleports(unit) else "CW-29", marks=((unit.id, "acting"),))
    return enter(state, unit, path, ask)


def _way(state: State, unit: Unit, to: str | None) -> tuple[str, ...]:
    if to is None or to not in grid(state.options):
        raise Refusal(say("There is no square {square} on the board.", square=to or "–"), "CW-01", "to")
    if to == unit.square:
        raise Refusal(say("It stands there already."), "CW-29", "to")
    ways = _steps(state, unit)
    if to in ways:
        return ways[to]
    if to in state.occupied():
        raise Refusal(say("{square} is occupied.", square=to), "CW-31", "to")
    away, move = grid(state.options).moves_apart(unit.square or to, to), unit.kind.move
    if away > move:
        said = say("{square} is {distance} squares away; this unit moves {move}.", square=to, distance=away, move=move)
        raise Refusal(said, "CW-29", "to")
    said = say("No way of {move} steps leads to {square} past units, and enemies beside the way.", square=to, move=move)
    raise Refusal(said, "CW-33", "to")


def _walk(state: State, unit: Unit, path: tuple[str, ...]) -> tuple[str, ...]:
    if len(path) > unit.kind.move:
        said = say("This unit makes {count} step at most.|This unit makes {count} steps at most.", count=unit.kind.move)
        raise Refusal(said, "CW-29", "path")
    here = unit.square or ""
    for there in path:
        refuse(step_barred(state, unit, here, there), "path")
        here = there
    if (holder := state.at(here)) is not None and holder.id != unit.id:
        raise Refusal(say("{square} is occupied.", square=here), "CW-31", "path")
    return path


def _landing(state: State, unit: Unit, path: tuple[str, ...]) -> tuple[str, ...]:
    to, board = path[-1], grid(state.options)
    if to not in board:
        raise Refusal(say("There is no square {square} on the board.", square=to), "CW-01", "to")
    if to in state.occupied():
        raise Refusal(say("{square} is occupied.", square=to), "CW-119", "to")
    if board.moves_apart(unit.square or to, to) > unit.kind.move:
        raise Refusal(say("It can be placed within {squares}.", squares=counts.squares(unit.kind.move)), "CW-119", "to")
    return path[-1:]


def enter(state: State, unit: Unit, path: tuple[str, ...], ask: Ask) -> State:
    """Put a unit on the last square of its path; whoever lies knocked over on the way is removed (CW-115)."""
    to = path[-1]
    lying = [fallen for fallen in state.units if fallen.on_board and fallen.down and fallen.square in path]
    for fallen in lying:
        state = trample(state, fallen, ask, unit)
    if unit.engaged:
        ask.tell(say("{unit} left the melee", unit=speech.name(state, unit)), "CW-120")
        state = state.disengage(unit.id)
    changes = {"moved": True, "settled": True, "trampled": bool(lying) or unit.engaged}
    state = state.with_unit(unit.id, square=to, came_from=unit.square, **changes)
    return state.after_deed(unit).but(last=Last(unit.square, to))


def trample(state: State, lying: Unit, ask: Ask, by: Unit) -> State:
    """Remove a unit that lies knocked over, because another one enters its square (CW-115)."""
    said = say("{unit}: another unit entered the square; out of the game", unit=speech.name(state, lying))
    ask.tell(said, "CW-115", marks=((lying.id, "target"),), harm=speech.gone(state, lying, by))
    return victory.out(state, lying, ask)


@movement.rule(TakeBack, headline=moved)
def take_back(state: State, side: Side, action: TakeBack, ask: Ask) -> State:
    """Put a unit back where it began its move, as long as nothing came of it."""
    unit = state.actor(side, "movement", action.unit)
    if not can_take_back(state, unit):
        raise Refusal(say("That move cannot be undone by itself any more."), "CW-35", "unit")
    said = say("{unit} went back to {square}", unit=speech.name(state, unit), square=unit.came_from or "")
    ask.tell(said, "CW-35", marks=((unit.id, "acting"),))
    back = state.with_unit(unit.id, square=unit.came_from, came_from=None, moved=False, settled=False)
    return back.but(acted=state.order_without(unit))


def can_take_back(state: State, unit: Unit) -> bool:
    """Tell whether a unit's own move of this phase can be undone without touching anything else."""
    if not state.mirrored or state.phase != "movement" or not unit.moved or unit.came_from is None:
        return False
    if unit.engaged or unit.charge_failed or unit.flying or unit.cast or unit.trampled:
        return False
    return state.at(unit.came_from) is None and all(effect.caster != unit.id for effect in state.effects)
