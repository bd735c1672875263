"""Scenarios of instant spells: Healing, Raise dead and Counterspells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.chesswar import destruction, magic, movement, shooting
from companion.games.chesswar.armies import PHASE_OF, TYPES
from companion.games.chesswar.destruction import HealEnemy
from companion.games.chesswar.game import GAME
from companion.games.chesswar.state import State, Unit
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.chesswar.answers import Script
from tests.scenarios.chesswar.combat import may_continue, reinforced, with_healer
from tests.scenarios.chesswar.fields import ALL, count_of, fallen, one_of, state_of, truth
from tests.scenarios.chesswar.magic import KNOWN, as_it_stood, barred, check_reply
from tests.scenarios.runner import Given, InAnyOrder, OneOf

if TYPE_CHECKING:
    from companion.games.chesswar.destruction import Cause


def healing(given: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    """Destroy the target, let the mage heal it, and see who would have to save against its plague."""
    state = as_it_stood(state, str(given["target"]))
    target = state.unit(str(given["target"]), "target")
    check_reply(state, mage, "healing", target)
    if state.enemies(mage, target):
        state = GAME.rule(state, mage.side, HealEnemy(mage.id, target.id), ask).outcome
    else:
        ask.intended[f"heal_{target.id}"] = mage.id
    ask.rigged["save"] = 6
    own = target.side in state.acting
    state = reinforced(state)
    cause: Cause = "shot" if state.phase == "shooting" else "backlash" if own else "attack"
    after, toll = destruction.strike_down(state, (target.id,), cause, ask)
    healed = target.id in toll.healed
    due = [key.removeprefix("save_plague_") for key in ask.threw("save")]
    won = [foe.id for foe in state.opponents(target) if foe.side in state.acting and cause == "attack" and not healed]
    return {
        "healed": healed,
        "continuation_possible": any(may_continue(after.but(winner=()), foe, won=True) for foe in won),
        "plague_saves_due": OneOf(InAnyOrder(due), len(due), bool(due)),
        **fallen(toll),
    }


def raise_dead(given: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    state = as_it_stood(state, str(given["target"]))
    target = state.unit(str(given["target"]), "target")
    check_reply(state, mage, "raise_dead", target)
    state = reinforced(counted(given, state, mage, target))
    if truth("healing_pending", given.get("healing_pending")):
        refuse_before_healing(state, target)
    ask.intended[f"raise_{target.id}"] = mage.id
    ask.rigged["save"] = 6
    cause: Cause = "shot" if state.phase == "shooting" else "attack"
    known = {unit.id for unit in state.units}
    after, _ = destruction.strike_down(state, (target.id,), cause, ask)
    new = next(unit for unit in after.units if unit.id not in known)
    moves = movement.barred(new) is None or shooting.barred(new) is None
    return {
        "new_type": new.type,
        "side": new.side,
        "square": new.square,
        "engaged_with": list(new.engaged_with),
        "may_move_or_shoot_this_turn": moves,
    }


def counted(given: Given, state: State, mage: Unit, target: Unit) -> State:
    """The position with as many special undead as the scenario counts on the board."""
    said = given.get("count_on_board")
    if said is None:
        return state
    would_be = destruction.raised_type(state.but(units=()), mage.side, target).id
    counts = said if isinstance(said, dict) else {would_be: said}
    for name, wanted in counts.items():
        one_of("type", name, TYPES)
        there = sum(unit.stands and unit.type == name and unit.side == mage.side for unit in state.units)
        there -= target.type == name and target.side == mage.side
        more = count_of("count_on_board", wanted) - there
        state = state.but(units=(*state.units, *(Unit(f"{name} {at}", mage.side, name) for at in range(more))))
    return state


def refuse_before_healing(state: State, target: Unit) -> None:
    """Let a mage be there who may still heal: the rules ask him first."""
    first = Script([])
    state = with_healer(state, target.side, target.id, first)
    first.intended = {}
    first.rigged = {}
    state = state.but(replies={**state.replies, target.side: "ask"})
    destruction.strike_down(state, (target.id,), "attack", first)
    if first.asked and first.asked[0].key == f"heal_{target.id}":
        raise Refusal(say("A Healing may be tried first."), "CW-136", "target")


def counterspell(_: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    barred(state, mage, "counterspell")
    return {"works": magic.roll(state, mage, "counterspell", "CW-141", ask)}


def counter_chain(given: Given, ask: Script) -> dict[str, Any]:
    """Aim each Counterspell at the one before, and let the rules say of each what the rest of the chain leaves it."""
    base = one_of("spell", given["base"], KNOWN)
    counters = count_of("counters", given.get("counters") or 0)
    works = chain(base, counters, ask)
    thrown = ask.faces[len(ask.faces) - counters :]
    left = [chain("counterspell", counters - 1 - at, Script([*thrown[at:]])) for at in range(counters)]
    return {"base_works": works, "counters_effective": left}


def chain(base: Any, counters: int, ask: Script) -> bool:
    caster = next(kind.id for kind in TYPES.values() if base in kind.spells)
    units = tuple(Unit(f"m{at}", ALL[at % 2], "human_mage" if at else caster) for at in range(counters + 1))
    state = state_of({}, PHASE_OF.get(base, "movement"), "white").but(units=units)
    ask.intended.update({f"counter_m{at}": f"m{at + 1}" for at in range(counters)})
    works = magic.roll(state, units[0], base, "CW-145", ask) if base in {"healing", "counterspell"} else True
    return magic.stands(state, units[0], base, ask, works=works)[1]
