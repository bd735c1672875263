"""The result of an action in a few words, large enough to be read across a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics import actions as do
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State


def headline(before: State, after: State, seat: Seat, action: do.Action) -> Text:
    """Say what an action did."""
    return say("{seat} acts", seat=Text(seat))
