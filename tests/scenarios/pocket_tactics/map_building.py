"""Scenarios of the map: where a tile may be placed, where the second base, and the first units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.pocket_tactics import geometry, initial_deployment, map_building
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.state import Tile
from companion.kit.hexes import Hex
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import count, number, sequence
from tests.scenarios.fields import mapping as mapped
from tests.scenarios.pocket_tactics.cards import no_dice
from tests.scenarios.pocket_tactics.fields import options_of, terrain, way
from tests.scenarios.runner import Given, OneOf, Unfit, refused

TILE = ("at", "position", "terrain", "grooves", "hazard")
PLACE = {"in_play", "at", "first_base", "grooves", "terrain"}
BASE = {"in_play", "first_base", "at"}
DEPLOYED = {"free_tiles", "chosen", "army_size"}


def place_tile(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Place a drawn tile; a tunnel tile has grooves."""
    no_dice(dice)
    options_of(given)
    try:
        _check(_in_play(given), _hex("at", given["at"]), _grooves(given.get("grooves")))
    except Refusal as no:
        return {**refused(no, GAME), "legal": False}
    return {"legal": True}


def _check(grid: dict[Hex, Tile], at: Hex, open_to: tuple[int, ...] | None) -> None:
    map_building.check_place(grid.keys(), at)
    if not geometry.fits(grid, at, open_to):
        raise Refusal(say("Grooves must meet grooves, and walls must meet walls."), "PT-82", "at")


def second_base(given: Given, dice: list[Any]) -> dict[str, Any]:
    """List where the second base may go, or place it somewhere."""
    no_dice(dice)
    options_of(given)
    grid, first = _in_play(given), _hex("first_base", given["first_base"])
    positions = geometry.furthest(first, geometry.front_places(grid.keys()))
    found: dict[str, Any] = {"positions": [list(place) for place in positions]}
    if given.get("at") is None:
        return found
    try:
        map_building.check_base(first, grid.keys(), _hex("at", given["at"]))
    except Refusal as no:
        return {**found, **refused(no, GAME), "legal": False}
    return {**found, "legal": True}


def _in_play(given: Given) -> dict[Hex, Tile]:
    """The tiles in play by where they lie, and the first base among them as one without grooves."""
    grid: dict[Hex, Tile] = {}
    for one in sequence("in_play", given["in_play"]):
        said = mapped("in_play", {"at": one} if isinstance(one, list) else one, *TILE)
        place = _hex("in_play", said.get("position") or said["at"])
        if place in grid:
            raise Unfit("in_play: two tiles in one place")
        grid[place] = Tile("m1", terrain("terrain", said.get("terrain")), _grooves(said.get("grooves")))
    if given.get("first_base") is not None:
        grid.setdefault(_hex("first_base", given["first_base"]), Tile("m1", "base"))
    return grid


def _grooves(value: Any) -> tuple[int, ...] | None:
    return None if value is None else tuple(way(one) for one in sequence("grooves", value))


def _hex(field: str, value: Any) -> Hex:
    """A place by its axial coordinates."""
    listed = sequence(field, value)
    if len(listed) != 2:
        raise Unfit(f"{field}: two numbers are needed, not {value!r}")
    return Hex(*(number(field, one) for one in listed))


def initial_deploy(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Set out the starting units of one player."""
    no_dice(dice)
    options_of(given)
    told = mapped("free_tiles", given["free_tiles"])
    free = {name: count("free_tiles", steps, "PT-22") for name, steps in told.items()}
    chosen = sequence("chosen", given["chosen"])
    if any(not isinstance(one, str) for one in chosen):
        raise Unfit("chosen: names of tiles are needed")
    on_board, reserve = started(free, chosen, count("army_size", given["army_size"], "PT-21"))
    return {"on_board": OneOf(on_board, chosen), "reserve": reserve}


def started(free: Mapping[str, int], chosen: Sequence[str], army: int) -> tuple[int, int]:
    """Set out a player's starting units one by one; how many stand then, and how many are in reserve."""
    wanted = min(initial_deployment.STARTING, army, len(free))
    if len(chosen) != wanted:
        raise Refusal(say("So many units must be set out."), "PT-21", "chosen")
    for at, tile in enumerate(chosen):
        initial_deployment.check(free, chosen[:at], wanted, tile)
    return wanted, army - wanted
