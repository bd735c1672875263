"""The land around a unit of the table: the mirrored map or the players tell it; what came of a unit takes effect
(PT-77, PT-83 to PT-87).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

from companion.games.pocket_tactics import geometry
from companion.games.pocket_tactics.cards import terrain_name
from companion.games.pocket_tactics.combatants import combatant
from companion.games.pocket_tactics.hazards import Fate, Mover, entering_advice, entry_test, met, towards
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.state import SEATS, State, Tile, Unit, other
from companion.games.pocket_tactics.terrain import KNOWN, Edge, Land, Spot, known_as, threat
from companion.kit.asking import Ask
from companion.kit.hexes import Hex, named
from companion.kit.questions import Foretold, Option
from companion.kit.ruling import Harm
from companion.kit.text import Text, say

EDGES: dict[Edge, Text] = {
    "void": say("A gap"),
    "own_base": say("Its own base"),
    "enemy_base": say("The enemy base"),
    "wall": say("A tunnel wall"),
}
"""What a slide may meet that is no tile."""
SAID: dict[str, Edge | Spot] = {**{edge: edge for edge in EDGES}, "enemy": Spot("", "enemy")}
"""What players may say that a unit slides to, if it is no tile that it can stay on."""


def mover_of(state: State, unit: Unit) -> Mover:
    """Return what hazards want to know of a unit."""
    loss = Harm(state.fighter(unit), 0, "gone", None)
    affinities, piece = state.card(unit).affinities, combatant(state, unit)
    return Mover(unit.seat, state.name(unit), affinities, state.options, unit.id, loss, piece)


def spot_of(state: State, unit: Unit) -> Spot:
    """Return the tile that a unit stands on."""
    return Spot(state.terrain(unit), None, unit.at or "")


def land_around(state: State, unit: Unit) -> Land:
    """Return the land around a unit: the mirrored map, or the players are asked."""
    return Mirrored(state, unit) if state.mirrored else Asked(state, unit)


def landed(state: State, unit: Unit, fate: Fate) -> State:
    """Put into effect what became of a unit, and of the friends who made room for it."""
    for left in fate.friends_leave:
        state = state.gone(left.unit, "reserve")
    match fate.where:
        case "reserve" | "captured" as where:
            return state.gone(unit.id, where)
        case _:
            return state.standing(unit.id, fate.spot.at or fate.spot.terrain) if fate.spot else state


def terrains(state: State) -> tuple[str, ...]:
    """List the terrains that a tile on the table may be of: those of the bag, of affinities, and all that are known."""
    bag = [tile.terrain for tile in state.bag.tile if tile.count]
    homes = [name for seat in SEATS for card in state.faction(seat).unit for name in card.affinities]
    different: dict[str, str] = {}
    for name in map(known_as, (*bag, *homes, *KNOWN)):
        different.setdefault(name.casefold(), name)
    return tuple(different.values())


def destination(mover: Mover, chooser: str, options: Sequence[Option], terrains: Iterable[str], ask: Ask) -> str:
    """Ask the opponent where a unit goes that is lost in a labyrinth (PT-77); returns an option's value.

    ``terrains`` are those of the options: which tests wait there is said before (PT-A28).
    """
    advice = entering_advice(mover, terrains) if mover.options.labyrinth_entry_tests else ()
    why = say("Where do you send {unit}?", unit=mover.name)
    return ask.choose(chooser, options, "opponent_choice", why, clause="PT-77", advice=advice)


def who_leaves(mover: Mover, unit: Text, friend: Text, terrain: str, ask: Ask) -> Literal["mover", "resident"]:
    """Ask the owner which of two friends on one tile of a terrain goes to reserve (PT-86).

    What the one who slides is tested for there is said before (PT-84).
    """
    options = (
        Option("mover", say("{unit}, who slides", unit=unit)),
        Option("resident", say("{unit}, who stands there", unit=friend)),
    )
    why = say("{unit} slides onto a friend: {friend}. Who goes back to reserve?", unit=unit, friend=friend)

    def foretold() -> Foretold:
        danger = entry_test(mover, terrain)
        takes = threat(danger) if danger else say("takes the tile, no test")
        return Foretold({"mover": say("the friend stays there"), "resident": takes})

    leaves = ask.choose_foretold(mover.seat, options, "owner_choice", why, foretold, clause="PT-86")
    return "mover" if leaves == "mover" else "resident"


def edges(options: Options) -> list[Option]:
    """List what a slide may meet that is no tile; walls only where they matter (``opt.random_move_walls``)."""
    return [Option(edge, name) for edge, name in EDGES.items() if options.random_move_walls == "stay" or edge != "wall"]


@dataclass(frozen=True)
class Around(Land):
    """The land around a unit of the table."""

    state: State
    unit: Unit

    def sent(self, options: Sequence[Option], terrains: Iterable[str], ask: Ask) -> str:
        """Ask the opponent where the unit goes that is lost (PT-77); returns an option's value."""
        return destination(mover_of(self.state, self.unit), other(self.unit.seat), options, terrains, ask)

    def leaves(self, spot: Spot, ask: Ask, /) -> Literal["mover", "resident"]:
        """Ask the owner which of two friends goes to reserve (PT-86)."""
        state, friend = self.state, self.state.unit(spot.unit)
        return who_leaves(mover_of(state, self.unit), state.kind(self.unit), state.kind(friend), spot.terrain, ask)

    def without(self, spot: Spot, /) -> Self:
        """Return the land without the friend who stood on a tile."""
        return replace(self, state=self.state.gone(spot.unit, "reserve"))


