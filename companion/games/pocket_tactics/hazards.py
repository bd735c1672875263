"""Hazards: what leaving and entering dangerous tiles does, and random movement (PT-70 to PT-79, PT-83 to PT-87)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.games.pocket_tactics import dangers, sliding, speech
from companion.games.pocket_tactics.land import Spot
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.land import Edge, Land
    from companion.games.pocket_tactics.options import Options
    from companion.kit.asking import Ask
    from companion.kit.ruling import Harm


class Mover(NamedTuple):
    """Hold what hazards want to know of a unit, and how it is called; ``loss`` is told when chance captures it."""

    seat: str
    name: Text
    affinities: tuple[str, ...]
    options: Options
    unit: str = ""
    loss: Harm | None = None

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """Return the marks of a line about this unit."""
        return ((self.unit, "acting"),) if self.unit else ()


class Fate(NamedTuple):
    """Say what became of a unit: it stays where it was, is on the tile ``spot``, in reserve, or captured.

    ``friends_leave`` are the tiles whose units went to reserve instead, ``directions`` those of its slides in order;
    ``sent``: the opponent chose where it went.
    """

    where: Literal["stays", "there", "reserve", "captured"]
    spot: Spot | None = None
    friends_leave: tuple[Spot, ...] = ()
    directions: tuple[int, ...] = ()
    sent: bool = False


def leaving(mover: Mover, spot: Spot, towards: str, how: dangers.How, land: Land, ask: Ask) -> Fate | None:
    """Test a unit that leaves its tile for one of terrain ``towards`` (empty: a base), or aims at it.

    Returns None where it may go on; otherwise its action is over (PT-74 to PT-78, PT-A25).
    """
    found = dangers.exit_test(mover, spot.terrain, towards, how)
    if found is None or dangers.passed(mover, found, "hazard_exit", ask):
        return None
    if found == "ice":
        return random_move(mover, spot, land, ask)
    return _lost(mover, spot, land, ask) if found == "labyrinth" else Fate("stays")


def charging(mover: Mover, spot: Spot, ask: Ask) -> Fate | None:
    """Test an attacker that comes onto its target's tile; None: the assault goes on (PT-73, PT-79, PT-A29)."""
    found = dangers.entry_test(mover, spot.terrain, "melee")
    if found is None or dangers.passed(mover, found, "hazard_entry", ask):
        return None
    return Fate("reserve" if found == "cave" else "captured")


def entering(mover: Mover, spot: Spot, land: Land, ask: Ask) -> Fate:
    """Test a unit that has come onto a tile; says where it ends (PT-73 to PT-75, PT-79)."""
    return _tested(mover, spot, ask) or _slipped(mover, spot, land, ask)


def _tested(mover: Mover, spot: Spot, ask: Ask) -> Fate | None:
    """Test a unit that has come onto a tile; None: it slips on ice."""
    found = dangers.entry_test(mover, spot.terrain)
    if found is None or dangers.passed(mover, found, "hazard_entry", ask):
        return Fate("there", spot)
    if found == "ice":
        return None
    return Fate("reserve" if found == "cave" else "captured")


def afterwards(mover: Mover, spot: Spot, land: Land, ask: Ask) -> Fate:
    """Test an attacker that has won a melee and stands on its target's tile, if that is ice (PT-74, PT-A24)."""
    found = dangers.entry_test(mover, spot.terrain)
    if found != "ice" or dangers.passed(mover, found, "hazard_after", ask):
        return Fate("there", spot)
    return _slipped(mover, spot, land, ask)


def _slipped(mover: Mover, spot: Spot, land: Land, ask: Ask) -> Fate:
    """Slide from a tile that was just entered; whoever runs into a wall is still there."""
    fate = random_move(mover, spot, land, ask)
    return fate._replace(where="there", spot=spot) if fate.where == "stays" else fate


