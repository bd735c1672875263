"""What a seat sees, and nothing else: the table, its own hand, what everybody counts, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import cards_view, hints, preparing_view, tableau_view, waiting
from companion.games.history_of_war.phases import BEFORE, ROUND, STEPS, number
from companion.games.history_of_war.sample import DECKS
from companion.kit.panels import Phases, View
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State


def view(state: State, mine: Seat | None) -> View:
    """Show what a seat may see, and nothing else."""
    return View(
        hints.headline(state, mine),
        waiting.awaited(state),
        (
            *_phases(state),
            *(preparing_view.panels(state, mine) if mine and state.phase == "decks" else ()),
            *tableau_view.tableau(state, mine),
            *cards_view.score(state, mine),
            *cards_view.hand(state, mine),
            *cards_view.piles(state),
        ),
        hints.advice(state, mine),
        over=state.phase == "finished",
        note=hints.note(state),
        sheet=_sheet(state, mine),
    )


def _sheet(state: State, seat: Seat | None) -> str | None:
    """Name the player aid of a sample deck that is a player's own."""
    roster = state.rosters.get(seat) if seat else None
    return roster.name if roster is not None and roster.sample and roster.name in DECKS else None


def _phases(state: State) -> tuple[Phases, ...]:
    if state.phase in BEFORE:
        steps = tuple(Text(phase) for phase in BEFORE)
        return (Phases(say("Before the game"), steps, BEFORE.index(state.phase)),)
    if state.phase not in STEPS:
        return ()
    steps = tuple(Text(step.id) for step in ROUND)
    title = say("Round {round}: {number}/{count}", round=state.round, number=number(state.phase), count=len(ROUND))
    return (Phases(title, steps, number(state.phase) - 1),)
