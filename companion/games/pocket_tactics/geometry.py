"""What the mirrored map tells: neighbours, open edges, sight, distances, and where tiles and the second base may go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics.state import grooves
from companion.kit.hexes import FILES, Hex, named, opposite
from companion.kit.hexsight import clear

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from companion.games.pocket_tactics.pieces import Tile
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State

FRONT = (6, 1, 2)
"""Sides towards the second player: NW, N and NE (PT-17, PT-A38)."""
NEVER = 99
"""Steps to what can not be walked to: it comes last (PT-A40)."""


def land(state: State) -> dict[Hex, str]:
    """Return the names of the tiles and bases in play by where they lie."""
    return {named(at): at for at in (*(tile.at for tile in state.tiles), *state.bases.values())}


def around(state: State, at: str) -> tuple[str, ...]:
    """List the tiles and bases that share an edge with a place, clockwise from the north."""
    names = land(state)
    return tuple(names[beside] for beside in named(at).beside if beside in names)


def open_edge(state: State, one: Hex, other: Hex) -> bool:
    """Tell whether every tunnel tile on an edge has a groove there (PT-81, PT-A37); a gap beyond it is no wall."""
    return _open(state.grid, one, other)


def sight(state: State, one: str, other: str) -> bool:
    """Tell whether a straight line over tiles and bases joins two places (PT-59, PT-61, PT-89, PT-90, PT-A35)."""
    grid = state.grid
    return clear(named(one), named(other), land(state), lambda last, then: _open(grid, last, then))


def steps(state: State, seat: Seat) -> dict[str, int]:
    """Count the steps to each tile from a player's base, over tiles and open edges, whoever stands there (PT-A40)."""
    grid = state.grid
    far = {tile.at: NEVER for tile in state.tiles}
    edge, count = [named(state.bases[seat])], 0
    while edge:
        count += 1
        reached = {
            beside: grid[beside].at
            for one in edge
            for beside in one.beside
            if beside in grid and far[grid[beside].at] == NEVER and _open(grid, one, beside)
        }
        far |= dict.fromkeys(reached.values(), count)
        edge = list(reached)
    return far


def tile_places(state: State, number: int) -> dict[str, tuple[int, ...]]:
    """List where a drawn tile may go, and how often it may be turned there (PT-16, PT-17, PT-82, PT-A37, PT-A38).

    Ways of turning it that leave the same grooves are one. Places beyond the columns that can be drawn are left out.
    """
    grid = state.grid
    ways = _turned(state, number)
    fitting = {
        place.name: tuple(turned for turned, open_to in ways.items() if fits(grid, place, open_to))
        for place in _drawn(front_places(land(state)))
    }
    return {name: turns for name, turns in fitting.items() if turns}


def base_places(state: State) -> tuple[str, ...]:
    """List where the second base may go (PT-19, PT-20, PT-A39)."""
    first = named(state.bases[state.first])
    return tuple(place.name for place in furthest(first, _drawn(front_places(land(state)))))


def front_places(in_play: Collection[Hex]) -> set[Hex]:
    """Find the places that touch what is in play, and touch it along its front edges only (PT-16, PT-A38)."""
    found = {one.beyond(direction) for one in in_play for direction in FRONT}
    return {
        place
        for place in found.difference(in_play)
        if not any(place.beyond(direction) in in_play for direction in FRONT)
    }


def furthest(first: Hex, places: Collection[Hex]) -> tuple[Hex, ...]:
    """Choose the places that are as far as possible from the first base (PT-19, PT-A39)."""
    most = max((first.apart(place) for place in places), default=0)
    return tuple(sorted(place for place in places if first.apart(place) == most))


def beyond_columns(in_play: Collection[Hex]) -> bool:
    """Tell whether there are places that the rules allow, but for which the picture has no column."""
    places = front_places(in_play)
    return len(_drawn(places)) < len(places)


def _drawn(places: Collection[Hex]) -> list[Hex]:
    """Choose the places that have a column, from left to right and up each column."""
    middle = FILES.index("m")
    return sorted((place for place in places if abs(place.q) <= middle), key=lambda place: (place.q, -place.r))


def _turned(state: State, number: int) -> dict[int, tuple[int, ...] | None]:
    """List the ways to turn a tile with the directions in which it is then open; None: it is no tunnel tile."""
    ways = {turned: grooves(state.bag, number, turned) for turned in range(6)}
    seen: dict[tuple[int, ...] | None, int] = {}
    return {turned: open_to for turned, open_to in ways.items() if seen.setdefault(open_to, turned) == turned}


def fits(grid: Mapping[Hex, Tile], place: Hex, open_to: tuple[int, ...] | None) -> bool:
    """Tell whether a tile meets grooves with grooves and walls with walls of the tunnel tiles beside it (PT-A37).

    ``open_to`` are its own grooves, None where it is no tunnel tile.
    """
    if open_to is None:
        return True
    for direction in range(1, 7):
        beside = grid.get(place.beyond(direction))
        theirs = beside.grooves if beside else None
        if theirs is not None and (direction in open_to) != (opposite(direction) in theirs):
            return False
    return True


def _open(grid: Mapping[Hex, Tile], one: Hex, other: Hex) -> bool:
    direction = one.towards(other)
    sides = ((grid.get(one), direction), (grid.get(other), opposite(direction)))
    return all(tile is None or tile.grooves is None or side in tile.grooves for tile, side in sides)
