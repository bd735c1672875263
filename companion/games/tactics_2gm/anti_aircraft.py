"""Anti-aircraft: who may fire at what comes through the air, and what comes of it (G2-142, G2-143, G2-A31)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.games.tactics_2gm import aiming, fire, reach, speech, tokens
from companion.games.tactics_2gm.pieces import Headquarters
from companion.games.tactics_2gm.shooting import Shot, came, critical_on, hits_on, penetrates
from companion.games.tactics_2gm.sides import distance, hq_distance, other
from companion.kit.asking import Option
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.aiming import Targeted
    from companion.games.tactics_2gm.cards import Weapon
    from companion.games.tactics_2gm.options import Side
    from companion.games.tactics_2gm.pieces import Unit
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask

HOLD = "hold"


class Spot(NamedTuple):
    """Say where aircraft attack or paratroopers land: a headquarters or a square, None where no board tells it."""

    name: Text
    square: str | None = None
    hq: Headquarters | None = None

    @classmethod
    def of(cls, state: State, target: Targeted) -> Spot:
        """Return where a target is."""
        name = aiming.named(state, target)
        return cls(name, None, target) if isinstance(target, Headquarters) else cls(name, target.square)


def away(state: State, gun: Unit, spot: Spot) -> int | None:
    """Count the squares from an anti-aircraft unit to what is attacked; None where no board tells (G2-A31)."""
    if not state.mirrored or gun.square is None:
        return None
    if spot.hq is not None:
        return hq_distance(gun.square, spot.hq.side, spot.hq.board)
    return None if spot.square is None else distance(gun.square, spot.square)


def guns(state: State, side: Side) -> tuple[Unit, ...]:
    """List the anti-aircraft units of a side that are deployed (G2-142)."""
    return tuple(unit for unit in state.on_ground(side) if state.card(unit).subtype == "anti_aircraft")


def barred(state: State, gun: Unit, spot: Spot) -> Reason | None:
    """Say why an anti-aircraft unit can not fire: each once a turn, within range where a board tells (G2-142)."""
    if gun.fired:
        return Reason(say("Each fires once a turn, and this one has: {unit}", unit=speech.unit(state, gun)), "G2-142")
    if not arms(state, gun, spot):
        return Reason(say("Out of range, or no weapon that it can use: {unit}", unit=speech.unit(state, gun)), "G2-142")
    return None


def ready(state: State, side: Side, spot: Spot) -> tuple[Unit, ...]:
    """List the anti-aircraft units that may fire (G2-142)."""
    return tuple(gun for gun in guns(state, side) if barred(state, gun, spot) is None)


def arms(state: State, gun: Unit, spot: Spot) -> dict[str, Weapon]:
    """Return the weapons with which an anti-aircraft unit reaches a spot, by name; grey tokens fire nothing."""
    far = away(state, gun, spot)
    return {
        name: weapon
        for name, weapon in state.weapons(gun).items()
        if weapon.range and not reach.grey(gun, name) and (far is None or far <= weapon.range)
    }


def answer(state: State, flying: Unit, spot: Spot, ask: Ask) -> State:
    """Ask each anti-aircraft unit of the enemy in turn whether it fires, until nothing flies any more (G2-143).

    Raise Refusal for one that is named beforehand and can not fire (G2-A31).
    """
    for gun in guns(state, other(flying.side)):
        why = barred(state, gun, spot)
        if why is not None and ask.intended.get(f"flak_{gun.id}", HOLD) != HOLD:
            raise Refusal(why.text, why.clause, "answers")
    for gun in ready(state, other(flying.side), spot):
        now = state.find(flying.id)
        if now is None:
            return state
        weapon = _decide(state, gun, now, spot, ask)
        if weapon != HOLD:
            state = _shoot(state, gun, weapon, now, spot, ask)
    return state


def _decide(state: State, gun: Unit, flying: Unit, spot: Spot, ask: Ask) -> str:
    """Ask who leads an anti-aircraft unit what it fires at an aircraft, if anything."""
    found = arms(state, gun, spot)
    who, what = speech.unit(state, gun), speech.unit(state, flying)
    made = shots(state, gun, flying, spot)
    fires = tuple(
        Option(name, say("It fires: {weapon}", weapon=speech.called(found[name].name)), note=_chance(one))
        for name, one in zip(found, made, strict=True)
    )
    far = max(weapon.range for weapon in found.values())
    why = (
        say("{unit}: does it fire at {enemy} before it attacks {place}?", unit=who, enemy=what, place=spot.name)
        if state.flies(flying)
        else say("{unit}: does it fire at {enemy} during the drop?", unit=who, enemy=what)
    )
    near = (
        ()
        if state.mirrored
        else (Reason(say("only if that is no more than {range} squares away", range=far), "G2-142"),)
    )
    ask.tell(say("{unit} may fire", unit=who), "G2-142", marks=((gun.id, "acting"), (flying.id, "target")))
    return ask.choose(
        gun.seat,
        (*fires, Option(HOLD, say("It holds its fire"))),
        f"flak_{gun.id}",
        why,
        clause="G2-142",
        advice=(*near, *_advice(made[0])),
    )


def shots(state: State, gun: Unit, flying: Unit, spot: Spot) -> tuple[Shot, ...]:
    """Return what the shots depend on that an anti-aircraft unit can choose from."""
    return tuple(_shot(state, gun, weapon, flying, spot) for weapon in arms(state, gun, spot).values())


def _shot(state: State, gun: Unit, weapon: Weapon, flying: Unit, spot: Spot) -> Shot:
    """Return what a shot into the air depends on: nothing covers what flies (G2-142)."""
    card = state.card(flying)
    return Shot(
        weapon=weapon,
        shooter=speech.unit(state, gun),
        enemy=speech.unit(state, flying),
        wounds=gun.wounds,
        distance=away(state, gun, spot) or None,
        modifiers=aiming.aimed(state, gun),
        armour=tokens.armour(state, flying),
        wounds_max=card.wounds,
        target_wounds=flying.wounds,
        natural_ten=state.options.natural_ten,
    )


def _chance(one: Shot) -> Text:
    """Say in a line how likely a shot is to bring down what flies."""
    return say("{percent}% to shoot it down", percent=10 * sum(_brings_down(one, face) for face in range(1, 11)))


def _brings_down(one: Shot, face: int) -> bool:
    what = came(one, face)
    left = one.wounds_max - one.target_wounds
    return what == "critical" or (what == "hit" and one.weapon.damage >= left)


def _advice(one: Shot) -> tuple[Reason, ...]:
    return (hits_on(one), penetrates(one), critical_on(one), Reason(_chance(one), "G2-142"))


def _shoot(state: State, gun: Unit, name: str, flying: Unit, spot: Spot, ask: Ask) -> State:
    """Fire once at what flies, and mark or destroy it (G2-142)."""
    one = _shot(state, gun, state.weapons(gun)[name], flying, spot)
    state, _ = fire.strike(state, gun, flying, one, ask, key=f"flak_die_{gun.id}")
    if aiming.flips(state, gun, name):
        ask.tell(say("{weapon}: turned over to its grey side", weapon=speech.called(one.weapon.name)), "G2-113")
    return aiming.use_weapon(state, gun, name)
