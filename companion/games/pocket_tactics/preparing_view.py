"""What a seat sees of the factions and of the bag before the game: everything, of both sides (ledger 5.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.kit.panels import Panel


def panels(state: State, seat: Seat | None) -> tuple[Panel, ...]:
    """Show the own faction line by line, the other one, and the bag; ``seat`` None is somebody who only looks on."""
    return ()
