"""Advice that never blocks (section 5.4 of the rules' duties: leftover points, own units in the melee)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import raising, speech, victory
from companion.games.chesswar.state import BEFORE, TURN_PHASES
from companion.games.chesswar.turn import shooters
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State


def hints(state: State, side: Side | None) -> tuple[Reason, ...]:
    """List what a seat may want to know now."""
    found = list(_undecided(state))
    if side is not None and state.phase in BEFORE and side not in state.ready:
        found += raising.spend_hint(state, side)
    shoots = side in state.acting and state.phase == "shooting" and shooters(state)
    if shoots and any(unit.engaged for unit in state.standing()):
        found.append(Reason(say("A shot into a melee may strike your own unit."), "CW-52"))
    return tuple(found)


def _undecided(state: State) -> tuple[Reason, ...]:
    """Say what has to be set by hand before a game that went on after its end can end as it should (CW-164, CW-173)."""
    if state.phase not in TURN_PHASES:
        return ()
    won, clause = victory.victors(state)
    if won:
        text = say("As the board stands {side} has won: to play on, put units back by hand.", side=speech.sides(won))
        return (Reason(text, clause),)
    if state.options.total_massacre:
        return ()
    led = {unit.side for unit in state.units if unit.on_board and unit.kind.general}
    return tuple(
        Reason(say("{side} has no general and cannot lose: put one back by hand.", side=Text(side)), "CW-164")
        for side in state.sides
        if side not in led
    )
