"""Corrections of the mirrored map: its tiles, the bases, what is left in the bag (ledger 5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from companion.games.pocket_tactics import describing, geometry, speech
from companion.games.pocket_tactics.asked import terrains
from companion.games.pocket_tactics.cards import MOST_TILES, SIDES
from companion.games.pocket_tactics.pieces import Last, Tile
from companion.kit.asking import Option
from companion.kit.corrected import OFF, choice
from companion.kit.correction import Tracked
from companion.kit.hexes import FILES
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.pocket_tactics.cards import TileCard
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State

MAP = say("The map")
BAG = say("The bag")
NEW = "field"
"""What a tile is that is laid by hand, until its terrain is corrected."""
HIGHEST = 99
GROOVES = tuple(Option(str(number), Text(side)) for number, side in enumerate(SIDES, start=1))
DIRECTIONS = {option.value: int(option.value) for option in GROOVES}
NOT_DRAWN = "none"


def tracked(state: State) -> tuple[Tracked, ...]:
    """List what can be corrected about the map that Companion keeps."""
    if not state.mirrored or state.phase == "factions":
        return ()
    free = _free(state)
    kinds = tuple(Option(name, speech.terrain(name)) for name in terrains(state))
    tiles = (
        Tracked(f"tile.{tile.at}.{name}", speech.place(state, tile.at), field, part=MAP)
        for tile in state.tiles
        for name, field in _fields(tile, free, kinds)
    )
    new = choice(say("One more tile"), (Option(OFF, say("none")), *free), OFF)
    bases = (Tracked(f"base.{seat}", say("Bases"), _base(state, seat, free), part=MAP) for seat in state.bases)
    return (*tiles, *bases, Tracked("map.new", say("New tiles"), new, part=MAP), *_bag(state))


def _free(state: State) -> tuple[Option, ...]:
    """List the places beside the map where nothing lies, as far as they can be drawn."""
    names, middle = geometry.land(state), FILES.index("m")
    places = {beside for one in names for beside in one.beside}.difference(names)
    drawn = (one for one in places if abs(one.q) <= middle and 0 < one.height // 2 + 1 <= HIGHEST)
    return tuple(_square(one.name) for one in sorted(drawn, key=lambda one: (one.q, -one.r)))


def _square(at: str) -> Option:
    return Option(at, say("{square}", square=at), place=at)


def _fields(tile: Tile, free: tuple[Option, ...], kinds: tuple[Option, ...]) -> Iterator[tuple[str, Field]]:
    same = any(option.value == tile.terrain for option in kinds)
    options = kinds if same else (*kinds, Option(tile.terrain, speech.terrain(tile.terrain)))
    yield "terrain", choice(say("Terrain"), options, tile.terrain)
    grooves = tuple(str(direction) for direction in tile.grooves or ())
    hint = say("The open sides of a tunnel tile. None: it is no tunnel.")
    yield "grooves", Field("value", say("Grooves"), "many", GROOVES, value=grooves, hint=hint)
    yield "place", choice(say("Place"), (_square(tile.at), *free, Option(OFF, say("off the map"))), tile.at)


def _base(state: State, seat: Seat, free: tuple[Option, ...]) -> Field:
    at = state.bases[seat]
    return choice(say("{side}'s base", side=Text(seat)), (_square(at), *free), at)


def _bag(state: State) -> Iterator[Tracked]:
    """List the tile that was drawn, and how many of each kind are still in the bag, while the map is built."""
    if state.phase not in ("tiles", "second_base"):
        return
    fits = [
        Option(str(number), _kind(tile))
        for number, tile in enumerate(state.bag.tile)
        if number == state.drawn or geometry.tile_places(state, number)
    ]
    none = (Option(NOT_DRAWN, say("none")),) if state.drawn is None else ()
    drawn = NOT_DRAWN if state.drawn is None else str(state.drawn)
    yield Tracked("drawn", BAG, choice(say("The tile that was drawn"), (*none, *fits), drawn))
    for number, tile in enumerate(state.bag.tile if state.phase == "tiles" else ()):
        count, label = state.left.count(number), say("In the bag: {tile}", tile=_kind(tile))
        yield Tracked(f"left.{number}", BAG, Field("value", label, "number", value=count, high=MOST_TILES))


def _kind(tile: TileCard) -> Text:
    """Name a kind of tile, a tunnel with its open sides."""
    name = speech.terrain(tile.terrain)
    if tile.grooves is None:
        return name
    open_to = listed([Text(side) for side in SIDES if side in tile.grooves], describing.NOTHING)
    return say("{terrain} ({sides})", terrain=name, sides=open_to)


def correct(state: State, group: str, rest: str, value: str) -> State:
    """Set a value of the map or of the bag; raise Refusal when it can not be that."""
    match group:
        case "tile":
            at, _, part = rest.partition(".")
            return _correct_tile(state, at, part, value).but(last=Last())
        case "map":
            return _room(state).but(tiles=(*state.tiles, Tile(value, NEW)))
        case "base":
            return state.but(bases={**state.bases, cast("Seat", rest): value}, last=Last())
        case "drawn":
            return _drawn(state, int(value))
    number, count = int(rest), int(value)
    others = tuple(one for one in state.left if one != number)
    return _room(state.but(left=tuple(sorted((*others, *(number,) * count)))), more=0)


def _correct_tile(state: State, at: str, part: str, value: str) -> State:
    match part:
        case "terrain":
            return _with(state, at, terrain=value)
        case "grooves":
            open_to = tuple(sorted(DIRECTIONS[one] for one in value.split(",") if one))
            return _with(state, at, grooves=open_to or None)
    standing = state.on(at)
    if value != OFF:
        # Whoever stands on a tile is moved with it.
        cleared = state if standing is None else state.gone(standing.id, "reserve")
        moved = _with(cleared, at, at=value)
        return moved if standing is None else moved.standing(standing.id, value)
    if standing is not None:
        who = speech.unit(state, standing)
        raise Refusal(say("{unit} stands there: put it somewhere else first.", unit=who), "PT-26", "value")
    return state.but(tiles=tuple(tile for tile in state.tiles if tile.at != at))


def _with(state: State, at: str, /, **changes: object) -> State:
    tiles = (replace(tile, **changes) if tile.at == at else tile for tile in state.tiles)
    return state.but(tiles=tuple(tiles))


def _drawn(state: State, number: int) -> State:
    """Say which tile was drawn instead of another, or, once all were in play, that there is one more (PT-18)."""
    if state.drawn is None:
        builder = state.first if len(state.tiles) % 2 == 0 else state.second
        return _room(state).but(phase="tiles", drawn=number, active=builder)
    if number not in state.left:
        return state.but(drawn=number)
    at = state.left.index(number)
    left = (*state.left[:at], *state.left[at + 1 :], state.drawn)
    return state.but(drawn=number, left=tuple(sorted(left)))


def _room(state: State, more: int = 1) -> State:
    """Return the state, if the map has room for all the tiles there are (PT-18)."""
    count = len(state.tiles) + len(state.left) + (state.drawn is not None) + more
    if count > MOST_TILES:
        raise Refusal(
            say("That makes {count} tiles; a map has room for {most}.", count=count, most=MOST_TILES), "PT-18", "value"
        )
    return state
