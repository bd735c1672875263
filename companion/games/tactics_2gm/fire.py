"""Fire: who may shoot whom, and what comes of it (G2-97 to G2-118)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import aiming, fire_offers, losses, shooting, speech, turn
from companion.games.tactics_2gm.pieces import Headquarters, Last, Unit
from companion.kit.ruling import Fighter, Harm, Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm import actions as do
    from companion.games.tactics_2gm.aiming import Targeted
    from companion.games.tactics_2gm.pieces import Ground
    from companion.games.tactics_2gm.shooting import Result, Shot
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask
    from companion.kit.offer import Offer


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return fire_offers.offers(state, seat)


def rule(state: State, seat: Seat, action: do.Fire, ask: Ask) -> State:
    """Rule on a shot; raise Refusal or Pending."""
    unit, target, shot = aimed(state, seat, action)
    return _fire(state, unit, action.weapon, target, shot, ask)


def aimed(state: State, seat: Seat, action: do.Fire) -> tuple[Unit, Targeted, Shot]:
    """Return who shoots at what, and what the shot depends on; raise Refusal when it can not be made."""
    turn.check_phase(state, seat, "fire")
    unit = turn.check_own(state, seat, action.unit)
    if state.flies(unit):
        raise Refusal(say("An aircraft attacks when it flies out, not from its headquarters."), "G2-140", "unit")
    if not state.mirrored and action.distance is None:
        raise Refusal(say("Say how many squares away it is."), "G2-102", "distance")
    target = aiming.find_target(state, action.target)
    distance = None if state.mirrored else action.distance
    behind = action.behind and not state.mirrored
    shot = aiming.shot_of(state, unit, action.weapon, target, distance=distance, behind=behind)
    shooting.check(shot)
    return unit, target, shot


def shoot_at(
    state: State,
    unit: Unit,
    weapon: str,
    target: Targeted,
    ask: Ask,
    *,
    distance: int | None = None,
    behind: bool = False,
    key: str = "shot",
) -> State:
    """Shoot with a unit's weapon and use it up, in whatever phase that is; raise Refusal or Pending.

    ``key`` tells this throw from others of the same rule.
    """
    shot = aiming.shot_of(state, unit, weapon, target, distance=distance, behind=behind)
    return _fire(state, unit, weapon, target, shot, ask, key=key)


def _fire(state: State, unit: Unit, weapon: str, target: Targeted, shot: Shot, ask: Ask, *, key: str = "shot") -> State:
    state, _ = strike(state, unit, target, shot, ask, key=key)
    if shot.weapon.flips:
        ask.tell(say("{weapon}: turned over to its grey side", weapon=speech.called(shot.weapon.name)), "G2-113")
    state = aiming.use_weapon(state, unit, weapon)
    if isinstance(target, Unit) and state.phase == "fire":
        state = _under_fire(state, unit, target, ask)
    place = None if isinstance(target, Headquarters) else target.square
    return state.but(last=Last(unit.square, place)) if state.mirrored else state


def strike(
    state: State, by: Unit, target: Targeted, shot: Shot, ask: Ask, *, key: str = "shot"
) -> tuple[State, Result]:
    """Shoot, and do the harm to what was shot at; no weapon is used up.

    ``by`` may be an aircraft that is out of play already.
    """
    found = shooting.shoot(shot, ask, by.seat, key=key, marks=((by.id, "acting"), (target.id, "target")))
    match target:
        case Unit():
            return _unit_struck(state, by, target, found, ask), found
        case Headquarters():
            return _hq_struck(state, by, target, found, ask), found
        case _:
            return _building_struck(state, by, target, found, ask), found


def _unit_struck(state: State, by: Unit, target: Unit, found: Result, ask: Ask) -> State:
    """Wound or destroy a unit (G2-104, G2-111, G2-112)."""
    wounds = found.target_wounds or 0
    hits = wounds - target.wounds
    if found.destroyed:
        clause = "G2-104" if found.result == "critical" else "G2-112"
        return losses.destroy(state, target, ask, by, clause=clause, hits=hits)
    if hits:
        ask.harm(Harm(speech.fighter(state, target), hits, by=speech.fighter(state, by)))
    return state.with_unit(target.id, wounds=wounds)


def _hq_struck(state: State, by: Unit, target: Headquarters, found: Result, ask: Ask) -> State:
    """Take impact points off a headquarters (G2-31, G2-32)."""
    pi = found.target_pi or 0
    if pi < target.pi:
        whom = Fighter(target.id, state.leader(target.side), speech.hq(state, target))
        ask.harm(Harm(whom, target.pi - pi, "hit" if pi else "gone", speech.fighter(state, by)))
    return state.with_hq(target.id, pi=pi)


def _building_struck(state: State, by: Unit, target: Ground, found: Result, ask: Ask) -> State:
    """Take impact points off a building; without any it is a ruin, and who was inside is lost (G2-133 to G2-137)."""
    if not found.becomes_ruin:
        return state.with_ground(target.id, pi=found.target_pi)
    return losses.collapse(state, target, ask, by)


def _under_fire(state: State, shooter: Unit, target: Unit, ask: Ask) -> State:
    """Note who fires at a unit: two or more different enemies keep it under suppressive fire (G2-115, G2-A07)."""
    now = state.find(target.id)
    if now is None or shooter.id in now.shot_by:
        return state
    state = state.with_unit(now.id, shot_by=(*now.shot_by, shooter.id))
    if not now.shot_by or now.suppressed == shooter.side:
        return state
    ask.tell(
        say("{unit} comes under suppressive fire", unit=speech.unit(state, now)), "G2-115", marks=((now.id, "target"),)
    )
    return state.with_unit(now.id, suppressed=shooter.side)
