"""Everything that can be done at a free table, apart from what each tracker's own chapter declares."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.free_table.kinds import Doing, Set
from companion.games.free_table.look import Deed
from companion.games.free_table.state import MOST_TRACKERS
from companion.kit import action


class Sit(action.Action, frozen=True, tag="sit"):
    """Tell who sits on the seat; the table does it when somebody comes, is renamed or goes (None)."""

    name: Annotated[str, Meta(max_length=40)] | None = None


class Remove(Deed, frozen=True, tag="remove"):
    """Take a tracker off the table."""


class Shift(Deed, frozen=True, tag="shift"):
    """Move a tracker one place up or down."""

    way: Literal["up", "down"]


class Arrange(msgspec.Struct, frozen=True, tag_field="action", tag="arrange", forbid_unknown_fields=True):
    """Put the trackers in an order; those that are not named follow."""

    order: Annotated[tuple[str, ...], Meta(max_length=MOST_TRACKERS)]


class Renew(msgspec.Struct, frozen=True, tag_field="action", tag="renew", forbid_unknown_fields=True):
    """Begin another game with the same trackers."""


class End(msgspec.Struct, frozen=True, tag_field="action", tag="end", forbid_unknown_fields=True):
    """End the game."""


Composing = Set | Remove | Shift | Arrange | Renew
Action = Sit | End | Composing | Doing
