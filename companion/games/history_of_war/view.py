"""What a seat sees, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war.sides import SEATS
from companion.kit.panels import View
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.state import State


def view(state: State, seat: str) -> View:
    """Show what a seat may see, and nothing else."""
    return View(say("{phase}", phase=Text(state.phase)), () if state.phase == "finished" else SEATS, ())
