"""Scenarios of the shooting phase: bows, catapults and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.chesswar import catapults, shooting, traits
from companion.games.chesswar.catapults import Bombard
from companion.games.chesswar.shooting import Shoot
from companion.kit.ruling import refuse
from tests.scenarios.chesswar.answers import Script
from tests.scenarios.chesswar.fields import every_reason, fallen, per_unit, permit, state_of
from tests.scenarios.runner import Given, OneOf

if TYPE_CHECKING:
    from companion.games.chesswar.destruction import Toll
    from companion.games.chesswar.state import State, Unit
    from companion.games.chesswar.traits import Against


def bow_check(given: Given, _: Script) -> dict[str, Any]:
    state, shooter, target = bow(given)
    aim = shooting.aim_bow(state, shooter, target)
    return {
        "distance": aim.distance,
        "direct": aim.direct,
        "modifier": sum(term.value or 0 for term in shooting.modifiers(state, shooter, aim)),
        "needed": shooting.needed(state, shooter, aim),
    }


def bow(given: Given) -> tuple[State, Unit, Unit]:
    name, victim = str(given["shooter"]), str(given["target"])
    state = state_of(given, "shooting", name)
    every_reason(
        lambda: permit(state, Shoot(name, victim)),
        lambda: refuse(shooting.barred(state.unit(name)), "unit"),
        lambda: shooting.aim_bow(state, state.unit(name), state.unit(victim)),
        also=twice_over(state, name),
    )
    return state, state.unit(name), state.unit(victim)


def twice_over(state: State, name: str) -> tuple[str, ...]:
    """The two clauses that keep a unit in melee from shooting."""
    unit = state.find(name)
    return ("CW-45", "CW-82") if unit is not None and unit.engaged else ()


def bow_shot(given: Given, ask: Script) -> dict[str, Any]:
    found = bow_check(given, ask)
    state, shooter, target = bow(given)
    _, toll = shooting.shoot_bow(state, shooter, target, shooting.aim_bow(state, shooter, target), ask)
    return {**found, "hit": bool(toll.struck), **struck(state, toll, "bow")}


def struck(state: State, toll: Toll, against: Against) -> dict[str, Any]:
    """Whom a ranged attack struck, what they needed to save, and who fell: no continuation comes of it."""
    needs = {name: traits.save_needed(state, state.unit(name), against) for name in toll.struck}
    return {
        "struck": list(toll.struck),
        "save_needed": per_unit(needs),
        "continuation_possible": False,
        **fallen(toll),
    }


def catapult_check(given: Given, _: Script) -> dict[str, Any]:
    state, shooter, square = catapult(given)
    aim = catapults.aim(state, shooter, square)
    return {
        "direct": aim.direct,
        "distance": aim.distance,
        "scatter_dice": sum(part.value or 0 for part in catapults.scatter_dice(state, shooter, aim)),
    }


def catapult(given: Given) -> tuple[State, Unit, str]:
    name, square = str(given["shooter"]), str(given["target_square"])
    state = state_of(given, "shooting", name)
    every_reason(
        lambda: permit(state, Bombard(name, square)),
        lambda: refuse(shooting.barred(state.unit(name)), "unit"),
        lambda: catapults.aim(state, state.unit(name), square),
        also=twice_over(state, name),
    )
    return state, state.unit(name), square


def catapult_shot(given: Given, ask: Script) -> dict[str, Any]:
    found = catapult_check(given, ask)
    state, shooter, square = catapult(given)
    _, toll, impact = catapults.throw(state, shooter, square, catapults.aim(state, shooter, square), ask)
    result: Any = impact.result
    if any(unit.down and unit.square == impact.square for unit in state.units):
        # A hit on a unit that lies knocked over is ignored: as if nobody stood there.
        result = OneOf(impact.result, "hit")
    needs = {name: thrown_at(state, shooter, state.unit(name)) for name in toll.struck}
    return {
        **found,
        "impact": impact.square,
        "result": result,
        **struck(state, toll, "shot"),
        "save_needed": per_unit(needs),
    }


def thrown_at(state: State, shooter: Unit, unit: Unit) -> Any:
    """What a unit needs to save: a number, ``immune`` to plague, or ``none`` where terror leaves no save."""
    weapon = shooter.weapon
    assert weapon is not None
    if weapon.plague:
        return "immune" if traits.immune(state, unit) else traits.save_needed(state, unit, "bomb")
    if weapon.terror and not traits.brave(state, unit):
        return "none"
    return traits.save_needed(state, unit, "shot")
