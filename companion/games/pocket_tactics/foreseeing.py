"""Exact odds of an action before it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.pocket_tactics import actions as do
    from companion.games.pocket_tactics.state import State
    from companion.kit.game import Chart


def charts(state: State, seat: str, action: do.Action) -> tuple[Chart, ...]:
    """Work out the odds of an action; empty when it throws no dice."""
    return ()
