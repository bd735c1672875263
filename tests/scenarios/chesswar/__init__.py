"""Read scenarios of ChessWar and let its rules answer them through the game's public contract."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from companion.games.chesswar.game import GAME
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.chesswar import combat, movement, replies, setup, shots, spells
from tests.scenarios.chesswar.answers import WRONG_DICE, Script, chances
from tests.scenarios.chesswar.fields import COMMON, mapping, one_of, refuse, sequence
from tests.scenarios.runner import Given, OneOf, Unfit, named

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.chesswar.destruction import Toll

    Answer = Callable[[Given, Script], dict[str, Any]]

__all__ = ["GAME", "run"]

SAME: dict[str, tuple[str, ...]] = {
    "CW-30": ("CW-29",),
    "CW-43": ("CW-28",),
    "CW-55": ("CW-47",),
    "CW-63": ("CW-55", "CW-47"),
    "CW-68": ("CW-47", "CW-48"),
    "CW-47": ("CW-48",),
    "CW-77": ("CW-47",),
    "CW-78": ("CW-47",),
    "CW-114": ("CW-118",),
    "CW-124": ("CW-121",),
    "CW-136": ("CW-96",),
    "CW-137": ("CW-117",),
}
"""Clauses that say elsewhere in the rulebook what a refusal rests on: either may be cited."""

EVENTS: dict[str, set[str]] = {
    "destroyed": {"unit"},
    "destroyed_and_alive": {"unit", "alive"},
    "impact": {"square"},
    "engaged": set(),
    "base_works": set(),
    "none_destroyed": set(),
}


def run(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    """Let the rules answer; raise Unfit for a kind or a field that nobody knows, Refusal where the rules refuse."""
    answer, fields = checked(given)
    lot = given.get("random_opponent")
    ask = Script(sequence("dice", dice), None if lot is None else str(lot))
    try:
        found = answer(fields, ask)
    except Refusal as refusal:
        refuse(refusal.text.say, *named(refusal, GAME.rulebook.ids()), *SAME.get(refusal.clause or "", ()))
    if ask.dice:
        raise Refusal(say("More dice were given than you roll."), WRONG_DICE, "dice")
    return found


def checked(given: dict[str, Any]) -> tuple[Answer, Given]:
    """How a scenario is answered, and its fields if all of them are known."""
    kind = given.get("kind")
    if not isinstance(kind, str) or kind not in KINDS_OF_SCENARIO:
        raise Unfit(f"unknown kind {kind!r}")
    fields, answer = KINDS_OF_SCENARIO[kind]
    if kind != "odds" and (unknown := given.keys() - COMMON - fields):
        raise Unfit(f"unknown field {', '.join(sorted(unknown))}")
    return answer, Given(given)


def odds(given: Given, _: Script) -> dict[str, Any]:
    """Let the rules of one of the other kinds go every way that dice can fall."""
    of = given["of"]
    inner = dict(of) if isinstance(of, dict) else {"kind": of}
    inner |= {field: value for field, value in given.items() if field not in {"kind", "of", "event"}}
    event = mapping("event", given["event"])
    one_of("event", event["type"], EVENTS)
    if unknown := event.keys() - {"type"} - EVENTS[event["type"]]:
        raise Unfit(f"unknown field of an event {', '.join(sorted(unknown))}")
    if inner.get("kind") == "odds":
        raise Unfit("odds of odds")
    answer, fields = checked(inner)
    lot = inner.get("random_opponent")
    found = chances(lambda ask: happened(answer(fields, ask), event), None if lot is None else str(lot))
    strictly, loosely = (sum((chance for both, chance in found.items() if both[at]), Fraction()) for at in (0, 1))
    return {"probability": OneOf(strictly, loosely) if strictly != loosely else strictly}


def happened(found: dict[str, Any], event: Given) -> tuple[bool, bool]:
    """Whether an event has come about: where a unit knocked over does not count as destroyed, and where it does."""
    if event["type"] in {"engaged", "base_works"}:
        return (found[event["type"]],) * 2
    if event["type"] == "impact":
        return (found["impact"] == event["square"],) * 2
    toll: Toll | None = found.get("toll")
    if toll is None:
        raise Unfit(f"nobody can be {event['type']} in such a scenario")
    gone, fallen = toll.destroyed, toll.destroyed + toll.knocked_down
    if event["type"] == "none_destroyed":
        return not gone, not fallen
    alive = str(event["alive"]) if event["type"] == "destroyed_and_alive" else None
    unit = str(event["unit"])
    return unit in gone and alive not in gone, unit in fallen and alive not in fallen


KINDS_OF_SCENARIO: dict[str, tuple[set[str], Answer]] = {
    "unit_info": ({"type"}, setup.unit_info),
    "army_build": ({"army"}, setup.army_build),
    "first_player": ({"armies"}, setup.first_player),
    "deploy": ({"redeploy", "first"}, setup.deploy),
    "deploy_view": ({"both_ready"}, setup.deploy_view),
    "distance": ({"from", "to"}, setup.distance),
    "visibility": ({"from", "to", "occupied"}, setup.visibility),
    "move": ({"unit", "path", "teleport_to", "to"}, movement.move),
    "charge": ({"charger", "target"}, movement.charging),
    "bow_check": ({"shooter", "target"}, shots.bow_check),
    "bow_shot": ({"shooter", "target"}, shots.bow_shot),
    "catapult_check": ({"shooter", "target_square"}, shots.catapult_check),
    "catapult_shot": ({"shooter", "target_square"}, shots.catapult_shot),
    "melee_attack": ({"attacker", "defender"}, combat.melee_attack),
    "continuation": ({"attacker", "victim_square", "cause", "victim_healed"}, combat.continuing),
    "regeneration": ({"square_entered"}, combat.regeneration),
    "may_cast": ({"caster", "spell", "when", "phase", "target"}, spells.may_cast),
    "spell": (
        {"caster", "spell", "when", "phase", "target", "to", "in_force", "choose", "healing_pending", "count_on_board"},
        spells.spell,
    ),
    "counter_chain": ({"base", "counters"}, replies.counter_chain),
    "temporary": ({"in_force", "event"}, spells.temporary),
    "unit_state": ({"unit", "viewer"}, combat.unit_state),
    "game_end": ({"events", "generals_per_side"}, combat.game_end),
    "massacre_turn_start": ({"undead_units_left"}, combat.massacre_turn_start),
    "odds": ({"of", "event"}, odds),
}
