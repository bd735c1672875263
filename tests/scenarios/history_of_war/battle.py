"""Scenarios of the battle: attacks and blocks that are declared, and the damage of one half."""

from __future__ import annotations

from typing import Any

from companion.games.history_of_war import battle, exchange, strike
from companion.games.history_of_war import damage as do
from companion.games.history_of_war import state as turn
from companion.games.history_of_war.cards import CATEGORIES
from companion.games.history_of_war.exchange import Answer
from companion.games.history_of_war.pieces import STEPS, Attack, Seat, other
from companion.games.history_of_war.state import State
from tests.scenarios.fields import mapping, number, objects, one_of, sequence, truth
from tests.scenarios.history_of_war.fields import (
    NOT_IN_PLAY,
    PLACES,
    action,
    card,
    category,
    locked,
    options_of,
    phase_of,
    sort_of,
    unit_card,
)
from tests.scenarios.history_of_war.tables import ROLES, Table, after, ended, ruled, through
from tests.scenarios.runner import Given, InAnyOrder, OneOf, Unfit

PRINTED = ("category", "abilities", "may_also_block", "may_also_attack", "dv", "av", "flags", "name")
DECLARES = ("id", "state", "location", "target", "enemy_present", "owner", *PRINTED)
ATTACKER = ("id", "state", "location", "target", "owner", *PRINTED)
BLOCKER = ("id", "state", "location", "owner", *PRINTED)
FIGHTER = ("owner", "state", "blocked_this_round", "av_used", "location", "kind", *PRINTED)
CLASH = ("attacker", "blockers", "assign", "target", "targets")
PAIR = ("attacker", "blocker")
BASE = "base"
TARGETS = (None, BASE)
PARTS = ("hand", "depot", do.NOTHING)
HERE = "territory_1"


def role_of(given: Given, phase: Any) -> Seat:
    """Who acts: the one told, else who acts in the phase."""
    acts = STEPS[phase].acts
    return ROLES[one_of("role", given.get("role", "attacker" if acts == "both" else acts), ROLES)]


def declare_attack(given: Given) -> dict[str, Any]:
    """Declare all attacks; where an enemy is there, it lies in the same territory."""
    phase = phase_of(given, "attacker_attack")
    seat, table = role_of(given, phase), Table(options_of(given))
    listed = objects("units", given["units"], *DECLARES)
    for at, one in enumerate(listed):
        present = one.get("enemy_present", True)
        kind = "unit" if present is True else one_of("enemy_present", present, (False, "unit", "development"))
        said = one.get("location", "territory")
        # Units that have an enemy and units that have none do not lie in the same territory.
        where = table.place(said if kind or said in (*PLACES, *NOT_IN_PLAY) else f"{said} without enemies", seat)
        table.put(
            name_of(one, at), seat, card(f"unit {at}", *sort_of(one)), where, locked=locked("state", one.get("state"))
        )
        if kind and where[0] == "t":
            table.put(f"enemy {at}", other(seat), card(f"enemy {at}", kind, Given(dv=1)), where)
    state = table.state(phase)
    for at, one in enumerate(listed):
        base = one_of("target", one.get("target"), TARGETS) == BASE
        state = after(state, battle.DeclareAttack(table.id(name_of(one, at)), base), seat)
    names = [name_of(one, at) for at, one in enumerate(listed)]
    return {"locked": InAnyOrder([name for name in names if state.played(table.id(name)).locked])}


def name_of(one: Given, at: int) -> str:
    return str(one.get("id", one.get("name", f"unit_{at + 1}")))


