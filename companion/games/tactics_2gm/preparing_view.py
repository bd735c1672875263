"""What a seat sees of the decks before the battle: its own with everything in it, of the others who is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.kit.panels import Facts
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.panels import Panel


def panels(state: State, seat: Seat) -> tuple[Panel, ...]:
    """Show a player the decks before the battle."""
    rows = tuple(
        (Text(one), say("ready") if one in state.ready else say("still building")) for one in state.seats if one != seat
    )
    return (Facts(say("The other decks"), rows),)
