"""Tables and games of Pocket-Tactics written short: ``b levy m2`` is Blue's first levy on the tile m2."""

from __future__ import annotations

from typing import Any

from companion.games.pocket_tactics.cards import FACTIONS
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.state import Seat, State, Tile
from tests.support.playing import Playing, Scripted

SEAT: dict[str, Seat] = {"b": "blue", "r": "red"}
BLUE, RED = FACTIONS["bannermen_sample"], FACTIONS["wildkin_sample"]
GROUND = "m2 field, l2 field, n2 field, m3 field, l3 field, n3 field, m4 field"
"""Seven harmless tiles between the bases m1 and m5, where a test does not say others."""
P = Playing(GAME, Scripted, lambda state: state.active, "PT-36")


def table(**options: Any) -> State:
    """A table before the game; Blue has the sample bannermen, Red the sample wildkin."""
    return State(options=Options(**options), factions={"blue": BLUE, "red": RED})


def code(state: State, written: str) -> str:
    """The id of a unit: ``b levy`` is Blue's first levy, ``b levy.2`` the second."""
    whose, name = written.split()[:2]
    kind, _, copy = name.partition(".")
    at = next(at for at, card in enumerate(state.faction(SEAT[whose]).unit) if card.name == kind)
    return f"{whose}{at}.{copy or 1}"


def tile(written: str) -> Tile:
    """A tile out of ``m4 complex 1+4``: its name, its terrain, and the open directions of a tunnel tile."""
    at, terrain, *grooves = written.split()
    return Tile(at, terrain, tuple(int(one) for one in grooves[0].split("+")) if grooves else None)


def game(units: str = "", *, ground: str = GROUND, bases: str = "m1 m5", **more: Any) -> State:
    """A game in its first turn, Blue the first player and to act; other options and fields by name.

    ``units`` are those on the map, separated by commas: whose, which, and the tile (with the map on the table: the
    terrain); ``captured`` in its place is that. All the others are in reserve. ``ground`` are the tiles.
    """
    state = table(**{name: more.pop(name) for name in Options.__struct_fields__ if name in more})
    state = state.but(factions={**state.factions, **more.pop("factions", {})}).mustered()
    if state.mirrored:
        first, second = bases.split()
        tiles = tuple(tile(one) for one in ground.split(","))
        state = state.but(tiles=tiles, bases={"blue": first, "red": second})
    for entry in filter(None, (part.strip() for part in units.split(","))):
        place = entry.split()[2]
        name = code(state, entry)
        state = state.gone(name, "captured") if place == "captured" else state.standing(name, place)
    return state.but(**({"phase": "play", "turn": 1} | more))
