"""Victory and defeat (G2-23 to G2-26, G2-32)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask


def check(state: State, ask: Ask) -> State:
    """Look after an action whether somebody has won: headquarters first, then who is out of cards (G2-A16)."""
    return state
