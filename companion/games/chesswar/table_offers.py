"""What a seat may do where only the real board knows where units stand: the facts come with the action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import catapults, charge, shooting, traits
from companion.games.chesswar.combat import barred as attack_barred
from companion.games.chesswar.movement import teleports
from companion.games.chesswar.speech import NO, YES, name
from companion.games.chesswar.spell_offers import cover_offers
from companion.kit.asking import Option
from companion.kit.game import Field, Offer
from companion.kit.ruling import Reason
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.chesswar.armies import Weapon
    from companion.games.chesswar.state import State, Unit


def table_offers(state: State, unit: Unit) -> list[Offer]:
    """Offer the charges, shots and attacks of a unit."""
    match state.phase:
        case "movement":
            return [*_charging(state, unit), *_leaving(state, unit), *cover_offers(state, unit)]
        case "shooting":
            return [*_shots(state, unit), *cover_offers(state, unit)]
        case _:
            return [*_attacks(state, unit), *cover_offers(state, unit)]


def _target(state: State, units: list[Unit]) -> Field:
    options = tuple(Option(unit.id, name(state, unit)) for unit in units)
    return Field("target", say("Target"), "choice", options, value=units[0].id if len(units) == 1 else None)


def _charging(state: State, unit: Unit) -> list[Offer]:
    foes = [target for target, why in charge.targets(state, unit) if why is None]
    if not foes:
        return []
    return [Offer("charge", say("Charge: {unit}", unit=name(state, unit)), {"unit": unit.id}, (_target(state, foes),),
                  on=unit.id, chancy=True, clause="CW-36")]  # fmt: skip


def _leaving(state: State, unit: Unit) -> list[Offer]:
    if not (teleports(unit) and unit.engaged and not unit.settled):
        return []
    return [Offer("move", say("Leave the melee: {unit}", unit=name(state, unit)), {"unit": unit.id}, on=unit.id,
                  clause="CW-119")]  # fmt: skip


def _shots(state: State, unit: Unit) -> list[Offer]:
    weapon = unit.weapon
    if weapon is None or shooting.barred(unit) is not None:
        return []
    label, given = say("Shoot: {unit}", unit=name(state, unit)), {"unit": unit.id}
    unseen = weapon.indirect and not traits.leaderless(state, unit.side)
    sees = (Field("direct", say("The shooter sees it"), "yes_no", value=True),) if unseen else ()
    if not weapon.bow:
        far = catapults.reach(state, unit)
        distance = Field(
            "distance", say("Distance"), "number", value=max(weapon.nearest, 1), low=weapon.nearest, high=far
        )
        return [Offer("bombard", label, given, (distance, *sees), on=unit.id, chancy=True, clause="CW-67")]
    foes = [foe for foe in state.standing() if state.enemies(unit, foe)]
    distance = Field("distance", say("Distance"), "number", value=1, low=1, high=weapon.reach)
    fields = (_target(state, foes), distance, *sees, _moved(unit, weapon))
    return [Offer("shoot", label, given, fields, on=unit.id, chancy=True, clause="CW-45")] if foes else []


def _moved(unit: Unit, weapon: Weapon) -> Field:
    """Ask whether a shooter has moved; a crossbow that has can not be shot (CW-64)."""
    label = say("It moved this turn")
    if weapon.after_moving:
        return Field("moved", label, "yes_no", value=unit.moved)
    barred = Reason(say("It can not shoot after moving."), "CW-64")
    return Field("moved", label, "choice", (Option("false", NO), Option("true", YES, barred)), value="false")


def _attacks(state: State, unit: Unit) -> list[Offer]:
    if attack_barred(unit) is not None:
        return []
    foes = list(state.opponents(unit))
    return [Offer("attack", say("Attack: {unit}", unit=name(state, unit)), {"unit": unit.id}, (_target(state, foes),),
                  on=unit.id, chancy=True, clause="CW-83")]  # fmt: skip
