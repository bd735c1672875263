"""The land where the map lies on the table: the players say what a unit meets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.games.pocket_tactics import choosing, movers, sliding, speech
from companion.games.pocket_tactics.land import Edge, Spot
from companion.games.pocket_tactics.sides import SEATS, other
from companion.games.pocket_tactics.terrain import KNOWN, known_as
from companion.kit.asking import Option
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.options import Options
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.state import State
    from companion.kit.asking import Ask
    from companion.kit.text import Text

EDGES: tuple[Edge, ...] = ("void", "own_base", "enemy_base", "wall")


def terrains(state: State) -> tuple[str, ...]:
    """List the terrains that a tile on the table may be of: those of the bag, of affinities, and all that are known."""
    bag = [tile.terrain for tile in state.bag.tile if tile.count]
    homes = [name for seat in SEATS for card in state.faction(seat).unit for name in card.affinities]
    found: dict[str, str] = {}
    for name in (*bag, *homes, *KNOWN):
        found.setdefault(known_as(name).casefold(), known_as(name))
    return tuple(found.values())


class Asked(NamedTuple):
    """Be the land around a unit whose map lies on the table; what people call a tile has no name but its terrain."""

    state: State
    unit: Unit

    def beyond(self, _spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        """Ask the unit's player what lies beyond a side of a tile; walls only where they matter."""
        enemies = [Option("enemy", say("An enemy"))] if self.state.of(other(self.unit.seat), "tile") else []
        friends = [
            Option(friend.id, say("Friend: {unit}", unit=speech.kind(self.state, friend)))
            for friend in self.state.of(self.unit.seat, "tile")
            if friend.id != self.unit.id
        ]
        empty = {f"empty.{name}": name for name in terrains(self.state)}
        tiles = [Option(value, say("Empty: {terrain}", terrain=speech.terrain(empty[value]))) for value in empty]
        why = say(
            "{unit} slides: {direction}. What lies there?",
            unit=speech.unit(self.state, self.unit),
            direction=sliding.towards(direction),
        )
        options = (*edges(self.state.options), *enemies, *friends, *tiles)
        found = ask.choose(self.unit.seat, options, "beyond", why, clause="PT-83")
        edge = next((edge for edge in EDGES if edge == found), None)
        if edge is not None:
            return edge
        if found == "enemy":
            return Spot("", "enemy")
        friend = self.state.find(found)
        return Spot(friend.terrain or "", "ally", unit=friend.id) if friend else Spot(empty[found])

    def past_wall(self, spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        """Ask the same: a wall that does not matter is never named."""
        return self.beyond(spot, direction, ask)

    def leads(self, _spot: Spot, _direction: int, /) -> None:
        """Tell nothing: nobody has been asked yet."""

    def chosen(self, _spot: Spot, ask: Ask, /) -> Spot | None:
        """Ask the opponent for the terrain of an unoccupied tile (PT-77)."""
        found = terrains(self.state)
        options = [Option(name, speech.terrain(name)) for name in found]
        mover = movers.mover(self.state, self.unit)
        return Spot(choosing.destination(mover, other(self.unit.seat), options, found, ask))

    def leaves(self, spot: Spot, ask: Ask, /) -> Literal["mover", "resident"]:
        """Ask the owner which of two friends goes to reserve (PT-86)."""
        friend = speech.kind(self.state, self.state.unit(spot.unit))
        return choosing.leaves(self.unit.seat, speech.kind(self.state, self.unit), friend, ask)

    def without(self, spot: Spot, /) -> Asked:
        """Return the land without the friend who stood on a tile."""
        return self._replace(state=self.state.gone(spot.unit, "reserve"))


def edges(options: Options) -> list[Option]:
    """List what a slide may meet that is no tile; walls only where they matter (``opt.random_move_walls``)."""
    return [Option(edge, _edge(edge)) for edge in EDGES if edge != "wall" or options.random_move_walls == "stay"]


def _edge(edge: Edge) -> Text:
    """Name what is no tile to land on."""
    match edge:
        case "void":
            return say("A gap")
        case "own_base":
            return say("Its own base")
        case "enemy_base":
            return say("The enemy base")
        case "wall":
            return say("A tunnel wall")
