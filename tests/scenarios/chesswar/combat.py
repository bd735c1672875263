"""Scenarios of the combat phase and of what ends with it: attacks, continuations, regeneration, the end of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.chesswar import combat, destruction, movement, traits
from companion.games.chesswar.combat import MOVE_IN, Attack
from companion.games.chesswar.game import GAME
from companion.games.chesswar.options import ALL, sides
from companion.games.chesswar.state import Unit
from companion.games.chesswar.turn import EndPhase
from companion.kit.questions import Choose
from tests.scenarios.chesswar.answers import Script
from tests.scenarios.chesswar.fields import (
    SIDES,
    count_of,
    fallen,
    mapping,
    on_board,
    one_of,
    other,
    permit,
    sequence,
    state_of,
    truth,
)
from tests.scenarios.runner import Given, OneOf, Unfit

if TYPE_CHECKING:
    from companion.games.chesswar.destruction import Cause
    from companion.games.chesswar.state import State

CAUSES: dict[str, Cause] = {"attack": "attack", "shooting": "shot", "strike": "strike", "backlash": "backlash"}
VICTIM, HEALER = "the victim", "the healer"


def reinforced(state: State) -> State:
    """The position with a unit of each side beside the board: a scenario shows a part of the armies only."""
    return state.but(units=(*state.units, *(Unit(f"reserve {side}", side, "human_infantry") for side in SIDES)))


def with_healer(state: State, side: Any, name: str, ask: Script) -> State:
    """The position with a mage near enough who will heal a unit."""
    healer = f"{HEALER} {name} {len(state.units)}"
    ask.intended[f"heal_{name}"] = healer
    ask.rigged["healing"] = 6
    return state.but(units=(*state.units, Unit(healer, side, "elf_mage")))


def melee_attack(given: Given, ask: Script) -> dict[str, Any]:
    name, victim = str(given["attacker"]), str(given["defender"])
    state = reinforced(state_of(given, "combat", name))
    permit(state, Attack(name, victim))
    after, toll, blow = combat.fight(state, name, victim, ask)
    saver = blow.saver
    return {
        "total": blow.total,
        "line": blow.line,
        "saves_required": blow.saves,
        "saver": saver,
        "save_needed": None if saver is None else traits.save_needed(state, state.unit(saver), "melee"),
        **fallen(toll),
        "continuation_possible": may_continue(after, name, victim in toll.destroyed + toll.knocked_down),
    }


def may_continue(state: State, name: str, won: bool) -> Any:
    """Whether a unit may go on; that a general's fall may have ended the game is another question."""
    if not won:
        return False
    free = combat.continuation_barred(state.but(winner=()), state.find(name)) is None
    return OneOf(free, not free) if state.winner and free else free


def continuing(given: Given, ask: Script) -> dict[str, Any]:
    """Let the attacker destroy somebody on that square and see what the rules then offer it."""
    name, cause = str(given["attacker"]), one_of("cause", given.get("cause") or "attack", CAUSES)
    healed = truth("victim_healed", given.get("victim_healed"))
    state = reinforced(state_of(given, "combat", name))
    square = on_board(state.options, "victim_square", given["victim_square"])
    attacker = state.unit(name)
    foe = other(attacker.side)
    there = state.at(square)
    victim = VICTIM
    if there is not None and (healed or name in there.engaged_with) and not there.raised:
        victim = there.id
    else:
        state = state.but(units=(*state.units, Unit(victim, foe, "human_archers", square)))
    state = state.engage(name, victim).with_unit(name, attacked=False, charged="", charge_failed=False)
    rigged = Script([])
    rigged.rigged = {"attack": 6, "save": 6}
    if healed:
        state = with_healer(state, foe, victim, rigged)
    rigged.rigged[f"save_{victim}"] = 1
    if cause == "attack":
        GAME.rule(state, attacker.side, Attack(name, victim), rigged)
    else:
        destruction.strike_down(state, (victim,), CAUSES[cause], rigged)
    offered = next((asked for asked in rigged.asked if asked.key == "continuation"), None)
    options = offered.options if isinstance(offered, Choose) else ()
    able = [option.value for option in options if option.barred is None]
    listed = {str(entry["id"]) for entry in given.get("units") or []}
    return {"may_move_in": MOVE_IN in able, "may_charge": sorted(listed.intersection(able))}


