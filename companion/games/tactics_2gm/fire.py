"""Fire: who may shoot whom, what comes of it, and how units and buildings are lost (G2-97 to G2-118, G2-136)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta

from companion.games.tactics_2gm import aiming, combatants, players, shooting, shot_odds, speech
from companion.games.tactics_2gm.options import Seat
from companion.games.tactics_2gm.players import Id
from companion.games.tactics_2gm.shooting import FACES, Result, Shot
from companion.games.tactics_2gm.speech import called
from companion.games.tactics_2gm.state import Ground, Headquarters, Last, State, Targeted, Unit
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.odds import Chart
from companion.kit.questions import Option
from companion.kit.ruling import Fighter, Harm, Reason, Refusal
from companion.kit.text import Text, listed, say

fire = Chapter[State, Seat]()


class Fire(Action, frozen=True, tag="fire"):
    """Fire a weapon at an enemy unit, a headquarters or a building (G2-97 to G2-117).

    Where only the real battlefield knows, ``distance`` comes with it, and whether infantry advances under cover.
    """

    unit: Id
    weapon: Id
    target: Id
    distance: Annotated[int, Meta(ge=1, le=30)] | None = None
    behind: bool = False


@fire.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer the shots of a seat's units in the fire phase: each weapon that is ready, with what it reaches."""
    if state.phase != "fire" or not players.acts(state, seat):
        return
    for unit in state.on_ground():
        for name, weapon in aiming.ready(state, unit).items() if unit.seat == seat else ():
            if targets := aiming.targets(state, unit, weapon.range):
                label = say(
                    "Fire {weapon}: {unit}", weapon=aiming.weapon_of(state, unit, name), unit=speech.unit(state, unit)
                )
                fields = _asked(state, unit, name, targets)
                yield Fire.offer(label, *fields, on=unit.id, unit=unit.id, weapon=name, chancy=True, clause="G2-97")


def _asked(state: State, unit: Unit, name: str, targets: tuple[Targeted, ...]) -> Iterator[Field]:
    """Ask for the target, and for what only the real battlefield knows."""
    options = tuple(target_option(state, target, [aiming.shot_of(state, unit, name, target)]) for target in targets)
    yield Field("target", say("Target"), "choice", options, value=options[0].value if len(options) == 1 else None)
    if state.mirrored:
        return
    yield Field("distance", say("Distance in squares"), "number", low=1, high=state.weapons(unit)[name].range)
    if any(isinstance(target, Unit) and state.card(target).family == "infantry" for target in targets):
        hint = say("Counts for infantry alone.")
        yield Field("behind", say("It advances behind an armoured vehicle"), "yes_no", value=False, hint=hint)


def target_option(state: State, target: Targeted, shots: Sequence[Shot]) -> Option:
    """Name a target with what each of the shots at it takes, and why none of them can hit."""
    notes, whys = [_note(shot) for shot in shots], [_vain(shot) for shot in shots]
    return Option(
        target.id,
        aiming.target_name(state, target),
        place=aiming.drawn_at(target),
        note=listed(notes, notes[0]),
        hopeless=whys[0] if all(whys) else None,
    )


def _vain(shot: Shot) -> Reason | None:
    """Say that no face is enough for a shot (G2-103); nothing where one is."""
    need = shooting.numbers(shot).hit_on
    return Reason(say("cannot hit: needs {needed}", needed=need), "G2-103") if need > FACES else None


def _note(shot: Shot) -> Text:
    """Say in a few words what a shot takes."""
    need = shooting.numbers(shot)
    if why := _vain(shot):
        return why.text
    if not shooting.goes_through(shot):
        penetration, armour = shot.weapon.penetration, shooting.armour(shot)
        return say("0 harm: penetration {penetration}, armour {armour}", penetration=penetration, armour=armour)
    if shot.target != "unit" or need.crit_on > FACES:
        return say("{needed}+", needed=need.hit_on)
    return say("{needed}+/{critical}", needed=need.hit_on, critical=need.crit_on)


