"""What a seat may fire at what: each weapon that is ready, with the targets that it reaches (G2-97 to G2-102)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import aiming, reach, shooting, speech
from companion.games.tactics_2gm.pieces import Unit
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.aiming import Targeted
    from companion.games.tactics_2gm.shooting import Shot
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer the shots of a seat's units in the fire phase."""
    if state.phase != "fire" or seat not in state.acting or seat in state.done:
        return []
    units = [unit for unit in state.on_ground() if unit.seat == seat]
    return [offer for unit in units for name in reach.ready(state, unit) for offer in _shots(state, unit, name)]


def _shots(state: State, unit: Unit, name: str) -> list[Offer]:
    weapon = state.weapons(unit)[name]
    found = reach.targets(state, unit, weapon.range)
    if not found:
        return []
    options = tuple(_target(state, one, aiming.shot_of(state, unit, name, one)) for one in found)
    only = options[0].value if len(options) == 1 else None
    fields = [Field("target", say("Target"), "choice", options, value=only)]
    if not state.mirrored:
        fields.append(Field("distance", say("Distance in squares"), "number", low=1, high=weapon.range))
        if any(isinstance(one, Unit) and state.card(one).family == "infantry" for one in found):
            hint = say("Counts for infantry alone.")
            fields.append(
                Field("behind", say("It advances behind an armoured vehicle"), "yes_no", value=False, hint=hint)
            )
    label = say("Fire {weapon}: {unit}", weapon=weapon_of(state, unit, name), unit=speech.unit(state, unit))
    return [
        Offer("fire", label, {"unit": unit.id, "weapon": name}, tuple(fields), on=unit.id, chancy=True, clause="G2-97")
    ]


def _target(state: State, target: Targeted, shot: Shot) -> Option:
    return Option(
        target.id, aiming.told(state, target), place=aiming.drawn_at(target), note=note(shot), hopeless=vain(shot)
    )


def vain(shot: Shot) -> Reason | None:
    """Say that no face is enough for a shot (G2-103); nothing where one is."""
    need = shooting.numbers(shot).hit_on
    if need <= shooting.FACES:
        return None
    return Reason(say("cannot hit: needs {needed}", needed=need), "G2-103")


def weapon_of(state: State, unit: Unit, name: str) -> Text:
    """Name a unit's weapon, with a number where it has several of that name."""
    arms = state.weapons(unit)
    alike = [one for one, weapon in arms.items() if weapon.name == arms[name].name]
    called = speech.called(arms[name].name)
    return called if len(alike) == 1 else say("{weapon} {number}", weapon=called, number=str(alike.index(name) + 1))


def note(shot: Shot) -> Text:
    """Say in a few words what a shot takes."""
    need = shooting.numbers(shot)
    if why := vain(shot):
        return why.text
    if not shooting.goes_through(shot):
        return say(
            "0 harm: penetration {penetration}, armour {armour}",
            penetration=shot.weapon.penetration,
            armour=shooting.armour(shot),
        )
    if shot.target != "unit" or need.crit_on > shooting.FACES:
        return say("{needed}+", needed=need.hit_on)
    return say("{needed}+/{critical}", needed=need.hit_on, critical=need.crit_on)
