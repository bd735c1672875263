"""The bag that both draw from: the sample tiles, those of a file, or tile by tile (PT-13, PT-80)."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.pocket_tactics import actions as do
from companion.games.pocket_tactics import rosterfiles, speech
from companion.games.pocket_tactics.cards import MOST_KINDS, MOST_TILES, SIDES, Bag, TileCard
from companion.games.pocket_tactics.sample import BAG, OWN_BAG
from companion.games.pocket_tactics.terrain import known_as
from companion.kit.decks import fields, samples
from companion.kit.decks import offers as ways
from companion.kit.decks.editing import but, put, tidy
from companion.kit.offer import Offer
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.state import State
    from companion.kit.asking import Ask
    from companion.kit.offer import Field

TRACKER = "bag"
"""The tracker that shows the bag; its lines are ``t0``, ``t1`` .."""


def fill(state: State, action: do.Bagging, ask: Ask) -> State:
    """Change what is in the bag; who had said to be ready had other tiles in mind."""
    if not state.mirrored:
        raise Refusal(say("The tiles lie on the table: mix them in a bag there."), "PT-13")
    bag = _filled(state.bag, action)
    ask.tell(say("Tiles in the bag"), "PT-13", bag.size)
    if bag.tile == state.bag.tile:
        return state.but(bag=bag)
    for one in state.ready:
        ask.tell(say("{side} is not ready any more: the bag is another one", side=Text(one)), "PT-13")
    return state.but(bag=bag, ready=())


def _filled(bag: Bag, action: do.Bagging) -> Bag:
    match action:
        case do.UseBag():
            return replace(BAG, sample=False, name=OWN_BAG) if action.own else BAG
        case do.LoadBag():
            return rosterfiles.bag(action.text)
        case do.SetTile():
            return _set(bag, action)


def check(bag: Bag) -> None:
    """Refuse a bag that no map can be built from (PT-13, PT-18)."""
    if not bag.size:
        raise Refusal(say("There is no tile in the bag."), "PT-13")
    if bag.size > MOST_TILES:
        raise Refusal(
            say("There are {count} tiles in the bag; a map has room for {most}.", count=bag.size, most=MOST_TILES),
            "PT-18",
        )


def _set(bag: Bag, action: do.SetTile) -> Bag:
    """Change a kind of tile, or add one; a kind of which there is no tile goes (PT-13, PT-80)."""
    if action.tile is not None and action.tile >= len(bag.tile):
        raise Refusal(say("There is no such tile in the bag."), "PT-13", "tile")
    own = replace(bag, sample=False, name=OWN_BAG if bag.sample else bag.name)
    if action.tile is not None and not action.count:
        return replace(own, tile=but(bag.tile, action.tile))
    if not action.count:
        raise Refusal(say("Of a new kind there is one tile at least."), "PT-13", "count")
    terrain = tidy(action.terrain, "terrain")
    if not terrain:
        raise Refusal(say("It needs a name."), "PT-13", "terrain")
    open_to = tuple(side for side in SIDES if side in action.grooves) or None
    made = TileCard(terrain=known_as(terrain), count=action.count, grooves=open_to)
    return replace(own, tile=put(bag.tile, action.tile, made, MOST_KINDS))


@lru_cache(maxsize=32)
def offers(bag: Bag) -> tuple[Offer, ...]:
    """Offer to change the bag, kind by kind or whole; few do, so the sample is only opened to that on demand."""
    load = Offer(
        "load_bag",
        say("Bag from a file"),
        fields=(fields.file(samples.written(bag)),),
        on=TRACKER,
        loose=True,
        aside=True,
        clause="PT-13",
        button=say("Use this bag"),
    )
    if bag == BAG:
        return (Offer("use_bag", say("Change the tiles"), {"own": True}, on=TRACKER, clause="PT-13"), load)
    found = [replace(offer, aside=True) for at, tile in enumerate(bag.tile) for offer in _line(bag, at, tile)]
    new = Offer("set_tile", say("Add a kind of tile"), fields=_form(None), on=TRACKER, loose=True, clause="PT-13")
    sample = Offer(
        "use_bag",
        say("Use the sample tiles"),
        on=TRACKER,
        aside=True,
        grave=True,
        clause="PT-13",
        asks=say("Put the sample tiles in the place of yours?"),
    )
    return (*found, new, load, sample)


def _line(bag: Bag, at: int, tile: TileCard) -> list[Offer]:
    on = f"t{at}"
    given = {"tile": at, "terrain": tile.terrain, **({"grooves": tile.grooves} if tile.grooves else {})}
    most = tile.count if bag.size >= MOST_TILES else MOST_TILES
    gone = [Offer("set_tile", say("Take out"), {**given, "count": 0}, on=on)] if tile.count == 1 else []
    change = Offer("set_tile", ways.change(speech.terrain(tile.terrain)), {"tile": at}, _form(tile), on=on, loose=True)
    return [*gone, *ways.counts(do.SetTile, on, tile.count, least=1, most=most, **given), change]


def _form(tile: TileCard | None) -> tuple[Field, ...]:
    """Ask for a kind of tile, filled in with what it is now."""
    hint = say("In any language: caves, ice, labyrinths, swamps and water are known.")
    return (
        fields.words("terrain", say("Terrain"), tile.terrain if tile else "", 30, hint),
        fields.number("count", say("How many"), tile.count if tile else 1, 0 if tile else 1, MOST_TILES),
        fields.many(
            "grooves",
            say("Grooves"),
            SIDES,
            (tile.grooves or ()) if tile else (),
            say("The open sides of a tunnel tile. None: it is no tunnel."),
        ),
    )
