"""What to do now in a sentence, and what to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import movement, setting_out, speech
from companion.games.pocket_tactics.sides import SEATS, other
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State


def awaited(state: State) -> tuple[Seat, ...]:
    """List the seats that the game waits for."""
    if state.over:
        return ()
    if state.phase == "factions":
        return tuple(seat for seat in SEATS if seat not in state.ready)
    return (state.active,)


def headline(state: State, seat: Seat | None) -> Text:
    """Say in one sentence what happens now, for that seat."""
    mine = seat == state.active
    side = Text(state.active)
    match state.phase:
        case "finished":
            return over(state)
        case "factions":
            return _factions(state, seat)
        case "tiles":
            tile = speech.terrain(state.bag.tile[state.drawn or 0].terrain)
            if mine:
                return say("You have drawn: {terrain}. Tap the place where the tile goes.", terrain=tile)
            return say("{side} places a tile: {terrain}.", side=side, terrain=tile)
        case "second_base":
            if mine:
                return say("Tap the place of your base: as far away from the enemy's as can be.")
            return say("{side} places the base.", side=side)
        case "setting_out":
            if not mine:
                return say("{side} sets out the first units.", side=side)
            left = setting_out.left(state, state.active)
            if state.mirrored:
                return say(
                    "Tap a unit of your reserve, then its tile: {count} left.|"
                    "Tap a unit of your reserve, then its tile: {count} left.",
                    count=left,
                )
            return say(
                "Tap a unit of your reserve, then its terrain: {count} left.|"
                "Tap a unit of your reserve, then its terrain: {count} left.",
                count=left,
            )
        case _:
            return _turn(state, mine=mine)


def over(state: State) -> Text:
    """Say how the game ended (PT-64, PT-65, PT-A43)."""
    if state.winner is None or state.winner == "draw":
        gone = say("The game ends in a draw: both armies are gone.")
        return gone if state.how else say("The game ends in a draw.")
    side = Text(state.winner)
    match state.how:
        case "base":
            return say("{side} wins: the enemy base is taken.", side=side)
        case "conceded":
            return say("{side} wins: the enemy has given up.", side=side)
        case "both_gone":
            return say("{side} wins: both armies are gone, and it was that player's turn.", side=side)
        case "army":
            return say("{side} wins: the whole enemy army is captured.", side=side)
        case None:
            return say("{side} wins.", side=side)


def _factions(state: State, seat: Seat | None) -> Text:
    if seat is None:
        return say("The factions are being chosen.")
    if seat in state.ready:
        return say("{side} still prepares the faction.", side=Text(other(seat)))
    if seat not in state.factions:
        return say("Take a faction: a ready one, a file, or one of your own.")
    return say("Your faction: change it as you like, then say that you are ready.")


def _turn(state: State, *, mine: bool) -> Text:
    if not mine:
        return say("{side}'s turn.", side=Text(state.active))
    if not movement.can_act(state, state.active):
        return say("Your turn: you can neither move nor assault nor deploy. Pass.")
    return say("Your turn: move, assault or deploy one unit.")


def advice(state: State, seat: Seat | None) -> tuple[Reason, ...]:
    """List what a seat may want to know now."""
    gone = [] if state.over or not state.turn else [one for one in SEATS if not state.alive(one)]
    if gone:
        text = say(
            "{side} has no unit left, so the game ends with this turn. To play on, put one back by hand.",
            side=Text(gone[0]),
        )
        return (Reason(text, "PT-64"),)
    if seat is None or seat != state.active:
        return ()
    if state.phase == "tiles":
        return (Reason(say("Tiles still in the bag: {count}.", count=len(state.left)), "PT-18"),)
    if state.phase == "setting_out" and not state.mirrored:
        return (Reason(say("Put them on the table as close to your base as can be."), "PT-22"),)
    return ()