def struck(before: State, after: State, who: Text, target: str) -> Text:
    """Say what became of a target, and whose doing that is."""
    what = speech.named(before, target)
    if (unit := before.find(target)) is not None:
        return _unit_struck_by(unit, after.find(target), what, who)
    hq, ground = after.hq(target), after.ground(target)
    if ground is not None and ground.ruin and ground != before.ground(target):
        return say("{what}: turned into a ruin by {who}", what=what, who=who)
    old, new = before.hq(target) or before.ground(target), hq or ground
    if old is None or new is None or new.pi == old.pi:
        return _without_effect(what, who)
    return say("{what}, hit by {who}: {left} PI left", what=what, who=who, left=new.pi)


def _without_effect(what: Text, who: Text) -> Text:
    return say("{what}: {result} from {who}", what=what, result=say("no effect"), who=who)


def struck_by(before: State, after: State, unit: str, target: str) -> Text:
    """Say what a unit struck, and what became of that."""
    return struck(before, after, speech.card_of(before, unit), target)


def _unit_struck_by(before: Unit, after: Unit | None, what: Text, who: Text) -> Text:
    # Names are of either gender and number: no verb of English and no participle of Spanish fits them all.
    if after is None:
        return say("{what}: destroyed by {who}", what=what, who=who)
    wounds = after.wounds - before.wounds
    if wounds > 0:
        return say(
            "{what}: {count} wound from {who}|{what}: {count} wounds from {who}", what=what, count=wounds, who=who
        )
    return _without_effect(what, who)


def charts(state: State, seat: Seat, action: Fire) -> tuple[Chart, ...]:
    """Work out the odds of a shot; raise Refusal when it can not be made."""
    return (shot_odds.chart(_aimed(state, seat, action)[2]),)


@fire.rule(
    Fire,
    headline=lambda before, after, _seat, action: struck_by(before, after, action.unit, action.target),
    odds=charts,
)
def shot(state: State, seat: Seat, action: Fire, ask: Ask) -> State:
    """Fire a weapon; raise Refusal or Pending."""
    unit, target, made = _aimed(state, seat, action)
    return shoot_at(state, unit, action.weapon, made, target, ask)


def _aimed(state: State, seat: Seat, action: Fire) -> tuple[Unit, Targeted, Shot]:
    """Return who shoots at what, and what the shot depends on; raise Refusal when it can not be made."""
    players.check_phase(state, seat, "fire")
    unit = players.check_own(state, seat, action.unit)
    if state.flies(unit):
        raise Refusal(say("An aircraft attacks when it flies out, not from its headquarters."), "G2-140", "unit")
    if not state.mirrored and action.distance is None:
        raise Refusal(say("Say how many squares away it is."), "G2-102", "distance")
    target = aiming.find_target(state, action.target)
    distance = None if state.mirrored else action.distance
    behind = action.behind and not state.mirrored
    made = aiming.shot_of(state, unit, action.weapon, target, distance=distance, behind=behind)
    shooting.check(made)
    return unit, target, made


def shoot_at(state: State, unit: Unit, weapon: str, shot: Shot, target: Targeted, ask: Ask, key: str = "shot") -> State:
    """Shoot with a unit's weapon, in whatever phase that is; raise Refusal or Pending.

    ``key`` tells this throw from others of the same rule.
    """
    state = strike(state, unit, weapon, shot, target, ask, key)
    if isinstance(target, Unit) and state.phase == "fire":
        state = _under_fire(state, unit, target, ask)
    return state.but(last=Last(unit.square, aiming.square_of(target))) if state.mirrored else state


def strike(state: State, by: Unit, weapon: str, shot: Shot, target: Targeted, ask: Ask, key: str) -> State:
    """Shoot, do the harm to what was shot at, and use the weapon up (G2-97, G2-113, G2-133 to G2-137)."""
    meets = combatants.clash(state, by, target, shot)
    # The dice of several weapons lie in one tray, and so does what an assault or a flight has begun.
    begins = None if combatants.under_way(ask, meets) else meets
    marks = ((by.id, "acting"), (target.id, "target"))
    result = shooting.shoot(shot, ask, by.seat, key=key, marks=marks, clash=begins)
    match target:
        case Unit():
            state = _unit_struck(state, by, target, result, ask)
        case Headquarters():
            state = _hq_struck(state, by, target, result, ask)
        case Ground() if result.becomes_ruin:
            state = collapse(state, target, ask, by)
        case Ground():
            state = state.with_ground(target.id, pi=result.target_pi)
    if shot.weapon.flips:
        ask.tell(say("{weapon}: turned over to its grey side", weapon=called(shot.weapon.name)), "G2-113")
    return aiming.use_weapon(state, by, weapon)


