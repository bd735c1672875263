"""Who may attack what, and who may block whom (HW-50 to HW-60, HW-A11 to HW-A14, HW-A22)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.history_of_war import speech
from companion.games.history_of_war.cards import UnitCard
from companion.games.history_of_war.pieces import Attack
from companion.games.history_of_war.sides import other
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.pieces import Played
    from companion.games.history_of_war.state import State


def ways(state: State, unit: Played) -> tuple[bool, ...]:
    """List how a unit may attack: in its territory (False), at the enemy base (True)."""
    return () if unit.locked else tuple(base for base in (False, True) if attack_barred(state, unit, base=base) is None)


def attack_barred(state: State, unit: Played, *, base: bool) -> Reason | None:
    """Say why an unlocked unit can not attack in its territory, or the enemy base; None when it can."""
    who = speech.unit(state, unit)
    lies = unit.place[0] == "t"
    if base:
        if not state.can(unit, "base_attack"):
            return Reason(say("{unit} has no base attack.", unit=who), "HW-52")
        if not lies and not (state.options.base_attack_from_deployment and unit.place == "deployment"):
            return Reason(say("A unit attacks the enemy base from a territory."), "HW-A12")
        return None
    if not lies:
        return Reason(say("{unit} is in no territory.", unit=who), "HW-51")
    if not state.of(other(unit.seat), unit.place):
        place = speech.place(state, unit.place)
        return Reason(say("There is no enemy to attack in {territory}.", territory=place), "HW-A11")
    return None


def attacking(state: State, unit: Played, *, base: bool) -> State:
    """Return the state with an attack declared; the unit is locked (HW-53)."""
    return state.with_card(unit.id, locked=True).but(attacks=(*state.attacks, Attack(unit.id, base)))


def may_block(state: State, unit: Played) -> bool:
    """Tell whether a unit may block one of the attackers."""
    return not unit.locked and any(block_barred(state, unit, attack) is None for attack in state.attacks)


def block_barred(state: State, unit: Played, attack: Attack) -> Reason | None:
    """Say why an unlocked unit can not block an attacker; None when it can."""
    attacker = state.find(attack.unit)
    if attacker is None:
        return Reason(say("That attacker is out of the game."), "HW-57")
    if attack.base and unit.place != "deployment":
        return Reason(say("Only units of the deployment area block a base attack."), "HW-58")
    if not attack.base and unit.place != attacker.place:
        place = speech.place(state, attacker.place)
        return Reason(say("It attacks in {territory}; only units there block it.", territory=place), "HW-57")
    card, against = state.card(unit), state.category(attacker)
    if not isinstance(card, UnitCard) or against not in (card.category, *card.may_also_block):
        text = say(
            "{unit} does not block attackers of that category: {category}.",
            unit=speech.unit(state, unit),
            category=Text(against),
        )
        return Reason(text, "HW-56")
    return None


def blocking(state: State, unit: Played, attack: Attack) -> State:
    """Return the state with a block declared: the unit is locked, the value it uses is spent (HW-59, HW-A22)."""
    category = state.category(state.played(attack.unit))
    used = unit.used if category in unit.used else (*unit.used, category)
    state = state.with_card(unit.id, locked=True, blocked=True, used=used)
    return state.with_attack(attack.unit, blockers=(*attack.blockers, unit.id), target=None, hits=())


def blockers(state: State, attack: Attack) -> tuple[Played, ...]:
    """List the cards that block an attacker and are still in play."""
    return tuple(found for name in attack.blockers if (found := state.find(name)) is not None)


def standing(state: State) -> tuple[Attack, ...]:
    """List the attacks whose attacker is still in play."""
    return tuple(attack for attack in state.attacks if state.find(attack.unit) is not None)


def withdrawn(state: State, unit: Played) -> State:
    """Return the state in which a card neither attacks nor blocks any more, and nobody strikes it."""
    attacks = tuple(
        replace(
            attack,
            blockers=tuple(name for name in attack.blockers if name != unit.id),
            target=None if attack.target == unit.id else attack.target,
            hits=() if unit.id in (*attack.blockers, *(hit.card for hit in attack.hits)) else attack.hits,
        )
        for attack in state.attacks
        if attack.unit != unit.id
    )
    return state.but(attacks=attacks)
