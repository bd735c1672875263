"""What a seat sees of the factions and of the bag before the game: everything, of both sides (ledger 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import bagging, describing, speech
from companion.games.pocket_tactics.cards import MOST_TILES, SIDES
from companion.games.pocket_tactics.sample import BAG
from companion.games.pocket_tactics.sides import SEATS, other
from companion.games.pocket_tactics.terrain import hazard
from companion.kit.counts import number
from companion.kit.decks import shown
from companion.kit.decks.offers import DECK
from companion.kit.panels import Facts, Row, Tracker
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.cards import Faction, TileCard, UnitCard
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.kit.panels import Panel


def panels(state: State, seat: Seat | None) -> tuple[Panel, ...]:
    """Show the own faction line by line, the other one, the bag last; ``seat`` None is somebody who only looks on."""
    facts = Facts(say("The factions"), tuple(shown.readiness(SEATS, state.ready)))
    bag = (_bag(state),) if state.mirrored else ()
    if seat is None:
        return (*(_theirs(state, one) for one in SEATS), *bag, facts)
    return (_own(state, seat), _theirs(state, other(seat)), *bag, facts)


def _own(state: State, seat: Seat) -> Tracker:
    faction = state.factions.get(seat)
    title = say("Your faction: {name}", name=speech.called(faction.name)) if faction else say("Your faction")
    return _tracker(state, DECK, title, faction, "u")


def _theirs(state: State, seat: Seat) -> Tracker:
    faction, side = state.factions.get(seat), Text(seat)
    title = (
        say("{side}: {name}", side=side, name=speech.called(faction.name))
        if faction
        else say("{side}: no faction yet", side=side)
    )
    return _tracker(state, seat, title, faction, seat)


def _tracker(state: State, name: str, title: Text, faction: Faction | None, letter: str) -> Tracker:
    """Show a faction: what it costs of what it may (PT-06, PT-A46), and each kind of unit."""
    if faction is None:
        return Tracker(name, title, (), glyph="cards")
    count = say("{count} unit|{count} units", count=faction.size)
    points = shown.points(faction.cost, state.options.army_limit, count)
    rows = (points, *(_line(f"{letter}{at}", card) for at, card in enumerate(faction.unit)))
    return Tracker(name, title, rows, glyph="cards", note=shown.SAMPLE if faction.sample else None)


def _line(on: str, card: UnitCard) -> Row:
    what = say("{cost} points: {what}", cost=card.cost, what=describing.whole(card))
    return shown.line(on, speech.called(card.name), card.copies, what)


def _bag(state: State) -> Tracker:
    """Show what is in the bag, the sample tiles in one line; the order they come out in nobody knows (PT-13)."""
    bag = state.bag
    holds = [
        say("{terrain} ×\u00a0{count}", terrain=speech.terrain(tile.terrain), count=tile.count) for tile in bag.tile
    ]
    note = listed(holds, describing.NOTHING) if bag == BAG else None
    whole = Row("tiles", say("Tiles"), number(bag.size), note=note, level=min(bag.size, MOST_TILES), most=MOST_TILES)
    rows = () if bag == BAG else tuple(_tile(f"t{at}", tile) for at, tile in enumerate(bag.tile))
    title = say("The bag: {name}", name=speech.called(bag.name))
    return Tracker(bagging.TRACKER, title, (whole, *rows), glyph="forest", note=shown.SAMPLE if bag.sample else None)


def _tile(on: str, tile: TileCard) -> Row:
    notes = [Text("hazard")] if hazard(tile.terrain) else []
    if tile.grooves is not None:
        sides = listed([Text(side) for side in SIDES if side in tile.grooves], describing.NOTHING)
        notes.append(say("tunnel, open: {sides}", sides=sides))
    note = listed(notes, describing.NOTHING) if notes else None
    return shown.line(on, speech.terrain(tile.terrain), tile.count, note)
