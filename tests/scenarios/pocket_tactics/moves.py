"""Scenarios of moves, random movements and deployments."""

from __future__ import annotations

from typing import Any

from companion.games.pocket_tactics import hazards, movement
from companion.games.pocket_tactics.movement import Hop
from companion.games.pocket_tactics.terrain import Edge, Spot
from tests.scenarios.fields import mapping
from tests.scenarios.pocket_tactics.answers import Script
from tests.scenarios.pocket_tactics.fields import UNTOLD, amount, holder, terrain, usually
from tests.scenarios.pocket_tactics.lands import AROUND, edge, ended, land, mover, slid
from tests.scenarios.runner import Given, Unfit

UNIT = {"unit", "affinities"}
MOVE = {"from", "to", "to_occupied_by", "edge_open", "hop", "neighbours_to", *AROUND, *UNIT}
RANDOM = {"neighbours", "owner_choice", *UNIT}
DEPLOY = {"in_reserve", "adjacent_to_own_base", "occupied_by", "terrain", *UNIT}


def move(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Move a unit from tile to tile."""
    ask = Script(dice, owner=given.get("owner_choice"))
    around = land(given, **{"from": "neighbours_from", "to": "neighbours_to"})
    start = Spot(terrain("from", given["from"]), None, "from")
    fate = movement.moved(mover(given), start, _target(given), around, ask, _hop(given.get("hop")))
    ask.finish()
    where = ended(fate, {"from": "from", "to": "to", "choice": "opponent_choice"}, "from")
    return {"unit_at": where, "action_spent": True, **slid(fate, ask.asked)}


def _target(given: Given) -> Edge | Spot:
    """What the unit moves to."""
    lies, held = edge(given["to"]), holder("to_occupied_by", given.get("to_occupied_by"))
    if lies is not None and held is not None:
        raise Unfit("nobody stands where there is no tile")
    if not usually("edge_open", given.get("edge_open")):
        return "wall"
    return lies or Spot(terrain("to", given["to"]), held, "to")


def _hop(value: Any) -> Hop | None:
    """What the unit hops over: one friend on some tile, straight on, where it is not told otherwise."""
    if value is None:
        return None
    said = mapping("hop", value, "occupied_by", "terrain", "count", "straight")
    below, straight = terrain("terrain", said.get("terrain")), usually("straight", said.get("straight"))
    return Hop(holder("occupied_by", said["occupied_by"]), below, amount(said, "count", 1), straight)


def random_move(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Move a unit in the direction of a die."""
    ask = Script(dice, owner=given.get("owner_choice"))
    around = land(Given(neighbours=given["neighbours"]), here="neighbours")
    fate = hazards.random_move(mover(given), Spot(UNTOLD, None, "here"), around, ask)
    ask.finish()
    return {"unit_at": ended(fate, {}, "stays"), **slid(fate, ask.asked)}


def deploy(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Put a unit of the reserve beside its base."""
    ask = Script(dice)
    lies, held = edge(given.get("terrain")), holder("occupied_by", given.get("occupied_by"))
    beside = usually("adjacent_to_own_base", given.get("adjacent_to_own_base"))
    to = Spot(terrain("terrain", None if lies else given.get("terrain")), held, "tile")
    fate = movement.deployed(
        mover(given),
        to,
        ask,
        in_reserve=usually("in_reserve", given.get("in_reserve")),
        beside_base=beside and lies is None,
    )
    ask.finish()
    return {"unit_at": ended(fate, {"tile": "tile"}, "reserve"), "hazard_test": bool(ask.asked)}
