"""The look-up of hazards: the tests on a way over several tiles, and where a slip leads (PT-70 to PT-87)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from companion.games.pocket_tactics import dangers, hazards, odds, sliding
from companion.games.pocket_tactics.dangers import TESTS, How
from companion.games.pocket_tactics.described import Described
from companion.games.pocket_tactics.hazards import Mover
from companion.games.pocket_tactics.land import Spot
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.threats import threat
from companion.kit.chart import Bar, Chart
from companion.kit.game import Lookup
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.hazards import Fate
    from companion.games.pocket_tactics.terrain import Hazard
    from companion.kit.asking import Ask

RULES = Options()
WALKER = Mover("walker", say("the unit"), (), RULES)
Ground = Literal["harmless", "cave", "ice", "labyrinth", "swamp", "water"]
Further = Literal["none", "harmless", "cave", "ice", "labyrinth", "swamp", "water"]
_MOVES = {"when": ("how", ("move",)), "labels": {"none": "no further"}}


class HazardFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold the way of a unit: the tile it stands on, and the next ones; an assault leads to one tile."""

    here: Annotated[Ground, Meta(title="The unit stands on")] = "swamp"
    how: Annotated[
        How,
        Meta(
            title="What it does",
            extra={"labels": {"move": "It moves", "melee": "A melee assault", "ranged": "A ranged assault"}},
        ),
    ] = "move"
    there: Annotated[Ground, Meta(title="Towards")] = "water"
    second: Annotated[Further, Meta(title="Then, with another move", extra=_MOVES)] = "none"
    third: Annotated[Further, Meta(title="And with a third one", extra=_MOVES)] = "none"


Where = Literal["arrives", "stays", "reserve", "captured", "slid", "sent"]


class Endured(msgspec.Struct, frozen=True, kw_only=True):
    """Hold where a unit is in the end, the terrain of that tile (None: on none), and the directions that it slid in."""

    where: Where
    terrain: str | None
    directions: tuple[int, ...] = ()


class _Test(NamedTuple):
    """Hold one test on the way, and how it is announced."""

    hazard: Hazard
    text: Text


def rule(facts: HazardFacts, ask: Ask) -> Ruling[Endured]:
    """Rule on a way: test after test, until one is failed."""
    here, fate = _walked(facts, ask) if facts.how == "move" else _charged(facts, ask)
    found = _endured(here, fate)
    if not _tests(facts):
        ask.tell(say("No test is needed."), "PT-70")
    return Ruling(found, _headline(facts.how, found), tuple(ask.reasons))


def _walked(facts: HazardFacts, ask: Ask) -> tuple[str, Fate | None]:
    """Move from tile to tile; returns the last one reached, and what keeps the unit from going on."""
    here, land = str(facts.here), Described(WALKER)
    for there in _way(facts):
        fate = hazards.leaving(WALKER, Spot(here), there, "move", land, ask)
        if fate is not None:
            return here, fate
        spot = Spot(there)
        fate = hazards.entering(WALKER, spot, land, ask)
        if fate.spot is not spot:
            return here, fate
        # Who slides against a wall is still on the very tile that it has come onto.
        here = there
    return here, None


def _charged(facts: HazardFacts, ask: Ask) -> tuple[str, Fate | None]:
    """Assault, and win: ice is tested then (PT-71, PT-A24)."""
    spot, land = Spot(facts.there), Described(WALKER)
    fate = hazards.leaving(WALKER, Spot(facts.here), facts.there, facts.how, land, ask)
    if fate is not None or facts.how == "ranged":
        return facts.here, fate
    fate = hazards.charging(WALKER, spot, ask)
    if fate is not None:
        return facts.here, fate
    fate = hazards.afterwards(WALKER, spot, land, ask)
    return facts.there, None if fate.spot is spot else fate


def _way(facts: HazardFacts) -> list[str]:
    return [facts.there, *(one for one in (facts.second, facts.third) if one != "none")]


