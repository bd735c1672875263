"""How many points a deck may cost, and whether it is ready to play (G2-07 to G2-11, G2-148, G2-149, G2-A36)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm.sides import paired, seats_of, side_of
from companion.kit.decks.written import MOST_CARDS
from companion.kit.ruling import Reason
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State


def limit(state: State) -> int:
    """Return the points limit of a side: the scenario's where it has one (G2-08, G2-09)."""
    own = state.scenario.limit if state.scenario else None
    return state.options.limit if own is None else own


def shared(state: State, side: Side) -> bool:
    """Tell whether two players spend the points of their side together (G2-149)."""
    return paired(state.options, side) and state.options.pair_decks == "shared"


def limit_of(state: State, seat: Seat) -> int:
    """Return the points that a player's deck may cost; sharing partners' decks may together (G2-148, G2-A36)."""
    side, whole = side_of(seat), limit(state)
    if not paired(state.options, side) or shared(state, side):
        return whole
    return whole - whole // 2 if seat == state.leader(side) else whole // 2


def points_of(state: State, seat: Seat) -> int:
    """Return what counts against a player's limit: his deck, or those of both who share (G2-10, G2-149)."""
    side = side_of(seat)
    counted = seats_of(state.options, side) if shared(state, side) else (seat,)
    return sum(state.rosters[one].points for one in counted if one in state.rosters)


def not_ready(state: State, seat: Seat) -> Reason | None:
    """Say why a player can not begin with the deck that he has; None when he can (G2-06, G2-11, G2-26)."""
    if seat not in state.rosters:
        return Reason(say("Take or build a deck first."), "G2-06")
    if not state.rosters[seat].size:
        return Reason(say("There is no card in your deck."), "G2-26")
    if state.rosters[seat].size > MOST_CARDS:
        return Reason(say("A deck has {most} cards at the most.", most=MOST_CARDS), "G2-06")
    points, most = points_of(state, seat), limit_of(state, seat)
    if points > most:
        return Reason(say("The deck costs {points} points; the limit is {limit}.", points=points, limit=most), "G2-11")
    return None
