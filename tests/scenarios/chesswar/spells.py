"""Scenarios of a mage's own turn: who may cast what, what it does, and how temporary spells end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.chesswar import destruction, magic, shooting, spells, traits
from companion.games.chesswar.armies import TEMPORARY
from companion.games.chesswar.game import GAME
from companion.games.chesswar.spells import Cast
from companion.games.chesswar.state import State, Unit
from companion.games.chesswar.turn import EndPhase
from tests.scenarios.chesswar import replies
from tests.scenarios.chesswar.answers import Script
from tests.scenarios.chesswar.combat import reinforced, with_healer
from tests.scenarios.chesswar.fields import ALL, effects_of, fallen, objects, one_of, other, per_unit, state_of, truth
from tests.scenarios.chesswar.magic import as_it_stood, barred, casting, check_reply, declare, in_force
from tests.scenarios.chesswar.shots import struck
from tests.scenarios.runner import Given, InAnyOrder

if TYPE_CHECKING:
    from collections.abc import Callable


def may_cast(given: Given, _: Script) -> dict[str, Any]:
    state, mage, spell = casting(given)
    target = given.get("target")
    barred(state, mage, spell)
    if spell in {"healing", "raise_dead"} and target is not None:
        state = as_it_stood(state, str(target))
        check_reply(state, mage, spell, state.unit(str(target), "target"))
    elif spell in {"zap", "strike", "flight"} and target is not None:
        declare(state, mage, Cast(mage.id, spell, str(target)))
    elif spell == "dispel":
        declare(state, mage, Cast(mage.id, "dispel", effect=next((one.mark for one in state.effects), "none")))
    spent = magic.spend(state, mage).unit(mage.id)
    return {"locked_out_next_own_turn": spent.locked}


def spell(given: Given, ask: Script) -> dict[str, Any]:
    state, mage, name = casting(given)
    if name in TEMPORARY:
        action = Cast(mage.id, name)
        declare(state, mage, action)
        after = GAME.rule(state, mage.side, action, ask).outcome
        return {"in_force": in_force(after.effects), "still_in_force": in_force(after.effects)}
    return CAST[name](given, state, mage, ask)


def zap(given: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    action = Cast(mage.id, "zap", str(given["target"]))
    declare(state, mage, action)
    target = state.unit(str(given["target"]))
    _, toll = spells.zap(state, mage, action, ask)
    apart = shooting.apart(state, mage, target.square or "")
    return {"hit": True, "direct": True, "distance": apart, **struck(state, toll, "shot")}


def strike(given: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    action = Cast(mage.id, "strike", str(given["target"]))
    declare(state, mage, action)
    target = state.unit(str(given["target"]))
    _, toll = spells.strike(state, mage, action, ask)
    need = traits.save_needed(state, target, "strike")
    return {
        "save_needed": per_unit({target.id: need if need <= 6 else None}),
        **fallen(toll),
        "continuation_possible": False,
    }


def dispel(given: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    listed = given["in_force"] if "in_force" in given else given.get("effects")
    state = state.but(effects=effects_of(listed, state.units, "in_force"))
    marks = dict(enumerate(effect.mark for effect in state.effects))
    action = Cast(mage.id, "dispel", effect=marks.get(given.get("choose") or 0, "none"))
    declare(state, mage, action)
    after = GAME.rule(state, mage.side, action, ask).outcome
    return {"still_in_force": in_force(after.effects)}


def flight(given: Given, state: State, mage: Unit, ask: Script) -> dict[str, Any]:
    name = str(given.get("target") or mage.id)
    action = Cast(mage.id, "flight", name, str(given["to"]))
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


CAST: dict[str, Callable[[Given, State, Unit, Script], dict[str, Any]]] = {
    "zap": zap,
    "strike": strike,
    "healing": replies.healing,
    "raise_dead": replies.raise_dead,
    "dispel": dispel,
    "flight": flight,
    "counterspell": replies.counterspell,
}


def temporary(given: Given, _: Script) -> dict[str, Any]:
    state = state_of(given, "combat")
    effects = effects_of(given["in_force"] if "in_force" in given else given["effects"], state.units, "in_force")
    event = objects("event", [given["event"]], "type", "caster", "healed", "side")[0]
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
        after = GAME.rule(state, other(side), EndPhase(), ask).outcome
    else:
        if truth("healed", event.get("healed")):
            state = with_healer(state, side, caster, ask)
        after, _ = destruction.strike_down(state, (caster,), "attack", ask)
    return {"still_in_force": in_force(after.effects)}
