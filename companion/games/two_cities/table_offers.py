"""Attacks on a table whose board is not mirrored: the players fill in what only the real board knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.two_cities.deck import rule_of
from companion.games.two_cities.facts import Facts
from companion.games.two_cities.shooting import hidden, no_die, range_of
from companion.games.two_cities.speech import name, short_name
from companion.games.two_cities.units import KINDS, Ground
from companion.kit.asking import NO, YES, Option
from companion.kit.offer import Field, Offer
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.two_cities.state import State, Unit
    from companion.kit.ruling import Reason

GROUNDS: tuple[Ground, ...] = ("open", "forest", "hill")
ANYWHERE: Mapping[Ground, Reason | None] = dict.fromkeys(GROUNDS)
ROOM = 2
"""Free squares behind a target that the form starts with: as many as an evasion can use."""


def table_attacks(state: State, unit: Unit) -> tuple[Offer, ...]:
    """Offer a melee and, to who can shoot, a shot, with the facts as fields."""
    melee = () if unit.attacks else (_melee(state, unit),)
    return (*melee, *_shots(state, unit)) if KINDS[unit.kind].range else melee


def _melee(state: State, unit: Unit) -> Offer:
    fields = (
        _target(state, unit),
        _grounds("attacker_terrain", say("Where the attacker is"), ANYWHERE),
        _grounds("target_terrain", say("Where the target is"), ANYWHERE),
        *_defence(),
    )
    label = say("Fight: {unit}", unit=name(state, unit))
    return Offer("attack", label, {"unit": unit.id, "mode": "melee"}, fields, on=unit.id, chancy=True, clause="TTC-77")


def _shots(state: State, unit: Unit) -> tuple[Offer, ...]:
    """Offer one shot, told apart by where the shooter is: that decides how far it reaches and whom it sees."""
    barred = {ground: _ways(state, unit, ground)[0].barred for ground in GROUNDS}
    return tuple(
        _shot(state, unit, ground, _grounds("attacker_terrain", say("Where the shooter is"), barred, value=ground))
        for ground in GROUNDS
        if barred[ground] is None
    )


def _shot(state: State, unit: Unit, ground: Ground, among: Field) -> Offer:
    given: dict[str, Any] = {"unit": unit.id, "mode": "ranged", "attacker_terrain": ground}
    fields = [_target(state, unit)]
    ways = _ways(state, unit, ground)
    if len(ways) > 1:
        fields.append(Field("moved", say("It moved this turn"), "choice", ways, value="false"))
    else:
        given["moved"] = ways[0].value == "true"
    counted = (
        say("In squares through sides; from a hill nothing closes the path.")
        if ground == "hill"
        else say("In squares through sides, along a path that no unit, forest or hill closes.")
    )
    reach = range_of(_facts(state, unit, ground))
    barred = {there: hidden(_facts(state, unit, ground, there)) for there in GROUNDS}
    fields += [
        Field("distance", say("Distance"), "number", value=2, low=2, high=reach, hint=counted),
        _grounds("target_terrain", say("Where the target is"), barred),
        *_defence(),
    ]
    label = say("Shoot: {unit}", unit=name(state, unit))
    return Offer("attack", label, given, tuple(fields), on=unit.id, chancy=True, clause="TTC-80", among=among)


def _facts(state: State, unit: Unit, ground: Ground, target_terrain: Ground = "open", *, moved: bool = False) -> Facts:
    return Facts(
        mode="ranged",
        attacker=unit.kind,
        target="city",
        card=state.card,
        moved=moved,
        attacker_terrain=ground,
        target_terrain=target_terrain,
    )


def _ways(state: State, unit: Unit, ground: Ground) -> tuple[Option, ...]:
    """List whether the shooter stood still or moved, barred where that leaves it no die (TTC-100)."""
    held = rule_of(state.card).shots > 1 and state.options.double_rain_stationary
    possible = (unit.moved,) if unit.attacks else (False,) if held else (False, True)
    return tuple(
        Option("true" if moved else "false", YES if moved else NO, no_die(_facts(state, unit, ground, moved=moved)))
        for moved in possible
    )


def _target(state: State, unit: Unit) -> Field:
    enemies = (enemy for enemy in state.in_play() if enemy.side != unit.side)
    return Field("target", say("Target"), "choice", tuple(Option(enemy.id, short_name(enemy)) for enemy in enemies))


def _grounds(field: str, label: Text, barred: Mapping[Ground, Reason | None], value: Ground = "open") -> Field:
    options = tuple(Option(ground, Text(ground), barred[ground]) for ground in GROUNDS)
    return Field(field, label, "choice", options, value=value)


def _defence() -> tuple[Field, ...]:
    return (
        Field(
            "neighbour",
            say("The target has a friend beside it"),
            "yes_no",
            value=False,
            hint=say("On its rank, directly to the left or right."),
        ),
        Field(
            "behind",
            say("Free squares behind the target"),
            "number",
            value=ROOM,
            high=7,
            hint=say("Straight back, up to a unit or the edge."),
        ),
    )