def _tests(facts: HazardFacts) -> list[_Test]:
    """List the tests on the way, as long as each is passed."""
    found: list[_Test] = []
    here, way = str(facts.here), _way(facts) if facts.how == "move" else [facts.there]
    for there in way:
        leaving = dangers.exit_test(WALKER, here, there, facts.how)
        if leaving:
            found.append(
                _Test(leaving, say("Leaving, {terrain}: {threat}", terrain=Text(leaving), threat=threat(leaving)))
            )
        entering = None if facts.how == "ranged" else dangers.entry_test(WALKER, there, facts.how)
        if entering:
            found.append(
                _Test(entering, say("Entering, {terrain}: {threat}", terrain=Text(entering), threat=threat(entering)))
            )
        here = there
    if _ice_follows(facts):
        found.append(
            _Test(
                "ice", say("After a melee that is won, {terrain}: {threat}", terrain=Text("ice"), threat=threat("ice"))
            )
        )
    return found


def _ice_follows(facts: HazardFacts) -> bool:
    """Tell whether the tile of a melee is ice, which is tested when it is won (PT-A24)."""
    return facts.how == "melee" and dangers.entry_test(WALKER, facts.there) == "ice"


def charts(facts: HazardFacts) -> tuple[Chart, ...]:
    """Show how likely the unit gets through, and what else may become of it."""
    tests = _tests(facts)
    if not tests:
        return ()
    failed: dict[Hazard, Fraction] = {}
    for at, test in enumerate(tests):
        before = odds.p_path([TESTS[one.hazard].fails_to for one in tests[:at]])
        fails = 1 - odds.p_path([TESTS[test.hazard].fails_to])
        failed[test.hazard] = failed.get(test.hazard, Fraction(0)) + before * fails
    safe = odds.p_path([TESTS[one.hazard].fails_to for one in tests])
    bars = (
        Bar(_headline(facts.how, Endured(where="arrives", terrain=None)), safe),
        *(Bar(_failed(hazard), chance) for hazard, chance in failed.items()),
    )
    title = say("If it wins the melee") if _ice_follows(facts) else say("The tests")
    reasons = tuple(Reason(test.text, TESTS[test.hazard].clause) for test in tests)
    return (Chart(title, bars, reasons=reasons), *_slides(failed))


def _slides(failed: dict[Hazard, Fraction]) -> tuple[Chart, ...]:
    """Show how likely the unit slides in each direction (PT-83)."""
    if "ice" not in failed:
        return ()
    ways = ((face, sliding.direction(RULES.direction_map, face)) for face in range(1, 7))
    bars = tuple(
        Bar(say("{face}: {direction}", face=face, direction=sliding.towards(way)), failed["ice"] / 6)
        for face, way in ways
    )
    return (Chart(say("Where it slides"), bars, reasons=(Reason(say("One die gives the direction"), "PT-83"),)),)


def _failed(hazard: Hazard) -> Text:
    """Say what failing a test leads to."""
    match hazard:
        case "cave":
            return say("Back to reserve")
        case "ice":
            return say("It slips")
        case "labyrinth":
            return say("The opponent moves it")
        case "swamp":
            return say("It is stuck")
        case "water":
            return say("It drowns")


def _endured(here: str, fate: Fate | None) -> Endured:
    if fate is None:
        return Endured(where="arrives", terrain=here)
    if fate.where == "there" and fate.spot:
        where: Where = "sent" if fate.sent else "slid"
        return Endured(where=where, terrain=fate.spot.terrain, directions=fate.directions)
    found: dict[str, Where] = {"stays": "stays", "reserve": "reserve", "captured": "captured"}
    terrain = here if fate.where == "stays" else None
    return Endured(where=found[fate.where], terrain=terrain, directions=fate.directions)


def _headline(how: How, found: Endured) -> Text:
    match found.where:
        case "arrives" if how == "move":
            return say("It arrives")
        case "arrives" if how == "ranged":
            return say("The assault takes place")
        case "arrives":
            return say("The assault takes place, and it stays there")
        case "stays":
            return say("It stays where it is; its turn is over")
        case "reserve":
            return say("It goes back to reserve")
        case "captured":
            return say("It is captured")
        case "slid":
            return say("It has slid to another tile")
        case "sent":
            return say("The opponent has moved it")


HAZARD = Lookup(
    "hazard",
    say("Hazards"),
    HazardFacts,
    rule,
    charts,
    say("How likely a unit gets over dangerous tiles, what becomes of it if not, and where it slides on ice."),
)
