"""Building the map: tiles drawn blind and placed in turns, and the second base (PT-13 to PT-20, PT-82)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Annotated

from msgspec import Meta

from companion.games.pocket_tactics import geometry, initial_deployment
from companion.games.pocket_tactics.cards import SIDES, terrain_name
from companion.games.pocket_tactics.geometry import FRONT
from companion.games.pocket_tactics.state import At, Seat, State, Tile, other
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.decks.entries import but
from companion.kit.hexes import Hex, named
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, listed, say

map_building = Chapter[State, Seat]()

PLACE = say("Place")
FIRST_BASE = "m1"
"""Where the first player's base lies on the mirrored map."""


class PlaceTile(Action, frozen=True, tag="place_tile"):
    """Place the tile that you have drawn, turned clockwise by so many sides (PT-14 to PT-18, PT-82)."""

    at: At
    turned: Annotated[int, Meta(ge=0, le=5)] = 0


class PlaceBase(Action, frozen=True, tag="place_base"):
    """Place the second base (PT-19, PT-20)."""

    at: At


@map_building.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer the places of the drawn tile, once for each way that its grooves can lie (PT-82); those of the base."""
    if seat != state.active:
        return
    if state.phase == "second_base":
        at = Field("at", PLACE, "choice", _squares(geometry.base_places(state)))
        yield PlaceBase.offer(say("Place your base"), at, main=True, clause="PT-19")
    if state.phase != "tiles" or state.drawn is None:
        return
    places = geometry.tile_places(state, state.drawn)
    for turned in sorted({turned for turns in places.values() for turned in turns}):
        at = Field("at", PLACE, "choice", _squares(at for at, turns in places.items() if turned in turns))
        yield PlaceTile.offer(_label(state, state.drawn, turned), at, turned=turned, main=True, clause="PT-16")


def _label(state: State, number: int, turned: int) -> Text:
    tile, open_to = terrain_name(state.bag.tile[number].terrain), state.bag.grooves(number, turned)
    if open_to is None:
        return say("Place the tile: {terrain}", terrain=tile)
    return say("Place the tile: {terrain} (grooves: {directions})", terrain=tile, directions=_open_to(open_to))


def _squares(places: Iterable[str]) -> tuple[Option, ...]:
    return tuple(Option(at, say("{square}", square=at), place=at) for at in places)


def _open_to(directions: Iterable[int]) -> Text:
    return listed([Text(SIDES[direction - 1]) for direction in directions], say("no grooves"))


def begin(state: State, ask: Ask) -> State:
    """Begin the map: the first base lies there, and the first player draws a tile (PT-13, PT-14)."""
    ask.tell(say("{side} places the base: {at}", side=Text(state.first), at=FIRST_BASE), "PT-14")
    left = tuple(number for number, tile in enumerate(state.bag.tile) for _ in range(tile.count))
    return _draw(state.but(phase="tiles", active=state.first, bases={state.first: FIRST_BASE}, left=left), ask)


def _draw(state: State, ask: Ask) -> State:
    """Draw a tile blind for whose turn it is (PT-13, PT-15); after the last one the second base is placed (PT-18)."""
    while state.left:
        kinds = [str(number) for number in state.left]
        (code,) = ask.draw(kinds, 1, "tile", say("A tile from the bag"), by=state.active)
        number = int(code)
        state = state.but(left=but(state.left, state.left.index(number)))
        tile = terrain_name(state.bag.tile[number].terrain)
        if geometry.tile_places(state, number):
            ask.tell(say("{side} draws: {terrain}", side=Text(state.active), terrain=tile), "PT-13")
            _tell_columns(state, "PT-16", ask)
            return state.but(drawn=number)
        ask.tell(say("{terrain}: its grooves fit nowhere, so this tile is laid aside", terrain=tile), "PT-82")
    ask.tell(say("All the tiles are in play"), "PT-18")
    state = state.but(phase="second_base", active=state.second, drawn=None)
    _tell_columns(state, "PT-19", ask)
    places = geometry.base_places(state)
    # Where only one place is possible the base lies there (PT-19, PT-20).
    return _based(state, places[0], ask) if len(places) == 1 else state


def _placed(state: State, seat: Seat, at: str) -> Text:
    return say("{side} places {place}", side=Text(seat), place=state.place(at))


@map_building.rule(PlaceTile, headline=lambda _, after, seat, action: _placed(after, seat, action.at))
def place_tile(state: State, seat: Seat, action: PlaceTile, ask: Ask) -> State:
    """Place the drawn tile and let the other player draw the next (PT-14 to PT-18, PT-82)."""
    if state.phase != "tiles" or state.drawn is None:
        raise Refusal(say("There is no tile to be placed."), "PT-18")
    if seat != state.active:
        raise Refusal(say("{side} places this tile.", side=Text(state.active)), "PT-15")
    place, open_to = named(action.at), state.bag.grooves(state.drawn, action.turned)
    check_place(geometry.in_play(state), place)
    if not geometry.fits(state.grid, place, open_to):
        field = "turned" if action.at in geometry.tile_places(state, state.drawn) else "at"
        raise Refusal(say("Grooves must meet grooves, and walls must meet walls."), "PT-82", field)
    first = not state.tiles
    state = state.but(tiles=(*state.tiles, Tile(action.at, state.bag.tile[state.drawn].terrain, open_to)))
    ask.tell(_placed(state, seat, action.at), "PT-14" if first else "PT-15")
    if open_to is not None:
        ask.tell(say("Grooves: {directions}", directions=_open_to(open_to)), "PT-82")
    return _draw(state.but(active=other(seat)), ask)


def _tell_columns(state: State, clause: str, ask: Ask) -> None:
    """Say that places which the rules allow are too far aside for the picture of the map."""
    places = geometry.front_places(geometry.in_play(state))
    if len(geometry.drawn(places)) < len(places):
        ask.tell(say("Companion draws the columns a to y: what lies beyond them cannot be used"), clause)


@map_building.rule(
    PlaceBase, says=lambda _, seat, action: say("{side} places the base at {place}", side=Text(seat), place=action.at)
)
def place_base(state: State, seat: Seat, action: PlaceBase, ask: Ask) -> State:
    """Place the second base as far as possible from the first one (PT-19, PT-20)."""
    if state.phase != "second_base":
        raise Refusal(say("There is no base to be placed."), "PT-19")
    if seat != state.active:
        raise Refusal(say("{side} places this base.", side=Text(state.active)), "PT-19")
    check_base(named(state.bases[state.first]), geometry.in_play(state), named(action.at))
    return _based(state, action.at, ask)


def _based(state: State, at: str, ask: Ask) -> State:
    far = named(state.bases[state.first]).apart(named(at))
    ask.tell(say("{side} places the base: {at}", side=Text(state.second), at=at), "PT-20")
    steps = "{count} step from base to base, as far as possible|{count} steps from base to base, as far as possible"
    ask.tell(say(steps, count=far), "PT-19", far)
    return initial_deployment.begin(state.but(bases={**state.bases, state.second: at}), ask)


def check_place(in_play: Collection[Hex], at: Hex, clause: str = "PT-16") -> None:
    """Raise Refusal where neither a tile nor a base may be placed (PT-16, PT-17, PT-A38)."""
    if at in in_play:
        raise Refusal(say("Something lies there already."), clause, "at")
    if at in geometry.front_places(in_play):
        return
    ahead = next((side for side in FRONT if at.beyond(side) in in_play), None)
    if ahead is None:
        raise Refusal(say("It would touch nothing that is in play."), clause, "at")
    text = "Something in play would lie in front of it ({direction}): only front edges may be touched."
    raise Refusal(say(text, direction=Text(SIDES[ahead - 1])), "PT-17", "at")


def check_base(first: Hex, in_play: Collection[Hex], at: Hex) -> None:
    """Raise Refusal where the second base may not be placed (PT-19, PT-20, PT-A39)."""
    check_place(in_play, at, "PT-20")
    places = geometry.furthest(first, geometry.front_places(in_play))
    if at not in places:
        far, near = first.apart(places[0]), first.apart(at)
        text = say("It goes as far as possible from the other base: {far} steps, not {near}.", far=far, near=near)
        raise Refusal(text, "PT-19", "at")
