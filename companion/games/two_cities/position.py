"""What follows from where the units stand: contact, neighbours, free squares behind, the facts of an attack."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from companion.games.two_cities.facts import Facts
from companion.games.two_cities.retreat import way_back
from companion.games.two_cities.shooting import range_of
from companion.kit.ruling import Refusal
from companion.kit.squares import CHESSBOARD
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.two_cities.state import Mode, State, Unit
    from companion.games.two_cities.units import Ground


def touching(state: State, unit: Unit) -> tuple[Unit, ...]:
    """List the enemies in melee contact with a unit: their squares share a side (TTC-76)."""
    if unit.square is None:
        return ()
    found = (state.at(square) for square in CHESSBOARD.beside(unit.square))
    return tuple(enemy for enemy in found if enemy is not None and enemy.side != unit.side)


def in_formation(state: State, unit: Unit) -> bool:
    """Tell whether a friend stands directly to the left or right; a city counts where the table says so (TTC-105)."""
    if unit.square is None:
        return False
    sides = (CHESSBOARD.step(unit.square, across, 0) for across in (-1, 1))
    friends = (state.at(square) for square in sides)
    return any(
        friend is not None and friend.side == unit.side and (friend.mobile or state.options.city_formation)
        for friend in friends
    )


def squares_behind(state: State, attacker: Unit, target: Unit) -> tuple[str, ...]:
    """List the free squares straight behind the target, nearest first, up to a unit or the edge (TTC-112, TTC-113)."""
    if attacker.square is None or target.square is None:
        return ()
    free: list[str] = []
    occupied = state.occupied()
    for square in CHESSBOARD.ray(target.square, *way_back(target.side, attacker.square, target.square, state.options)):
        if square in occupied:
            break
        free.append(square)
    return tuple(free)


def facts_of(state: State, attacker: Unit, target: Unit, mode: Mode) -> Facts:
    """Derive the facts of an attack from a mirrored board."""
    if attacker.square is None or target.square is None:
        raise Refusal(say("A unit off the board takes no part."), field="unit")
    plain = Facts(
        mode=mode,
        attacker=attacker.kind,
        target=target.kind,
        attacking=attacker.side,
        defending=target.side,
        card=state.card,
        moved=attacker.moved,
        attacker_terrain=cast("Ground", state.ground(attacker.square)),
        target_terrain=cast("Ground", state.ground(target.square)),
        distance=CHESSBOARD.apart(attacker.square, target.square),
        contact=bool(touching(state, attacker)),
        neighbour=in_formation(state, target),
        behind=len(squares_behind(state, attacker, target)),
        hits=target.hits,
        used=target.used if state.options.protection_per_turn else (),
    )
    return with_path(state, plain, attacker.square, target.square) if mode == "ranged" else plain


def with_path(state: State, facts: Facts, start: str, goal: str) -> Facts:
    """Add the shortest shooting path that nothing closes (TTC-94); from a hill nothing ever does (TTC-95)."""
    if facts.attacker_terrain == "hill":
        return facts
    length = CHESSBOARD.shortest(start, goal, state.occupied() | state.terrain.keys())
    if length is None or length > max(range_of(facts), facts.distance):
        return replace(facts, path=False)
    return replace(facts, distance=length)


def check_contact(attacker: Unit, target: Unit) -> None:
    """Refuse a melee without contact (TTC-76), and across a corner (TTC-79)."""
    if attacker.square is None or target.square is None or CHESSBOARD.apart(attacker.square, target.square) == 1:
        return
    if CHESSBOARD.share_a_corner(attacker.square, target.square):
        raise Refusal(say("There is no melee across a corner."), "TTC-79", "target")
    raise Refusal(say("Units fight hand to hand only when their squares share a side."), "TTC-76", "target")
