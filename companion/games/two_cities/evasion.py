"""Evasion: who may, the die, and the squares gone back (TTC-118 to TTC-127)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities.deck import rule_of
from companion.games.two_cities.units import KINDS, Kind
from companion.kit.asking import Option
from companion.kit.counts import squares
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.facts import Facts
    from companion.games.two_cities.options import Options
    from companion.kit.asking import Ask

FAILS = (1, 2, 3)
SUCCEEDS = (4, 5, 6)
FARTHEST = 2


def movement_of(kind: Kind, code: str | None) -> int:
    """Return how far a unit may move this turn, its card included (TTC-42, TTC-44, TTC-45, TTC-72)."""
    card = rule_of(code)
    if kind not in card.who:
        return KINDS[kind].movement
    return (card.movement_set or KINDS[kind].movement) + card.movement


def no_evasion(facts: Facts, rules: Options) -> Reason | None:
    """Say why the target may not evade; None when it may."""
    if facts.city:
        return Reason(say("A city never evades: it is faster than nobody ({see}).", see="TTC-118"), "TTC-07")
    if rules.evasion_melee_only and facts.mode == "ranged":
        return Reason(say("At this table a shot cannot be evaded."), "TTC-120")
    mine = facts.target_kind.movement
    card = None if rules.evasion_printed_speed else facts.card
    theirs = movement_of(facts.attacker, card)
    if mine <= theirs:
        return Reason(
            say(
                "Only a faster unit may evade, and equal is not faster ({see}): {target} {mine}, {attacker} {theirs}.",
                see="TTC-119",
                target=Text(facts.target),
                mine=mine,
                attacker=Text(facts.attacker),
                theirs=theirs,
            ),
            "TTC-118",
        )
    if facts.behind < 1:
        return Reason(say("There is no free square directly behind the unit."), "TTC-121")
    return None


def try_evasion(facts: Facts, rules: Options, ask: Ask) -> bool | None:
    """Ask the defender (TTC-122), then the die (TTC-123); None when nobody tries."""
    options = (
        Option("no", say("Stand and fight")),
        Option("yes", say("Evade"), no_evasion(facts, rules)),
    )
    why = say("Evade? On 4, 5 or 6 the attacker rolls half the dice and retreat hits are void.")
    if ask.choose(facts.defending, options, "evasion", why, clause="TTC-118") == "no":
        return None
    ask.tell(say("{unit}: declares an evasion", unit=Text(facts.target)), "TTC-118")
    return roll_evasion(facts, ask)


def roll_evasion(facts: Facts, ask: Ask) -> bool:
    """Throw the evasion die: 4 to 6 succeeds (TTC-123), else it is an ordinary attack (TTC-127)."""
    face = ask.throw(
        1,
        6,
        "evasion_die",
        say("Evasion: 4, 5 or 6 succeeds"),
        by=facts.defending,
        clause="TTC-86",
        alike=(FAILS, SUCCEEDS),
    )[0]
    success = face in SUCCEEDS
    outcome = (
        say("The evasion succeeds") if success else say("The evasion fails: an ordinary attack ({see})", see="TTC-127")
    )
    ask.tell(outcome, "TTC-123", faces=(face,))
    return success


def fall_back(facts: Facts, ask: Ask) -> int:
    """Ask how far the surviving evader goes back: 1 or 2 free squares (TTC-126)."""
    room = min(FARTHEST, facts.behind)
    barred = Reason(say("Only free squares count: there is {room} behind.", room=squares(room)), "TTC-126")
    options = tuple(
        Option(str(steps), squares(steps), None if steps <= room else barred) for steps in range(1, FARTHEST + 1)
    )
    why = say("How far back does the evader go?")
    steps = int(ask.choose(facts.defending, options, "evasion_steps", why, clause="TTC-126"))
    ask.tell(say("The evader goes back {far}", far=squares(steps)), "TTC-126")
    return steps