class Mirrored(Around):
    """The land around a unit on the map that Companion keeps; the unit itself holds no tile."""

    def beyond(self, spot: Spot, direction: int, _ask: Ask, /) -> Edge | Spot:
        """Tell what lies beyond a side of a tile."""
        here = named(spot.at)
        there = here.beyond(direction)
        return self.lies(there) if geometry.open_edge(self.state.grid, here, there) else "wall"

    def past_wall(self, spot: Spot, direction: int, _ask: Ask, /) -> Edge | Spot:
        """Tell the same as if there were no walls."""
        return self.lies(named(spot.at).beyond(direction))

    def lies(self, place: Hex) -> Edge | Spot:
        """Tell what lies in a place."""
        if tile := self.state.grid.get(place):
            return self.spot(tile)
        for seat, at in self.state.bases.items():
            if named(at) == place:
                return "own_base" if seat == self.unit.seat else "enemy_base"
        return "void"

    def spot(self, tile: Tile) -> Spot:
        """Tell who stands on a tile."""
        holder = self.state.on(tile.at)
        if holder is None or holder.id == self.unit.id:
            return Spot(tile.terrain, None, tile.at)
        return Spot(tile.terrain, "ally" if holder.seat == self.unit.seat else "enemy", tile.at, holder.id)

    def leads(self, spot: Spot, direction: int, /) -> Text:
        """Name the tile, the base or the gap that a slide in a direction would meet, or the wall."""
        there = met(mover_of(self.state, self.unit), spot, direction, self, Ask())
        return say("{square}", square=there.at) if isinstance(there, Spot) else Text(there)

    def chosen(self, spot: Spot, ask: Ask, /) -> Spot | None:
        """Ask the opponent for an unoccupied tile of the map, not the one that the unit is on (PT-77, PT-A28)."""
        spots = [self.spot(tile) for tile in self.state.tiles if tile.at != spot.at]
        free = {there.at: there for there in spots if there.held_by is None}
        if not free:
            return None
        options = [Option(at, self.state.place(at), place=at) for at in free]
        return free[self.sent(options, [there.terrain for there in free.values()], ask)]


class Asked(Around):
    """The land around a unit whose map lies on the table; what people call a tile has no name but its terrain."""

    def beyond(self, _spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        """Ask the unit's player what lies beyond a side of a tile; walls only where they matter."""
        state, unit = self.state, self.unit
        enemies = [Option("enemy", say("An enemy"))] if state.of(other(unit.seat), "tile") else []
        friends = [
            Option(friend.id, say("Friend: {unit}", unit=state.kind(friend)))
            for friend in state.of(unit.seat, "tile")
            if friend.id != unit.id
        ]
        empty = {f"empty.{name}": name for name in terrains(state)}
        tiles = [Option(value, say("Empty: {terrain}", terrain=terrain_name(name))) for value, name in empty.items()]
        why = say("{unit} slides: {direction}. What lies there?", unit=state.name(unit), direction=towards(direction))
        options = (*edges(state.options), *enemies, *friends, *tiles)
        lies = ask.choose(unit.seat, options, "beyond", why, clause="PT-83")
        if lies in SAID:
            return SAID[lies]
        friend = state.find(lies)
        return Spot(friend.terrain or "", "ally", unit=friend.id) if friend else Spot(empty[lies])

    def chosen(self, _spot: Spot, ask: Ask, /) -> Spot | None:
        """Ask the opponent for the terrain of an unoccupied tile (PT-77)."""
        known = terrains(self.state)
        return Spot(self.sent([Option(name, terrain_name(name)) for name in known], known, ask))
