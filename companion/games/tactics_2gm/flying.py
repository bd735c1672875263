"""Aircraft: which may fly, when, at what, and with which weapons (G2-138 to G2-141)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import aiming, hands, points, reach, shooting
from companion.games.tactics_2gm.cards import UnitCard
from companion.games.tactics_2gm.pieces import Unit
from companion.kit.ruling import Reason
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.aiming import Targeted
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import Phase, State

BOMBING: Phase = "deployment"
SORTIES: tuple[Phase, ...] = ("deployment", "fire")
"""Phases of the own turn in which a fighter may attack: the rules name none (G2-139)."""


def bomber_barred(state: State, seat: Seat, code: str) -> Reason | None:
    """Say why a player can not send that card as a bomber; None when he can (G2-138, G2-141)."""
    card = state.find_card(seat, code)
    if not isinstance(card, UnitCard) or card.family != "aircraft" or card.subtype != "bomber":
        return Reason(say("That is no bomber."), "G2-141")
    if not card.weapon:
        return Reason(say("It has no weapon."), "G2-141")
    return points.short_of(state, seat, card.cost, "G2-138")


def sortie_barred(state: State, plane: Unit) -> Reason | None:
    """Say why an aircraft can not attack now; None when it can (G2-140)."""
    if not state.flies(plane):
        return Reason(say("That is no aircraft."), "G2-140")
    if plane.fired:
        return Reason(say("It has flown in this turn."), "G2-140")
    if not weapons(state, plane):
        return Reason(say("It has no weapon that it can use."), "G2-140")
    return None


def weapons(state: State, plane: Unit) -> tuple[str, ...]:
    """List the weapons with which an aircraft attacks: all that are not grey (G2-98)."""
    return tuple(name for name in state.weapons(plane) if not reach.grey(plane, name))


def aim(state: State, plane: Unit, name: str) -> Targeted:
    """Return a target that an aircraft may attack, however far; raise Refusal (G2-140)."""
    target = aiming.find_target(state, name)
    shooting.check(aiming.shot_of(state, plane, weapons(state, plane)[0], target))
    return target


def take_off(state: State, seat: Seat, code: str) -> tuple[State, Unit]:
    """Play a bomber card: while it flies it is in play like a unit (G2-141)."""
    state = hands.leave_hand(state, seat, code, discard=False)
    made = state.made + 1
    plane = Unit(f"u{made}", seat, state.deck(seat).out[-1], deployed=state.turn)
    return state.but(units=(*state.units, plane), made=made), plane


def still_there(state: State, target: str) -> bool:
    """Tell whether a target is not destroyed yet."""
    ground = state.ground(target)
    hq = state.hq(target)
    if ground is not None:
        return not ground.ruin
    return state.find(target) is not None if hq is None else hq.pi > 0
