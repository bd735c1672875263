"""What a seat sees of a free table: its trackers, in the order of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.free_table import clocks, initiative, phases
from companion.games.free_table.kinds import chapter
from companion.kit.game import SCREEN
from companion.kit.panels import View
from companion.kit.ruling import Reason
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.text import Text


def view(state: State, seat: str | None) -> View:
    """Show what a seat may see, and nothing else."""
    panels = tuple(
        panel for tracker in state.trackers for panel in chapter(tracker).panels(state, tracker, seat or SCREEN)
    )
    steps = [tracker for tracker in state.trackers if isinstance(tracker, phases.Steps)]
    reminders = [words for tracker in steps for words in phases.reminders(tracker)]
    orders = [tracker for tracker in state.trackers if isinstance(tracker, initiative.Order) and tracker.round]
    if state.over:
        headline = say("The game is over.")
    elif steps or orders:
        headline = _where(state, steps, orders)
    elif state.trackers:
        headline = say("Your table: everybody may act.")
    else:
        headline = say("An empty table: add what you want to keep track of.")
    note = Reason(reminders[0]) if reminders and not state.over else None
    return View(headline, () if state.over else to_move(state), panels, over=state.over, note=note)


def _where(state: State, steps: list[phases.Steps], orders: list[initiative.Order]) -> Text:
    """Say in which round the table is: by what has gone on, and by its name where several count rounds."""
    told = [(one.title, phases.here(one), phases.fresh(one) != one) for one in steps]
    told += [(one.title, initiative.here(state, one), True) for one in orders]
    what, where, _ = next((one for one in told if one[2]), told[0])
    return where if len(told) == 1 else say("{what}: {where}", what=what, where=where)


def to_move(state: State) -> tuple[str, ...]:
    """List the seats whose turn it is by an order or a clock that runs, of those that somebody took."""
    found = []
    for tracker in state.trackers:
        match tracker:
            case initiative.Order() if tracker.round:
                found.append(tracker.current)
            case clocks.Timer() if tracker.since is not None:
                found.append(clocks.turn(state, tracker))
    return tuple(dict.fromkeys(seat for seat in found if seat in state.people and seat in state.roles))
