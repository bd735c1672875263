"""The armies beside the map: reserves, captured units, and those on the map where it lies on the table (PT-23)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import unit_view
from companion.games.pocket_tactics.sides import other
from companion.kit.panels import Tableau, Zone
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.pieces import Where
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.kit.panels import Panel

NAMES: dict[Where, Text] = {"tile": say("On the map"), "reserve": say("Reserve"), "captured": say("Captured")}


def panels(state: State, seat: Seat | None) -> tuple[Panel, ...]:
    """Show both armies: a player's own first, as the other one is looked at less; from the screen as they lie."""
    if seat is None:
        rows = (_army(state, state.second), _army(state, state.first))
    else:
        rows = (_army(state, seat), _army(state, other(seat), folded=True))
    return (Tableau(say("The armies"), rows, unit_view.LEGEND),)


def _army(state: State, seat: Seat, *, folded: bool = False) -> tuple[Zone, ...]:
    places: tuple[Where, ...] = ("reserve", "captured") if state.mirrored else ("tile", "reserve", "captured")
    return tuple(
        _zone(state, seat, where, folded=where == "captured" or (folded and where == "reserve"))
        for where in places
        if where != "captured" or state.of(seat, where)
    )


def _zone(state: State, seat: Seat, where: Where, *, folded: bool) -> Zone:
    units = state.of(seat, where)
    note = say("by {side}", side=Text(other(seat))) if where == "captured" else None
    return Zone(
        f"{where}.{seat}",
        NAMES[where],
        tuple(unit_view.piece(state, unit) for unit in units),
        seat,
        note=note,
        folded=folded,
    )