def _unit_struck(state: State, by: Unit, target: Unit, result: Result, ask: Ask) -> State:
    """Wound or destroy a unit (G2-104, G2-111, G2-112)."""
    wounds = result.target_wounds or 0
    hits = wounds - target.wounds
    if result.destroyed:
        clause = "G2-104" if result.result == "critical" else "G2-112"
        return destroy(state, target, ask, by, clause=clause, hits=hits)
    if hits:
        ask.harm(Harm(speech.fighter(state, target), hits, by=speech.fighter(state, by)))
    return state.with_unit(target.id, wounds=wounds)


def _hq_struck(state: State, by: Unit, target: Headquarters, result: Result, ask: Ask) -> State:
    """Take impact points off a headquarters (G2-31, G2-32)."""
    pi = result.target_pi or 0
    if pi < target.pi:
        whom = Fighter(target.id, state.leader(target.side), speech.hq(state, target))
        ask.harm(Harm(whom, target.pi - pi, "hit" if pi else "gone", speech.fighter(state, by)))
    return state.with_hq(target.id, pi=pi)


def _under_fire(state: State, shooter: Unit, target: Unit, ask: Ask) -> State:
    """Note who fires at a unit: two or more different enemies keep it under suppressive fire (G2-115, G2-A07)."""
    now = state.find(target.id)
    if now is None or shooter.id in now.shot_by:
        return state
    state = state.with_unit(now.id, shot_by=(*now.shot_by, shooter.id))
    if not now.shot_by or now.suppressed == shooter.side:
        return state
    said = say("{unit} comes under suppressive fire", unit=speech.unit(state, now))
    ask.tell(said, "G2-115", marks=((now.id, "target"),))
    return state.with_unit(now.id, suppressed=shooter.side)


def wound(state: State, unit: Unit, count: int, ask: Ask, by: Unit | None = None, *, clause: str = "G2-111") -> State:
    """Mark wounds on a unit, and destroy it where they are its last: more are lost (G2-111, G2-112, G2-A41)."""
    most = state.card(unit).wounds
    wounds = min(unit.wounds + count, most)
    ask.tell(speech.wounded(state, unit, wounds), clause, count)
    if wounds == most:
        return destroy(state, unit, ask, by, hits=count)
    ask.harm(Harm(speech.fighter(state, unit), count, "hit", speech.fighter(state, by) if by else None))
    return state.with_unit(unit.id, wounds=wounds)


def destroy(
    state: State, unit: Unit, ask: Ask, by: Unit | None = None, *, clause: str = "G2-112", hits: int = 0
) -> State:
    """Destroy a unit, count it for its side and tell it; ``clause`` is what destroys it, ``hits`` its last wounds."""
    said = say("{unit}: destroyed", unit=speech.unit(state, unit))
    ask.tell(said, clause, harm=(speech.gone(state, unit, by, hits),))
    state = leave(state, unit).but(lost={**state.lost, unit.side: state.lost.get(unit.side, 0) + 1})
    ask.progress(state)
    return state


def collapse(state: State, ground: Ground, ask: Ask, by: Unit | None = None) -> State:
    """Destroy a building: it is a ruin to the end, and the unit inside is destroyed with it (G2-136, G2-137)."""
    ask.tell(say("{building}: destroyed, and a ruin from now on", building=speech.ground(state, ground)), "G2-137")
    inside = state.occupant(ground)
    state = state.with_ground(ground.id, pi=0, ruin=True)
    return state if inside is None else destroy(state, inside, ask, by, clause="G2-136")


def leave(state: State, unit: Unit) -> State:
    """Take a unit out of play: its card and those on it go to the discard piles of whose they are (G2-20, G2-21)."""
    state = state.but(units=tuple(each for each in state.units if each.id != unit.id))
    for seat, code in ((unit.seat, unit.code), *((card.seat, card.code) for card in unit.cards)):
        state = players.bury(state, seat, code)
    return state
