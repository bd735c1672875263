"""What a seat sees of the decks before the game: its own with everything in it, of the other whether it is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.panels import Panel


def panels(state: State, seat: Seat) -> tuple[Panel, ...]:
    """Show a player his deck before the game, and what everybody may know of the other (ledger 5.2)."""
    return ()
