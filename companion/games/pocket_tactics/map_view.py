"""The mirrored map as it is shown: its tiles, the bases, the units that stand on it (ledger 2.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import geometry, speech, threats, unit_view
from companion.games.pocket_tactics.sides import SEATS, other
from companion.games.pocket_tactics.terrain import KNOWN
from companion.kit.hexes import FILES, named
from companion.kit.panels import Board, Terrain
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State

PICTURES = {name: name for name in KNOWN} | {"hills": "hill", "ruins": "ruin"}
"""The pictures of terrains; what people call a terrain of their own may be the name of anything else."""


def board(state: State, seat: Seat | None) -> tuple[Board, ...]:
    """Show the map as far as it is built, with room for what is placed next; the second player sees it turned."""
    if not state.mirrored or not state.bases:
        return ()
    shown = [named(at) for at in (*(tile.at for tile in state.tiles), *state.bases.values(), *_free(state))]
    columns = range(min(one.q for one in shown), max(one.q for one in shown) + 1)
    ranks = [int(one.name[1:]) for one in shown]
    files = tuple(FILES[q + FILES.index("m")] for q in columns)
    return (
        Board(
            say("The map"),
            files,
            tuple(str(rank) for rank in range(min(ranks), max(ranks) + 1)),
            tuple(unit_view.piece(state, unit) for unit in state.units if unit.at),
            terrain=_ground(state),
            turned=seat == state.second,
            tint=_tint(state),
            hexes=True,
            legend=threats.LEGEND,
            raised=tuple(file for file, q in zip(files, columns, strict=True) if q % 2),
        ),
    )


def _free(state: State) -> tuple[str, ...]:
    """List the places beside the map where something may be placed now."""
    if state.phase == "tiles" and state.drawn is not None:
        return tuple(geometry.tile_places(state, state.drawn))
    return geometry.base_places(state) if state.phase == "second_base" else ()


def _ground(state: State) -> tuple[Terrain, ...]:
    tiles = tuple(
        Terrain(tile.at, PICTURES.get(tile.terrain, "other"), speech.terrain(tile.terrain), grooves=tile.grooves)
        for tile in state.tiles
    )
    bases = (
        Terrain(state.bases[seat], "base", say("{side}'s base", side=Text(seat)), seat)
        for seat in SEATS
        if seat in state.bases
    )
    return (*tiles, *bases)


def _tint(state: State) -> tuple[tuple[str, str], ...]:
    """Mark who acted last, whom or which base he assaulted, and where he came from."""
    if state.phase not in ("play", "finished"):
        return ()
    last = state.last
    found = []
    if last.came_from:
        found.append((last.came_from, "came_from"))
    actor, assaulted = state.find(last.unit), state.find(last.target)
    if actor is not None and actor.at:
        found.append((actor.at, "acting"))
    if actor is not None and last.target == "base":
        found.append((state.bases[other(actor.seat)], "target"))
    elif assaulted is not None and assaulted.at:
        found.append((assaulted.at, "target"))
    return tuple(found)
