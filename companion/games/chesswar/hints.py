"""Advice that never blocks (section 5.4 of the rules' duties: leftover points, own units in the melee)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import raising
from companion.games.chesswar.state import BEFORE
from companion.games.chesswar.turn import shooters
from companion.kit.ruling import Reason
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State


def hints(state: State, side: Side | None) -> tuple[Reason, ...]:
    """List what a seat may want to know now."""
    found: list[Reason] = []
    if side is not None and state.phase in BEFORE and side not in state.ready:
        found += raising.spend_hint(state, side)
    shoots = side in state.acting and state.phase == "shooting" and shooters(state)
    if shoots and any(unit.engaged for unit in state.standing()):
        found.append(Reason(say("A shot into a melee may strike your own unit."), "CW-52"))
    return tuple(found)
