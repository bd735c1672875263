"""What a table of Pocket-Tactics has to remember: players, units, tiles (PT-01, PT-A45, ledger 5.1)."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.games.pocket_tactics.cards import (
    BAG,
    SLOTS,
    Bag,
    Faction,
    Printed,
    Short,
    Slot,
    UnitCard,
    called,
    had,
    place_name,
)
from companion.games.pocket_tactics.dice import MOST_KICKER, POOLS, Pool, Value, clamped
from companion.games.pocket_tactics.options import Options
from companion.kit.game import Frozen
from companion.kit.hexes import Hex, named
from companion.kit.pieces import changed
from companion.kit.ruling import Fighter, Refusal
from companion.kit.text import Text, say

Seat = Literal["blue", "red"]
SEATS: tuple[Seat, ...] = ("blue", "red")


def other(seat: Seat) -> Seat:
    """Return the opponent."""
    return "red" if seat == "blue" else "blue"


UnitId = Annotated[str, Meta(pattern=r"^[br][0-9]{1,2}\.[0-9]{1,2}\Z")]
"""A unit: whose it is, the number of its card in the faction, and which copy (``b0.1``)."""
Place = Annotated[str, Meta(min_length=1, max_length=40)]
"""A tile of the map by its name (``m4``); where the map lies on the table a terrain; ``base`` is the own base."""
At = Annotated[str, Meta(pattern=r"^[a-y][0-9]{1,2}\Z")]
"""A tile of the map by its name."""
Where = Literal["reserve", "tile", "captured"]
Number = Annotated[int, Meta(ge=0, le=99)]
Direction = Annotated[int, Meta(ge=1, le=6)]


class Shift(msgspec.Struct, frozen=True):
    """By how much an ability or effect has changed a kicker (PT-98)."""

    slot: Slot
    pool: Pool
    by: Annotated[int, Meta(ge=-MOST_KICKER, le=MOST_KICKER)]


class Unit(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """A unit. On the map it stands ``at`` a tile, or (map on the table) on some tile of ``terrain``.

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
    """A terrain tile that was placed; ``grooves`` are the directions in which a tunnel tile is open."""

    at: At
    terrain: Short
    grooves: Annotated[tuple[Direction, ...], Meta(max_length=6)] | None = None


