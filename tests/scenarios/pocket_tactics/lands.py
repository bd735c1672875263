"""The land around a unit as a scenario tells it, and the names of the places where a unit ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from companion.games.pocket_tactics.hazards import Fate, Mover
from companion.games.pocket_tactics.terrain import Edge, Spot
from companion.kit.questions import Option
from companion.kit.ruling import Reason
from companion.kit.text import say
from tests.scenarios.fields import mapping, one_of, truth
from tests.scenarios.pocket_tactics.fields import EDGES, UNIT, affinities, holder, options_of, terrain, way
from tests.scenarios.runner import Given, OneOf, Unfit
from tests.support.pocket_tactics_lands import Script as Written

if TYPE_CHECKING:
    from companion.kit.asking import Ask

CHOICE = "opponent_choice"
TILE = ("terrain", "occupied_by", "neighbours", "wall")
AROUND = ("neighbours_from", CHOICE, "owner_choice")
"""What tells how the land lies around a unit."""
BASES = ("own_base", "enemy_base", "base")


class Told(Written):
    """Be the land that a scenario tells; a tile of which it tells no neighbours can not be slid from."""

    def beyond(self, spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        if not self._around(spot.at):
            raise Unfit(f"nothing is told of what lies around {spot.at}")
        return super().beyond(spot, direction, ask)

    def past_wall(self, spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        if f"{direction} past" not in self._around(spot.at):
            raise Unfit(f"nothing is told of what lies beyond the wall in direction {direction}")
        return super().past_wall(spot, direction, ask)

    def chosen(self, spot: Spot, ask: Ask, /) -> Spot | None:
        """Let the opponent choose what is told; what may not be chosen is barred."""
        why, one = say("Where do you send it?"), self.opponent
        free = one is not None and one.held_by is None and one.terrain
        barred = None if free else Reason(say("The opponent chooses an unoccupied tile of the map."), "PT-77")
        ask.choose("red", (Option("told", say("here"), barred),), CHOICE, why, clause="PT-77")
        return one

    def leaves(self, _spot: Spot, ask: Ask, /) -> Literal["mover", "resident"]:
        options = (Option("mover", say("whoever slides")), Option("resident", say("whoever stands there")))
        why = say("Who goes back to reserve?")
        found = ask.choose("blue", options, "owner_choice", why, clause="PT-86")
        return "mover" if found == "mover" else "resident"


def land(given: Given, **around: str) -> Told:
    """The land around a unit: the fields that tell the neighbours of its tiles, by the name of the tile."""
    told = {tile: _neighbours(field, given.get(field)) for tile, field in around.items() if given.get(field)}
    there, beside = _chosen(given.get(CHOICE))
    return Told({**told, "choice": beside} if beside else told, there)


def _neighbours(field: str, value: Any) -> dict[str, Any]:
    """Direction -> what lies there; a tile beyond a wall is told with ``wall``."""
    found: dict[str, Any] = {}
    for direction, lies in mapping(field, value).items():
        number = str(way(direction))
        if isinstance(lies, str) and lies in EDGES:
            found[number] = lies
            continue
        tile = mapping(field, {"terrain": lies} if isinstance(lies, str) else lies, *TILE)
        there: dict[str, Any] = {
            "terrain": terrain(f"{field}.{direction}", tile["terrain"]),
            "occupied_by": holder("occupied_by", tile.get("occupied_by")),
            "neighbours": _neighbours(f"{field}.{direction}", tile.get("neighbours")),
        }
        found |= {number: "wall", f"{number} past": there} if truth("wall", tile.get("wall")) else {number: there}
    return found


def _chosen(value: Any) -> tuple[Spot | None, dict[str, Any]]:
    """The tile that the opponent chooses; without a terrain it is none."""
    if value is None:
        return None, {}
    tile = mapping(
        CHOICE,
        {"terrain": value} if isinstance(value, str) else value,
        "terrain",
        "occupied",
        "occupied_by",
        "neighbours",
    )
    held = holder("occupied_by", tile.get("occupied_by"))
    if truth("occupied", tile.get("occupied")):
        held = held or "enemy"
    none = tile["terrain"] in (*EDGES, *BASES)
    name = "" if none else terrain(CHOICE, tile["terrain"])
    return Spot(name, held, "choice"), _neighbours(CHOICE, tile.get("neighbours"))


def mover(given: Given) -> Mover:
    """The unit that moves; its affinities matter only where the table agreed on that."""
    unit = mapping("unit", given.get("unit"), *UNIT, "id")
    return Mover(
        "blue", say("the unit"), affinities(given.get("affinities", unit.get("affinities"))), options_of(given)
    )


def slid(fate: Fate, asked: list[str]) -> dict[str, Any]:
    """What a slide leads to: the direction, the last one or all of them; and who had to make room."""
    ways = fate.directions
    friend = "reserve" if fate.friends_leave else "stays"
    return {
        "direction": OneOf(ways[-1], ways[0], list(ways)) if ways else None,
        "other_unit": friend if "owner_choice" in asked else None,
    }


def ended(fate: Fate, names: dict[str, str], stays: str) -> Any:
    """Where a unit ends: ``names`` calls the tiles that are told, ``neighbour_n`` is beside one of them.

    After several slides the last direction counts; all of them in order may be written too.
    """
    if fate.where == "stays":
        return stays
    if fate.spot is None:
        return fate.where
    tile, *ways = fate.spot.at.split(".")
    if not ways:
        return names[tile]
    if len(ways) == 1:
        return f"neighbour_{ways[0]}"
    return OneOf(f"neighbour_{ways[-1]}", f"neighbour_{'_'.join(ways)}", f"neighbour_{'.'.join(ways)}")


def edge(value: Any) -> Edge | None:
    """What is no tile to move to, if it is that."""
    found: Edge | None = one_of("to", value, EDGES) if value in EDGES else None
    return found
