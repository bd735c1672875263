"""Which tests a hazard tile asks for, and the die of each (PT-70 to PT-79, ledger 2.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.games.pocket_tactics.terrain import affine, hazard, known_as
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.hazards import Mover
    from companion.games.pocket_tactics.terrain import Hazard
    from companion.kit.asking import Ask

How = Literal["move", "melee", "ranged"]
"""What a unit leaves its tile for, or only aims out of it."""


class Test(NamedTuple):
    """Hold the test of a hazard: the highest face that fails, and the clauses of the test and of its failure."""

    fails_to: int
    clause: str
    failed: str


TESTS: dict[Hazard, Test] = {
    "cave": Test(3, "PT-73", "PT-73"),
    "ice": Test(2, "PT-74", "PT-75"),
    "labyrinth": Test(3, "PT-76", "PT-77"),
    "swamp": Test(3, "PT-78", "PT-78"),
    "water": Test(3, "PT-79", "PT-79"),
}


def exit_test(mover: Mover, terrain: str, towards: str, how: How) -> Hazard | None:
    """Tell what a unit is tested for that leaves a tile, or aims out of it (PT-74, PT-76, PT-78, PT-A25 to PT-A27)."""
    found = _dangerous(mover, terrain)
    if found == "ice":
        return None if how == "ranged" else found
    if found not in ("labyrinth", "swamp"):
        return None
    if how == "ranged" and not mover.options.exit_hazard_applies_to_ranged:
        return None
    if mover.options.contiguous_exit_terrain_is_one and known_as(towards) == found:
        return None
    return found


def entry_test(mover: Mover, terrain: str, how: How = "move") -> Hazard | None:
    """Tell what a unit is tested for that comes onto a tile; ice waits for the end of a melee (PT-A24, PT-A29)."""
    found = _dangerous(mover, terrain)
    return found if found in ("cave", "water") or (found == "ice" and how == "move") else None


def _dangerous(mover: Mover, terrain: str) -> Hazard | None:
    """Return the hazard that a terrain is for a unit; with the option none where it is at home (PT-A30)."""
    at_home = mover.options.favoured_terrain_ignores_hazard and affine(mover.affinities, terrain)
    return None if at_home else hazard(known_as(terrain))


def passed(mover: Mover, found: Hazard, key: str, ask: Ask) -> bool:
    """Throw the die of a hazard test and tell what came of it (PT-70, PT-A47)."""
    test = TESTS[found]
    good, bad = tuple(range(test.fails_to + 1, 7)), tuple(range(1, test.fails_to + 1))
    why = say("{unit}, {terrain}: {needed} or more", unit=mover.name, terrain=Text(found), needed=good[0])
    faces = ask.throw(1, 6, key, why, by=mover.seat, clause=test.clause, alike=(bad, good))
    safe = faces[0] in good
    harm = (mover.loss,) if mover.loss is not None and found == "water" and not safe else ()
    ask.tell(
        say("{what} (needed: {needed} or more)", what=_outcome(mover, found, safe=safe), needed=good[0]),
        test.clause if safe else test.failed,
        faces=faces,
        marks=mover.marks,
        harm=harm,
    )
    return safe


def _outcome(mover: Mover, found: Hazard, *, safe: bool) -> Text:
    """Say what a test led to."""
    who = mover.name
    match found:
        case "cave" if safe:
            return say("{unit} finds the way in the cave", unit=who)
        case "cave":
            return say("{unit} is lost in the cave and goes back to reserve", unit=who)
        case "ice" if safe:
            return say("{unit} does not slip on the ice", unit=who)
        case "ice":
            return say("{unit} slips on the ice", unit=who)
        case "labyrinth" if safe:
            return say("{unit} finds the way out of the labyrinth", unit=who)
        case "labyrinth":
            return say("{unit} is lost in the labyrinth", unit=who)
        case "swamp" if safe:
            return say("{unit} gets out of the swamp", unit=who)
        case "swamp":
            return say("{unit} is stuck in the swamp: the action is cancelled", unit=who)
        case "water" if safe:
            return say("{unit} gets through the water", unit=who)
        case "water":
            return say("{unit} drowns and is captured", unit=who)
