"""What the mirrored map tells: neighbours, open edges, sight, ways, and where tiles and the second base may go."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial

from companion.games.pocket_tactics.state import Seat, State, Tile, Unit
from companion.kit.hexes import FILES, Hex, clear, named, opposite
from companion.kit.once import once

FRONT = (6, 1, 2)
"""Sides towards the second player: NW, N and NE (PT-17, PT-A38)."""
NEVER = 99
"""Steps to what can not be walked to: it comes last (PT-A40)."""


@once
def in_play(state: State) -> Mapping[Hex, str]:
    """Return the names of the tiles and bases in play by where they lie."""
    return {named(at): at for at in (*(tile.at for tile in state.tiles), *state.bases.values())}


def around(state: State, at: str) -> tuple[str, ...]:
    """List the tiles and bases that share an edge with a place, clockwise from the north."""
    names = in_play(state)
    return tuple(names[beside] for beside in named(at).beside if beside in names)


def sight(state: State, here: str, there: str) -> bool:
    """Tell whether a straight line over tiles and bases joins two places (PT-59, PT-61, PT-89, PT-90, PT-A35)."""
    return clear(named(here), named(there), in_play(state), partial(open_edge, state.grid))


def open_edge(grid: Mapping[Hex, Tile], here: Hex, there: Hex) -> bool:
    """Tell whether every tunnel tile on an edge has a groove there (PT-81, PT-A37); a gap beyond it is no wall."""
    direction = here.towards(there)
    sides = ((grid.get(here), direction), (grid.get(there), opposite(direction)))
    return all(tile is None or tile.grooves is None or side in tile.grooves for tile, side in sides)


def ways(state: State, unit: Unit) -> dict[str, str]:
    """List what a step or a hop leads to on the mirrored map, whoever stands there: tiles and bases by their names.

    The value is the tile hopped over, empty for a step. A hop leads over one friend, through open edges
    (PT-28, PT-81, PT-A18).
    """
    if not state.mirrored or unit.at is None:
        return {}
    start, names, grid = named(unit.at), in_play(state), state.grid
    beside = [place for place in start.beside if place in names and open_edge(grid, start, place)]
    leads = {names[place]: "" for place in beside}
    for place in beside:
        friend = state.on(names[place])
        if friend is None or friend.seat != unit.seat:
            continue
        straight_on = (place.beyond(start.towards(place)),)
        for to in straight_on if state.options.hop_straight_only else place.beside:
            if to in names and to != start and open_edge(grid, place, to):
                leads.setdefault(names[to], names[place])
    return leads


def destinations(state: State, unit: Unit) -> tuple[str, ...]:
    """List where a unit may move to: empty tiles by their names, and ``base`` (PT-27, PT-28, PT-30).

    Empty where the map lies on the table: there the players see it.
    """
    home, bases = state.bases.get(unit.seat), set(state.bases.values())
    return tuple(
        "base" if to == home else to
        for to in ways(state, unit)
        if to == home or (to not in bases and state.on(to) is None)
    )


def landings(state: State, seat: Seat) -> tuple[str, ...]:
    """List the empty tiles beside a player's base on the mirrored map, for a unit of the reserve (PT-62)."""
    beside = around(state, state.bases[seat]) if seat in state.bases else ()
    return tuple(at for at in beside if state.tile(at) and state.on(at) is None)


def steps(state: State, seat: Seat) -> dict[str, int]:
    """Count the steps to each tile from a player's base, over tiles and open edges, whoever stands there (PT-A40)."""
    grid = state.grid
    far = {tile.at: NEVER for tile in state.tiles}
    edge, count = [named(state.bases[seat])], 0
    while edge:
        count += 1
        reached = {
            beside: grid[beside].at
            for place in edge
            for beside in place.beside
            if beside in grid and far[grid[beside].at] == NEVER and open_edge(grid, place, beside)
        }
        far |= dict.fromkeys(reached.values(), count)
        edge = list(reached)
    return far


def tile_places(state: State, number: int) -> dict[str, tuple[int, ...]]:
    """List where a drawn tile may go, and how often it may be turned there (PT-16, PT-17, PT-82, PT-A37, PT-A38).

    Ways of turning it that leave the same grooves are one. Places beyond the columns that can be drawn are left out.
    """
    grid = state.grid
    ways: dict[tuple[int, ...] | None, int] = {}
    for turned in range(6):
        ways.setdefault(state.bag.grooves(number, turned), turned)
    fitting = {
        place.name: tuple(turned for open_to, turned in ways.items() if fits(grid, place, open_to))
        for place in drawn(front_places(in_play(state)))
    }
    return {name: turns for name, turns in fitting.items() if turns}


def base_places(state: State) -> tuple[str, ...]:
    """List where the second base may go (PT-19, PT-20, PT-A39)."""
    first = named(state.bases[state.first])
    return tuple(place.name for place in furthest(first, drawn(front_places(in_play(state)))))


def front_places(in_play: Collection[Hex]) -> set[Hex]:
    """Find the places that touch what is in play, and touch it along its front edges only (PT-16, PT-A38)."""
    ahead = {place.beyond(direction) for place in in_play for direction in FRONT}
    return {
        place
        for place in ahead.difference(in_play)
        if not any(place.beyond(direction) in in_play for direction in FRONT)
    }


def furthest(first: Hex, places: Collection[Hex]) -> tuple[Hex, ...]:
    """Choose the places that are as far as possible from the first base (PT-19, PT-A39)."""
    most = max((first.apart(place) for place in places), default=0)
    return tuple(sorted(place for place in places if first.apart(place) == most))


def drawn(places: Collection[Hex]) -> list[Hex]:
    """Choose the places that have a column, from left to right and up each column."""
    middle = FILES.index("m")
    return sorted((place for place in places if abs(place.q) <= middle), key=lambda place: (place.q, -place.r))


def fits(grid: Mapping[Hex, Tile], place: Hex, open_to: tuple[int, ...] | None) -> bool:
    """Tell whether grooves meet grooves and walls meet walls beside a tile; ``open_to`` None: no tunnel (PT-A37)."""
    if open_to is None:
        return True
    for direction in range(1, 7):
        beside = grid.get(place.beyond(direction))
        theirs = beside.grooves if beside else None
        if theirs is not None and (direction in open_to) != (opposite(direction) in theirs):
            return False
    return True
