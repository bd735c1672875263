"""Hazards: what leaving and entering dangerous tiles does, random movement, and what is said of it before
(PT-70 to PT-79, PT-83 to PT-87).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from typing import Literal, NamedTuple

from companion.games.pocket_tactics.cards import NOTHING, SIDES, place_name
from companion.games.pocket_tactics.combatants import alone, untold
from companion.games.pocket_tactics.options import Directions, Options
from companion.games.pocket_tactics.terrain import TESTS, Edge, Hazard, Land, Spot, affine, hazard, known_as, threat
from companion.kit.asking import Ask
from companion.kit.clash import Combatant, Effect
from companion.kit.ruling import Harm, Reason
from companion.kit.text import Text, listed, say

How = Literal["move", "melee", "ranged"]
"""What a unit leaves its tile for, or only aims out of it."""

MOST_SLIDES = 4
"""Tiles of ice in a row that are counted: a unit that slips so often is rare."""

OUTCOMES: dict[Hazard, tuple[str, str]] = {
    "cave": ("{unit} finds the way in the cave", "{unit} is lost in the cave and goes back to reserve"),
    "ice": ("{unit} does not slip on the ice", "{unit} slips on the ice"),
    "labyrinth": ("{unit} finds the way out of the labyrinth", "{unit} is lost in the labyrinth"),
    "swamp": ("{unit} gets out of the swamp", "{unit} is stuck in the swamp: the action is cancelled"),
    "water": ("{unit} gets through the water", "{unit} drowns and is captured"),
}
"""What is told of a unit that passes the test of a hazard, and of one that fails it."""

FAILURES: dict[Hazard, Text] = {
    "cave": say("lost"),
    "ice": say("slips"),
    "labyrinth": say("lost"),
    "swamp": say("stuck"),
    "water": say("drowns"),
}
"""What a face does that fails the test of a hazard."""


class Mover(NamedTuple):
    """What hazards want to know of a unit, and how it is called; ``loss`` is told when chance captures it.

    ``piece`` is what is drawn of it where it is tested outside a fight; None: nothing.
    """

    seat: str
    name: Text
    affinities: tuple[str, ...]
    options: Options
    unit: str = ""
    loss: Harm | None = None
    piece: Combatant | None = None

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """Return the marks of a line about this unit."""
        return ((self.unit, "acting"),) if self.unit else ()

    @property
    def harm(self) -> tuple[Harm, ...]:
        """Return what a line tells the statistics that says that chance captured it."""
        return () if self.loss is None else (self.loss,)


class Fate(NamedTuple):
    """What became of a unit: it stays where it was, is on the tile ``spot``, in reserve, or captured.

    ``friends_leave`` are the tiles whose units went to reserve instead, ``directions`` those of its slides in order;
    ``sent``: the opponent chose where it went.
    """

    where: Literal["stays", "there", "reserve", "captured"]
    spot: Spot | None = None
    friends_leave: tuple[Spot, ...] = ()
    directions: tuple[int, ...] = ()
    sent: bool = False


def exit_test(mover: Mover, terrain: str, towards: str, how: How) -> Hazard | None:
    """Tell what a unit is tested for that leaves a tile, or aims out of it (PT-74, PT-76, PT-78, PT-A25 to PT-A27)."""
    danger = _dangerous(mover, terrain)
    if danger == "ice":
        return None if how == "ranged" else danger
    if danger not in ("labyrinth", "swamp"):
        return None
    if how == "ranged" and not mover.options.exit_hazard_applies_to_ranged:
        return None
    return None if mover.options.contiguous_exit_terrain_is_one and known_as(towards) == danger else danger


def entry_test(mover: Mover, terrain: str, how: How = "move") -> Hazard | None:
    """Tell what a unit is tested for that comes onto a tile; ice waits for the end of a melee (PT-A24, PT-A29)."""
    danger = _dangerous(mover, terrain)
    return danger if danger in ("cave", "water") or (danger == "ice" and how == "move") else None


def _dangerous(mover: Mover, terrain: str) -> Hazard | None:
    """Return the hazard that a terrain is for a unit; with the option none where it is at home (PT-A30)."""
    at_home = mover.options.favoured_terrain_ignores_hazard and affine(mover.affinities, terrain)
    return None if at_home else hazard(terrain)


def leaving(mover: Mover, spot: Spot, towards: str, how: How, land: Land, ask: Ask) -> Fate | None:
    """Test a unit that leaves its tile for one of terrain ``towards`` (empty: a base), or aims at it.

    Returns None where it may go on; otherwise its action is over (PT-74 to PT-78, PT-A25).
    """
    danger = exit_test(mover, spot.terrain, towards, how)
    if danger is None or _passed(mover, danger, "hazard_exit", ask):
        return None
    if danger == "ice":
        return random_move(mover, spot, land, ask)
    return _lost(mover, spot, land, ask) if danger == "labyrinth" else Fate("stays")


def charging(mover: Mover, spot: Spot, ask: Ask) -> Fate | None:
    """Test an attacker that comes onto its target's tile; None: the assault goes on (PT-73, PT-79, PT-A29)."""
    fate = _tested(mover, spot, "melee", ask)
    return None if fate is None or fate.where == "there" else fate


