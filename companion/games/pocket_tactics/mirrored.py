"""The land as the mirrored map tells it to one unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.games.pocket_tactics import choosing, geometry, movers, speech
from companion.games.pocket_tactics.land import Edge, Spot
from companion.games.pocket_tactics.sides import other
from companion.kit.asking import Option
from companion.kit.hexes import Hex, named
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.pieces import Tile, Unit
    from companion.games.pocket_tactics.state import State
    from companion.kit.asking import Ask


class Mirrored(NamedTuple):
    """Be the land around a unit on the map that Companion keeps; the unit itself holds no tile."""

    state: State
    unit: Unit

    def beyond(self, spot: Spot, direction: int, _ask: Ask, /) -> Edge | Spot:
        """Tell what lies beyond a side of a tile."""
        here = named(spot.at)
        there = here.beyond(direction)
        return self.lies(there) if geometry.open_edge(self.state, here, there) else "wall"

    def past_wall(self, spot: Spot, direction: int, _ask: Ask, /) -> Edge | Spot:
        """Tell the same as if there were no walls."""
        return self.lies(named(spot.at).beyond(direction))

    def lies(self, place: Hex) -> Edge | Spot:
        """Tell what lies in a place."""
        tile = self.state.grid.get(place)
        if tile is not None:
            return self.spot(tile)
        owner = next((seat for seat in self.state.bases if self.state.base(seat) == place), None)
        if owner is None:
            return "void"
        return "own_base" if owner == self.unit.seat else "enemy_base"

    def spot(self, tile: Tile) -> Spot:
        """Tell who stands on a tile."""
        holder = self.state.on(tile.at)
        if holder is None or holder.id == self.unit.id:
            return Spot(tile.terrain, None, tile.at)
        return Spot(tile.terrain, "ally" if holder.seat == self.unit.seat else "enemy", tile.at, holder.id)

    def leads(self, spot: Spot, direction: int, /) -> Text:
        """Name the tile, the base or the gap that a slide in a direction would meet, or the wall."""
        here = named(spot.at)
        there = here.beyond(direction)
        walls = self.state.options.random_move_walls == "stay"
        if walls and not geometry.open_edge(self.state, here, there):
            return Text("wall")
        met = self.lies(there)
        return say("{square}", square=met.at) if isinstance(met, Spot) else Text(met)

    def chosen(self, spot: Spot, ask: Ask, /) -> Spot | None:
        """Ask the opponent for an unoccupied tile of the map, not the one that the unit is on (PT-77, PT-A28)."""
        spots = [self.spot(tile) for tile in self.state.tiles if tile.at != spot.at]
        free = {one.at: one for one in spots if one.held_by is None}
        if not free:
            return None
        options = [Option(at, speech.place(self.state, at), place=at) for at in free]
        terrains = [one.terrain for one in free.values()]
        mover = movers.mover(self.state, self.unit)
        return free[choosing.destination(mover, other(self.unit.seat), options, terrains, ask)]

    def leaves(self, spot: Spot, ask: Ask, /) -> Literal["mover", "resident"]:
        """Ask the owner which of two friends goes to reserve (PT-86)."""
        friend = speech.kind(self.state, self.state.unit(spot.unit))
        return choosing.leaves(self.unit.seat, speech.kind(self.state, self.unit), friend, ask)

    def without(self, spot: Spot, /) -> Mirrored:
        """Return the land without the friend who stood on a tile."""
        return self._replace(state=self.state.gone(spot.unit, "reserve"))
