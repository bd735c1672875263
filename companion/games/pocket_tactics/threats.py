"""What hazards threaten, said before anybody goes there: on which faces, and how likely that is (ledger 2.5)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from companion.games.pocket_tactics import dangers, hazards
from companion.games.pocket_tactics.dangers import TESTS
from companion.games.pocket_tactics.land import Spot
from companion.kit.asking import Ask, Badge
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.games.pocket_tactics.dangers import How
    from companion.games.pocket_tactics.hazards import Mover
    from companion.games.pocket_tactics.land import Land
    from companion.games.pocket_tactics.terrain import Hazard


AT_ONCE: dict[Hazard, str] = {"cave": "back", "ice": "warn", "water": "skull"}
"""The signs of what a hazard does to who enters it."""
MOST_SLIDES = 4
"""Tiles of ice in a row that are counted: a unit that slips so often is rare."""
LATER = "clock"
"""The sign of a test that waits for who leaves the tile again."""
LEGEND = (
    ("skull", say("drowns there at once, with this chance")),
    ("back", say("goes back to reserve at once, with this chance")),
    ("warn", say("slips there at once, with this chance")),
    (LATER, say("nothing now; leaving it later fails with this chance")),
)
"""What the signs on tiles mean that a picked unit may go to."""


def leaving(mover: Mover, here: str, towards: Iterable[str], how: How) -> tuple[Reason, ...]:
    """Say what a unit is tested for before it leaves its tile, or aims out of it (PT-70, PT-71)."""
    tests = (dangers.exit_test(mover, here, terrain, how) for terrain in towards)
    found = next((test for test in tests if test is not None), None)
    if found is None:
        return ()
    text = say("Leaving is tested first, {terrain}: {threat}", terrain=Text(found), threat=threat(found))
    if how == "ranged":
        text = say("Aiming out of it is tested first, {terrain}: {threat}", terrain=Text(found), threat=threat(found))
    return (Reason(text, TESTS[found].clause),)


def leaving_each(
    mover: Mover, here: str, towards: Mapping[str, str], how: How
) -> tuple[tuple[Reason, ...], Mapping[str, tuple[Reason, ...]]]:
    """Say what a unit is tested for first: wherever it turns, and else on the way to some of these places alone.

    ``towards`` is the terrain of each place; from one terrain into the same no test may be needed (PT-A26).
    """
    each = {place: leaving(mover, here, (terrain,), how) for place, terrain in towards.items()}
    first = next(iter(each.values()), ())
    return (first, {}) if all(found == first for found in each.values()) else ((), each)


def entering(mover: Mover, terrains: Iterable[str]) -> tuple[Reason, ...]:
    """Say what a unit would be tested for on tiles of these terrains, each hazard once (PT-73, PT-74, PT-79)."""
    tests = (dangers.entry_test(mover, terrain) for terrain in terrains)
    found = dict.fromkeys(test for test in tests if test is not None)
    return tuple(
        Reason(say("{terrain}: {threat}", terrain=Text(one), threat=threat(one)), TESTS[one].clause) for one in found
    )


def percent_of(found: Hazard) -> int:
    """Return how likely the test of a hazard is failed, in per cent."""
    return round(100 * TESTS[found].fails_to / 6)


def badge(found: Hazard, *, later: bool = False) -> Badge:
    """Say in a sign and a number what waits on a tile: at once, or only for who leaves it again (``later``)."""
    return Badge(LATER if later else AT_ONCE[found], say("{percent}%", percent=percent_of(found)))


def risk(mover: Mover, spot: Spot, land: Land) -> Text | None:
    """Say what a player may lose who enters a tile of the mirrored map; None where the unit stays his."""
    chance = 100 * captured(mover, spot, land)
    if not chance:
        return None
    percent = str(round(float(chance))) if chance >= 1 else "<1"
    if dangers.entry_test(mover, spot.terrain) == "water":
        return say("It drowns and is captured: {percent}%", percent=percent)
    return say("It slips and is captured: {percent}%", percent=percent)


def captured(mover: Mover, spot: Spot, land: Land, slides: int = MOST_SLIDES) -> Fraction:
    """Return how likely chance captures a unit that comes onto a tile (PT-79, PT-85, PT-87).

    Where it runs into a friend its owner can save it (PT-86).
    """
    found = dangers.entry_test(mover, spot.terrain)
    if found not in ("ice", "water") or not slides:
        return Fraction(0)
    fails = Fraction(TESTS[found].fails_to, 6)
    if found == "water":
        return fails
    ends = Fraction(0)
    for direction in range(1, 7):
        there = hazards.met(mover, spot, direction, land, Ask())
        if isinstance(there, Spot) and there.held_by is None:
            ends += captured(mover, there, land, slides - 1)
        elif there in ("void", "enemy_base") or (isinstance(there, Spot) and there.held_by == "enemy"):
            ends += 1
    return fails * ends / 6


def threat(found: Hazard) -> Text:
    """Say what a hazard does, on which faces, and how likely that is."""
    face, percent = TESTS[found].fails_to, percent_of(found)
    match found:
        case "cave":
            return say("back to reserve on 1–{face} ({percent}%)", face=face, percent=percent)
        case "ice":
            return say("slips on 1–{face} ({percent}%)", face=face, percent=percent)
        case "labyrinth":
            return say("the opponent moves it on 1–{face} ({percent}%)", face=face, percent=percent)
        case "swamp":
            return say("stuck on 1–{face} ({percent}%)", face=face, percent=percent)
        case "water":
            return say("drowns on 1–{face} ({percent}%)", face=face, percent=percent)
