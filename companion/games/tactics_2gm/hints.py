"""What to do now, in a sentence and in reminders that never block (G2-77)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import income, turn, victory
from companion.games.tactics_2gm.sides import side_of
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State


def headline(state: State, seat: Seat | None) -> Text:
    """Say in one sentence what happens next, for that seat."""
    match state.phase:
        case "finished":
            return victory.said(state)
        case "decks":
            return _decks(state, seat)
        case "terrain":
            return _terrain(state, seat)
        case "mulligan":
            if seat is not None and not state.deck(seat).kept:
                return say("Keep your hand, or change it once.")
            return say("The first hands are looked at.")
        case _:
            return _turn(state, seat)


def _decks(state: State, seat: Seat | None) -> Text:
    if seat is None or seat in state.ready:
        return say("The decks are being built.")
    if seat not in state.rosters:
        return say("Take a deck: a ready one, a file, or one of your own.")
    return say("Your deck: change it as you like, then say that you are ready.")


def _terrain(state: State, seat: Seat | None) -> Text:
    side = state.laying[0] if state.laying else state.first
    if seat is not None and state.laying and seat == state.leader(side):
        return say(
            "Lay terrain in your second and third line: {count} point left.|"
            "Lay terrain in your second and third line: {count} points left.",
            count=state.budget.get(side, 0),
        )
    return say("{side}: laying terrain.", side=Text(side))


def _turn(state: State, seat: Seat | None) -> Text:
    if seat is None or seat not in state.acting:
        return say("{side}: {phase} phase.", side=Text(state.active), phase=Text(state.phase))
    if seat in state.done:
        return say("Your partner is still busy.")
    match state.phase:
        case "headquarters":
            return say("Your turn: take your action points and draw.")
        case "movement":
            return say("Move your units.") if state.mirrored else say("Move your units on the battlefield.")
        case "deployment":
            return say("Deploy units and play cards: {ap} AP.", ap=state.ap.get(seat, 0))
        case "fire":
            return say("Fire: each weapon once.")
        case _:
            return _discard(state, seat)


def _discard(state: State, seat: Seat) -> Text:
    too_many = turn.surplus(state, seat)
    if too_many:
        return say("Discard {count} card.|Discard {count} cards.", count=too_many)
    return say("Your partner is still busy.") if turn.awaited(state) else say("End the turn")


def note(state: State, seat: Seat | None) -> Reason | None:
    """Say what the coming headquarters phase gives, to whoever may take it."""
    if state.phase != "headquarters" or seat not in state.acting or not state.mirrored:
        return None
    return income.forecast(state)


def advice(state: State, seat: Seat | None) -> tuple[Reason, ...]:
    """List what a seat may want to know now."""
    found = list(victory.due(state))
    if seat is None or seat not in state.acting or seat in state.done:
        return tuple(found)
    if state.phase == "movement" and any(unit.set_up and unit.seat == seat for unit in state.units):
        found.append(Reason(say("Units with a heavy weapon set up do not move: pack it up first."), "G2-121"))
    if state.phase == "deployment" and side_of(seat) == state.active and not state.ap.get(seat, 0):
        found.append(Reason(say("No action points are left."), "G2-90"))
    return tuple(found)
