"""Player aids: everything on one sheet of paper, and a page for assaults, for hazards and for each sample faction."""

from __future__ import annotations

from companion.games.pocket_tactics.cards import (
    BAG,
    FACTIONS,
    NOTHING,
    SIDES,
    AbilityText,
    Faction,
    UnitCard,
    called,
    terrain_name,
)
from companion.games.pocket_tactics.dice import BASE_DICE
from companion.games.pocket_tactics.terrain import TESTS, Hazard
from companion.kit.counts import number
from companion.kit.rulebook import Line, Listing, Sheet
from companion.kit.text import Text, listed, numbered, say

HIT, MISS = say("hit"), say("no hit")
OWN_SAMPLE = say("Sample cards of Companion's own, not official.")
GOING_IN = say("Going in: a move, a melee assault, a slip")
GOING_OUT = say("Before a move or an assault out of it")
HAZARD_DOES: dict[Hazard, tuple[Text, Text]] = {
    "cave": (GOING_IN, say("It goes to the reserve.")),
    "ice": (
        say("After a move onto it; after melee, if the attacker holds it; before leaving it, not for ranged assaults"),
        say("It moves at random."),
    ),
    "labyrinth": (GOING_OUT, say("The opponent puts it on any empty tile. Its turn is over.")),
    "swamp": (GOING_OUT, say("It stays. Its turn is over.")),
    "water": (GOING_IN, say("The opponent captures it.")),
}
"""When a hazard is tested, and what becomes of a unit that fails (ledger 2.5)."""
AHEAD, BACK = say("straight ahead"), say("straight back")
AHEAD_RIGHT, AHEAD_LEFT = say("ahead, to the right"), say("ahead, to the left")
BACK_RIGHT, BACK_LEFT = say("back, to the right"), say("back, to the left")
ROUND = (AHEAD, AHEAD_RIGHT, BACK_RIGHT, BACK, BACK_LEFT, AHEAD_LEFT)
"""The six directions as the first player sees them, who sits in the south."""


def sheets() -> tuple[Sheet, ...]:
    """Make the aids for one purpose each."""
    fighting = (_steps(), _answers(), _comparison(), _outcomes(), _rerolls(), _situations())
    return (
        Sheet("assault", say("Assault"), fighting),
        Sheet("hazards", say("Hazard tiles and random movement"), (_hazards(), _directions(), _landing())),
        *(_faction(name, faction) for name, faction in FACTIONS.items()),
        _bag(),
    )


def aid() -> tuple[Sheet, ...]:
    """Put everything on one sheet of paper."""
    parts = (
        Listing(say("The map"), quotes=("PT-14", "PT-16", "PT-19", "PT-21", "PT-22")),
        Listing(say("The turn"), quotes=("PT-25", "PT-27", "PT-28", "PT-62", "PT-30")),
        _steps(),
        _answers(),
        _comparison(),
        _outcomes(),
        _rerolls(),
        _situations(),
        _hazards(),
        _landing("PT-83"),
        Listing(say("Line of sight"), quotes=("PT-89", "PT-90")),
        Listing(say("Skill tests and kickers"), quotes=("PT-91", "PT-92", "PT-93")),
        Listing(say("Victory"), quotes=("PT-64", "PT-65")),
    )
    return (Sheet("all", say("Turn, assaults and hazards"), parts),)


def _line(*cells: Text, more: Text | None = None) -> Line:
    return Line(cells, more=more)


def _steps() -> Listing:
    lines = (
        _line(
            say("1. Declare"),
            say(
                "The target and the skill. Melee: an enemy next to you; you go onto its tile. "
                "Ranged: next to you, or further off with extended range and line of sight; you "
                "stay."
            ),
        ),
        _line(say("2. Hazards"), say("A test to go out, then in melee one to go in. If it fails: no assault.")),
        _line(say("3. Roll"), say("Both: the red and the blue dice of the skill. A kicker is one die more.")),
        _line(say("4. Re-rolls"), say("In their four steps.")),
        _line(
            say("5. Compare"),
            say(
                "Attack: the attacker's red against the defender's blue. Counter: the "
                "defender's red against the attacker's blue."
            ),
        ),
        _line(say("6. Captures"), say("Whoever was hit goes.")),
        _line(say("7. Ice"), say("An attacker that now holds ice tests it.")),
    )
    return Listing(say("An assault, step by step"), (say("Step"), say("How")), lines, "PT-39")


def _answers() -> Listing:
    lines = (
        _line(Text("melee"), Text("melee")),
        _line(Text("ballistic"), Text("ballistic")),
        _line(say("arcane or tech"), say("its third skill, whatever kind")),
        _line(say("any, at a base"), numbered("[base_dice written] blue dice, no counter", base_dice=BASE_DICE)),
    )
    remark = say("Without that skill: no dice. Out of its reach: blue dice only.")
    return Listing(say("What the defender answers with"), (say("Attack"), say("Answer")), lines, "PT-37", remark)


