"""Attacks on a table whose board is not mirrored: the players fill in what only the real board knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.two_cities.deck import rule_of
from companion.games.two_cities.facts import Facts
from companion.games.two_cities.shooting import range_of, shot_terms
from companion.games.two_cities.speech import name
from companion.games.two_cities.units import KINDS, Ground
from companion.kit.asking import Option
from companion.kit.game import Field, Offer
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.state import State, Unit

ROOM = 2
"""Free squares behind a target that the form starts with: as many as an evasion can use."""


def table_attacks(state: State, unit: Unit) -> tuple[Offer, ...]:
    """Offer a melee, and shots from each terrain that leaves a die (TTC-100), with the facts as fields."""
    melee = () if unit.attacks else (_melee(state, unit),)
    if not KINDS[unit.kind].range:
        return melee
    grounds: tuple[Ground, ...] = ("open", "forest", "hill")
    shots = (_shot(state, unit, ground) for ground in grounds)
    return (*melee, *(shot for shot in shots if shot is not None))


def _melee(state: State, unit: Unit) -> Offer:
    fields = (
        _target(state, unit),
        _ground("attacker_terrain", say("The attacker stands on"), ("open", "forest", "hill")),
        *_defence(("open", "forest", "hill")),
    )
    label = say("Fight: {unit}", unit=name(state, unit))
    return Offer("attack", label, {"unit": unit.id, "mode": "melee"}, fields, on=unit.id, chancy=True, clause="TTC-77")


def _shot(state: State, unit: Unit, ground: Ground) -> Offer | None:
    given: dict[str, Any] = {"unit": unit.id, "mode": "ranged", "attacker_terrain": ground}
    facts = Facts(mode="ranged", attacker=unit.kind, target="city", card=state.card, attacker_terrain=ground)
    moved = tuple(moved for moved in (False, True) if _has_dice(unit, state, ground, moved=moved))
    if unit.attacks:
        moved = tuple(choice for choice in moved if choice == unit.moved)
    if not moved:
        return None
    fields = [_target(state, unit)]
    if len(moved) > 1:
        fields.append(Field("moved", say("It moved this turn"), "yes_no", value=unit.moved))
    else:
        given["moved"] = moved[0]
    reach = range_of(facts)
    fields.append(
        Field("distance", say("Distance"), "number", value=2, low=2, high=reach,
              hint=say("In squares through sides, along a path that no unit, forest or hill closes.")
              if ground != "hill" else say("In squares through sides; from a hill nothing closes the path."))
    )  # fmt: skip
    fields += _defence(("open", "hill") if ground == "hill" else ("open",))
    label = say("Shoot from {ground}: {unit}", ground=Text(f"from_{ground}"), unit=name(state, unit))
    return Offer("attack", label, given, tuple(fields), on=unit.id, chancy=True, clause="TTC-80")


def _has_dice(unit: Unit, state: State, ground: Ground, *, moved: bool) -> bool:
    if moved and state.options.double_rain_stationary and rule_of(state.card).shots > 1:
        return False
    facts = Facts(
        mode="ranged",
        attacker=unit.kind,
        target="city",
        card=state.card,
        moved=moved,
        attacker_terrain=ground,
    )
    return sum(term.value or 0 for term in shot_terms(facts)) > 0


def _target(state: State, unit: Unit) -> Field:
    enemies = (enemy for enemy in state.in_play() if enemy.side != unit.side)
    return Field("target", say("Target"), "choice", tuple(Option(enemy.id, name(state, enemy)) for enemy in enemies))


def _ground(field: str, label: Text, grounds: tuple[Ground, ...]) -> Field:
    return Field(field, label, "choice", tuple(Option(ground, Text(ground)) for ground in grounds), value="open")


def _defence(grounds: tuple[Ground, ...]) -> tuple[Field, ...]:
    return (
        _ground("target_terrain", say("The target stands on"), grounds),
        Field("neighbour", say("It has a friend beside it"), "yes_no", value=False,
              hint=say("On its rank, directly to the left or right.")),
        Field("behind", say("Free squares behind it"), "number", value=ROOM, high=7,
              hint=say("Straight back, up to a unit or the edge.")),
    )  # fmt: skip
