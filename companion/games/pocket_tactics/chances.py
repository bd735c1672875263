"""The odds of an assault as charts: how it may end with re-rolls used best, and without any (PT-42 to PT-46)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import odds, parties
from companion.games.pocket_tactics.best_play import PATIENTLY, TooMany
from companion.games.pocket_tactics.fight import fight
from companion.games.pocket_tactics.odds import Ends, Fighter
from companion.games.pocket_tactics.rerolls import TOO_MANY
from companion.kit.asking import Ask, Pending
from companion.kit.chart import Bar, Chart
from companion.kit.ruling import Reason
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.options import Options
    from companion.games.pocket_tactics.parties import Facts

BEST = say("Both sides use every re-roll as well as can be: to capture more often than they lose their own.")
BEST_AT_A_BASE = say("Both sides use every re-roll as well as can be: to take the base, or to hold it.")


def charts(facts: Facts, options: Options, most: int = PATIENTLY) -> tuple[Chart, ...]:
    """Show how likely each end of an assault is; what it rests on is told with the first chart.

    Where it takes more than ``most`` to work out how re-rolls are used best, the odds without any are shown alone.
    """
    rolled = parties.values(facts, options)
    attacker = Fighter(rolled.attacker_offence, rolled.attacker_defence, facts.attacker.rerolls)
    defender = Fighter(rolled.defender_offence, rolled.defender_defence, facts.defender.rerolls)
    plain = odds.without_rerolls((attacker.offence, defender.defence), (defender.offence, attacker.defence))
    known = _told_first(facts, options)
    if not (any(facts.attacker.rerolls) or any(facts.defender.rerolls)):
        return (Chart(say("How it may end"), _bars(facts, options, plain), reasons=known),)
    try:
        best = odds.ends(attacker, defender, options.reroll_order, (facts.attacker.worth, facts.defender.worth), most)
    except TooMany:
        known = (*known, Reason(TOO_MANY, "PT-46"))
        return (Chart(say("Without re-rolls"), _bars(facts, options, plain), reasons=known),)
    known = (*known, Reason(BEST_AT_A_BASE if facts.base else BEST, "PT-46"))
    return (
        Chart(say("With re-rolls"), _bars(facts, options, best), reasons=known),
        Chart(say("Without re-rolls"), _bars(facts, options, plain)),
    )


def _told_first(facts: Facts, options: Options) -> tuple[Reason, ...]:
    """Return what is told before the dice: why there is no counter-attack, and who has which re-rolls."""
    try:
        fight(facts, options, Ask())
    except Pending as waits:
        return waits.reasons
    return ()


def _bars(facts: Facts, options: Options, ends: Ends) -> tuple[Bar, ...]:
    """Name the ends that there are: without a counter-attack nobody but the defender is captured (PT-A22)."""
    attacker, defender = facts.attacker.name, facts.defender.name
    if facts.base:
        return (
            Bar(say("The base is taken"), ends.defender_captured),
            Bar(say("The base holds"), ends.stall),
        )
    captured = Bar(say("Captured: {unit}", unit=defender), ends.defender_captured)
    nobody = Bar(say("Captured: nobody"), ends.stall)
    if parties.values(facts, options).defender_offence.none:
        return captured, nobody
    return (
        captured,
        Bar(say("Captured: both"), ends.both_captured),
        Bar(say("Captured: {unit}", unit=attacker), ends.attacker_captured),
        nobody,
    )
