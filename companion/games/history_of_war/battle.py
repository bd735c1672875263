"""The battle: who may attack what, and who may block whom (HW-50 to HW-61, HW-81, HW-82, HW-A11 to HW-A14, HW-A22)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.history_of_war import figures, speech
from companion.games.history_of_war.cards import UnitCard
from companion.games.history_of_war.movement import own_unit
from companion.games.history_of_war.pieces import STEPS, Attack, Last, Name, Phase, Played, Seat, other
from companion.games.history_of_war.state import State
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal, refuse
from companion.kit.text import Text, say

battle = Chapter[State, Seat]()

ATTACKS: tuple[Phase, ...] = ("attacker_attack", "defender_attack")
BLOCKS: tuple[Phase, ...] = ("defender_block", "attacker_block")


class DeclareAttack(Action, frozen=True, tag="attack"):
    """Declare that a unit attacks in its territory, or the enemy base (HW-50 to HW-52)."""

    unit: Name
    base: bool = False


class DeclareBlock(Action, frozen=True, tag="block"):
    """Declare that a unit blocks an attacker (HW-56 to HW-60)."""

    unit: Name
    attacker: Name


def attack_barred(state: State, unit: Played, *, base: bool) -> Reason | None:
    """Say why an unlocked unit can not attack in its territory, or the enemy base; None when it can."""
    who = speech.unit(state, unit)
    in_territory = unit.place[0] == "t"
    if base:
        if not state.can(unit, "base_attack"):
            return Reason(say("{unit} has no base attack.", unit=who), "HW-52")
        if not in_territory and not (state.options.base_attack_from_deployment and unit.place == "deployment"):
            return Reason(say("A unit attacks the enemy base from a territory."), "HW-A12")
        return None
    if not in_territory:
        return Reason(say("{unit} is in no territory.", unit=who), "HW-51")
    if not state.of(other(unit.seat), unit.place):
        place = speech.place(state, unit.place)
        return Reason(say("There is no enemy to attack in {territory}.", territory=place), "HW-A11")
    return None


def aims(state: State, unit: Played) -> tuple[bool, ...]:
    """List what a unit may attack: in its territory (False), the enemy base (True) (HW-50 to HW-52, HW-A11)."""
    return () if unit.locked else tuple(base for base in (False, True) if attack_barred(state, unit, base=base) is None)


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
        who, category = speech.unit(state, unit), Text(against)
        text = say("{unit} does not block attackers of that category: {category}.", unit=who, category=category)
        return Reason(text, "HW-56")
    return None


def may_block(state: State, unit: Played) -> bool:
    """Tell whether a unit may block one of the attackers (HW-56 to HW-58)."""
    return not unit.locked and any(block_barred(state, unit, attack) is None for attack in state.attacks)


def attacking(state: State, unit: Played, *, base: bool) -> State:
    """Return the state with an attack declared; the unit is locked (HW-53)."""
    return state.with_card(unit.id, locked=True).but(attacks=(*state.attacks, Attack(unit.id, base)))


def blocking(state: State, unit: Played, attack: Attack) -> State:
    """Return the state with a block declared: the unit is locked, the value it uses is spent (HW-59, HW-A22)."""
    category = state.category(state.played(attack.unit))
    used = unit.used if category in unit.used else (*unit.used, category)
    state = state.with_card(unit.id, locked=True, blocked=True, used=used)
    return state.with_attack(attack.unit, blockers=(*attack.blockers, unit.id), target=None, hits=())


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


def blockers(state: State, attack: Attack) -> tuple[Played, ...]:
    """List the cards that block an attacker and are still in play."""
    return tuple(card for name in attack.blockers if (card := state.find(name)) is not None)


def standing(state: State) -> tuple[Attack, ...]:
    """List the attacks whose attacker is still in play."""
    return tuple(attack for attack in state.attacks if state.find(attack.unit) is not None)


@battle.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer the units that may attack or block in this phase."""
    if seat not in state.acting or seat in state.done:
        return
    for unit in state.units(seat):
        if state.phase in ATTACKS:
            yield from (_attack(state, unit, base=base) for base in aims(state, unit))
        if state.phase in BLOCKS and may_block(state, unit):
            yield _block(state, unit)


