"""What a seat sees, and nothing else: the battlefield, its own hand, what everybody counts, and what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import hints, preparing_view, scenery, speech, turn
from companion.games.tactics_2gm.board_view import board, rosters
from companion.games.tactics_2gm.cards_view import hand, piles
from companion.games.tactics_2gm.sample import DECKS
from companion.games.tactics_2gm.sides import SIDES, seats_of
from companion.games.tactics_2gm.state import BEFORE, TURN_PHASES
from companion.kit.panels import Panel, Phases, Row, Tracker, View
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.pieces import Headquarters
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State

STEPS = (say("Headquarters"), say("Movement"), say("Deployment"), say("Fire"), say("Discard"))


def view(state: State, mine: Seat | None) -> View:
    """Show what a seat may see, and nothing else."""
    return View(
        hints.headline(state, mine),
        to_move(state),
        (
            *_phases(state),
            *(preparing_view.panels(state, mine) if mine and state.phase == "decks" else ()),
            *_field(state, mine),
            *_points(state),
            *hand(state, mine),
            *piles(state),
            *scenery.panels(state),
        ),
        hints.advice(state, mine),
        over=state.phase == "finished",
        note=hints.note(state, mine),
        sheet=_sheet(state, mine),
    )


def _sheet(state: State, seat: Seat | None) -> str | None:
    """Name the player aid of a sample deck that is a player's own."""
    roster = state.rosters.get(seat) if seat else None
    return roster.name if roster is not None and roster.sample and roster.name in DECKS else None


def to_move(state: State) -> tuple[Seat, ...]:
    """List the seats that the game waits for."""
    match state.phase:
        case "finished":
            return ()
        case "decks":
            return tuple(seat for seat in state.seats if seat not in state.ready)
        case "terrain":
            return (state.leader(state.laying[0]),) if state.laying else ()
        case "mulligan":
            return tuple(seat for seat in state.seats if not state.deck(seat).kept)
        case _:
            return turn.awaited(state) or tuple(seat for seat in state.acting if seat not in state.done)


def _phases(state: State) -> tuple[Phases, ...]:
    if state.phase in BEFORE:
        steps = (say("Decks"), say("Terrain"), say("First hand"))
        return (Phases(say("Before the battle"), steps, BEFORE.index(state.phase)),)
    if state.phase not in TURN_PHASES:
        return ()
    title = say("Round {round}: {side}", round=state.round, side=Text(state.active))
    if state.scenario is not None and state.scenario.turns:
        title = say(
            "Round {round} of {turns}: {side}", round=state.round, turns=state.scenario.turns, side=Text(state.active)
        )
    return (Phases(title, STEPS, TURN_PHASES.index(state.phase)),)


def _field(state: State, seat: Seat | None) -> tuple[Panel, ...]:
    if state.phase == "decks":
        return ()
    if state.mirrored:
        return (board(state, seat),)
    return rosters(state, seat)


def _points(state: State) -> tuple[Panel, ...]:
    """Show the AP of every player and the impact points of every headquarters (G2-28, G2-31, G2-34)."""
    if not state.headquarters:
        return ()
    rows = []
    for side in SIDES:
        rows += [_headquarters(state, one) for one in state.headquarters if one.side == side]
        most = state.cap(side)
        for seat in seats_of(state.options, side):
            have = state.ap.get(seat, 0)
            note = say("action points, {most} at most", most=most)
            rows.append(
                Row(
                    f"ap_{seat}",
                    Text(seat),
                    say("{have} AP", have=have),
                    seat,
                    note,
                    min(have, most),
                    most,
                    current=seat in state.acting,
                )
            )
    return (Tracker("points", say("Headquarters and action points"), tuple(rows), glyph="flag"),)


def _headquarters(state: State, one: Headquarters) -> Row:
    note = say("armour {armour}, income {income}", armour=one.card.armour, income=one.card.income)
    if one.general is not None:
        note = say("{one}, {two}", one=note, two=speech.called(one.general))
    name = speech.hq(state, one)
    return Row(
        one.id, name, say("{pi} PI", pi=one.pi), state.leader(one.side), note, one.pi, one.card.pi, spent=not one.pi
    )
