"""Headquarters as the battle begins: their card, their place, a general on them (G2-27 to G2-37, G2-159)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import speech
from companion.games.tactics_2gm.cards import HeadquartersCard
from companion.games.tactics_2gm.pieces import Headquarters
from companion.games.tactics_2gm.sides import SIDES
from companion.kit.asking import Option
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask


def set_up(state: State) -> State:
    """Lay every side's headquarters behind the middle of its line 1; two copies have two of each (G2-27, G2-159)."""
    found = []
    for side in SIDES:
        leader = state.leader(side)
        found.append(_laid(f"hq_{side}", side, 0, _card(state, leader)))
        if state.options.two_copies:
            found.append(_laid(f"hq_{side}_2", side, 1, _card(state, state.partner(leader) or leader)))
    return state.but(headquarters=tuple(found))


def _laid(name: str, side: Side, board: int, card: HeadquartersCard) -> Headquarters:
    return Headquarters(name, side, card, card.pi, board)


def _card(state: State, seat: Seat) -> HeadquartersCard:
    """Return a player's headquarters card; who brings none plays an ordinary one (G2-31)."""
    roster = state.rosters.get(seat)
    return (roster.headquarters if roster else None) or HeadquartersCard()


def take_generals(state: State, ask: Ask) -> State:
    """Put a general on each headquarters where the scenario says that they are there from the start (G2-37)."""
    if state.scenario is None or not state.scenario.generals:
        return state
    for side in SIDES:
        leader = state.leader(side)
        known = state.rosters[leader].general
        if not known:
            continue
        options = tuple(Option(str(at), speech.called(one.name)) for at, one in enumerate(known))
        why = say("{side}: the general", side=Text(side))
        chosen = known[int(ask.choose(leader, options, f"general_{side}", why, clause="G2-37"))]
        ask.tell(say("{side}: {general} takes command", side=Text(side), general=speech.called(chosen.name)), "G2-37")
        state = state.with_hq(f"hq_{side}", general=chosen.name)
    return state
