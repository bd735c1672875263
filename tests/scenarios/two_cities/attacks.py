"""Attacks: what they may do, what comes of them, and how likely that is."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from companion.games.two_cities.attack import Attack
from companion.games.two_cities.fight import WHAT_HAPPENS
from companion.games.two_cities.game import GAME
from companion.games.two_cities.state import State
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say
from tests.scenarios.fields import objects, one_of
from tests.scenarios.runner import OneOf, Unfit, refused
from tests.scenarios.two_cities.answers import Probe, Script, no_dice
from tests.scenarios.two_cities.fields import acting, rule

ATTACK = {"attacker", "target", "mode", "moved"}
MODES = {None, "melee", "ranged"}
PROTECTIONS = {None, "none", "terrain", "formation_hit", "formation_retreat"}
ONE_ATTACK = (None, "if it stands", "if it evades")
BOTH_SHOTS = ("with both shots", "with both shots if it stands", "with both shots if it evades")
EVENTS = {"target_destroyed": "Destroyed", "target_driven_back": "Driven back", "no_effect": "No effect"}
UNTRIED = (None, False)


def attack_action(given: dict[str, Any], **fields: Any) -> Attack:
    return Attack(given["attacker"], given["target"], given.get("mode"), **fields)


def intentions(entry: dict[str, Any]) -> dict[str, str]:
    """What the defender intends: evasion and its steps, protection."""
    evasion = entry.get("evasion")
    if isinstance(evasion, dict):
        if unknown := evasion.keys() - {"declared", "steps"}:
            raise Unfit(f"unknown field of an evasion {', '.join(sorted(unknown))}")
        declared, steps = bool(evasion.get("declared")), evasion.get("steps")
    else:
        declared, steps = bool(evasion), None
    one_of("protection", entry.get("protection"), PROTECTIONS)
    found = {"evasion": "yes" if declared else "no", "protection": str(entry.get("protection") or "none")}
    if declared and steps is not None:
        found["evasion_steps"] = str(steps)
    return found


def told(state: State, attacker: str, target: str) -> dict[str, Any]:
    """The result of the newest attack."""
    assert state.last is not None
    result = state.last.result
    unit, enemy = state.find(attacker), state.find(target)
    assert unit is not None
    assert enemy is not None
    return {
        "evaded": OneOf(*UNTRIED) if result.evaded is None else result.evaded,
        "dice_count": result.dice,
        "hits": result.hits,
        "retreats": result.retreats,
        "ignored": OneOf("none", None) if result.ignored == "none" else result.ignored,
        "hits_taken": result.hits_taken,
        "retreat_steps": 0 if result.evaded else result.steps,
        "blocked_hits": result.blocked,
        "destroyed": result.destroyed,
        "target_square": enemy.square,
        "target_hits": result.hits_after,
        "attacker_square": unit.square,
        "winner": state.winner,
        "range": result.range,
        "distance": result.distance,
    }


def attack_check(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    ask = Probe()
    after = rule(acting(given, given["attacker"]), attack_action(given), ask).outcome
    no_dice(dice)
    found = told(after, given["attacker"], given["target"])
    return {key: found[key] for key in ("dice_count", "range", "distance")}


def attack(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    ask = Script(dice, **intentions(given))
    after = attempt(acting(given, given["attacker"]), attack_action(given), ask, given)
    ask.finish("TTC-86")
    return told(after, given["attacker"], given["target"])


def attempt(state: State, action: Attack, ask: Script, entry: dict[str, Any]) -> State:
    """Attack; where the dice are wrong but something else is too, that is what the refusal says."""
    dice = list(ask.dice or ())
    try:
        return rule(state, action, ask).outcome
    except Refusal as refusal:
        if refusal.clause != "TTC-86":
            raise
        plenty = [face for face in dice if type(face) is int and 1 <= face <= 6] + [6, 1] * 8
        try:
            rule(state, action, Script(plenty, **intentions(entry)))
        except Refusal as other_reason:
            raise other_reason from refusal
        raise


def double_rain(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    state, left, shots = acting(given, given["attacker"]), list(dice), []
    for entry in objects("shots", given["shots"], "target", "evasion", "protection", "mode"):
        one_of("mode", entry.get("mode"), MODES)
        ask = Script(left, **intentions(entry))
        action = Attack(given["attacker"], entry["target"], entry.get("mode") or "ranged")
        try:
            state = attempt(state, action, ask, entry)
        except Refusal as refusal:
            shots.append(refused(refusal, GAME))
            continue
        finally:
            left = ask.dice or []
        found = told(state, given["attacker"], entry["target"])
        shots.append({"allowed": True, "refused": False, **found})
    no_dice(left)
    wrong_dice = next((shot for shot in shots if shot.get("refused_by") == ["TTC-86"]), {})
    return {"winner": state.winner, **wrong_dice, "shots": shots}


def evasion_check(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    state, action = acting(given, given["attacker"]), attack_action(given)
    good, bad = Probe(evade=True, face=6), Probe(evade=True, face=1)
    after = rule(state, action, good).outcome
    rule(state, action, bad)
    assert after.last is not None
    return {
        "max_steps": len(good.steps) or after.last.result.steps,
        "dice_if_evaded": good.counts["attack"],
        "dice_if_failed": bad.counts["attack"],
    }


def _titled(case: str | None) -> Text:
    return WHAT_HAPPENS if case is None else say("{what} {case}", what=WHAT_HAPPENS, case=say(case))


def odds(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    one_of("event", given["event"], EVENTS)
    one_of("number of shots", given.get("shots", 1), (1, 2))
    evasion = given.get("evasion")
    evades = bool(evasion.get("declared")) if isinstance(evasion, dict) else bool(evasion)
    state, action = acting(given, given["attacker"]), attack_action(given)
    if evades:
        rule(state, action, Probe(evade=True))
    if given.get("shots", 1) == 2:
        rule(rule(state, action, Probe()).outcome, action, Probe())
    alone, stands, evading = BOTH_SHOTS if given.get("shots", 1) == 2 else ONE_ATTACK
    wanted = [_titled(evading)] if evades else [_titled(alone), _titled(stands)]
    for chart in GAME.foresee(state, state.active, action):
        if chart.title in wanted:
            chance: Fraction = next(bar.chance for bar in chart.bars if bar.label.say == EVENTS[given["event"]])
            return {"probability": chance}
    raise Unfit("there are no such odds")
