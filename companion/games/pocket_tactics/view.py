"""What a seat sees: the map, the reserves, what was captured, and what to do next. Nothing is hidden (ledger 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.kit.panels import View
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.state import State


def view(state: State, seat: str) -> View:
    """Show what a seat may see."""
    return View(say("Pocket-Tactics"), (state.active,), (), over=state.over)
