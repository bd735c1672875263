"""Corrections of a half of the battle: who attacks what, who blocks whom, what is struck (ledger 5.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import aims, damage, declaring, exchange, speech
from companion.games.history_of_war.pieces import Hit
from companion.games.history_of_war.sides import other
from companion.kit.asking import Option
from companion.kit.corrected import choice, yes_no
from companion.kit.correction import Tracked
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.history_of_war.pieces import Attack, Played
    from companion.games.history_of_war.state import State

BATTLE = say("The battle")
NONE = "none"
BASE = "base."
"""Before the unit that attacks the enemy base."""
HIT = "hit."
"""Before the card that is struck."""


def tracked(state: State) -> tuple[Tracked, ...]:
    """List what can be corrected about the attacks of this half."""
    if state.striker is None:
        return ()
    found = [Tracked("battle.new", BATTLE, choice(say("Another attack"), _free(state), NONE))]
    if state.attacks and state.phase in damage.PHASES:
        found.append(Tracked("battle.struck", BATTLE, yes_no(say("The damage is dealt"), value=state.struck)))
    for attack in declaring.standing(state):
        group = say("Attack: {unit}", unit=speech.unit(state, state.played(attack.unit)))
        found += [
            Tracked(f"attack.{attack.unit}.{name}", group, field, part=BATTLE)
            for name, field in _fields(state, attack).items()
        ]
    return tuple(found)


def _free(state: State) -> tuple[Option, ...]:
    """List the units of who attacks that have declared no attack, those with the ability at the base too."""
    units = [unit for unit in state.units(state.striker or "blue") if state.attack(unit.id) is None]
    own = (Option(unit.id, speech.card(state, unit)) for unit in units)
    base = (
        Option(f"{BASE}{unit.id}", say("{unit}, at the enemy base", unit=speech.card(state, unit)))
        for unit in units
        if state.can(unit, "base_attack")
    )
    return (Option(NONE, say("none")), *own, *base)


def _fields(state: State, attack: Attack) -> dict[str, Field]:
    fields = {"stands": yes_no(say("It attacks"), value=True)}
    if state.struck:
        return fields
    fields["base"] = yes_no(say("It attacks the enemy base"), value=attack.base)
    foes = state.units(other(state.striker or "blue"))
    blocking = tuple(foe.id for foe in foes if foe.id in attack.blockers)
    options = tuple(Option(foe.id, speech.card(state, foe)) for foe in foes)
    if options:
        fields["blockers"] = Field("value", say("Who blocks it"), "many", options, value=blocking)
    if state.phase not in damage.PHASES:
        return fields
    if not attack.blockers:
        fields["target"] = choice(say("What it strikes"), _targets(state, attack), aims.target(state, attack) or NONE)
    now = aims.hits(state, attack) or {}
    for card in aims.sharing(state, attack):
        label = say("Damage to {unit}", unit=speech.card(state, card))
        most = state.value(state.played(attack.unit), state.category(card)) or 0
        amount = now.get(card.id, 0)
        fields[f"{HIT}{card.id}"] = Field("value", label, "number", value=amount, high=max(most, amount))
    return fields


def _targets(state: State, attack: Attack) -> tuple[Option, ...]:
    """List what an attacker may strike; that it strikes nothing, or that it is not settled yet."""
    names = (*aims.targets(state, attack), aims.NOTHING)
    return (Option(NONE, say("not settled yet")), *(Option(name, aims.named(state, name)) for name in names))


def correct_battle(state: State, part: str, value: str) -> State:
    """Declare another attack, or say whether the damage is dealt."""
    if part == "struck":
        return state.but(struck=value == "true")
    if value == NONE:
        return state
    name = value.removeprefix(BASE)
    return declaring.attacking(state, state.played(name), base=name != value).but(struck=False, last=None)


def correct(state: State, unit: Played, part: str, value: str) -> State:
    """Set a value of an attack."""
    attack = state.attack(unit.id)
    if attack is None:
        return state
    match part:
        case "stands":
            return declaring.withdrawn(state, unit)
        case "base":
            return state.with_attack(unit.id, base=value == "true", target=None, hits=())
        case "blockers":
            return _block(state, attack, [name for name in value.split(",") if name])
        case "target":
            return state.with_attack(unit.id, target=None if value == NONE else value, hits=())
    return _share(state, attack, part.removeprefix(HIT), int(value))


def _block(state: State, attack: Attack, names: list[str]) -> State:
    """Say who blocks an attacker: no unit blocks two; who blocks now is locked, and has used a value (HW-A14)."""
    for name in names:
        if any(name in one.blockers for one in state.attacks if one.unit != attack.unit):
            text = say("{unit} blocks another attacker.", unit=speech.unit(state, state.played(name)))
            raise Refusal(text, "HW-A14", "value")
    kept = tuple(name for name in attack.blockers if name in names)
    state = state.with_attack(attack.unit, blockers=kept, target=None, hits=())
    for name in names:
        if name not in kept:
            now = state.attack(attack.unit)
            state = declaring.blocking(state, state.played(name), now or attack)
    return state


def _share(state: State, attack: Attack, name: str, amount: int) -> State:
    """Say how much of an attacker's value goes to one card; all together it deals no more than it has (HW-A18)."""
    among = aims.sharing(state, attack)
    now = {**(aims.hits(state, attack) or {}), name: amount}
    attacker = aims.combatant(state, state.played(attack.unit))
    amounts = [now.get(card.id, 0) for card in among]
    try:
        exchange.check_share(attacker, [aims.combatant(state, card) for card in among], amounts)
    except Refusal as no:
        raise Refusal(no.text, no.clause, "value") from no
    hits = tuple(Hit(card.id, part) for card, part in zip(among, amounts, strict=True))
    return state.with_attack(attack.unit, hits=hits, target=None)