def _attack(state: State, unit: Played, *, base: bool) -> Offer:
    who = speech.card(state, unit)
    if base:
        label = say("Attack the enemy base: {unit}", unit=who)
        return DeclareAttack.offer(label, on=unit.id, unit=unit.id, base=True, clause="HW-52")
    label = say("Attack in {territory}: {unit}", territory=speech.place(state, unit.place), unit=who)
    return DeclareAttack.offer(label, on=unit.id, unit=unit.id, clause=STEPS[state.phase].clause)


def _block(state: State, unit: Played) -> Offer:
    options = []
    for attack in standing(state):
        why = block_barred(state, unit, attack)
        note = None if why else _foretold(state, unit, attack)
        options.append(Option(attack.unit, speech.unit(state, state.played(attack.unit)), why, note=note))
    free = [option.value for option in options if option.barred is None]
    label, clause = say("Block: {unit}", unit=speech.card(state, unit)), STEPS[state.phase].clause
    whom = Field("attacker", say("Target"), "choice", tuple(options), free[0] if len(free) == 1 else None)
    return DeclareBlock.offer(label, whom, on=unit.id, unit=unit.id, clause=clause)


def _foretold(state: State, unit: Played, attack: Attack) -> Text:
    """Say what a block brings: damage dealt and taken, each of the defence value that it meets."""
    attacker = state.played(attack.unit)
    return say(
        "deals {dealt} of {theirs}, takes up to {taken} of {mine}",
        dealt=state.value(unit, state.category(attacker)) or 0,
        theirs=state.dv(attacker) or 0,
        taken=state.value(attacker, state.category(unit)) or 0,
        mine=state.dv(unit) or 0,
    )


def _declared(state: State, _seat: Seat, action: DeclareAttack) -> Text:
    name = speech.named(state, action.unit)
    return say("{unit} attacks the base", unit=name) if action.base else say("{unit} attacks", unit=name)


@battle.rule(DeclareAttack, says=_declared)
def declare_attack(state: State, seat: Seat, action: DeclareAttack, ask: Ask) -> State:
    """Declare an attack: in the unit's own territory, or at the enemy base; the unit is locked (HW-50 to HW-53)."""
    unit, clause = own_unit(state, seat, action.unit, *ATTACKS)
    refuse(attack_barred(state, unit, base=action.base), "base" if action.base else "unit")
    who, where = speech.unit(state, unit), speech.place(state, unit.place)
    how = "{unit} attacks the enemy base from {territory}" if action.base else "{unit} attacks in {territory}"
    text = say(how, unit=who, territory=where)
    ask.tell(text, "HW-52" if action.base else clause, marks=((unit.id, "acting"),))
    ask.clash(figures.clash(state, "melee", unit))
    ask.tell(say("{unit} is locked for the rest of the round", unit=who), "HW-53")
    return attacking(state, unit, base=action.base).but(last=Last((unit.id,)))


@battle.rule(
    DeclareBlock,
    says=lambda state, _, action: say(
        "{unit} blocks {foe}", unit=speech.named(state, action.unit), foe=speech.named(state, action.attacker)
    ),
)
def declare_block(state: State, seat: Seat, action: DeclareBlock, ask: Ask) -> State:
    """Declare that a unit blocks an attacker; it is locked (HW-56 to HW-60)."""
    unit, clause = own_unit(state, seat, action.unit, *BLOCKS)
    attack = state.attack(action.attacker)
    if attack is None:
        raise Refusal(say("That unit does not attack."), clause, "attacker")
    refuse(block_barred(state, unit, attack), "attacker")
    foe = state.played(attack.unit)
    who, enemy = speech.unit(state, unit), speech.unit(state, foe)
    marks = ((unit.id, "acting"), (attack.unit, "target"))
    ask.tell(say("{unit} blocks {enemy}", unit=who, enemy=enemy), "HW-60" if attack.blockers else clause, marks=marks)
    ask.clash(figures.clash(state, "block", unit, foe))
    ask.tell(say("{unit} is locked for the rest of the round", unit=who), "HW-59")
    return blocking(state, unit, attack).but(last=Last((unit.id,), (attack.unit,)))
