"""Assault: infantry against a neighbour or the terrain that it holds (G2-87, G2-A26).

Its rules are not printed: the table says what comes of it, or it is a shot at a neighbour.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.tactics_2gm import aiming, combatants, fire, players, shooting, speech, terrain, tokens
from companion.games.tactics_2gm.options import Seat, distance, other
from companion.games.tactics_2gm.players import Id, Number
from companion.games.tactics_2gm.state import Ground, Last, State, Unit
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import say

assault = Chapter[State, Seat]()


class Assault(Action, frozen=True, tag="assault"):
    """Assault an enemy unit or the terrain it holds with infantry (G2-87, G2-A26).

    The table says what came of it: ``harm``, ``own_harm``, and whether it may ``enter`` the square. Where assault is
    fire at a neighbour, ``weapon`` is what it fires.
    """

    unit: Id
    target: Id
    weapon: Id | None = None
    harm: Number = 0
    own_harm: Number = 0
    enter: bool = False


def offers(state: State, unit: Unit) -> Iterator[Offer]:
    """Offer the assaults of a unit."""
    beside = targets(state, unit) if barred(state, unit) is None else ()
    by_hand = state.options.assault_mode == "manual"
    ready = () if by_hand else aiming.ready(state, unit)
    if not beside or not (by_hand or ready):
        return
    options = tuple(Option(each.id, aiming.target_name(state, each), place=each.square) for each in beside)
    asked = [Field("target", say("Target"), "choice", options)]
    if by_hand:
        asked += (
            Field("harm", say("Wounds of the target, or its impact points"), "number", value=0, high=20),
            Field("own_harm", say("Own wounds"), "number", value=0, high=20),
            Field("enter", say("Takes the place of the target"), "yes_no", value=False),
        )
    else:
        arms = tuple(Option(name, aiming.weapon_of(state, unit, name)) for name in ready)
        asked.append(Field("weapon", say("Weapon"), "choice", arms))
    label = say("Assault: {unit}", unit=speech.unit(state, unit))
    yield Assault.offer(label, *asked, on=unit.id, unit=unit.id, clause="G2-87", loose=by_hand)


def barred(state: State, unit: Unit) -> Reason | None:
    """Say why a unit can not assault now; None when it can."""
    if state.card(unit).family != "infantry":
        return Reason(say("Only infantry assaults."), "G2-87")
    if unit.assaulted:
        return Reason(say("Each unit assaults once a turn."), "G2-87")
    return None


def targets(state: State, unit: Unit) -> tuple[Unit | Ground, ...]:
    """List the enemies beside a unit, and the buildings that they hold; off the board all that there are."""
    foes = [
        foe
        for foe in state.on_ground(other(unit.side))
        if unit.square is None or foe.square is None or distance(unit.square, foe.square) == 1
    ]
    buildings = [ground for foe in foes if (ground := state.ground_of(foe)) is not None and state.is_building(ground)]
    return (*foes, *buildings)


@assault.rule(
    Assault, headline=lambda before, after, _seat, action: fire.struck_by(before, after, action.unit, action.target)
)
def storm(state: State, seat: Seat, action: Assault, ask: Ask) -> State:
    """Assault a neighbour (G2-87)."""
    players.check_phase(state, seat, "movement")
    unit = players.check_own(state, seat, action.unit)
    refuse(barred(state, unit), "unit")
    target = next((each for each in targets(state, unit) if each.id == _meant(state, action.target)), None)
    if target is None:
        text = say("Infantry assaults enemies on the squares beside it, and the terrain they hold.")
        raise Refusal(text, "G2-87", "target")
    said = say("{unit} assaults {enemy}", unit=speech.unit(state, unit), enemy=speech.piece(state, target))
    ask.tell(said, "G2-87", marks=((unit.id, "acting"), (target.id, "target")))
    state = state.with_unit(unit.id, assaulted=True)
    if state.options.assault_mode == "manual":
        return _by_hand(state, unit, target, action, ask)
    return _as_fire(state, unit, target, action, ask)


def _meant(state: State, name: str) -> str:
    """Return what is assaulted: of terrain that is no building, the unit that holds it."""
    ground = state.ground(name)
    holder = state.occupant(ground) if ground is not None and not state.is_building(ground) else None
    return name if holder is None else holder.id


def _by_hand(state: State, unit: Unit, target: Unit | Ground, action: Assault, ask: Ask) -> State:
    """Do what the table says: harm on both, and who is left enters (G2-A26)."""
    if action.weapon is not None:
        raise Refusal(say("At this table you settle the outcome of an assault."), "G2-87", "weapon")
    ask.clash(combatants.clash(state, unit, target, way="melee"))
    place = target.square
    inside = target.inside if isinstance(target, Unit) else target.id
    if action.harm:
        state = _harm(state, target, action.harm, ask, unit)
    if action.own_harm:
        by = target if isinstance(target, Unit) else state.occupant(target)
        state = fire.wound(state, state.unit(unit.id), action.own_harm, ask, by, clause="G2-87")
    if not action.harm and not action.own_harm:
        ask.tell(say("no harm on either side"), "G2-87")
    return _enter(state, unit, place, inside, ask) if action.enter else state


def _harm(state: State, target: Unit | Ground, harm: int, ask: Ask, by: Unit) -> State:
    if isinstance(target, Unit):
        return fire.wound(state, target, harm, ask, by, clause="G2-87")
    left = max(0, target.pi - harm)
    ask.tell(shooting.points_left(speech.ground(state, target), left), "G2-133", -harm)
    return state.with_ground(target.id, pi=left) if left else fire.collapse(state, target, ask, by)


def _enter(state: State, unit: Unit, place: str | None, inside: str | None, ask: Ask) -> State:
    """Let a unit take the place of whom it drove out."""
    if state.find(unit.id) is None:
        raise Refusal(say("It is destroyed: it cannot enter."), "G2-112", "enter")
    if tokens.pinned(state, unit):
        raise Refusal(say("Its heavy weapon is set up: it cannot move."), "G2-121", "enter")
    ground = state.ground(inside)
    if state.at(place) is not None or (ground is not None and state.occupant(ground) is not None):
        raise Refusal(say("Somebody stands there still."), "G2-85", "enter")
    if place is not None and terrain.class_at(state, place) == "impassable":
        raise Refusal(say("{square} is impassable.", square=place), "G2-127", "enter")
    who = speech.unit(state, unit)
    said = say("{unit} moved to {square}", unit=who, square=place) if place else say("{unit} enters", unit=who)
    ask.tell(said, "G2-87")
    inside = None if state.mirrored else inside
    state = state.with_unit(unit.id, square=place, inside=inside, moved=True, came_from=None)
    return state.but(last=Last(unit.square, place)) if place else state


def _as_fire(state: State, unit: Unit, target: Unit | Ground, action: Assault, ask: Ask) -> State:
    """Shoot at a neighbour in the movement phase; the weapon has fired then (G2-A26)."""
    if action.harm or action.own_harm or action.enter:
        raise Refusal(say("At this table an assault is a shot at a neighbour."), "G2-87", "harm")
    weapon = action.weapon or next(iter(aiming.ready(state, unit)), None)
    if weapon is None:
        raise Refusal(say("It has no weapon ready."), "G2-97", "weapon")
    # Off the board nobody counts squares: whoever assaults stands beside it.
    shot = aiming.shot_of(state, unit, weapon, target, distance=1)
    ask.clash(combatants.clash(state, unit, target, shot, way="melee"))
    return fire.shoot_at(state, unit, weapon, shot, target, ask)
