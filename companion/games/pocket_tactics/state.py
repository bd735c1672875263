"""What a table of Pocket-Tactics has to remember (ledger 5.1)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from companion.games.pocket_tactics.cards import SIDES, Bag, Faction, UnitCard
from companion.games.pocket_tactics.comparing import Value, clamped
from companion.games.pocket_tactics.doing import At, Pool, Slot
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.pieces import Last, Number, Tile, Unit
from companion.games.pocket_tactics.sample import BAG
from companion.games.pocket_tactics.sides import SEATS, Seat, other
from companion.kit.frozen import Frozen
from companion.kit.hexes import Hex, named
from companion.kit.ruling import Refusal
from companion.kit.text import say

Phase = Literal["factions", "tiles", "second_base", "setting_out", "play", "finished"]
"""Before the game, the map is built, the second base placed, the first units set out (PT-11 to PT-23), the turns."""
How = Literal["army", "base", "both_gone", "conceded"]
"""How the game ended (PT-64, PT-65, PT-A43)."""


class State(Frozen, frozen=True, kw_only=True, omit_defaults=True):
    """Remember a table.

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
    how: How | None = None
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

    def find(self, name: str | None) -> Unit | None:
        """Return the unit of that id."""
        return next((unit for unit in self.units if unit.id == name), None)

    def unit(self, name: str) -> Unit:
        """Return the unit of that id; raise Refusal when there is none."""
        found = self.find(name)
        if found is None:
            raise Refusal(say("There is no such unit."), "PT-02", "unit")
        return found

    def of(self, seat: Seat, where: str) -> tuple[Unit, ...]:
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

    @property
    def grid(self) -> dict[Hex, Tile]:
        """Return the tiles by where they lie."""
        return {named(tile.at): tile for tile in self.tiles}

    def base(self, seat: Seat) -> Hex | None:
        """Return where a player's base lies on the mirrored map."""
        return named(self.bases[seat]) if seat in self.bases else None

    @property
    def second(self) -> Seat:
        """Return the second player."""
        return other(self.first)

    def with_unit(self, name: str, **changes: Any) -> State:
        """Return the state with one unit changed."""
        return self.but(units=tuple(replace(unit, **changes) if unit.id == name else unit for unit in self.units))

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


def grooves(bag: Bag, number: int, turned: int = 0) -> tuple[int, ...] | None:
    """Return the open directions of a kind of tile, turned clockwise by so many sides; None: it is no tunnel tile."""
    sides = bag.tile[number].grooves
    return None if sides is None else tuple(sorted((SIDES.index(side) + turned) % 6 + 1 for side in sides))
