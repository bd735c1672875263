"""What a seat may do where only the real board knows where units stand: the facts come with the action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import catapults, charge, rosters, shooting, speech, traits
from companion.games.chesswar.around import ARROWS
from companion.games.chesswar.combat import barred as attack_barred
from companion.games.chesswar.movement import teleports
from companion.games.chesswar.spell_offers import cover_offers
from companion.kit.asking import NO, YES, Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Reason
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.armies import Weapon
    from companion.games.chesswar.rosters import Line
    from companion.games.chesswar.state import State, Unit


def table_offers(state: State, line: Line) -> list[Offer]:
    """Offer the charges, shots and attacks of a unit, or of one of several that are alike."""
    match state.phase:
        case "movement":
            return [*_charging(state, line), *_leaving(state, line), *cover_offers(state, line.unit)]
        case "shooting":
            return [*_shots(state, line), *cover_offers(state, line.unit)]
        case _:
            return [*_attacks(state, line), *cover_offers(state, line.unit)]


def _target(state: State, units: list[Unit]) -> Field:
    """Ask for the target: the only one there is, or the one of the shot before, is filled in."""
    options = rosters.options(state, units)
    latest = state.last.target if state.last else None
    value = options[0].value if len(options) == 1 else next((one.value for one in options if one.value == latest), None)
    return Field("target", say("Target"), "choice", options, value=value)


def _charging(state: State, line: Line) -> list[Offer]:
    unit = line.unit
    foes = [target for target, why in charge.targets(state, unit) if why is None]
    if not foes:
        return []
    label = say("Charge: {unit}", unit=rosters.called(state, line))
    return [Offer("charge", label, {"unit": unit.id}, (_target(state, foes),), on=unit.id, chancy=True, clause="CW-36")]


def _leaving(state: State, line: Line) -> list[Offer]:
    unit = line.unit
    if not (teleports(unit) and unit.engaged and not unit.settled):
        return []
    label = say("Leave the melee: {unit}", unit=rosters.called(state, line))
    return [Offer("move", label, {"unit": unit.id}, on=unit.id, clause="CW-119")]


def _shots(state: State, line: Line) -> list[Offer]:
    unit, weapon = line.unit, line.unit.weapon
    if weapon is None or shooting.barred(unit) is not None:
        return []
    label, given = say("Shoot: {unit}", unit=rosters.called(state, line)), {"unit": unit.id}
    unseen = weapon.indirect and not traits.leaderless(state, unit.side)
    sees = (Field("direct", say("The shooter sees it"), "yes_no", value=True),) if unseen else ()
    if not weapon.bow:
        fields = (_distance(weapon.nearest, catapults.reach(state, unit)), *sees, *_around(state, unit))
        return [Offer("bombard", label, given, fields, on=unit.id, chancy=True, clause="CW-67")]
    foes = [foe for foe in state.standing() if state.enemies(unit, foe)]
    if not foes:
        return []
    fields = (_target(state, foes), _distance(1, weapon.reach), *sees, _moved(unit, weapon))
    return [Offer("shoot", label, given, fields, on=unit.id, chancy=True, clause="CW-45")]


def _distance(low: int, high: int) -> Field:
    """Ask how far away the target is; nothing is filled in, for nobody would look at it again."""
    return Field("distance", say("Distance in squares"), "number", low=low, high=high)


def _around(state: State, unit: Unit) -> tuple[Field, ...]:
    """Ask who stands on the square aimed at and beside it; whoever does not say still has the odds of the scatter."""
    foes = [foe for foe in state.standing() if state.enemies(unit, foe)]
    targets = (Option(catapults.NOBODY, say("Nobody, or not said")), *rosters.options(state, foes))
    places = tuple(Option(place, arrow) for place, arrow in ARROWS.items())
    return (
        Field("target", say("Who stands on that square"), "choice", targets, value=catapults.NOBODY),
        Field("enemies", say("Enemies beside it, for the odds"), "many", places, hint=say("↑ is away from you.")),
        Field("own", say("Own units beside it, for the odds"), "many", places),
    )


def _moved(unit: Unit, weapon: Weapon) -> Field:
    """Ask whether a shooter has moved; a crossbow that has can not be shot (CW-64)."""
    label = say("It moved this turn")
    if weapon.after_moving:
        return Field("moved", label, "yes_no", value=unit.moved)
    barred = Reason(say("It can not shoot after moving."), "CW-64")
    return Field("moved", label, "choice", (Option("false", NO), Option("true", YES, barred)), value="false")


def _attacks(state: State, line: Line) -> list[Offer]:
    """Offer the attack on each opponent by itself: nothing is left to ask."""
    unit = line.unit
    if attack_barred(unit) is not None:
        return []
    who = rosters.called(state, line)
    return [
        Offer(
            "attack",
            say("Attack {enemy}: {unit}", enemy=speech.foe(state, foe), unit=who),
            {"unit": unit.id, "target": foe.id},
            on=unit.id,
            chancy=True,
            clause="CW-83",
        )
        for foe in state.opponents(unit)
    ]
