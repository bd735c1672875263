"""Where units can go: steps, friends, enemies, terrain, and several moves at once (G2-58, G2-82 to G2-86, G2-A23)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.games.tactics_2gm import speech, tokens
from companion.games.tactics_2gm.cards import Class
from companion.games.tactics_2gm.options import grid, other
from companion.games.tactics_2gm.state import State, Unit
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say


class Order(NamedTuple):
    """Hold the wish to move a unit: the squares that it enters, none where it stays."""

    unit: str
    path: tuple[str, ...]


def class_at(state: State, square: str) -> Class:
    """Return what a square is like to enter: its terrain card and its natural feature, the worse of both (G2-127)."""
    kinds = set(_classes(state, square))
    return "impassable" if "impassable" in kinds else "difficult" if "difficult" in kinds else "normal"


def _classes(state: State, square: str) -> Iterator[Class]:
    """List the classes of what lies on a square; a ruin is difficult (G2-137)."""
    ground = state.ground_at(square)
    if ground is not None:
        yield "difficult" if ground.ruin else state.terrain(ground).class_
    if square in state.natural:
        yield state.natural[square].class_


def barred(state: State, unit: Unit) -> Reason | None:
    """Say why a unit can not move in this turn any more; None when it can."""
    if state.flies(unit):
        return Reason(say("An aircraft stays beside its headquarters."), "G2-139")
    if unit.deployed == state.turn and not state.card(unit).moves_at_once:
        return Reason(say("It was deployed in this turn: it can not move yet."), "G2-95")
    if tokens.pinned(state, unit):
        return Reason(say("Its heavy weapon is set up: it can not move."), "G2-121")
    if unit.moved:
        return Reason(say("Each unit moves once a turn."), "G2-82")
    return None


def ways(state: State, unit: Unit) -> Mapping[str, tuple[str, ...]]:
    """Find every square that a unit can enter, friends' squares too, with the squares of a cheapest way to it."""
    if unit.square is None:
        return {}
    board, reach = grid(state.options), tokens.movement(state, unit)
    enemies = {foe.square for foe in state.on_ground(other(unit.side))}
    found: dict[str, tuple[int, tuple[str, ...]]] = {unit.square: (0, ())}
    edge = [unit.square]
    while edge:
        ahead = []
        for here in edge:
            spent, path = found[here]
            for there in board.beside(here):
                cost = spent + _cost(state, there)
                if cost > reach or there in enemies or class_at(state, there) == "impassable":
                    continue
                if there not in found or cost < found[there][0]:
                    found[there] = (cost, (*path, there))
                    ahead.append(there)
        edge = ahead
    return {square: path for square, (_, path) in found.items() if path}


def _cost(state: State, square: str) -> int:
    """Return the movement that it takes to enter a square (G2-A25)."""
    extra = state.options.difficult_extra_cost
    return 1 + extra if extra and class_at(state, square) == "difficult" else 1


def destinations(state: State, unit: Unit) -> Mapping[str, tuple[str, ...]]:
    """Find every free square that a unit can end on, with the squares that it enters (G2-82 to G2-86)."""
    if barred(state, unit) is not None:
        return {}
    return {square: path for square, path in ways(state, unit).items() if state.at(square) is None}


def swaps(state: State, unit: Unit) -> tuple[Unit, ...]:
    """List the units of the same player that a unit can change places with (G2-A23)."""
    if not state.options.swap_allowed or barred(state, unit) is not None:
        return ()
    reached = ways(state, unit)
    return tuple(
        one
        for one in state.units
        if one.seat == unit.seat
        and one.square in reached
        and barred(state, one) is None
        and unit.square in ways(state, one)
    )


def move_together(state: State, orders: Sequence[Order]) -> dict[str, str | None]:
    """Check moves that happen at the same moment, and return where each unit ends.

    Every path is walked past friends; only the squares where they end must differ (G2-85, G2-A23). Raises Refusal.
    """
    ends: dict[str, str | None] = {}
    for order in orders:
        unit = state.unit(order.unit)
        if unit.id in ends:
            raise Refusal(say("Each unit moves once a turn."), "G2-82", "unit")
        check_path(state, unit, order.path)
        ends[unit.id] = order.path[-1] if order.path else unit.square
    held = [end for end in ends.values() if end is not None]
    held += [one.square for one in state.units if one.square is not None and one.id not in ends]
    for end in ends.values():
        if held.count(end or "") > 1:
            raise Refusal(say("Two units can not end on {square}.", square=end or ""), "G2-85", "to")
    if not state.options.swap_allowed:
        _check_in_turn(state, ends)
    return ends


def check_path(state: State, unit: Unit, path: tuple[str, ...]) -> None:
    """Refuse a path that the unit can not walk (G2-58, G2-84, G2-86, G2-95, G2-121, G2-127)."""
    why = barred(state, unit) if path else None
    if why is not None:
        raise Refusal(why.text, why.clause, "unit")
    here, spent, reach = unit.square, 0, tokens.movement(state, unit)
    for there in path:
        if here is None or there not in grid(state.options) or there not in grid(state.options).beside(here):
            raise Refusal(say("A step goes forward, back or sideways to the next square."), "G2-84", "path")
        why = _step_barred(state, unit, there)
        if why is not None:
            raise Refusal(why.text, why.clause, "path")
        here, spent = there, spent + _cost(state, there)
    if spent > reach:
        raise Refusal(
            say("That way takes {cost} of movement; this unit has {reach}.", cost=spent, reach=reach), "G2-58", "path"
        )


def _step_barred(state: State, unit: Unit, there: str) -> Reason | None:
    holder = state.at(there)
    if holder is not None and holder.side != unit.side:
        said = say("{enemy} is in the way: no unit passes through an enemy.", enemy=speech.unit(state, holder))
        return Reason(said, "G2-86")
    if class_at(state, there) == "impassable":
        return Reason(say("{square} is impassable.", square=there), "G2-127")
    return None


def _check_in_turn(state: State, ends: Mapping[str, str | None]) -> None:
    """Refuse moves that could not be made one after the other, where units may not change places (G2-A23)."""
    waiting = dict(ends)
    while waiting:
        taken = {state.unit(name).square for name in waiting}
        free = [name for name, end in waiting.items() if end not in taken - {state.unit(name).square}]
        if not free:
            raise Refusal(say("At this table units do not change places."), "G2-85", "swap")
        for name in free:
            del waiting[name]
