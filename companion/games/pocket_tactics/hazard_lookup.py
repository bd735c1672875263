"""The look-up of hazards: the tests on a way over several tiles, and where a slip leads (PT-70 to PT-87)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.pocket_tactics import hazards
from companion.games.pocket_tactics.cards import terrain_name
from companion.games.pocket_tactics.hazards import Fate, How, Mover
from companion.games.pocket_tactics.land import SAID, destination, edges, who_leaves
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.terrain import HAZARDS, TESTS, Edge, Hazard, Land, Spot, threat
from companion.kit.asking import Ask
from companion.kit.forms import picked
from companion.kit.game import Lookup
from companion.kit.odds import Bar, Chart
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import Text, say

RULES = Options()
WALKER = Mover("walker", say("the unit"), (), RULES)
Ground = Literal["harmless", "cave", "ice", "labyrinth", "swamp", "water"]
Further = Literal["none", "harmless", "cave", "ice", "labyrinth", "swamp", "water"]
_MOVES = {"when": ("how", ("move",)), "labels": {"none": "no further"}}


class HazardFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The way of a unit: the tile it stands on, and the next ones; an assault leads to one tile."""

    here: Annotated[Ground, Meta(title="The unit stands on")] = "swamp"
    how: Annotated[How, picked("What it does", move="It moves", melee="A melee assault", ranged="A ranged assault")] = (
        "move"
    )
    there: Annotated[Ground, Meta(title="Towards")] = "water"
    second: Annotated[Further, Meta(title="Then, with another move", extra=_MOVES)] = "none"
    third: Annotated[Further, Meta(title="And with a third one", extra=_MOVES)] = "none"


Arrival = Literal["arrives", "stays", "reserve", "captured", "slid", "sent"]


class Endured(msgspec.Struct, frozen=True, kw_only=True):
    """Where a unit is in the end, the terrain of that tile (None: on none), and the directions that it slid in."""

    where: Arrival
    terrain: str | None
    directions: tuple[int, ...] = ()


HARMLESS = "harmless"
GROUNDS = (HARMLESS, *HAZARDS)
TERRAINS = tuple(Option(name, terrain_name(name)) for name in GROUNDS)
OPPONENT = "opponent"