class Last(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the latest turn was about: who acted, whom at, and the tile that was left.

    ``passed`` is how the latest skill test ended; ``cancelled``: the ground kept an assault from taking place.
    """

    unit: UnitId | None = None
    target: str | None = None
    came_from: At | None = None
    passed: bool | None = None
    cancelled: bool = False


Phase = Literal["factions", "tiles", "second_base", "setting_out", "play", "finished"]
"""Before the game, the map is built, the second base placed, the first units set out (PT-11 to PT-23), the turns."""
Ending = Literal["army", "base", "both_gone", "conceded"]
"""Ending the game ended (PT-64, PT-65, PT-A43)."""


class State(Frozen, frozen=True, kw_only=True, omit_defaults=True, dict=True):
    """A table.

    ``first`` is the first player, ``active`` whose turn it is: also to place a tile or a base, and to set out units.
    ``bag`` is what the bag held, ``left`` the kinds of tiles (by number) that are still in it, ``drawn`` the one to be
    placed now. ``bases`` are their tiles on the mirrored map. ``turn`` counts from 1.
    """

    options: Options
    factions: dict[Seat, Faction] = {}
    bag: Bag = BAG
    ready: tuple[Seat, ...] = ()
    phase: Phase = "factions"
    first: Seat = "blue"
    active: Seat = "blue"
    turn: Annotated[int, Meta(ge=0, le=99999)] = 0
    left: Annotated[tuple[Number, ...], Meta(max_length=100)] = ()
    drawn: Number | None = None
    tiles: Annotated[tuple[Tile, ...], Meta(max_length=100)] = ()
    bases: dict[Seat, At] = {}
    units: Annotated[tuple[Unit, ...], Meta(max_length=3000)] = ()
    winner: Seat | Literal["draw"] | None = None
    how: Ending | None = None
    last: Last = Last()

    def __post_init__(self) -> None:
        """Raise ValueError when the position can not be."""
        tiles = {tile.at for tile in self.tiles}
        if len(tiles) < len(self.tiles) or tiles & set(self.bases.values()):
            raise ValueError("two tiles in one place")
        if len({unit.id for unit in self.units}) < len(self.units):
            raise ValueError("two units of one name")
        standing = [unit.at for unit in self.units if unit.at]
        if len(set(standing)) < len(standing) or not tiles.issuperset(standing):
            raise ValueError("two units on one tile, or one on none")
        for unit in self.units:
            if unit.card >= len(self.faction(unit.seat).unit):
                raise ValueError("a unit that has no card")
            if (unit.where == "tile") != bool(unit.at or unit.terrain):
                raise ValueError("a unit that is nowhere")
        out = () if self.drawn is None else (self.drawn,)
        if any(number >= len(self.bag.tile) for number in (*self.left, *out)):
            raise ValueError("a tile that was never in the bag")

    @property
    def mirrored(self) -> bool:
        """Tell whether Companion keeps the map."""
        return self.options.map == "companion"

    @property
    def over(self) -> bool:
        """Tell whether the game has ended."""
        return self.phase == "finished"

    @property
    def second(self) -> Seat:
        """Return the second player."""
        return other(self.first)

    def faction(self, seat: Seat) -> Faction:
        """Return a player's faction, an empty one while there is none."""
        return self.factions.get(seat, NOBODY)

    def card(self, unit: Unit) -> UnitCard:
        """Return a unit's stat card."""
        return self.faction(unit.seat).unit[unit.card]

    def value(self, unit: Unit, slot: Slot, pool: Pool) -> Value:
        """Return a value of a unit's skill, with its kicker after all changes (PT-93, PT-94, PT-98)."""
        printed = self.card(unit).value(slot, pool)
        by = sum(shift.by for shift in unit.shifts if (shift.slot, shift.pool) == (slot, pool))
        return printed._replace(kicker=clamped(printed.kicker + by))

    def skills(self, unit: Unit) -> tuple[Printed, ...]:
        """List the skills that a unit has now, kickers after all changes (PT-98)."""
        return had(Printed(slot, *(self.value(unit, slot, pool) for pool in POOLS)) for slot in SLOTS)

    def shifted(self, unit: Unit, slot: Slot, pool: Pool, by: int) -> State:
        """Return the state with a kicker changed by so much from what is printed (PT-98)."""
        others = tuple(shift for shift in unit.shifts if (shift.slot, shift.pool) != (slot, pool))
        return self.with_unit(unit.id, shifts=(*others, Shift(slot, pool, by)) if by else others)

    def find(self, name: str | None) -> Unit | None:
        """Return the unit of that id."""
        return next((unit for unit in self.units if unit.id == name), None)

    def unit(self, name: str) -> Unit:
        """Return the unit of that id; raise Refusal when there is none."""
        unit = self.find(name)
        if unit is None:
            raise Refusal(say("There is no such unit."), "PT-02", "unit")
        return unit

    def of(self, seat: Seat, where: Where) -> tuple[Unit, ...]:
        """List a player's units that are in the reserve, on a tile or captured."""
        return tuple(unit for unit in self.units if unit.seat == seat and unit.where == where)

    def alive(self, seat: Seat) -> bool:
        """Tell whether a player has a unit on the map or in reserve (PT-A01)."""
        return any(unit.seat == seat and unit.where != "captured" for unit in self.units)

    def tile(self, at: str | None) -> Tile | None:
        """Return the tile of that name."""
        return next((tile for tile in self.tiles if tile.at == at), None)

    def on(self, at: str) -> Unit | None:
        """Return the unit that stands on a tile (PT-26)."""
        return next((unit for unit in self.units if unit.at == at), None)

    def terrain(self, unit: Unit) -> str:
        """Return the terrain that a unit stands on; empty where it stands on none."""
        tile = self.tile(unit.at)
        return tile.terrain if tile else unit.terrain or ""

    @cached_property
    def grid(self) -> dict[Hex, Tile]:
        """Return the tiles by where they lie."""
        return {named(tile.at): tile for tile in self.tiles}

    def kind(self, unit: Unit) -> Text:
        """Name what a unit is; where its army has several of them, with its number."""
        card = self.card(unit)
        name = called(card.name)
        return say("{unit} {number}", unit=name, number=str(unit.copy)) if card.copies > 1 else name

    def name(self, unit: Unit) -> Text:
        """Name a unit with its owner."""
        return say("{unit} ({side})", unit=self.kind(unit), side=Text(unit.seat))

    def fighter(self, unit: Unit) -> Fighter:
        """Name a unit for the statistics."""
        return Fighter(unit.id, unit.seat, self.kind(unit), unit.at)

    def place(self, name: str) -> Text:
        """Name a tile of the map with its terrain (``m4, forest``), or a terrain where the map lies on the table."""
        if name == "base":
            return Text("base")
        tile = self.tile(name)
        return place_name(tile.terrain if tile else name, name if tile else "")

    def with_unit(self, name: str, **changes: Any) -> State:
        """Return the state with one unit changed."""
        return self.but(units=changed(self.units, name, **changes))

    def standing(self, name: str, place: str) -> State:
        """Return the state with a unit on a tile of the map, or on some tile of that terrain."""
        where = {"at": place, "terrain": None} if self.mirrored else {"at": None, "terrain": place}
        return self.with_unit(name, where="tile", **where)

    def gone(self, name: str, where: Literal["reserve", "captured"]) -> State:
        """Return the state with a unit off the map (PT-30, PT-42, PT-A34)."""
        return self.with_unit(name, where=where, at=None, terrain=None)

    def mustered(self) -> State:
        """Return the state with every unit of both factions in reserve (PT-23)."""
        units = (
            Unit(id=f"{seat[0]}{number}.{copy}", seat=seat)
            for seat in SEATS
            for number, card in enumerate(self.faction(seat).unit)
            for copy in range(1, card.copies + 1)
        )
        return self.but(units=tuple(units))


NOBODY = Faction(name="none")
