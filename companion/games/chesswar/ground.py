"""Forests under a unit's feet (CW-170, CW-171); what terrain does to sight stands in ``sight``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import speech
from companion.kit.asking import NO_YES
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask


def wooded(state: State, unit: Unit) -> bool:
    """Tell whether a mirrored board has a forest where a unit stands."""
    return unit.square is not None and state.terrain.get(unit.square) == "forest"


def in_forest(state: State, unit: Unit, ask: Ask) -> bool:
    """Tell whether a unit stands in a forest; where only the real board knows, its player is asked."""
    if state.mirrored or not state.options.terrain:
        return wooded(state, unit)
    why = say("{unit}: in a forest?", unit=speech.name(state, unit))
    return ask.choose(unit.side, NO_YES, f"forest_{unit.id}", why, clause="CW-170") == "yes"
