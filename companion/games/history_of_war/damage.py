"""Damage: what attackers strike, how their values are shared out, and the end of it (HW-62 to HW-68, HW-75, HW-83)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.history_of_war import actions as do
from companion.games.history_of_war import aims, damage_offers, exchange, speech, striking, turn
from companion.games.history_of_war.pieces import Hit, Last
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.history_of_war.phases import Phase
    from companion.games.history_of_war.pieces import Attack
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask
    from companion.kit.offer import Offer

PHASES: tuple[Phase, ...] = ("damage_1", "damage_2")


def wear_off(state: State) -> State:
    """Return the state after a damage phase: damage is undone, and its attacks are over (HW-75)."""
    cards = tuple(replace(card, damage=0) if card.damage else card for card in state.cards)
    return state.but(cards=cards, attacks=(), struck=False)


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if state.phase not in PHASES or seat != state.striker or seat in state.done or state.struck:
        return []
    return damage_offers.offers(state)


def rule(state: State, seat: Seat, action: do.Aim | do.Share | do.Strike, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    if isinstance(action, do.Strike):
        turn.check_shown(state, action.phase, action.round)
    turn.check_phase(state, seat, *PHASES)
    if seat != state.striker:
        raise Refusal(say("The player whose units attack says what they strike."), "HW-62")
    if state.struck:
        raise Refusal(say("The damage of this phase has been dealt."), "HW-A19")
    match action:
        case do.Aim():
            return _aim(state, seat, action, ask)
        case do.Share():
            return _share(state, action, ask)
        case do.Strike():
            return striking.strike(state, ask)


def _attack(state: State, name: str) -> Attack:
    """Return the attack of a unit; raise Refusal when it has declared none."""
    unit, attack = state.played(name), state.attack(name)
    if attack is None:
        raise Refusal(say("{unit} does not attack.", unit=speech.unit(state, unit)), "HW-62", "unit")
    return attack


def _aim(state: State, seat: Seat, action: do.Aim, ask: Ask) -> State:
    """Say what an unblocked attacker strikes (HW-68, HW-A15, HW-A23, HW-A24)."""
    attack = _attack(state, action.unit)
    if attack.blockers:
        raise Refusal(say("It is blocked: it strikes who blocks it."), "HW-65", "target")
    if action.target != aims.NOTHING and action.target not in aims.targets(state, attack):
        why = _missed(state, seat, attack, action.target)
        raise Refusal(why.text, why.clause, "target")
    who = speech.unit(state, state.played(attack.unit))
    text = say("{unit} strikes {enemy}", unit=who, enemy=aims.named(state, action.target))
    ask.tell(text, "HW-A24" if attack.base else "HW-68", marks=((attack.unit, "acting"), (action.target, "target")))
    state = state.with_attack(attack.unit, target=action.target, hits=())
    return state.but(last=Last((attack.unit,), (action.target,)))


def _missed(state: State, seat: Seat, attack: Attack, name: str) -> Reason:
    """Say why an attacker can not strike what was named."""
    card = state.find(name)
    if attack.base and state.options.base_attack_effect == "manual":
        return Reason(say("What a base attack does is settled at the table."), "HW-A24")
    if card is None and name in {"hand", "depot"}:
        text = say("The enemy base has no card there.") if attack.base else say("That takes a base attack.")
        return Reason(text, "HW-A24" if attack.base else "HW-52")
    if card is None:
        return Reason(say("There is no card called {name} in play.", name=name), "HW-68")
    who = speech.unit(state, card)
    if card.seat == seat:
        return Reason(say("{unit} is one of your own.", unit=who), "HW-68")
    if card not in aims.within_reach(state, attack):
        if not attack.base and card.place == state.played(attack.unit).place:
            return Reason(say("{unit} has no defence value: it can not be struck.", unit=who), "HW-A23")
        return Reason(say("{unit} is out of its reach.", unit=who), "HW-55" if attack.base else "HW-51")
    return aims.barred(state, attack, card) or Reason(say("{unit} is out of its reach.", unit=who), "HW-51")


def _share(state: State, action: do.Share, ask: Ask) -> State:
    """Share an attacker's value out (HW-66, HW-A18; HW-A15 among unblocked cards)."""
    attack = _attack(state, action.unit)
    among = aims.sharing(state, attack)
    if not among:
        text = say("Only a value that strikes several cards is shared out.")
        raise Refusal(text, "HW-66" if attack.blockers else "HW-A15", "unit")
    said = tuple(getattr(action, f"to_{at}") for at in range(1, aims.SHARED + 1))
    if any(said[len(among) :]):
        count = len(among)
        text = say("It strikes {count} card.|It strikes {count} cards.", count=count)
        raise Refusal(text, "HW-66", f"to_{next(at for at, amount in enumerate(said, 1) if amount and at > count)}")
    attacker = aims.combatant(state, state.played(attack.unit))
    foes = [aims.combatant(state, card) for card in among]
    exchange.check_share(attacker, foes, said[: len(among)])
    clause = "HW-66" if attack.blockers else "HW-A15"
    terms = tuple(Reason(foe.name, clause, amount) for foe, amount in zip(foes, said, strict=False))
    ask.tell(
        say("{unit} shares its damage out", unit=attacker.name),
        clause,
        sum(said),
        terms=terms,
        marks=((attack.unit, "acting"), *((foe.id, "target") for foe in foes)),
    )
    hits = tuple(Hit(foe.id, amount) for foe, amount in zip(foes, said, strict=False))
    state = state.with_attack(attack.unit, hits=hits, target=None)
    return state.but(last=Last((attack.unit,), tuple(foe.id for foe in foes)))
