"""Every value that can be set by hand, and how."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.pocket_tactics.state import State
    from companion.kit.asking import Ask
    from companion.kit.game import Tracked


def tracked(state: State) -> tuple[Tracked, ...]:
    """List every value that can be corrected by hand."""
    return ()


def correct(state: State, path: str, value: str, ask: Ask) -> State:
    """Set one tracked value; raise Refusal when the value can not be."""
    return state