def random_move(mover: Mover, spot: Spot, land: Land, ask: Ask) -> Fate:
    """Move a unit in the direction of a die, and on as long as it slips on ice (PT-83 to PT-87, PT-A25)."""
    directions: tuple[int, ...] = ()
    friends_leave: tuple[Spot, ...] = ()
    while True:
        direction = sliding.way(mover, spot, land, ask)
        fate = _reached(mover, met(mover, spot, direction, land, ask), land, ask)
        if fate.friends_leave:
            land, friends_leave = land.without(fate.friends_leave[0]), (*friends_leave, *fate.friends_leave)
        if fate.where == "stays" and directions:
            fate = Fate("there", spot)
        elif fate.spot is not None:
            spot, tested = fate.spot, _tested(mover, fate.spot, ask)
            if tested is None:
                directions = (*directions, direction)
                continue
            fate = tested
        return fate._replace(friends_leave=friends_leave, directions=(*directions, direction))


def met(mover: Mover, spot: Spot, direction: int, land: Land, ask: Ask) -> Edge | Spot:
    """Tell what a slide in a direction meets (PT-A32)."""
    there = land.beyond(spot, direction, ask)
    if there == "wall" and mover.options.random_move_walls == "ignore":
        return land.past_wall(spot, direction, ask)
    return there


def _reached(mover: Mover, there: Edge | Spot, land: Land, ask: Ask) -> Fate:
    """Say what a random movement ends in; a tile that it comes onto is still to be tested."""
    if isinstance(there, Spot):
        return _landed(mover, there, land, ask)
    if there == "wall":
        ask.tell(say("A tunnel wall: {unit} stays where it is", unit=mover.name), "PT-A32", marks=mover.marks)
        return Fate("stays")
    if there == "own_base":
        ask.tell(say("{unit} ends in its own base: back to reserve", unit=mover.name), "PT-87", marks=mover.marks)
        return Fate("reserve")
    ends = say("{unit} ends in a gap: captured", unit=mover.name)
    return _captured(
        mover, say("{unit} ends in the enemy base: captured", unit=mover.name) if there == "enemy_base" else ends, ask
    )


def _landed(mover: Mover, there: Spot, land: Land, ask: Ask) -> Fate:
    """Land on a tile; whoever stands there decides what comes of it (PT-84 to PT-86, PT-A33)."""
    if there.held_by == "enemy":
        return _captured(mover, say("{unit} ends on a tile of the enemy: captured", unit=mover.name), ask)
    if there.held_by is None:
        ask.tell(
            say("{unit} ends on an empty tile: {place}", unit=mover.name, place=called(there)),
            "PT-84",
            marks=mover.marks,
        )
        return Fate("there", there)
    if land.leaves(there, ask) == "mover":
        ask.tell(say("A friend stands there: {unit} goes back to reserve", unit=mover.name), "PT-86", marks=mover.marks)
        return Fate("reserve")
    ask.tell(
        say(
            "The friend who stood there goes back to reserve, {unit} takes the tile: {place}",
            unit=mover.name,
            place=called(there),
        ),
        "PT-86",
        marks=mover.marks,
    )
    return Fate("there", there._replace(held_by=None, unit=""), (there,))


def _captured(mover: Mover, text: Text, ask: Ask) -> Fate:
    """Give a unit to the opponent (PT-85, PT-A34)."""
    ask.tell(text, "PT-85", marks=mover.marks, harm=(mover.loss,) if mover.loss is not None else ())
    return Fate("captured")


def _lost(mover: Mover, spot: Spot, land: Land, ask: Ask) -> Fate:
    """Let the opponent choose where a unit goes; it is tested there, unless the option says no (PT-77, PT-A28)."""
    there = land.chosen(spot, ask)
    if there is None:
        ask.tell(
            say("No other tile is unoccupied: {unit} stays where it is", unit=mover.name), "PT-77", marks=mover.marks
        )
        return Fate("stays")
    ask.tell(
        say("The opponent sends {unit} to another tile: {place}", unit=mover.name, place=called(there)),
        "PT-77",
        marks=mover.marks,
    )
    tests = mover.options.labyrinth_entry_tests
    return (entering(mover, there, land, ask) if tests else Fate("there", there))._replace(sent=True)


def called(spot: Spot) -> Text:
    """Name a tile: its square, if it has one, and its terrain."""
    terrain = speech.terrain(spot.terrain)
    return say("{square}, {terrain}", square=spot.at, terrain=terrain) if spot.at else terrain
