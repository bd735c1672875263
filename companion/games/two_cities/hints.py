"""Advice that never blocks: warnings at set-up and the rulebook's hints (TTC-10, TTC-70, TTC-133 to TTC-136)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities.attack import able
from companion.games.two_cities.hand import playable
from companion.games.two_cities.position import squares_behind, touching
from companion.games.two_cities.setup import warnings
from companion.games.two_cities.speech import name
from companion.games.two_cities.units import KINDS, SIDES, Side, other
from companion.kit.ruling import Reason
from companion.kit.squares import CHESSBOARD
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.state import State, Unit

NEAR = 3


def hints(state: State, side: Side | None) -> tuple[Reason, ...]:
    """List the hints that apply to what a seat is about to do."""
    if state.phase == "set_up":
        return warnings(state)
    if state.phase == "finished":
        return ()
    if side != state.active:
        return _without_city(state)
    if state.phase == "choose_card":
        return (*_without_city(state), *_card_hints(state, side))
    ground = (*_ground_hints(state), *_attack_hints(state)) if state.mirrored else ()
    return (*_without_city(state), *ground)


def _without_city(state: State) -> tuple[Reason, ...]:
    """Say whose city has to be put back by hand in a game that went on after its end (TTC-128)."""
    return tuple(
        Reason(say("{side} has no city and cannot lose: put it back by hand.", side=Text(side)), "TTC-128")
        for side in SIDES
        if state.city(side) is None
    )


def _card_hints(state: State, side: Side) -> tuple[Reason, ...]:
    able = playable(state, side) if state.dealt else ()
    fours = [code for code in able if code[0] == "4"]
    if fours and len(able) > len(fours):
        return (Reason(say("A four holds your better cards back for a better moment."), "TTC-70"),)
    return ()


def _ground_hints(state: State) -> tuple[Reason, ...]:
    """Point out the terrain that suits the unit that acts; with several in action it is not known which is meant."""
    units = [unit for unit in able(state) if unit.activated]
    if len(units) != 1 or units[0].moved or state.ground(units[0].square) != "open":
        return ()
    (unit,) = units
    found = []
    if KINDS[unit.kind].range and _near(state, unit, "hill"):
        found.append(Reason(say("Archers and light cavalry do well on hills."), "TTC-133"))
    if (unit.hits or not KINDS[unit.kind].range) and _near(state, unit, "forest"):
        found.append(Reason(say("Infantry and damaged units do well in forests."), "TTC-134"))
    return tuple(found)


def _near(state: State, unit: Unit, ground: str) -> bool:
    return unit.square is not None and any(
        kind == ground
        and state.at(square) is None
        and CHESSBOARD.apart(unit.square, square) <= KINDS[unit.kind].movement
        for square, kind in state.terrain.items()
    )


def _attack_hints(state: State) -> tuple[Reason, ...]:
    open_ways = {
        enemy.id: enemy
        for unit in able(state)
        for enemy in touching(state, unit)
        if enemy.mobile and squares_behind(state, unit, enemy)
    }
    found = [
        Reason(say("{unit}: cut off its retreat first, and each 6 is a hit.", unit=name(state, enemy)), "TTC-135")
        for enemy in open_ways.values()
    ]
    city = state.city(other(state.active))
    if (
        city is not None
        and city.square is not None
        and any(unit.square is not None and CHESSBOARD.apart(unit.square, city.square) <= NEAR for unit in able(state))
    ):
        found.append(Reason(say("The enemy city is near: a daring raid may win the game."), "TTC-136"))
    return tuple(found)