def entering(mover: Mover, spot: Spot, land: Land, ask: Ask) -> Fate:
    """Test a unit that has come onto a tile; says where it ends (PT-73 to PT-75, PT-79)."""
    return _tested(mover, spot, "move", ask) or _slipped(mover, spot, land, ask)


def _tested(mover: Mover, spot: Spot, how: How, ask: Ask) -> Fate | None:
    """Test a unit that comes onto a tile; None: it slips on ice."""
    danger = entry_test(mover, spot.terrain, how)
    if danger is None or _passed(mover, danger, "hazard_entry", ask):
        return Fate("there", spot)
    return None if danger == "ice" else Fate("reserve" if danger == "cave" else "captured")


def afterwards(mover: Mover, spot: Spot, land: Land, ask: Ask) -> Fate:
    """Test an attacker that has won a melee and stands on its target's tile, if that is ice (PT-74, PT-A24)."""
    danger = entry_test(mover, spot.terrain)
    if danger != "ice" or _passed(mover, danger, "hazard_after", ask):
        return Fate("there", spot)
    return _slipped(mover, spot, land, ask)


def _passed(mover: Mover, danger: Hazard, key: str, ask: Ask) -> bool:
    """Throw the die of a hazard test and tell what came of it (PT-70, PT-A47)."""
    test = TESTS[danger]
    good, bad = tuple(range(test.fails_to + 1, 7)), tuple(range(1, test.fails_to + 1))
    why = say("{unit}, {terrain}: {needed} or more", unit=mover.name, terrain=Text(danger), needed=good[0])
    does = (Effect(good, say("passed")), Effect(bad, FAILURES[danger], harm=True))
    alone(mover.piece, ask)
    with ask.meanwhile(partial(untold, mover.piece, Reason(why, test.clause, marks=mover.marks), ask)):
        faces = ask.throw(1, 6, key, why, by=mover.seat, clause=test.clause, alike=(bad, good), does=does)
    safe = faces[0] in good
    passed, failed = OUTCOMES[danger]
    what, clause = (passed, test.clause) if safe else (failed, test.failed)
    text = say("{what} (needed: {needed} or more)", what=say(what, unit=mover.name), needed=good[0])
    harm = mover.harm if danger == "water" and not safe else ()
    ask.tell(text, clause, faces=faces, marks=mover.marks, harm=harm)
    return safe


def _slipped(mover: Mover, spot: Spot, land: Land, ask: Ask) -> Fate:
    """Slide from a tile that was just entered; whoever runs into a wall is still there."""
    fate = random_move(mover, spot, land, ask)
    return fate._replace(where="there", spot=spot) if fate.where == "stays" else fate


def random_move(mover: Mover, spot: Spot, land: Land, ask: Ask) -> Fate:
    """Move a unit in the direction of a die, and on as long as it slips on ice (PT-83 to PT-87, PT-A25)."""
    directions: tuple[int, ...] = ()
    friends_leave: tuple[Spot, ...] = ()
    while True:
        way = _way(mover, spot, land, ask)
        fate = _reached(mover, met(mover, spot, way, land, ask), land, ask)
        if fate.friends_leave:
            land, friends_leave = land.without(fate.friends_leave[0]), (*friends_leave, *fate.friends_leave)
        if fate.where == "stays" and directions:
            fate = Fate("there", spot)
        elif fate.spot is not None:
            spot, tested = fate.spot, _tested(mover, fate.spot, "move", ask)
            if tested is None:
                directions = (*directions, way)
                continue
            fate = tested
        return fate._replace(friends_leave=friends_leave, directions=(*directions, way))


