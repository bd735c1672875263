"""Corrections of units: where they are, and what their kickers are after all changes (ledger 5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from companion.games.pocket_tactics import describing, setting_out, speech
from companion.games.pocket_tactics.asked import terrains
from companion.games.pocket_tactics.pieces import Last, Shift
from companion.games.pocket_tactics.sides import SEATS
from companion.kit.asking import Option
from companion.kit.corrected import choice
from companion.kit.correction import Tracked
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.pocket_tactics.doing import Pool, Slot
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.state import State

ON = "on."
"""Before a terrain, where the map lies on the table."""
POOLS: tuple[Pool, ...] = ("offence", "defence")
MOST = 6


def tracked(state: State) -> tuple[Tracked, ...]:
    """List what can be corrected about every unit, once units can stand on the map."""
    if state.phase not in ("setting_out", "play"):
        return ()
    free = _free(state)
    return tuple(
        Tracked(f"unit.{unit.id}:{name}", speech.unit(state, unit), field, part=say("Units of {seat}", seat=Text(seat)))
        for seat in SEATS
        for unit in state.units
        if unit.seat == seat
        for name, field in _fields(state, unit, free)
    )


def _fields(state: State, unit: Unit, free: tuple[Option, ...]) -> Iterator[tuple[str, Field]]:
    away = ("reserve",) if state.phase == "setting_out" else ("reserve", "captured")
    options = (*_here(state, unit, free), *free, *(Option(where, Text(where)) for where in away))
    yield "place", choice(say("Place"), options, _place(state, unit))
    if state.phase == "setting_out" or unit.where == "captured":
        return
    card = state.card(unit)
    for slot in describing.SLOTS:
        for pool in POOLS:
            kicker = state.value(unit, slot, pool).kicker
            if kicker or not card.value(slot, pool).none:
                label = say("Kicker: {one}, {two}", one=describing.skill_name(card, slot), two=Text(pool))
                yield f"{slot}.{pool}", Field("value", label, "number", value=kicker, high=MOST)


def _free(state: State) -> tuple[Option, ...]:
    """List where a unit may be put: the tiles on which nobody stands, or what a tile on the table may be."""
    if state.mirrored:
        return tuple(_tile(state, tile.at) for tile in state.tiles if state.on(tile.at) is None)
    return tuple(Option(f"{ON}{name}", speech.terrain(name)) for name in terrains(state))


def _here(state: State, unit: Unit, free: tuple[Option, ...]) -> tuple[Option, ...]:
    """Return the place of a unit that is not among the free ones."""
    place = _place(state, unit)
    if unit.where != "tile" or any(option.value == place for option in free):
        return ()
    return (_tile(state, unit.at) if unit.at else Option(place, speech.terrain(state.terrain(unit))),)


def _tile(state: State, at: str) -> Option:
    return Option(at, speech.place(state, at), place=at)


def _place(state: State, unit: Unit) -> str:
    if unit.where != "tile":
        return unit.where
    return unit.at or f"{ON}{state.terrain(unit)}"


def correct(state: State, unit: Unit, part: str, value: str) -> State:
    """Set a value of a unit; raise Refusal when it can not be that."""
    if part == "place":
        return _put(state, unit, value).but(last=Last())
    slot, pool = (cast("Slot", part.partition(".")[0]), cast("Pool", part.partition(".")[2]))
    by = int(value) - state.card(unit).value(slot, pool).kicker
    kept = tuple(one for one in unit.shifts if (one.slot, one.pool) != (slot, pool))
    new = (Shift(slot, pool, by),) if by else ()
    return state.with_unit(unit.id, shifts=(*kept, *new))


def _put(state: State, unit: Unit, value: str) -> State:
    """Put a unit somewhere else; three begin on the map, and a game goes on while both have somebody left."""
    match value:
        case "reserve":
            return state.gone(unit.id, "reserve")
        case "captured":
            after = state.gone(unit.id, "captured")
            if not after.alive(unit.seat):
                side = Text(unit.seat)
                raise Refusal(
                    say("Then {side} would have nobody left: correct the winner instead.", side=side), "PT-64", "value"
                )
            return after
    if state.phase == "setting_out" and unit.where != "tile" and not setting_out.left(state, unit.seat):
        raise Refusal(say("The starting units of {side} stand already.", side=Text(unit.seat)), "PT-21", "value")
    return state.standing(unit.id, value.removeprefix(ON))
