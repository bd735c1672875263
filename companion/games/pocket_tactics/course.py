"""The course of an assault, over facts: the ground, the dice, the ground again (PT-71, PT-A24, PT-A29, ledger 5.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.games.pocket_tactics import fight, hazards
from companion.games.pocket_tactics.hazards import Fate
from companion.kit.text import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.pocket_tactics.fight import Outcome
    from companion.games.pocket_tactics.hazards import Mover
    from companion.games.pocket_tactics.land import Land, Spot
    from companion.games.pocket_tactics.options import Options
    from companion.games.pocket_tactics.parties import Facts
    from companion.games.pocket_tactics.rerolls import Foretold
    from companion.kit.asking import Ask


class Course(NamedTuple):
    """Hold an assault from tile to tile; a base has no terrain.

    ``land`` is what lies around the attacker, ``won`` the same once the defender is gone.
    """

    facts: Facts
    mover: Mover
    origin: Spot
    target: Spot
    land: Land
    won: Land


class Result(NamedTuple):
    """Hold how it went: no ``outcome`` where the ground cancelled it; ``fate`` is what the ground did to the attacker.

    A ``fate`` that follows an outcome is that of a victor who stands on the target's tile.
    """

    outcome: Outcome | None
    fate: Fate | None


def run(
    course: Course,
    options: Options,
    ask: Ask,
    foretold: Foretold | None = None,
    fought: Callable[[Result], None] = lambda _: None,
) -> Result:
    """Assault: tests of the tiles that are left and entered come first, that of ice under the victor last.

    ``fought`` is told how it has gone before that last test: the victor stands on the target's tile.
    """
    facts, mover, target = course.facts, course.mover, course.target
    fate = hazards.leaving(mover, course.origin, target.terrain, facts.kind, course.land, ask)
    if fate is None and facts.kind == "melee":
        fate = hazards.charging(mover, target, ask)
    if fate is not None:
        ask.tell(say("The assault does not take place; the turn is over."), "PT-71")
        return Result(None, fate)
    outcome = fight.fight(facts, options, ask, foretold)
    if facts.kind == "melee" and outcome.end == "defender_captured":
        fought(Result(outcome, Fate("there", target)))
        return Result(outcome, hazards.afterwards(mover, target, course.won, ask))
    return Result(outcome, None)
