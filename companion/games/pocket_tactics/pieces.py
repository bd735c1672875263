"""What lies on the table in Pocket-Tactics: units and tiles (ledger 5.1)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.pocket_tactics.cards import Short
from companion.games.pocket_tactics.doing import At, Pool, Slot, UnitId
from companion.games.pocket_tactics.sides import Seat

Where = Literal["reserve", "tile", "captured"]
Number = Annotated[int, Meta(ge=0, le=99)]
Direction = Annotated[int, Meta(ge=1, le=6)]


class Shift(msgspec.Struct, frozen=True):
    """Hold by how much an ability or effect has changed a kicker (PT-98)."""

    slot: Slot
    pool: Pool
    by: Annotated[int, Meta(ge=-6, le=6)]


class Unit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Hold a unit. On the map it stands ``at`` a tile, or (map on the table) on some tile of ``terrain``.

    A captured one lies in the opponent's pile (PT-A34).
    """

    id: UnitId
    seat: Seat
    where: Where = "reserve"
    at: At | None = None
    terrain: Short | None = None
    shifts: Annotated[tuple[Shift, ...], Meta(max_length=6)] = ()

    @property
    def card(self) -> int:
        """Return the number of its stat card."""
        return int(self.id[1:].split(".")[0])

    @property
    def copy(self) -> int:
        """Return which copy of its card it is, from 1."""
        return int(self.id.split(".")[1])


class Tile(msgspec.Struct, frozen=True, omit_defaults=True):
    """Hold a terrain tile that was placed; ``grooves`` are the directions in which a tunnel tile is open."""

    at: At
    terrain: Short
    grooves: Annotated[tuple[Direction, ...], Meta(max_length=6)] | None = None


class Last(msgspec.Struct, frozen=True, omit_defaults=True):
    """Hold what the latest turn was about: who acted, whom at, and the tile that was left.

    ``passed`` is how the latest skill test ended; ``cancelled``: the ground kept an assault from taking place.
    """

    unit: UnitId | None = None
    target: str | None = None
    came_from: At | None = None
    passed: bool | None = None
    cancelled: bool = False
