"""Scenarios of odds: exact fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from companion.games.pocket_tactics.assault_odds import p_hit, without_rerolls
from companion.games.pocket_tactics.best_play import choices
from companion.games.pocket_tactics.dice import Dice, Standing, Value, Window, clamped, counting
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.skill_tests import p_test
from companion.games.pocket_tactics.terrain import p_path
from companion.kit.odds import throws
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import mapping, number, sequence
from tests.scenarios.pocket_tactics.cards import no_dice
from tests.scenarios.pocket_tactics.fields import amount, options_of, pair, stat
from tests.scenarios.runner import Given

HIT = {"offence", "defence"}
ASSAULT = {"attack", "counter"}
TEST = {"stat", "target"}
PATH = {"tests"}
REROLL = {"offence_dice", "offence_kicker", "defence_rolled", "defence_kicker"}


def _counts(value: Value, options: Options) -> Value:
    """What a value counts in an assault."""
    return counting(value._replace(kicker=clamped(value.kicker)), options)


def odds_hit(given: Given, dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    options = options_of(given)
    return {"p_hit": p_hit(*(_counts(stat(one, given[one]), options) for one in ("offence", "defence")))}


def odds_assault(given: Given, dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    options = options_of(given)
    fights = [tuple(_counts(one, options) for one in pair(name, given[name])) for name in ("attack", "counter")]
    return without_rerolls((fights[0][0], fights[0][1]), (fights[1][0], fights[1][1]))._asdict()


def odds_test(given: Given, dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    options_of(given)
    value = stat("stat", given["stat"])
    chance = p_test(value._replace(kicker=clamped(value.kicker)), number("target", given["target"]))
    return {"p_success": chance}


def odds_path(given: Given, dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    options_of(given)
    fails = [
        one if isinstance(one, int) else mapping("tests", one, "fails_on_up_to")["fails_on_up_to"]
        for one in sequence("tests", given["tests"])
    ]
    if any(not 0 <= number("fails_on_up_to", one) <= 6 for one in fails):
        raise Refusal(say("A die shows 1 to 6."), "PT-70", "tests")
    return {"p_safe": p_path(fails)}


def odds_reroll(given: Given, dice: list[Any]) -> dict[str, Any]:
    no_dice(dice)
    options, value = options_of(given), stat("offence_dice", given["offence_dice"])
    kicker = amount(given, "offence_kicker") or value.kicker
    saving = _counts(Value(0, amount(given, "defence_kicker")), options).kicker
    rolled = [number("defence_rolled", face) for face in sequence("defence_rolled", given["defence_rolled"])]
    if any(not 1 <= face <= 6 for face in rolled):
        raise Refusal(say("A die shows 1 to 6."), "PT-36", "defence_rolled")
    return {"p_hit": hit_once_more(_counts(value._replace(kicker=kicker), options), Dice(tuple(rolled), saving))}


def hit_once_more(offence: Value, defence: Dice) -> Fraction:
    """The chance that offence hits dice that are known, if one of its dice may be rolled again."""
    left, found = (Window("attacker", offence=1),), Fraction(0)
    for faces, chance in throws(offence.dice, 6):
        follow = choices(Standing(Dice(faces, offence.kicker), Dice(), Dice(), defence), left)
        assert follow is not None
        found += chance * max(ends.defender_captured for ends in follow.values())
    return found