def direction(directions: Directions, face: int) -> int:
    """Return the direction that a face leads to, 1 (north) to 6 clockwise (PT-A31, ``opt.direction_map``)."""
    first, _, turn = directions.partition("_")
    steps = face - 1 if turn == "clockwise" else 1 - face
    return (SIDES.index(first) + steps) % 6 + 1


def towards(number: int) -> Text:
    """Name a direction."""
    return Text(SIDES[number - 1])


def _way(mover: Mover, spot: Spot, land: Land, ask: Ask) -> int:
    """Throw for the direction of a random movement (PT-83)."""
    why, does = _which_way(mover, spot, land), _leads(mover, spot, land)
    faces = ask.throw(1, 6, "direction", why, by=mover.seat, clause="PT-83", does=does)
    way = direction(mover.options.direction_map, faces[0])
    said = say("{unit} slides: {direction}", unit=mover.name, direction=towards(way))
    ask.tell(said, "PT-83", faces=faces, marks=mover.marks)
    return way


def _which_way(mover: Mover, spot: Spot, land: Land) -> Text:
    """Ask which way, and say what each face leads to: a mirrored map is seen from both sides, and so has no north."""
    ways = [direction(mover.options.direction_map, face) for face in range(1, 7)]
    leads = [land.leads(spot, way) for way in ways]
    known = [say("{face}:\u00a0{place}", face=face, place=place) for face, place in enumerate(leads, 1) if place]
    if known:
        return say("Which way does {unit} slide? {ways}", unit=mover.name, ways=listed(known, NOTHING))
    text = "Which way does {unit} slide? 1: {one}, 2: {two}, and so on around; north is away from the first base."
    return say(text, unit=mover.name, one=towards(ways[0]), two=towards(ways[1]))


def _leads(mover: Mover, spot: Spot, land: Land) -> tuple[Effect, ...]:
    """Say where each face leads: what is known of the land tells also whom it loses, else it is a direction."""
    ends = [_end(mover, spot, direction(mover.options.direction_map, face), land) for face in range(1, 7)]
    different = [end for at, end in enumerate(ends) if end not in ends[:at]]
    return tuple(
        Effect(tuple(face for face, other in enumerate(ends, 1) if other == end), end[0], harm=end[1])
        for end in different
    )


def _end(mover: Mover, spot: Spot, way: int, land: Land) -> tuple[Text, bool]:
    """Say what a slide in a direction comes to, and whether the unit leaves the map by it."""
    place = land.leads(spot, way)
    if place is None:
        return towards(way), False
    there = met(mover, spot, way, land, Ask())
    if _loses(there):
        return Text("captured"), True
    return (Text("reserve"), True) if there == "own_base" else (place, False)


def _loses(there: Edge | Spot) -> bool:
    """Tell whether the opponent captures a unit that slides there (PT-85, PT-87)."""
    return there in ("void", "enemy_base") or (isinstance(there, Spot) and there.held_by == "enemy")


def met(mover: Mover, spot: Spot, direction: int, land: Land, ask: Ask) -> Edge | Spot:
    """Tell what a slide in a direction meets (PT-A32)."""
    there = land.beyond(spot, direction, ask)
    if there == "wall" and mover.options.random_move_walls == "ignore":
        return land.past_wall(spot, direction, ask)
    return there


def _reached(mover: Mover, there: Edge | Spot, land: Land, ask: Ask) -> Fate:
    """Say what a random movement ends in; a tile that it comes onto is still to be tested (PT-84 to PT-87, PT-A33)."""
    unit, marks = mover.name, mover.marks
    match there:
        case "wall":
            ask.tell(say("A tunnel wall: {unit} stays where it is", unit=unit), "PT-A32", marks=marks)
            return Fate("stays")
        case "own_base":
            ask.tell(say("{unit} ends in its own base: back to reserve", unit=unit), "PT-87", marks=marks)
            return Fate("reserve")
        case "enemy_base":
            return _captured(mover, say("{unit} ends in the enemy base: captured", unit=unit), ask)
        case "void":
            return _captured(mover, say("{unit} ends in a gap: captured", unit=unit), ask)
        case Spot(held_by="enemy"):
            return _captured(mover, say("{unit} ends on a tile of the enemy: captured", unit=unit), ask)
        case Spot(held_by=None):
            ends = say("{unit} ends on an empty tile: {place}", unit=unit, place=spot_name(there))
            ask.tell(ends, "PT-84", marks=marks)
            return Fate("there", there)
    if land.leaves(there, ask) == "mover":
        ask.tell(say("A friend stands there: {unit} goes back to reserve", unit=unit), "PT-86", marks=marks)
        return Fate("reserve")
    takes = "The friend who stood there goes back to reserve, {unit} takes the tile: {place}"
    ask.tell(say(takes, unit=unit, place=spot_name(there)), "PT-86", marks=marks)
    return Fate("there", there._replace(held_by=None, unit=""), (there,))