def regeneration(given: Given, ask: Script) -> dict[str, Any]:
    """Let a unit that fell in this turn reach the end of it, with or without somebody who enters its square."""
    entered = truth("square_entered", given.get("square_entered"))
    state = state_of(given, "combat", "white")
    lying = next((unit for unit in state.units if unit.down), None)
    if lying is None:
        lying = Unit("the troll", "black", "orc_trolls", "d5", down=True)
        state = state.but(units=(*state.units, lying))
    state = reinforced(state)
    if entered and lying.square is not None:
        somebody = Unit("somebody", "white", "human_infantry")
        state = state.but(units=(*state.units, somebody))
        state = movement.enter(state, somebody, (lying.square,), ask)
    after = GAME.rule(state, "white", EndPhase(), ask).outcome
    unit = after.find(lying.id)
    return {
        "die_rolled": bool(ask.threw("regenerate")),
        "returns": unit.stands,
        "removed": not unit.on_board,
        "engaged": unit.engaged,
        "square": unit.square,
    }


def unit_state(given: Given, _: Script) -> dict[str, Any]:
    name, viewer = str(given["unit"]), given.get("viewer")
    state = state_of(given, "movement", name)
    unit = state.find(name) or state.unit(name)
    seer = state.find(str(viewer))
    if viewer is not None and seer is None:
        one_of("viewer", viewer, ALL)
    side = seer.side if seer else viewer or other(unit.side)
    dreadful: Any = traits.dreadful(state, unit, side)
    if seer is not None and traits.brave(state, seer):
        # The brave ignore dread: for them it may be said that nobody is dreadful.
        dreadful = OneOf(dreadful, not dreadful) if dreadful else dreadful
    return {
        "brave": traits.brave(state, unit),
        "dreadful": dreadful,
        "plague": traits.plagued(state, unit),
        "plague_immune": traits.immune(state, unit),
        "save_needed": traits.save_needed(state, unit, "melee"),
    }


def game_end(given: Given, _: Script) -> dict[str, Any]:
    """Let the events happen one after the other, to armies that have generals and as many others as are needed."""
    state = state_of(given, "combat")
    listed = [mapping("event", event) for event in sequence("events", given["events"])]
    generals = given.get("generals_per_side") or (2 if state.options.extended_armies else 1)
    counts = generals if isinstance(generals, dict) else dict.fromkeys(SIDES, generals)
    units = []
    for side in sides(state.options):
        many = count_of("generals_per_side", counts.get(side, 1))
        units += [Unit(f"{side} general {number}", side, "human_general") for number in range(many)]
        units += [Unit(f"{side} {number}", side, "human_infantry") for number in range(len(listed) + 1)]
    state = state.but(units=tuple(units))
    for event in listed:
        state = happen(state, event)
    return {"winner": state.winner[0] if state.winner else None}


def happen(state: State, event: Given) -> State:
    one_of("event", event["type"], ("destroyed", "wiped_out"))
    if unknown := event.keys() - {"type", "side", "general", "healed"}:
        raise Unfit(f"unknown field of an event {', '.join(sorted(unknown))}")
    side, ask = one_of("side", event["side"], state.sides), Script([])
    standing = state.standing(side)
    if event["type"] == "wiped_out":
        return destruction.strike_down(state, tuple(unit.id for unit in standing), "attack", ask)[0]
    general = truth("general", event.get("general"))
    name = next((unit.id for unit in standing if unit.kind.general is general), None)
    if name is None:
        return state
    if truth("healed", event.get("healed")):
        state = with_healer(state, side, name, ask)
    return destruction.strike_down(state, (name,), "attack", ask)[0]


def massacre_turn_start(given: Given, ask: Script) -> dict[str, Any]:
    """Let the turn of an undead army without its general begin."""
    many = count_of("undead_units_left", given["undead_units_left"])
    said = {"massacre": True, "general_lost": ["black"], **mapping("options", given.get("options"))}
    side = (said.get("general_lost") or ["black"])[0]
    state = state_of({**given, "units": [], "options": said}, "combat", other(side))
    dead = tuple(Unit(f"z{number}", side, "undead_zombies", None) for number in range(many))
    state = state.but(units=(Unit("somebody", other(side), "human_infantry"), *dead), armies={side: "undead"})
    after = GAME.rule(state, other(side), EndPhase(), ask).outcome
    left = sum(unit.on_board for unit in after.units if unit.side == side)
    return {"must_remove": OneOf(many - left, many > left), "units_after": left}
