"""What a seat sees: the map, the reserves, what was captured, and what to do next. Nothing is hidden (ledger 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import hints, map_view, preparing_view, units_view
from companion.games.pocket_tactics.sample import FACTIONS
from companion.kit.panels import Phases, View
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State

SETTING_UP = ("factions", "tiles", "second_base", "setting_out")
ON_THE_TABLE = ("factions", "setting_out")
"""What comes before the first turn, with the map in Companion and with it on the table."""


def view(state: State, mine: Seat | None) -> View:
    """Show what a seat may see."""
    preparing = state.phase == "factions"
    return View(
        hints.headline(state, mine),
        hints.awaited(state),
        (
            *_phases(state),
            *(preparing_view.panels(state, mine) if preparing else ()),
            *map_view.board(state, mine),
            *(() if preparing else units_view.panels(state, mine)),
        ),
        hints.advice(state, mine),
        over=state.over,
        sheet=_sheet(state, mine),
    )


def _sheet(state: State, seat: Seat | None) -> str | None:
    """Name the player aid of a sample faction that is a player's own."""
    faction = state.factions.get(seat) if seat else None
    return faction.name if faction is not None and faction.sample and faction.name in FACTIONS else None


def _phases(state: State) -> tuple[Phases, ...]:
    steps = SETTING_UP if state.mirrored else ON_THE_TABLE
    if state.phase not in steps:
        return ()
    return (Phases(say("Before the game"), tuple(Text(step) for step in steps), steps.index(state.phase)),)
