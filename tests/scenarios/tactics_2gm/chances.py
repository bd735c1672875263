"""Scenarios of odds: of a shot, of several at one target, of the bid for the start."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from companion.games.tactics_2gm import shot_odds
from companion.games.tactics_2gm.cards import START_AP
from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.shooting import Shot
from companion.games.tactics_2gm.shot_odds import BOUNCES, CRITICAL, MISS
from companion.kit.ruling import Refusal
from companion.kit.text import say
from tests.scenarios.fields import mapping, number, objects, one_of
from tests.scenarios.runner import Given, Unfit
from tests.scenarios.tactics_2gm.answers import Script
from tests.scenarios.tactics_2gm.fields import options_of, weapon
from tests.scenarios.tactics_2gm.shots import aim


def odds_shot(given: Given, _: Script) -> dict[str, Any]:
    """What the game foresees of a shot at something that one hit does not destroy."""
    said = given.get("target", "unit")
    kind = said.get("kind", "unit") if isinstance(said, dict) else said
    arm = {name: given[name] for name in ("hit", "crit", "penetration")}
    shooter = {name: given[name] for name in ("wounds", "under_suppression") if name in given}
    target = {"kind": kind, "armour": given.get("armour", 0), "wounds_max": 99, "pi": 99}
    whole = {**given, "weapon": arm, "shooter": shooter, "target": target}
    state, action = aim(Given(whole))
    bars = GAME.foresee(state, "allies", action)[0].bars
    nothing = sum((bar.chance for bar in bars if bar.label in (MISS, BOUNCES)), Fraction())
    critical = sum((bar.chance for bar in bars if bar.label == CRITICAL), Fraction())
    return {"no_effect": nothing, "damage": 1 - nothing - critical, "critical": critical}


def facts(arm: Given, armour: int, left: int, kind: str) -> Shot:
    """A shot whose numbers are final, as the rule knows it: what is above 10 stays there."""
    text = say("somebody")
    target: Any = "hq" if kind == "headquarters" else kind
    return Shot(
        weapon=weapon(arm),
        shooter=text,
        enemy=text,
        target=target,
        armour=armour,
        wounds_max=left,
        pi=left,
        natural_ten="hard",
    )


def odds_destroy(given: Given, _: Script) -> dict[str, Any]:
    options_of(given)
    armour, left = number("armour", given.get("armour", 0)), number("wounds_left", given["wounds_left"])
    kind = one_of("target", given.get("target", "unit"), ("unit", "hq", "headquarters", "building"))
    shots = []
    for one in objects("shots", given["shots"], "hit_on", "crit_on", "damage", "penetration", "name"):
        arm = Given(
            {
                "hit": one["hit_on"],
                "crit": one["crit_on"],
                "penetration": one["penetration"],
                "damage": one.get("damage", 1),
            }
        )
        shots.append(facts(arm, armour, left, kind))
    chances = shot_odds.destroyed_after(shots, left)
    return {"p_destroyed": chances[-1] if chances else Fraction(0)}


def odds_start(given: Given, _: Script) -> dict[str, Any]:
    """What the look-up of the bid shows."""
    bids = mapping("bids", given["bids"])
    if len(bids) != 2:
        raise Unfit("bids: of two players are needed")
    first, second = (number("bids", bid) for bid in bids.values())
    if not (0 <= first <= START_AP and 0 <= second <= START_AP):
        raise Refusal(say("A bid is 0 to 5 AP."), "G2-43", "bids")
    lookup = GAME.lookups["bid"]
    decides, roll = lookup.charts(lookup.facts(allies=first, axis=second))
    return {"p_first_decides": decides.bars[0].chance, "p_tie_first_roll": roll.bars[-1].chance}
