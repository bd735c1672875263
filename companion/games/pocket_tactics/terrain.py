"""Terrain by its name, the tests that dangerous ground asks for, and the ground as a moving unit meets it
(PT-70 to PT-87, ledger 2.4 and 2.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import Literal, NamedTuple, Protocol, get_args

from companion.kit.asking import Ask
from companion.kit.questions import Badge
from companion.kit.rulebook import load
from companion.kit.text import Text, say

Hazard = Literal["cave", "ice", "labyrinth", "swamp", "water"]
HAZARDS: tuple[Hazard, ...] = get_args(Hazard)
ALSO = load(__package__, "terrains.toml", dict[str, list[str]])
"""Terrains that Companion has words and pictures for, and what else people call them; others are called as written."""
KNOWN = tuple(ALSO)
_MEANT = {word: name for name, words in ALSO.items() for word in (name, *words)}


def known_as(name: str) -> str:
    """Return the identifier of a terrain that Companion knows, in whatever language; others as they were written."""
    return _MEANT.get(name.strip().casefold(), name.strip())


def hazard(terrain: str) -> Hazard | None:
    """Return the hazard that a terrain is, None for a harmless one (ledger 2.5)."""
    return next((each for each in HAZARDS if each == known_as(terrain)), None)


def affine(affinities: tuple[str, ...], terrain: str) -> bool:
    """Tell whether a terrain is one of a unit's affinities; no terrain (a base) never is (PT-52, PT-A10)."""
    return bool(terrain) and known_as(terrain).casefold() in {known_as(each).casefold() for each in affinities}


class Test(NamedTuple):
    """The test of a hazard: the highest face that fails, and the clauses of the test and of its failure.

    ``threat`` says what a failure does, on which faces, and how likely that is.
    """

    fails_to: int
    clause: str
    failed: str
    threat: str

    @property
    def chance(self) -> Fraction:
        """Return how likely it is failed."""
        return Fraction(self.fails_to, 6)

    @property
    def percent(self) -> int:
        """Return the same in per cent."""
        return round(100 * self.chance)


TESTS: dict[Hazard, Test] = {
    "cave": Test(3, "PT-73", "PT-73", "back to reserve on 1–{face} ({percent}%)"),
    "ice": Test(2, "PT-74", "PT-75", "slips on 1–{face} ({percent}%)"),
    "labyrinth": Test(3, "PT-76", "PT-77", "the opponent moves it on 1–{face} ({percent}%)"),
    "swamp": Test(3, "PT-78", "PT-78", "stuck on 1–{face} ({percent}%)"),
    "water": Test(3, "PT-79", "PT-79", "drowns on 1–{face} ({percent}%)"),
}


def p_path(fails: Sequence[int]) -> Fraction:
    """Return the chance to pass tests one after the other that fail on this number or less (PT-70)."""
    return prod((Fraction(6 - most, 6) for most in fails), start=Fraction(1))


ENTERED: dict[Hazard, str] = {"cave": "back", "ice": "warn", "water": "skull"}
"""The signs of what a hazard does to who enters it."""

LATER = "clock"
"""The sign of a test that waits for who leaves the tile again."""

LEGEND = (
    ("skull", say("drowns there at once, with this chance")),
    ("back", say("goes back to reserve at once, with this chance")),
    ("warn", say("slips there at once, with this chance")),
    (LATER, say("nothing now; leaving it later fails with this chance")),
)
"""What the signs on tiles mean that a picked unit may go to."""


def badge(hazard: Hazard, *, later: bool = False) -> Badge:
    """Say in a sign and a number what waits on a tile: at once, or only for who leaves it again (``later``)."""
    return Badge(LATER if later else ENTERED[hazard], say("{percent}%", percent=TESTS[hazard].percent))


def threat(hazard: Hazard) -> Text:
    """Say what a hazard does, on which faces, and how likely that is."""
    test = TESTS[hazard]
    return say(test.threat, face=test.fails_to, percent=test.percent)


Edge = Literal["void", "own_base", "enemy_base", "wall"]
"""What is no tile to land on: a gap, a base, a side of a tunnel without a groove (PT-85, PT-87, PT-A32)."""


class Spot(NamedTuple):
    """A tile as a unit meets it: its terrain, who stands there (``unit``: its id), and its name on the mirrored map."""

    terrain: str
    held_by: Literal["ally", "enemy"] | None = None
    at: str = ""
    unit: str = ""


class Land(Protocol):
    """What lies where, for one unit that slides or is lost: the mirrored map, the players or a script tell it."""

    def beyond(self, spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        """Tell what lies beyond a side of a tile; walls are told even where they do not matter (``opt``)."""

    def past_wall(self, spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        """Tell the same as if there were no walls (``opt.random_move_walls``): players then never name one."""
        return self.beyond(spot, direction, ask)

    def leads(self, _spot: Spot, _direction: int, /) -> Text | None:
        """Name what a slide in a direction would meet, where that is known without asking anybody."""
        return None

    def chosen(self, spot: Spot, ask: Ask, /) -> Spot | None:
        """Ask the opponent where a unit goes that is lost in a labyrinth; None: no tile is unoccupied (PT-77)."""

    def leaves(self, spot: Spot, ask: Ask, /) -> Literal["mover", "resident"]:
        """Ask the owner which of two friends on one tile goes to reserve (PT-86)."""

    def without(self, spot: Spot, /) -> Land:
        """Return the land without the friend who stood on a tile."""