def declare_block(given: Given) -> dict[str, Any]:
    """Declare all blocks against attacks that were declared before."""
    phase = phase_of(given, "defender_block")
    seat, table = role_of(given, phase), Table(options_of(given))
    attacks = []
    for at, one in enumerate(objects("attackers", given["attackers"], *ATTACKER)):
        where = table.place(one.get("location", HERE), other(seat))
        found = table.put(name_of(one, at), other(seat), unit_card(f"attacker {at}", one), where, locked=True)
        attacks.append(Attack(found, one_of("target", one.get("target"), TARGETS) == BASE))
    for at, one in enumerate(objects("units", given["units"], *BLOCKER)):
        where = table.place(one.get("location", HERE), seat)
        table.put(
            name_of(one, at), seat, card(f"unit {at}", *sort_of(one)), where, locked=locked("state", one.get("state"))
        )
    state = table.state(phase, attacks=tuple(attacks))
    free = {one.id for one in state.units(seat) if not one.locked}
    # Who declares no block declares too: in its phase, and nobody else.
    turn.check_phase(state, seat, *battle.BLOCKS)
    for said in sequence("blocks", given["blocks"]):
        pair = dict(zip(PAIR, said, strict=False)) if isinstance(said, list) else said
        block = mapping("blocks", pair, *PAIR)
        attacker, blocker = (table.id(block[part]) for part in PAIR)
        state = after(state, battle.DeclareBlock(blocker, attacker), seat)
    return {
        "locked": table.ids(*(one.id for one in state.units(seat) if one.locked and one.id in free)),
        "unblocked": InAnyOrder(table.ids(*(one.unit for one in state.attacks if not one.blockers))),
    }


def damage(given: Given) -> dict[str, Any]:
    """Declare the attacks and blocks, aim or share out, and deal the damage of one half of the battle."""
    table, attacks = Table(options_of(given)), objects("attacks", given["attacks"], *CLASH)
    earlier = mapping("earlier_damage_this_round", given.get("earlier_damage_this_round"))
    phase = phase_of(given, "damage_2" if earlier else "damage_1")
    if phase not in ("damage_1", "damage_2"):
        raise Unfit(f"no damage in the phase {phase}")
    striker: Seat = "blue" if phase == "damage_1" else "red"
    units = mapping("units", given["units"])
    lay_out(table, units, attacks, striker)
    if earlier:
        state = table.state("damage_1", struck=True)
        for name, amount in earlier.items():
            state = state.with_card(table.id(name), damage=number("earlier_damage_this_round", amount))
        state = through(state, "defender_attack")
    else:
        state = table.state("attacker_attack" if phase == "damage_1" else "defender_attack")
    state = declared(state, table, attacks, striker)
    responses = [
        Answer(table.id(one["unit"]), table.id(one["to"]))
        for one in objects("responses", given.get("responses"), "unit", "to")
    ]
    return dealt(state, table, striker, responses)


def lay_out(table: Table, units: Given, attacks: list[Given], striker: Seat) -> None:
    """Put the units into play: those that attack or block now could, the others are as they are told."""
    fighting = {str(name) for one in attacks for name in (one["attacker"], *sequence("blockers", one.get("blockers")))}
    owners = [str(mapping(name, one, *FIGHTER)["owner"]) for name, one in units.items()]
    if len(set(owners)) > 2:
        raise Unfit("units: of two players, no more")
    attackers = {str(one["attacker"]) for one in attacks}
    striking = next((owner for name, owner in zip(units, owners, strict=True) if name in attackers), None)
    for name, said in units.items():
        kind, one = sort_of(mapping(name, said))
        if kind == "territory":
            # It is no card that anybody could strike: whoever does strikes one that is not there.
            continue
        seat = striker if str(one["owner"]) == striking else other(striker)
        printed = card(
            name, kind, Given({**one, "may_also_block": ["ground", "air", "naval"]} if kind == "unit" else one)
        )
        used = tuple(category("av_used", value) for value in sequence("av_used", one.get("av_used")))
        where = one.get("location", "base_area" if kind == "base_expansion" else HERE)
        table.put(
            name,
            seat,
            printed,
            table.place(where, seat),
            locked=name not in fighting and locked("state", one.get("state")),
            blocked=truth("blocked_this_round", one.get("blocked_this_round")),
            used=used,
        )


