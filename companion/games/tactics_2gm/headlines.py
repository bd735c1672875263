"""The result of an action in a few words, large enough to be read across a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm import actions as do
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State


def headline(before: State, after: State, seat: Seat, action: do.Action) -> Text:
    """Say what an action did."""
    return say("{seat}", seat=Text(seat))
