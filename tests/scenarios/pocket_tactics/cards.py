"""Scenarios of stat cards, skill tests and kickers."""

from __future__ import annotations

from typing import Any

from companion.games.pocket_tactics import skill_tests
from companion.games.pocket_tactics.cards import Faction, UnitCard
from companion.games.pocket_tactics.dice import clamped
from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.skill_tests import Trial
from companion.games.pocket_tactics.state import Shift, State, Unit
from companion.games.pocket_tactics.unit_editor import EditAbility, EditUnit
from companion.kit.asking import Ask
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import mapping, number, sequence
from tests.scenarios.pocket_tactics.answers import Script
from tests.scenarios.pocket_tactics.fields import UNIT, action, card, options_of, stat
from tests.scenarios.runner import Given, Unfit, refused

CARD = {*UNIT}
TEST = {"stat", "target"}
ADJUST = {"kicker", "deltas"}


def unit_card(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Write a stat card into a faction; what is not told of it does not matter."""
    no_dice(dice)
    try:
        return _written(given)
    except Refusal as no:
        return {**refused(no, GAME), "ok": False}


def _written(given: Given) -> dict[str, Any]:
    types = sequence("types", given.get("types"))
    if any(not isinstance(one, str) or "," in one for one in types):
        raise Unfit("types: words are needed")
    terrains = sequence("affinities", given.get("affinities", ["forest"]))
    one = card("unit", {name: value for name, value in given.items() if name in UNIT and name != "abilities"})
    written = action(
        EditUnit,
        "PT-02",
        name=one.name,
        types=", ".join(types),
        more_affinities=", ".join(terrains),
        cost=one.cost,
        copies=one.copies,
        melee=one.melee,
        ballistic=one.ballistic,
        third=one.third or "none",
        third_skill=one.third_skill,
        reach=one.reach,
    )
    state = State(options=options_of(given), factions={"blue": Faction(name="blue")})
    state = GAME.rule(state, "blue", written, Ask()).outcome
    for at, told in enumerate(sequence("abilities", given.get("abilities"))):
        said = {"name": told} if isinstance(told, str) else mapping("abilities", told)
        ability = action(EditAbility, "PT-05", card=0, ability=at, **{"name": "ability", **said})
        state = GAME.rule(state, "blue", ability, Ask()).outcome
    return {"ok": state.faction("blue").unit[0].types == tuple(types)}


def skill_test(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Roll a skill test."""
    ask, value = Script(dice), stat("stat", given["stat"])
    options_of(given)
    value = value._replace(kicker=clamped(value.kicker))
    target = number("target", given["target"])
    success = skill_tests.passed(Trial("blue", say("the unit"), say("the skill"), value, target), ask)
    ask.finish()
    return {"success": success}


def kicker_adjust(given: Given, dice: list[Any]) -> dict[str, Any]:
    """Change the kicker of a unit's skill as effects say."""
    no_dice(dice)
    printed, deltas = number("kicker", given["kicker"]), sequence("deltas", given["deltas"])
    one = UnitCard(name="unit", affinities=("forest",), cost=0, melee=f"1({printed})/0")
    shifts = tuple(Shift("melee", "offence", number("deltas", by)) for by in deltas)
    state = State(
        options=options_of(given),
        factions={"blue": Faction(name="blue", unit=(one,))},
        units=(Unit(id="b0.1", seat="blue", shifts=shifts),),
    )
    return {"kicker": state.value(state.units[0], "melee", "offence").kicker}


def no_dice(dice: list[Any]) -> None:
    """Refuse dice where none are thrown."""
    Script(dice).finish("PT-36")