def declared(state: State, table: Table, attacks: list[Given], striker: Seat) -> State:
    """Declare attacks and blocks, and say what is struck and how the values are shared out."""
    for one in attacks:
        state = after(state, battle.DeclareAttack(table.id(one["attacker"]), at_base(state, table, one)), striker)
    blocks = [
        (table.id(name), table.id(one["attacker"]))
        for one in attacks
        for name in sequence("blockers", one.get("blockers"))
    ]
    if not attacks:
        return state
    state = ended(state)
    for blocker, attacker in blocks:
        state = after(state, battle.DeclareBlock(blocker, attacker), other(striker))
    state = through(state, "damage_1" if striker == "blue" else "damage_2")
    for one in attacks:
        state = aimed(state, table, one, striker)
    return state


def at_base(state: State, table: Table, one: Given) -> bool:
    """Whether an attack goes at the enemy base: at all of it, at its hand or depot, or at a card that lies there."""
    target = one.get("target")
    found = state.find(table.id(target))
    return target in (BASE, "hand", "depot") or (found is not None and found.place == "base")


def aimed(state: State, table: Table, one: Given, striker: Seat) -> State:
    """Aim an unblocked attack, or share a value out: a single blocker takes all, others only what they are assigned."""
    name = table.id(one["attacker"])
    attack = state.attack(name)
    if attack is None:
        raise Unfit(f"{one['attacker']} does not attack")
    targets = one.get("targets")
    said = targets if isinstance(targets, dict) else one.get("assign")
    assign = {table.id(to): amount for to, amount in mapping("assign", said).items()}
    target = one.get("target")
    if target is None and not attack.blockers and not assign:
        target = do.NOTHING
    if target not in (None, BASE):
        state = after(state, do.Aim(name, target if target in PARTS else table.id(target)), striker)
    if whole(state, name, assign) or (not assign and len(attack.blockers) < 2):
        return state
    among = [card.id for card in do.sharing(state, attack)]
    places = {f"to_{at}": assign.get(card, 0) for at, card in enumerate(among, 1)}
    # What goes to a card that is not among those is more than there are cards.
    spare = [amount for card, amount in assign.items() if card not in among]
    places |= {f"to_{len(among) + at}": amount for at, amount in enumerate(spare, 1)}
    return after(state, action(do.Share, unit=name, **places), striker)


def whole(state: State, name: str, assign: dict[str, Any]) -> bool:
    """Whether all of a value goes to the one card that it strikes anyhow."""
    attack = state.attack(name)
    return attack is not None and len(assign) == 1 and do.hits(state, attack) == assign


def dealt(state: State, table: Table, striker: Seat, responses: list[Answer]) -> dict[str, Any]:
    """Deal the damage; the rule that the table uses refuses responses that can not be, for nobody is asked for them."""
    clashes = do.clashes(state)
    fighters = {card.id: do.combatant(state, card) for card in state.cards}
    for one in responses:
        if one.unit not in fighters or one.to not in fighters:
            raise Unfit("responses: a unit is needed")
    outcome = exchange.exchange(fighters, clashes, responses)
    damage, destroyed = dict.fromkeys(table.named, 0), []
    if state.attacks:
        keys = {f"respond.{one.unit}.{fighters[one.to].category}": one.to for one in responses}
        silent = {f"respond.{unit}.{kind}": "no" for unit in fighters for kind in CATEGORIES}
        ruling = ruled(state, strike.Strike(), striker, **(silent | keys))
        for harm in (harm for reason in ruling.reasons for harm in reason.harm):
            damage[table.name(harm.to.id)] += harm.hits
        destroyed = [card.id for card in state.cards if ruling.outcome.find(card.id) is None]
    answered = table.ids(*{one.unit for one in responses})
    return {
        "destroyed": table.ids(*destroyed),
        "damage": damage,
        "locked_by_response": OneOf(table.ids(*outcome.locked), answered),
    }
