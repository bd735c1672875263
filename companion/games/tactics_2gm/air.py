"""Air combat: bombers, fighters, and what is fired at them on their way (G2-138 to G2-144)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm import (
    aiming,
    air_offers,
    anti_aircraft,
    fire,
    flying,
    hands,
    interception,
    points,
    speech,
    turn,
)
from companion.games.tactics_2gm.anti_aircraft import Spot
from companion.games.tactics_2gm.pieces import Last
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.aiming import Targeted
    from companion.games.tactics_2gm.pieces import Unit
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask
    from companion.kit.offer import Offer
    from companion.kit.ruling import Reason


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return air_offers.offers(state, seat)


def rule(state: State, seat: Seat, action: do.Bomb | do.Sortie, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    state, plane, target = sent(state, seat, action)
    if isinstance(action, do.Bomb):
        card = state.card(plane)
        state = points.spend(state, seat, card.cost, speech.called(card.name), "G2-138", ask, "card")
    return _fly(state, plane, target, ask)


def sent(state: State, seat: Seat, action: do.Bomb | do.Sortie) -> tuple[State, Unit, Targeted]:
    """Return the state with an aircraft in play, the aircraft, and its target; raise Refusal when it can not be sent.

    A bomber is a card of the hand in the deployment phase (G2-91, G2-141), a fighter waits beside the headquarters
    (G2-139, G2-140).
    """
    if isinstance(action, do.Bomb):
        turn.check_phase(state, seat, flying.BOMBING)
        hands.check_held(state, seat, action.card)
        _check(flying.bomber_barred(state, seat, action.card), "card")
        state, plane = flying.take_off(state, seat, action.card)
    else:
        turn.check_phase(state, seat, *flying.SORTIES)
        plane = turn.check_own(state, seat, action.unit)
        _check(flying.sortie_barred(state, plane), "unit")
    return state, plane, flying.aim(state, plane, action.target)


def _check(barred: Reason | None, field: str) -> None:
    if barred is not None:
        raise Refusal(barred.text, barred.clause, field)


def _fly(state: State, plane: Unit, target: Targeted, ask: Ask) -> State:
    """Fly at a target: interception, then anti-aircraft, then the attack of what still flies (G2-140 to G2-143)."""
    what = aiming.named(state, target)
    clause = "G2-141" if state.card(plane).subtype == "bomber" else "G2-140"
    ask.tell(
        say("{unit} flies at {enemy}", unit=speech.unit(state, plane), enemy=what),
        clause,
        marks=((plane.id, "acting"), (target.id, "target")),
    )
    spot = Spot.of(state, target)
    if spot.square is not None:
        state = state.but(last=Last(None, spot.square))
    state, goes_on = interception.meet(state, plane, what, ask)
    if goes_on:
        state = anti_aircraft.answer(state, plane, spot, ask)
        state = attack(state, plane.id, target.id, ask)
    now = state.find(plane.id)
    return interception.land(state, now, ask) if now else state


def attack(state: State, plane: str, target: str, ask: Ask) -> State:
    """Fire every weapon of an aircraft, where it still flies, until its target is destroyed (G2-98, G2-A31)."""
    now = state.find(plane)
    for weapon in flying.weapons(state, now) if now else ():
        if flying.still_there(state, target):
            aim = aiming.find_target(state, target)
            state = fire.shoot_at(state, state.unit(plane), weapon, aim, ask, key=f"shot_{weapon}")
    return state


def fire_at_landing(state: State, unit: Unit, square: str | None, ask: Ask) -> State:
    """Let the enemy's anti-aircraft fire at paratroopers where they land (G2-142, G2-A31).

    ``unit`` is in play already, on that ``square`` (None: only the real battlefield knows it). It comes out wounded, or
    destroyed and out of play, where it was hit.
    """
    return anti_aircraft.answer(state, unit, Spot(speech.unit(state, unit), square), ask)
