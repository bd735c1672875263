"""The bag that both draw from: the sample tiles, those of a file, or tile by tile (PT-13, PT-80)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from companion.games.pocket_tactics.cards import (
    BAG,
    MOST_KINDS,
    MOST_TILES,
    NOTHING,
    OWN_BAG,
    SIDES,
    Bag,
    Short,
    Side,
    TileCard,
    bag_file,
    called,
    terrain_name,
)
from companion.games.pocket_tactics.state import Seat, State
from companion.games.pocket_tactics.terrain import hazard, known_as
from companion.games.pocket_tactics.turn import check_preparing, preparing
from companion.kit.action import Action, Field, Offer, number_field
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.counts import number
from companion.kit.decks import entries, samples
from companion.kit.decks import offers as of_decks
from companion.kit.decks import tracker as shown
from companion.kit.decks.entries import File, but, put, tidy
from companion.kit.panels import Row, Tracker
from companion.kit.ruling import Refusal
from companion.kit.text import Text, listed, say

bag = Chapter[State, Seat]()

TRACKER = "bag"
"""The tracker that shows the bag; its lines are ``t0``, ``t1`` .."""


class UseBag(Action, frozen=True, tag="use_bag"):
    """Fill the bag with the sample tiles; ``own``: to change them then."""

    own: bool = False


class LoadBag(Action, frozen=True, tag="load_bag"):
    """Fill the bag with the tiles of a file."""

    text: File


class SetTile(Action, frozen=True, kw_only=True, tag="set_tile"):
    """Say how many tiles of a terrain are in the bag, none: they go; without ``tile`` a new kind.

    ``grooves`` are the open sides of a tunnel tile; none of them: it is no tunnel (PT-80).
    """

    tile: Annotated[int, Meta(ge=0, le=39)] | None = None
    terrain: Short
    count: Annotated[int, Meta(ge=0, le=MOST_TILES)]
    grooves: tuple[Side, ...] = ()


@bag.offers
def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """Offer to change the bag, where the map is not made of real tiles."""
    return _of_bag(state.bag) if state.mirrored and preparing(state, seat) else ()


@lru_cache(maxsize=32)
def _of_bag(bag: Bag) -> tuple[Offer, ...]:
    """Offer to change it kind by kind or whole; few do, so the sample is only opened to that on demand."""
    label, file, button = say("Bag from a file"), entries.file(samples.written(bag)), say("Use this bag")
    load = LoadBag.offer(label, file, on=TRACKER, loose=True, aside=True, clause="PT-13", button=button)
    if bag == BAG:
        return (UseBag.offer(say("Change the tiles"), own=True, on=TRACKER, clause="PT-13"), load)
    label, question = say("Use the sample tiles"), say("Put the sample tiles in the place of yours?")
    return (
        *(replace(offer, aside=True) for at, tile in enumerate(bag.tile) for offer in _line(bag, at, tile)),
        SetTile.offer(say("Add a kind of tile"), *_form(None), on=TRACKER, loose=True, clause="PT-13"),
        load,
        UseBag.offer(label, on=TRACKER, aside=True, grave=True, clause="PT-13", asks=question),
    )


def _line(bag: Bag, at: int, tile: TileCard) -> Iterator[Offer]:
    on = f"t{at}"
    given: dict[str, Any] = {"tile": at, "terrain": tile.terrain, **({"grooves": tile.grooves} if tile.grooves else {})}
    if tile.count == 1:
        yield SetTile.offer(say("Take out"), **given, count=0, on=on)
    most = tile.count if bag.size >= MOST_TILES else MOST_TILES
    yield from of_decks.counts(SetTile, on, tile.count, least=1, most=most, **given)
    yield SetTile.offer(of_decks.change(terrain_name(tile.terrain)), *_form(tile), tile=at, on=on, loose=True)


def _form(tile: TileCard | None) -> tuple[Field, ...]:
    hint = say("In any language: caves, ice, labyrinths, swamps and water are known.")
    open_sides = say("The open sides of a tunnel tile. None: it is no tunnel.")
    return (
        entries.words("terrain", say("Terrain"), tile.terrain if tile else "", 30, hint),
        number_field("count", say("How many"), tile.count if tile else 1, 0 if tile else 1, MOST_TILES),
        entries.many("grooves", say("Grooves"), SIDES, (tile and tile.grooves) or (), open_sides),
    )


def bag_changed(_state: State, seat: Seat, _action: Action) -> Text:
    """Say that the bag was changed."""
    return say("{side}: changes to the bag", side=Text(seat))


@bag.rule(UseBag, says=bag_changed, quiet=True)
def use(state: State, seat: Seat, action: UseBag, ask: Ask) -> State:
    """Fill the bag with the sample tiles."""
    _check(state, seat)
    return _filled(state, replace(BAG, sample=False, name=OWN_BAG) if action.own else BAG, ask)


@bag.rule(LoadBag, says=bag_changed, quiet=True)
def load(state: State, seat: Seat, action: LoadBag, ask: Ask) -> State:
    """Fill the bag with the tiles of a file."""
    _check(state, seat)
    return _filled(state, bag_file(action.text), ask)


@bag.rule(SetTile, says=bag_changed, quiet=True)
def set_tile(state: State, seat: Seat, action: SetTile, ask: Ask) -> State:
    """Change a kind of tile, or add one; a kind of which there is no tile goes (PT-13, PT-80)."""
    _check(state, seat)
    bag = state.bag
    if action.tile is not None and action.tile >= len(bag.tile):
        raise Refusal(say("There is no such tile in the bag."), "PT-13", "tile")
    own = replace(bag, sample=False, name=OWN_BAG if bag.sample else bag.name)
    if action.tile is not None and not action.count:
        return _filled(state, replace(own, tile=but(bag.tile, action.tile)), ask)
    if not action.count:
        raise Refusal(say("Of a new kind there is one tile at least."), "PT-13", "count")
    terrain = tidy(action.terrain, "terrain")
    if not terrain:
        raise Refusal(say("It needs a name."), "PT-13", "terrain")
    open_to = tuple(side for side in SIDES if side in action.grooves) or None
    tile = TileCard(terrain=known_as(terrain), count=action.count, grooves=open_to)
    return _filled(state, replace(own, tile=put(bag.tile, action.tile, tile, MOST_KINDS)), ask)


def _check(state: State, seat: Seat) -> None:
    check_preparing(state, seat)
    if not state.mirrored:
        raise Refusal(say("The tiles lie on the table: mix them in a bag there."), "PT-13")


def _filled(state: State, bag: Bag, ask: Ask) -> State:
    """Put another bag on the table; who had said to be ready had other tiles in mind."""
    ask.tell(say("Tiles in the bag"), "PT-13", bag.size)
    if bag.tile == state.bag.tile:
        return state.but(bag=bag)
    for seat in state.ready:
        ask.tell(say("{side} is not ready any more: the bag is another one", side=Text(seat)), "PT-13")
    return state.but(bag=bag, ready=())


def unusable(bag: Bag) -> Refusal | None:
    """Say why no map can be built from a bag (PT-13, PT-18)."""
    if not bag.size:
        return Refusal(say("There is no tile in the bag."), "PT-13")
    if bag.size > MOST_TILES:
        text = say("There are {count} tiles in the bag; a map has room for {most}.", count=bag.size, most=MOST_TILES)
        return Refusal(text, "PT-18")
    return None


def tracker(bag: Bag) -> Tracker:
    """Show what is in the bag, the sample tiles in one line; the order they come out in nobody knows (PT-13)."""
    holds = [say("{terrain} ×\u00a0{count}", terrain=terrain_name(tile.terrain), count=tile.count) for tile in bag.tile]
    note = listed(holds, NOTHING) if bag == BAG else None
    whole = Row("tiles", say("Tiles"), number(bag.size), note=note, level=min(bag.size, MOST_TILES), most=MOST_TILES)
    rows = () if bag == BAG else tuple(_row(f"t{at}", tile) for at, tile in enumerate(bag.tile))
    title = say("The bag: {name}", name=called(bag.name))
    return Tracker(TRACKER, title, (whole, *rows), glyph="forest", note=shown.SAMPLE if bag.sample else None)


def _row(on: str, tile: TileCard) -> Row:
    notes = [Text("hazard")] if hazard(tile.terrain) else []
    if tile.grooves is not None:
        notes.append(say("tunnel, open: {sides}", sides=tile.open_sides))
    return shown.line(on, terrain_name(tile.terrain), tile.count, listed(notes, NOTHING) if notes else None)