class Described(Land):
    """The land around a unit of which nothing is known; questions are numbered, so that each has its own answer."""

    def __init__(self, mover: Mover) -> None:
        self.mover = mover
        self.questions = 0

    def beyond(self, _spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        """Ask what lies beyond a side of a tile."""
        empty, friend = Option("empty", say("An empty tile")), Option("friend", say("A tile with a friend"))
        options = (empty, friend, Option("enemy", say("A tile with an enemy")), *edges(self.mover.options))
        why = say(
            "{unit} slides: {direction}. What lies there?", unit=self.mover.name, direction=hazards.towards(direction)
        )
        met = ask.choose(self.mover.seat, options, self._key("beyond"), why, clause="PT-83")
        if met in SAID:
            return SAID[met]
        which = say("Which terrain is that tile?")
        terrain = ask.choose(self.mover.seat, TERRAINS, self._key("terrain"), which, clause="PT-84")
        return Spot(terrain, "ally" if met == "friend" else None)

    def chosen(self, _spot: Spot, ask: Ask, /) -> Spot | None:
        """Ask the opponent for the terrain of an unoccupied tile (PT-77)."""
        return Spot(destination(self.mover, OPPONENT, TERRAINS, GROUNDS, ask))

    def leaves(self, spot: Spot, ask: Ask, /) -> Literal["mover", "resident"]:
        """Ask the owner which of two friends goes to reserve (PT-86)."""
        return who_leaves(self.mover, self.mover.name, say("the friend"), spot.terrain, ask)

    def without(self, _spot: Spot, /) -> Described:
        """Return the land without the friend who stood on a tile: nothing more is known of it."""
        return self

    def _key(self, name: str) -> str:
        self.questions += 1
        return f"{name}_{self.questions}"


def rule(facts: HazardFacts, ask: Ask) -> Ruling[Endured]:
    """Rule on a way: test after test, until one is failed."""
    here, fate = _walked(facts, ask) if facts.how == "move" else _charged(facts, ask)
    endured = _endured(here, fate)
    if not _tests(facts):
        ask.tell(say("No test is needed."), "PT-70")
    return Ruling(endured, ENDED.get(endured.where, ARRIVED[facts.how]), tuple(ask.reasons))


def _walked(facts: HazardFacts, ask: Ask) -> tuple[str, Fate | None]:
    """Move from tile to tile; returns the last one reached, and what keeps the unit from going on."""
    here, land = str(facts.here), Described(WALKER)
    for there in _way(facts):
        if stopped := hazards.leaving(WALKER, Spot(here), there, "move", land, ask):
            return here, stopped
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
    if stopped := hazards.charging(WALKER, spot, ask):
        return facts.here, stopped
    fate = hazards.afterwards(WALKER, spot, land, ask)
    return facts.there, None if fate.spot is spot else fate


def _way(facts: HazardFacts) -> list[str]:
    return [facts.there, *(tile for tile in (facts.second, facts.third) if tile != "none")]


def _tests(facts: HazardFacts) -> list[tuple[Hazard, Text]]:
    """List the tests on the way, as long as each is passed, and how they are announced."""
    tests: list[tuple[Hazard | None, str]] = []
    here, way = str(facts.here), _way(facts) if facts.how == "move" else [facts.there]
    for there in way:
        tests.append((hazards.exit_test(WALKER, here, there, facts.how), "Leaving, {terrain}: {threat}"))
        if facts.how != "ranged":
            tests.append((hazards.entry_test(WALKER, there, facts.how), "Entering, {terrain}: {threat}"))
        here = there
    if _ice_follows(facts):
        tests.append(("ice", "After a melee that is won, {terrain}: {threat}"))
    return [(danger, say(text, terrain=Text(danger), threat=threat(danger))) for danger, text in tests if danger]


def _ice_follows(facts: HazardFacts) -> bool:
    """Tell whether the tile of a melee is ice, which is tested when it is won (PT-A24)."""
    return facts.how == "melee" and hazards.entry_test(WALKER, facts.there) == "ice"


def charts(facts: HazardFacts) -> tuple[Chart, ...]:
    """Show how likely the unit gets through, and what else may become of it."""
    tests = _tests(facts)
    if not tests:
        return ()
    safe = Fraction(1)
    failed = dict.fromkeys((danger for danger, _ in tests), Fraction(0))
    for danger, _ in tests:
        fails = safe * TESTS[danger].chance
        failed[danger] += fails
        safe -= fails
    bars = (Bar(ARRIVED[facts.how], safe), *(Bar(FAILED[danger], chance) for danger, chance in failed.items()))
    title = say("If it wins the melee") if _ice_follows(facts) else say("The tests")
    reasons = tuple(Reason(text, TESTS[danger].clause) for danger, text in tests)
    return (Chart(title, bars, reasons=reasons), *_slides(failed))


def _slides(failed: dict[Hazard, Fraction]) -> tuple[Chart, ...]:
    """Show how likely the unit slides in each direction (PT-83)."""
    if "ice" not in failed:
        return ()
    ways = ((face, hazards.direction(RULES.direction_map, face)) for face in range(1, 7))
    bars = tuple(
        Bar(say("{face}: {direction}", face=face, direction=hazards.towards(way)), failed["ice"] / 6)
        for face, way in ways
    )
    return (Chart(say("Where it slides"), bars, reasons=(Reason(say("One die gives the direction"), "PT-83"),)),)


FAILED: dict[Hazard, Text] = {
    "cave": say("Back to reserve"),
    "ice": say("It slips"),
    "labyrinth": say("The opponent moves it"),
    "swamp": say("It is stuck"),
    "water": say("It drowns"),
}
"""What failing a test leads to."""
ARRIVED: dict[How, Text] = {
    "move": say("It arrives"),
    "melee": say("The assault takes place, and it stays there"),
    "ranged": say("The assault takes place"),
}
ENDED: dict[Arrival, Text] = {
    "stays": say("It stays where it is; its turn is over"),
    "reserve": say("It goes back to reserve"),
    "captured": say("It is captured"),
    "slid": say("It has slid to another tile"),
    "sent": say("The opponent has moved it"),
}
"""Headlines: of a unit that gets where it goes, by how it goes, and of others, by where they end."""


def _endured(here: str, fate: Fate | None) -> Endured:
    if fate is None:
        return Endured(where="arrives", terrain=here)
    moved: Arrival = "sent" if fate.sent else "slid"
    left = here if fate.where == "stays" else None
    return Endured(
        where=moved if fate.where == "there" else fate.where,
        terrain=fate.spot.terrain if fate.spot else left,
        directions=fate.directions,
    )


HAZARD = Lookup(
    "hazard",
    say("Hazards"),
    HazardFacts,
    rule,
    charts,
    say("How likely a unit gets over dangerous tiles, what becomes of it if not, and where it slides on ice."),
)