def _captured(mover: Mover, text: Text, ask: Ask) -> Fate:
    """Give a unit to the opponent (PT-85, PT-A34)."""
    ask.tell(text, "PT-85", marks=mover.marks, harm=mover.harm)
    return Fate("captured")


def _lost(mover: Mover, spot: Spot, land: Land, ask: Ask) -> Fate:
    """Let the opponent choose where a unit goes; it is tested there, unless the option says no (PT-77, PT-A28)."""
    there = land.chosen(spot, ask)
    if there is None:
        stays = say("No other tile is unoccupied: {unit} stays where it is", unit=mover.name)
        ask.tell(stays, "PT-77", marks=mover.marks)
        return Fate("stays")
    sent = say("The opponent sends {unit} to another tile: {place}", unit=mover.name, place=spot_name(there))
    ask.tell(sent, "PT-77", marks=mover.marks)
    tests = mover.options.labyrinth_entry_tests
    return (entering(mover, there, land, ask) if tests else Fate("there", there))._replace(sent=True)


def spot_name(spot: Spot) -> Text:
    """Name a tile: its square, if it has one, and its terrain."""
    return place_name(spot.terrain, spot.at)


def leaving_advice(mover: Mover, here: str, towards: Iterable[str], how: How) -> tuple[Reason, ...]:
    """Say what a unit is tested for before it leaves its tile, or aims out of it (PT-70, PT-71)."""
    tests = (exit_test(mover, here, terrain, how) for terrain in towards)
    danger = next((test for test in tests if test is not None), None)
    if danger is None:
        return ()
    said = "Leaving is tested first, {terrain}: {threat}"
    if how == "ranged":
        said = "Aiming out of it is tested first, {terrain}: {threat}"
    return (Reason(say(said, terrain=Text(danger), threat=threat(danger)), TESTS[danger].clause),)


def leaving_each(
    mover: Mover, here: str, towards: Mapping[str, str], how: How
) -> tuple[tuple[Reason, ...], Mapping[str, tuple[Reason, ...]]]:
    """Say what a unit is tested for first: wherever it turns, and else on the way to some of these places alone.

    ``towards`` is the terrain of each place; from one terrain into the same no test may be needed (PT-A26).
    """
    each = {place: leaving_advice(mover, here, (terrain,), how) for place, terrain in towards.items()}
    first = next(iter(each.values()), ())
    return (first, {}) if all(advice == first for advice in each.values()) else ((), each)


def entering_advice(mover: Mover, terrains: Iterable[str], how: How = "move") -> tuple[Reason, ...]:
    """Say what a unit would be tested for on tiles of these terrains, each hazard once (PT-73, PT-74, PT-79)."""
    tests = (entry_test(mover, terrain, how) for terrain in terrains)
    return tuple(
        Reason(say("{terrain}: {threat}", terrain=Text(danger), threat=threat(danger)), TESTS[danger].clause)
        for danger in dict.fromkeys(test for test in tests if test is not None)
    )


def risk(mover: Mover, spot: Spot, land: Land) -> Text | None:
    """Say what a player may lose who enters a tile of the mirrored map; None where the unit stays his."""
    chance = 100 * captured(mover, spot, land)
    if not chance:
        return None
    drowns = entry_test(mover, spot.terrain) == "water"
    said = "It drowns and is captured: {percent}%" if drowns else "It slips and is captured: {percent}%"
    return say(said, percent=str(round(float(chance))) if chance >= 1 else "<1")


def captured(mover: Mover, spot: Spot, land: Land, slides: int = MOST_SLIDES) -> Fraction:
    """Return how likely chance captures a unit that comes onto a tile (PT-79, PT-85, PT-87).

    Where it runs into a friend its owner can save it (PT-86).
    """
    danger = entry_test(mover, spot.terrain)
    if danger not in ("ice", "water") or not slides:
        return Fraction(0)
    fails = TESTS[danger].chance
    if danger == "water":
        return fails
    ends = Fraction(0)
    for way in range(1, 7):
        there = met(mover, spot, way, land, Ask())
        if _loses(there):
            ends += 1
        elif isinstance(there, Spot) and there.held_by is None:
            ends += captured(mover, there, land, slides - 1)
    return fails * ends / 6
