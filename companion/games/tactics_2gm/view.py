"""What a seat sees, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.kit.panels import View
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.state import State


def view(state: State, seat: str) -> View:
    """Show what a seat may see, and nothing else."""
    return View(say("2GM Tactics"), (), (), over=state.phase == "finished")
