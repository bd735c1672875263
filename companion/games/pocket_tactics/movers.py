"""Units of a table as hazards meet them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import speech
from companion.games.pocket_tactics.hazards import Mover

if TYPE_CHECKING:
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.state import State


def mover(state: State, unit: Unit) -> Mover:
    """Return what hazards want to know of a unit."""
    card = state.card(unit)
    return Mover(unit.seat, speech.unit(state, unit), card.affinities, state.options, unit.id, speech.gone(state, unit))
