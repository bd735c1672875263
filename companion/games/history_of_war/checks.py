"""What every use of a unit has in common: it is one's own, in play, and unlocked (HW-35, HW-36)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import speech
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.history_of_war.pieces import Played
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State


def own_unit(state: State, seat: Seat, name: str, clause: str) -> Played:
    """Return a player's own unit that is in play and unlocked; raise Refusal, in the clause of what it should do."""
    unit = state.played(name)
    called = speech.unit(state, unit)
    if unit.seat != seat:
        raise Refusal(say("{unit} is not yours.", unit=called), clause, "unit")
    if not state.is_unit(unit):
        raise Refusal(say("{unit} is not a unit.", unit=called), clause, "unit")
    if unit not in state.units(seat):
        raise Refusal(
            say("{unit} is set aside with its territory, out of play for good.", unit=called), "HW-A39", "unit"
        )
    if unit.locked:
        raise Refusal(say("{unit} is locked until the round ends.", unit=called), "HW-36", "unit")
    return unit
