"""The look-ups of fire: a shot, and how many shots destroy a target (G2-103 to G2-117)."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from companion.games.tactics_2gm import facts, odds, shooting
from companion.games.tactics_2gm.facts import KillFacts, ShotFacts
from companion.games.tactics_2gm.shooting import Result
from companion.kit.chart import Bar, Chart
from companion.kit.game import Lookup
from companion.kit.ruling import Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.shooting import Shot
    from companion.kit.asking import Ask
    from companion.kit.ruling import Reason

LONGEST = 100
"""How many shots are looked at: what takes more is said to take more."""
SHOWN = 20
EVEN, SAFE = Fraction(1, 2), Fraction(9, 10)


class Killed(msgspec.Struct, frozen=True, kw_only=True):
    """Hold how many shots it takes for an even chance to destroy, and for nine in ten; None: more than are looked at.

    ``turn`` is the chance in one turn (``3/4``), ``turn_shots`` how many shots that is.
    """

    turn_shots: int
    turn: str
    even: int | None
    safe: int | None


def shot(given: ShotFacts, ask: Ask) -> Ruling[Result]:
    """Rule on a shot."""
    found = shooting.shoot(facts.shot(given), ask, "allies")
    if found.destroyed:
        clause = {"hq": "G2-32", "building": "G2-137"}.get(given.target, "G2-112")
        ask.tell(_fate(found), "G2-104" if found.result == "critical" else clause)
    if found.occupant_destroyed:
        ask.tell(say("The unit inside is destroyed with it"), "G2-136")
    if found.weapon_flipped:
        ask.tell(say("The weapon is turned over to its grey side"), "G2-113")
    return Ruling(found, _fate(found), tuple(ask.reasons))


def _fate(found: Result) -> Text:
    """Say what came of a shot in a few words."""
    match found.result:
        case "miss":
            return odds.MISS
        case "bounced":
            return odds.BOUNCES
        case "critical":
            return odds.CRITICAL
        case _ if found.becomes_ruin:
            return say("The building is destroyed: it is a ruin")
        case _ if found.destroyed:
            return say("The headquarters is destroyed") if found.winner else say("The unit is destroyed")
        case _:
            return say("It hits")


def shot_charts(given: ShotFacts) -> tuple[Chart, ...]:
    """Show the odds of a shot."""
    one = facts.shot(given)
    shooting.check(one)
    return (odds.chart(one),)


def kill(given: KillFacts, ask: Ask) -> Ruling[Killed]:
    """Say how many shots it takes to destroy a target."""
    turn, chances = _turn(given), _chances(given)
    for reason in _needs(given):
        ask.tell(reason.text, reason.clause, reason.value, terms=reason.terms)
    even, safe = odds.shots_for(chances, EVEN), odds.shots_for(chances, SAFE)
    result = Killed(turn_shots=len(turn), turn=_written(chances[len(turn) - 1]), even=even, safe=safe)
    return Ruling(result, _shots(even, safe), tuple(ask.reasons))


def _written(chance: Fraction) -> str:
    return f"{chance.numerator}/{chance.denominator}"


def _kinds(given: KillFacts) -> tuple[tuple[Shot, int], ...]:
    """Return one shot of each weapon, and how often it is fired in a turn; raise Refusal when it can not be."""
    names = [say("weapon {number}", number=str(at)) for at in range(1, len(given.volleys) + 1)]
    names = names if len(names) > 1 else [say("the shooter")]
    found = tuple(
        (facts.at_target(given, weapon, shooter=name), shots)
        for name, (weapon, shots) in zip(names, given.volleys, strict=True)
    )
    shooting.check(found[0][0])
    return found


def _turn(given: KillFacts) -> tuple[Shot, ...]:
    return tuple(one for one, shots in _kinds(given) for _ in range(shots))


def _needs(given: KillFacts) -> tuple[Reason, ...]:
    return tuple(reason for one, _ in _kinds(given) for reason in odds.needs(one))


def _chances(given: KillFacts) -> tuple[Fraction, ...]:
    """Return the chance that it is destroyed after each shot, turn by turn."""
    turn = _turn(given)
    turns = -(-LONGEST // len(turn))
    return odds.destroyed_after(turn * turns, odds.left(turn[0]))


def _shots(even: int | None, safe: int | None) -> Text:
    match even, safe:
        case int(), int():
            return say("Shots for 50%: {even}; for 90%: {safe}", even=even, safe=safe)
        case int(), _:
            return say("Shots for 50%: {even}; for 90%: more than {most}", even=even, most=LONGEST)
        case _:
            return say("Shots for 50%: more than {most}", most=LONGEST)


def kill_charts(given: KillFacts) -> tuple[Chart, ...]:
    """Show the chance that the target is destroyed after each shot."""
    turn, chances = _turn(given), _chances(given)
    shown = max(len(turn), min(odds.shots_for(chances, SAFE) or SHOWN, SHOWN), 3)
    bars = tuple(
        Bar(say("after {count} shot|after {count} shots", count=count), chance)
        for count, chance in enumerate(chances[:shown], 1)
    )
    return (Chart(say("Destroyed"), bars),)


SHOT = Lookup(
    "shot",
    say("A shot"),
    ShotFacts,
    shot,
    shot_charts,
    say("What a shot takes to hit, to go through and to be critical, and what comes of it."),
)
SHOTS_TO_KILL = Lookup(
    "shots_to_kill",
    say("How many shots to kill"),
    KillFacts,
    kill,
    kill_charts,
    say("How likely a target is destroyed after one shot, two shots and more."),
)
