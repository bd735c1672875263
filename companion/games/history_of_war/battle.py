"""The battle: declarations of attacks and blocks (HW-50 to HW-61, HW-81, HW-82)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import actions as do
from companion.games.history_of_war import checks, damage, declaring, speech, turn
from companion.games.history_of_war.pieces import Last
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.history_of_war.phases import Phase
    from companion.games.history_of_war.pieces import Attack, Played
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask
    from companion.kit.text import Text

ATTACKS: tuple[Phase, ...] = ("attacker_attack", "defender_attack")
BLOCKS: tuple[Phase, ...] = ("defender_block", "attacker_block")


def can_attack(state: State, seat: Seat) -> bool:
    """Tell whether a player has a unit that may attack (HW-50 to HW-52, HW-A11)."""
    return any(declaring.ways(state, unit) for unit in state.units(seat))


def can_block(state: State, seat: Seat) -> bool:
    """Tell whether a player has a unit that may block one of the attackers (HW-56 to HW-58)."""
    return any(declaring.may_block(state, unit) for unit in state.units(seat))


def rule(state: State, seat: Seat, action: do.Fighting, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    match action:
        case do.DeclareAttack():
            return _attack(state, seat, action, ask)
        case do.DeclareBlock():
            return _block(state, seat, action, ask)
        case _:
            return damage.rule(state, seat, action, ask)


def _attack(state: State, seat: Seat, action: do.DeclareAttack, ask: Ask) -> State:
    """Declare an attack: in the unit's own territory, or at the enemy base; the unit is locked (HW-50 to HW-53)."""
    turn.check_phase(state, seat, *ATTACKS)
    unit = checks.own_unit(state, seat, action.unit, _of_half(state, "HW-50"))
    why = declaring.attack_barred(state, unit, base=action.base)
    if why is not None:
        raise Refusal(why.text, why.clause, "base" if action.base else "unit")
    who, where = speech.unit(state, unit), speech.place(state, unit.place)
    marks = ((unit.id, "acting"),)
    if action.base:
        ask.tell(say("{unit} attacks the enemy base from {territory}", unit=who, territory=where), "HW-52", marks=marks)
    else:
        text = say("{unit} attacks in {territory}", unit=who, territory=where)
        ask.tell(text, _of_half(state, "HW-50"), marks=marks)
    ask.tell(say("{unit} is locked for the rest of the round", unit=who), "HW-53")
    return declaring.attacking(state, unit, base=action.base).but(last=Last((unit.id,)))


def _block(state: State, seat: Seat, action: do.DeclareBlock, ask: Ask) -> State:
    """Declare that a unit blocks an attacker; it is locked (HW-56 to HW-60)."""
    turn.check_phase(state, seat, *BLOCKS)
    unit = checks.own_unit(state, seat, action.unit, _of_half(state, "HW-57"))
    attack = state.attack(action.attacker)
    if attack is None:
        raise Refusal(say("That unit does not attack."), _of_half(state, "HW-57"), "attacker")
    why = declaring.block_barred(state, unit, attack)
    if why is not None:
        raise Refusal(why.text, why.clause, "attacker")
    who, enemy = speech.unit(state, unit), speech.unit(state, state.played(attack.unit))
    clause = "HW-60" if attack.blockers else _of_half(state, "HW-57")
    ask.tell(
        say("{unit} blocks {enemy}", unit=who, enemy=enemy),
        clause,
        marks=((unit.id, "acting"), (attack.unit, "target")),
    )
    ask.tell(say("{unit} is locked for the rest of the round", unit=who), "HW-59")
    return declaring.blocking(state, unit, attack).but(last=Last((unit.id,), (attack.unit,)))


def _of_half(state: State, clause: str) -> str:
    """Return the clause of a declaration; in the second half of the battle that which has the roles exchanged."""
    if state.striker == state.attacker:
        return clause
    return "HW-81" if state.phase in ATTACKS else "HW-82"


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if seat in state.acting and seat not in state.done:
        if state.phase in ATTACKS:
            return [
                _attacking(state, unit, base=base) for unit in state.units(seat) for base in declaring.ways(state, unit)
            ]
        if state.phase in BLOCKS:
            return [_blocking(state, unit) for unit in state.units(seat) if declaring.may_block(state, unit)]
    return damage.offers(state, seat)


def _attacking(state: State, unit: Played, *, base: bool) -> Offer:
    who, where = speech.card(state, unit), speech.place(state, unit.place)
    if base:
        return Offer(
            "attack",
            say("Attack the enemy base: {unit}", unit=who),
            {"unit": unit.id, "base": True},
            on=unit.id,
            clause="HW-52",
        )
    label = say("Attack in {territory}: {unit}", territory=where, unit=who)
    return Offer("attack", label, {"unit": unit.id}, on=unit.id, clause=_of_half(state, "HW-50"))


def _blocking(state: State, unit: Played) -> Offer:
    options = tuple(
        Option(
            attack.unit,
            speech.unit(state, state.played(attack.unit)),
            why,
            note=None if why else _foretold(state, unit, attack),
        )
        for attack in declaring.standing(state)
        for why in (declaring.block_barred(state, unit, attack),)
    )
    free = [option.value for option in options if option.barred is None]
    field = Field("attacker", say("Whom"), "choice", options, free[0] if len(free) == 1 else None)
    return Offer(
        "block",
        say("Block: {unit}", unit=speech.card(state, unit)),
        {"unit": unit.id},
        (field,),
        on=unit.id,
        clause=_of_half(state, "HW-57"),
    )


def _foretold(state: State, unit: Played, attack: Attack) -> Text:
    """Say what a block brings: damage dealt and taken, each of the defence value that it meets."""
    attacker = state.played(attack.unit)
    dealt, taken = state.value(unit, state.category(attacker)), state.value(attacker, state.category(unit))
    return say(
        "deals {dealt} of {theirs}, takes up to {taken} of {mine}",
        dealt=dealt or 0,
        theirs=state.dv(attacker) or 0,
        taken=taken or 0,
        mine=state.dv(unit) or 0,
    )
