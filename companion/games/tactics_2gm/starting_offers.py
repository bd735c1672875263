"""What a seat may do before the first turn once its deck stands, and terrain that a scenario allows later."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from companion.games.tactics_2gm import limits, terrain, tiles
from companion.games.tactics_2gm.cards import Class, Feature
from companion.games.tactics_2gm.sides import grid, side_of
from companion.games.tactics_2gm.speech import called, ground, squares
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State

TO_SQUARE = say("To square")
KEEP = Offer("keep", say("Keep this hand"), main=True, clause="G2-53")
CHANGE = Offer("mulligan", say("Change the whole hand, once"), clause="G2-53")


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    match state.phase:
        case "decks":
            return [*_ready_with_deck(state, seat), *_battlefield(state)]
        case "terrain":
            return [*_laying(state, seat), *_battlefield(state)]
        case "mulligan":
            return [] if state.deck(seat).kept else [KEEP, CHANGE]
        case "deployment":
            return [*_in_play(state, seat), *_clearing(state)]
    return _clearing(state) if state.begun else []


def _ready_with_deck(state: State, seat: Seat) -> list[Offer]:
    if seat in state.ready:
        return [Offer("ready", say("Not ready yet after all"), {"phase": "decks", "on": False}, clause="G2-06")]
    if limits.not_ready(state, seat) is not None:
        return []
    return [Offer("ready", say("Ready: this is my deck"), {"phase": "decks"}, main=True, clause="G2-06")]


def _laying(state: State, seat: Seat) -> list[Offer]:
    side = side_of(seat)
    if not state.laying or state.laying[0] != side or seat != state.leader(side):
        return []
    mine = terrain.own(state, side)
    found = _place(state, side, say("Lay terrain"), "G2-46", lambda kind: terrain.barred(state, side, kind))
    if mine:
        options = tuple(Option(one.id, ground(state, one), place=one.square) for one in mine)
        fields = (Field("ground", say("Terrain"), "choice", options),)
        found.append(Offer("take_terrain", say("Take terrain back"), fields=fields, clause="G2-46"))
    return [*found, _terrain_lies(state.budget.get(side, 0))]


def _terrain_lies(lost: int) -> Offer:
    """Offer to end the laying; whoever would lose some of the bid is told first (G2-A13)."""
    given = {"phase": "terrain"}
    if not lost:
        return Offer("ready", say("Ready: the terrain lies"), given, main=True, clause="G2-46")
    advice = (Reason(say("What is not spent on terrain now is lost: {left}", left=lost), "G2-A13"),)
    return Offer("ready", say("Ready: no more terrain"), given, clause="G2-A13", advice=advice)


def _place(state: State, side: Side, label: Text, clause: str, barred: Callable[[int], Reason | None]) -> list[Offer]:
    options = tuple(
        Option(str(kind), say("{terrain} ({cost})", terrain=called(card.name), cost=card.cost), barred(kind))
        for kind, card in enumerate(state.terrain_deck.terrain)
    )
    where = terrain.free(state, side)
    if all(option.barred for option in options) or (state.mirrored and not where) or terrain.full(state, side):
        return []
    fields = [Field("terrain", say("Terrain"), "choice", options)]
    if state.mirrored:
        fields.append(Field("to", TO_SQUARE, "choice", squares(where)))
    return [Offer("place_terrain", label, fields=tuple(fields), clause=clause)]


def _in_play(state: State, seat: Seat) -> list[Offer]:
    """Offer the terrain that a scenario allows in play (G2-51)."""
    if seat not in state.acting or seat in state.done or terrain.not_in_play(state) is not None:
        return []
    return _place(
        state, side_of(seat), say("Lay terrain for AP"), "G2-51", lambda kind: terrain.barred_in_play(state, seat, kind)
    )


def _clearing(state: State) -> list[Offer]:
    """Offer everybody to say that terrain is destroyed; buildings fall by fire alone (G2-128)."""
    lying = tuple(one for one in state.grounds if terrain.stays(state, one) is None)
    if not lying:
        return []
    options = tuple(Option(one.id, ground(state, one), place=one.square) for one in lying)
    fields = (Field("ground", say("Terrain"), "choice", options),)
    return [
        Offer("clear_terrain", say("This terrain is destroyed"), fields=fields, grave=True, aside=True, clause="G2-128")
    ]


def _battlefield(state: State) -> list[Offer]:
    """Offer to lay the tiles out, and to say what they show (G2-41, G2-129)."""
    count = Field("count", say("How many tiles, without rivers and the sea"), "number", value=16, low=1, high=32)
    found = [
        Offer("lay_tiles", say("Shuffle the tiles of the battlefield"), fields=(count,), clause="G2-41", aside=True)
    ]
    if not state.mirrored:
        return found
    features = tuple(Option(one, Text(one), tiles.dry(state, one)) for one in get_args(Feature))
    kinds = tuple(Option(one, Text(one)) for one in get_args(Class))
    fields = (
        Field("feature", say("Natural feature"), "choice", features),
        Field("to", TO_SQUARE, "choice", squares(grid(state.options).squares())),
        Field("kind", say("Kind of terrain"), "choice", kinds, value="normal"),
    )
    found.append(Offer("set_natural", say("Note what a tile shows"), fields=fields, clause="G2-129", aside=True))
    if state.natural:
        where = Field("to", TO_SQUARE, "choice", squares(state.natural))
        found.append(
            Offer(
                "set_natural",
                say("Note that a square is plain"),
                {"feature": "none"},
                (where,),
                clause="G2-129",
                aside=True,
            )
        )
    return found
