"""What hazards threaten, said before anybody goes there: on which faces, and how likely that is (ledger 2.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import dangers
from companion.games.pocket_tactics.dangers import TESTS
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.pocket_tactics.dangers import How
    from companion.games.pocket_tactics.hazards import Mover
    from companion.games.pocket_tactics.terrain import Hazard


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


def entering(mover: Mover, terrains: Iterable[str]) -> tuple[Reason, ...]:
    """Say what a unit would be tested for on tiles of these terrains, each hazard once (PT-73, PT-74, PT-79)."""
    tests = (dangers.entry_test(mover, terrain) for terrain in terrains)
    found = dict.fromkeys(test for test in tests if test is not None)
    return tuple(
        Reason(say("{terrain}: {threat}", terrain=Text(one), threat=threat(one)), TESTS[one].clause) for one in found
    )


def threat(found: Hazard) -> Text:
    """Say what a hazard does, on which faces, and how likely that is."""
    face = TESTS[found].fails_to
    percent = round(100 * face / 6)
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
