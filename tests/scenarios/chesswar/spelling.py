"""Scenarios of magic: who may cast what, what it does, Counterspells, and how temporary spells end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from companion.games.chesswar import (
    GAME,
    destruction,
    magic,
    movement,
    necromancy,
    saves,
    shooting,
    sight,
    spells,
    traits,
)
from companion.games.chesswar import actions as do
from companion.games.chesswar.armies import INSTANT, PHASE_OF, TEMPORARY, TYPES
from companion.games.chesswar.state import State, Unit
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.chesswar.asking import Script
from tests.scenarios.chesswar.fighting import may_continue, reinforced, with_healer
from tests.scenarios.chesswar.reading import (
    ALL,
    PHASES,
    Given,
    InAnyOrder,
    count_of,
    effects_of,
    fallen,
    objects,
    one_of,
    other,
    per_unit,
    permit,
    state_of,
    truth,
)
from tests.scenarios.chesswar.shots import struck
from tests.scenarios.running import OneOf

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.chesswar.state import Effect

KNOWN = (*INSTANT, *PHASE_OF)


class InForce(dict[str, Any]):
    """A temporary spell in force; its name alone will do."""

    def __eq__(self, other: object) -> bool:
        return other == self["spell"] if isinstance(other, str) else dict.__eq__(self, other)

    __hash__ = None  # type: ignore[assignment]


def in_force(effects: tuple[Effect, ...]) -> list[InForce]:
    return [InForce(spell=effect.spell, side=effect.side, caster=effect.caster) for effect in effects]


def casting(given: Given) -> tuple[State, Unit, str]:
    """The position in which a mage wants to cast, the mage, and the spell."""
    spell = one_of("spell", given["spell"], KNOWN)
    phase = one_of("phase", given.get("phase") or PHASE_OF.get(spell, "combat"), PHASES)
    when = one_of("when", given.get("when") or "own_turn", ("own_turn", "enemy_turn"))
    name = str(given["caster"])
    state = state_of(given, phase, name, latest=name)
    side = state.acting[0]
    if when == "enemy_turn":
        state = state_of(given, phase, other(side), latest=None)
    return state, state.unit(name, "caster"), spell


def no(state: State, mage: Unit, spell: Any, first: Refusal | None = None) -> None:
    """Refuse a spell that the mage can not cast now, with all that forbids it."""
    why = magic.barred(state, mage, spell)
    if why is None and first is None:
        return
    clauses = [clause for clause in (first and first.clause, why and why.clause) if clause]
    refuse((first.text if first else why.text).say if first or why else "", *dict.fromkeys(clauses))


def refuse(why: str, *clauses: str) -> NoReturn:
    raise Refusal(say("{why}", why=say(why), **{f"clause{at}": name for at, name in enumerate(clauses)}), clauses[0])


def declare(state: State, mage: Unit, action: do.Cast) -> None:
    """Let the game refuse a spell of the own turn."""
    try:
        permit(state, action, mage.side)
    except Refusal as refusal:
        no(state, mage, action.spell, refusal)


def may_cast(given: Given, _: Script) -> dict[str, Any]:
    state, mage, spell = casting(given)
    target = given.get("target")
    no(state, mage, spell)
    if spell in {"healing", "raise_dead"} and target is not None:
        check_reply(state, mage, spell, state.unit(str(target), "target"))
    elif spell in {"zap", "strike", "flight"} and target is not None:
        declare(state, mage, do.Cast(mage.id, spell, str(target)))  # type: ignore[arg-type]
    elif spell == "dispel":
        declare(state, mage, do.Cast(mage.id, "dispel", effect="0"))
    spent = magic.spend(state, mage).unit(mage.id)
    return {"locked_out_next_own_turn": spent.locked}


def check_reply(state: State, mage: Unit, spell: str, target: Unit) -> None:
    barred = necromancy.healing_barred if spell == "healing" else necromancy.raising_barred
    why = barred(state, mage, target)
    if why is not None:
        raise Refusal(why.text, why.clause, "target")


def spell(given: Given, ask: Script) -> dict[str, Any]:
    state, mage, name = casting(given)
    if name in TEMPORARY:
        action = do.Cast(mage.id, name)  # type: ignore[arg-type]
        declare(state, mage, action)
        after = GAME.rule(state, mage.side, action, ask).outcome
        return {"in_force": in_force(after.effects), "still_in_force": in_force(after.effects)}
    return CAST[name](given, state, mage, ask)


def zap(given: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    action = do.Cast(mage.id, "zap", str(given["target"]))
    declare(state, mage, action)
    target = state.unit(str(given["target"]))
    _, toll = spells.zap(state, mage, action, ask)
    apart = sight.apart(state, mage, target.square or "")
    return {"hit": True, "direct": True, "distance": apart, **struck(state, toll, "shot")}


def strike(given: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    action = do.Cast(mage.id, "strike", str(given["target"]))
    declare(state, mage, action)
    target = state.unit(str(given["target"]))
    _, toll = spells.strike(state, mage, action, ask)
    need = saves.needed(state, target, "strike")
    return {
        "save_needed": per_unit({target.id: need if need <= 6 else None}),
        **fallen(toll),
        "continuation_possible": False,
    }


def healing(given: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    """Destroy the target, let the mage heal it, and see who would have to save against its plague."""
    target = state.unit(str(given["target"]), "target")
    check_reply(state, mage, "healing", target)
    ask.intended[f"heal_{target.id}"] = mage.id
    ask.rigged["save"] = 6
    own = target.side in state.acting
    state = reinforced(state)
    cause = "shot" if state.phase == "shooting" else "backlash" if own else "attack"
    after, toll = destruction.strike_down(state, (target.id,), cause, ask)  # type: ignore[arg-type]
    healed = target.id in toll.healed
    due = [key.removeprefix("save_") for key in ask.threw("save")]
    won = [foe.id for foe in state.opponents(target) if foe.side in state.acting and cause == "attack" and not healed]
    return {
        "healed": healed,
        "continuation_possible": any(may_continue(after.but(winner=()), foe, won=True) for foe in won),
        "plague_saves_due": OneOf(InAnyOrder(due), len(due), bool(due)),
        **fallen(toll),
    }


def raise_dead(given: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    target = state.unit(str(given["target"]), "target")
    check_reply(state, mage, "raise_dead", target)
    state = reinforced(counted(given, state, mage, target))
    if truth("healing_pending", given.get("healing_pending")):
        refuse_before_healing(state, target)
    ask.intended[f"raise_{target.id}"] = mage.id
    ask.rigged["save"] = 6
    cause = "shot" if state.phase == "shooting" else "attack"
    known = {unit.id for unit in state.units}
    after, _ = destruction.strike_down(state, (target.id,), cause, ask)  # type: ignore[arg-type]
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
    would_be = necromancy.raised_type(state.but(units=()), mage.side, target).id
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


def dispel(given: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    listed = given["in_force"] if "in_force" in given else given.get("effects")
    state = state.but(effects=effects_of(listed, state.units, "in_force"))
    chosen = given.get("choose")
    action = do.Cast(mage.id, "dispel", effect=str(0 if chosen is None else chosen))
    declare(state, mage, action)
    after = GAME.rule(state, mage.side, action, ask).outcome
    return {"still_in_force": in_force(after.effects)}


def flight(given: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    name = str(given.get("target") or mage.id)
    action = do.Cast(mage.id, "flight", name, str(given["to"]))
    declare(state, mage, action)
    after = GAME.rule(state, mage.side, action, ask).outcome
    unit = after.unit(name)
    return {
        "square": unit.square,
        "moved": unit.moved,
        "engaged_with": list(unit.engaged_with),
        "freed": InAnyOrder([foe.id for foe in state.opponents(state.unit(name)) if not after.unit(foe.id).engaged]),
        "brave_until_end_of_phase": traits.brave(after, unit),
    }


def counterspell(_: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    no(state, mage, "counterspell")
    return {"works": magic.roll(state, mage, "counterspell", "CW-141", ask)}


CAST: dict[str, Callable[[Given, State, Unit, Script], dict[str, Any]]] = {
    "zap": zap,
    "strike": strike,
    "healing": healing,
    "raise_dead": raise_dead,
    "dispel": dispel,
    "flight": flight,
    "counterspell": counterspell,
}


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


def temporary(given: Given, _: Script) -> dict[str, Any]:
    state = state_of(given, "combat")
    effects = effects_of(given["in_force"] if "in_force" in given else given["effects"], state.units, "in_force")
    event = objects("event", [given["event"]], {"type", "caster", "healed", "side"})[0]
    what = one_of("event", event["type"], ("caster_turn_start", "caster_destroyed"))
    casters = {effect.caster: effect.side for effect in effects}
    caster = str(event.get("caster") or next(iter(casters), ""))
    side = casters.get(caster) or event.get("side") or "white"
    known = {unit.id for unit in state.units}
    mages = {**casters, caster: side}.items()
    units = (*state.units, *(Unit(name, his, "human_mage") for name, his in mages if name not in known))
    state = reinforced(state.but(units=units, effects=effects))
    ask = Script([])
    if what == "caster_turn_start":
        state = state.but(active=ALL.index(other(side)))
        after = GAME.rule(state, other(side), do.EndPhase(), ask).outcome
    else:
        if truth("healed", event.get("healed")):
            state = with_healer(state, side, caster, ask)
        after, _ = destruction.strike_down(state, (caster,), "attack", ask)
    return {"still_in_force": in_force(after.effects)}