def _comparison() -> Listing:
    lines = (
        _line(say("Equal"), say("Both are taken away: on to the next pair.")),
        _line(say("Red is higher, or left alone"), say("A hit.")),
        _line(say("Blue is higher, or left alone"), say("No hit.")),
        _line(say("Nothing is left"), say("No hit.")),
    )
    remark = say("Lay both sides from high to low and compare pair by pair; the first that differs decides.")
    return Listing(say("Which die beats which"), (say("Pair"), say("What comes of it")), lines, "PT-40", remark)


def _outcomes() -> Listing:
    lines = (
        _line(HIT, MISS, say("The defender is captured; in melee the attacker holds its tile.")),
        _line(MISS, HIT, say("The attacker is captured.")),
        _line(HIT, HIT, say("Both are captured.")),
        _line(MISS, MISS, say("A stall: the attacker is back where it came from, without a test.")),
    )
    remark = say("A base that is hit is taken: the game is won.")
    columns = (say("Attack"), say("Counter"), say("What comes of it"))
    return Listing(say("Who is captured"), columns, lines, "PT-42", remark)


def _rerolls() -> Listing:
    abilities, situation = say("special abilities"), say("affinity and assists")
    lines = (
        _line(number(1), say("attacker"), abilities),
        _line(number(2), say("defender"), abilities),
        _line(number(3), say("attacker"), situation),
        _line(number(4), say("defender"), situation),
    )
    remark = say(
        "Each is for one die of your own unit, never for a kicker. The new result counts. A step that is "
        "over does not come back."
    )
    return Listing(say("Re-rolls in their order"), (say("Step"), say("Who"), say("From")), lines, "PT-47", remark)


def _situations() -> Listing:
    lines = (
        _line(say("Affinity, 1"), say("On an affinity terrain. In melee the attacker too counts the target tile.")),
        _line(say("Assists, 1 each"), say("Friends next to the target tile, for both sides.")),
    )
    return Listing(say("Re-rolls by the situation"), (say("Re-rolls"), say("For whom")), lines, "PT-51")


def _hazards() -> Listing:
    lines = tuple(
        _line(Text(name), say("1 to {highest}", highest=TESTS[name].fails_to), becomes, more=when)
        for name, (when, becomes) in HAZARD_DOES.items()
    )
    remark = say(
        "One die. Joined labyrinths are one, and so are swamps. No test to deploy, to hop over a tile or to fall back."
    )
    columns = (say("Tile"), say("Fails on"), say("What comes of it"))
    return Listing(say("Hazard tiles"), columns, lines, "PT-70", remark)


def _directions() -> Listing:
    """Name the direction of each face, and how both players see it (ledger 2.6)."""
    lines = tuple(_line(number(at + 1), Text(side), ROUND[at], ROUND[(at + 3) % 6]) for at, side in enumerate(SIDES))
    columns = (say("Die"), say("Direction"), say("First player"), say("Second player"))
    remark = say("The first player sits in the south. Your table may agree on other directions.")
    return Listing(say("Directions"), columns, lines, "PT-83", remark)


def _landing(*quotes: str) -> Listing:
    lines = (
        _line(say("a free tile"), say("It stays there; a hazard tile may be tested.")),
        _line(say("a gap, an enemy, the enemy base"), say("The opponent captures it.")),
        _line(say("a friend"), say("One of the two to the reserve: their owner chooses.")),
        _line(say("its own base"), say("To the reserve.")),
        _line(say("a tunnel wall"), say("It stays where it was.")),
    )
    columns = (say("It comes upon"), say("What comes of it"))
    return Listing(say("Random movement"), columns, lines, "PT-84", quotes=quotes)


def _faction(name: str, faction: Faction) -> Sheet:
    columns = (say("Unit"), say("Cost"), Text("melee"), Text("ballistic"), Text("third"), say("Copies"))
    listing = Listing(say("Units"), columns, tuple(map(_unit, faction.unit)), "PT-09")
    return Sheet(name, Text(name), (listing,), OWN_SAMPLE)


def _unit(card: UnitCard) -> Line:
    third = [card.said_skill(skill) for skill in card.skills if skill.slot == "third"]
    types, abilities = map(called, card.types), map(AbilityText.said, card.ability)
    more = listed([*card.said_reach(), card.said_affinities(), *types, *abilities], NOTHING)
    fighting = (say("{stat}", stat=stat) for stat in (card.melee, card.ballistic))
    return _line(
        called(card.name), number(card.cost), *fighting, listed(third, NOTHING), number(card.copies), more=more
    )


def _bag() -> Sheet:
    lines = tuple(_line(terrain_name(tile.terrain), number(tile.count)) for tile in BAG.tile)
    listing = Listing(say("Terrain"), (say("Tile"), say("How many")), lines, "PT-13")
    return Sheet(BAG.name, called(BAG.name), (listing,), OWN_SAMPLE)
