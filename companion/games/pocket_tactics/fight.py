"""The course of an assault, over facts: the ground, the dice, re-rolls, what hits, the ground again
(PT-36 to PT-53, PT-71, PT-A13, PT-A14, PT-A24, PT-A29, ledger 5.5).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Literal, NamedTuple

from companion.games.pocket_tactics import dice, hazards
from companion.games.pocket_tactics.best_play import Ends, choices
from companion.games.pocket_tactics.dice import (
    POOLS,
    ROLES,
    Choice,
    Dice,
    Facts,
    Kind,
    Party,
    Role,
    Standing,
    Values,
    Window,
    after,
    foe,
    opposed,
    rolled,
    windows,
)
from companion.games.pocket_tactics.hazards import Fate, Mover
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.terrain import Land, Spot
from companion.kit.asking import Ask
from companion.kit.clash import of_faces
from companion.kit.questions import Foretold, Option
from companion.kit.ruling import Harm, Reason, total
from companion.kit.text import Text, say

End = Literal["defender_captured", "attacker_captured", "both_captured", "stall", "base_taken"]

Foretells = Callable[[Standing, tuple[Window, ...]], Foretold]
"""Says what follows from each option of the first window that is left. Nothing: it is too much."""
TOO_MANY = say("There are too many dice and re-rolls to work out how they are used best.")
KEEP = "pass"


class Outcome(NamedTuple):
    """What an assault came to (PT-42 to PT-45, PT-65)."""

    attack_hits: bool
    counter_hits: bool
    base: bool = False

    @property
    def end(self) -> End:
        """Name the end."""
        if self.base:
            return "base_taken" if self.attack_hits else "stall"
        if self.attack_hits:
            return "both_captured" if self.counter_hits else "defender_captured"
        return "attacker_captured" if self.counter_hits else "stall"


class Course(NamedTuple):
    """An assault from tile to tile; a base has no terrain.

    ``land`` is what lies around the attacker, ``won`` the same once the defender is gone.
    """

    facts: Facts
    mover: Mover
    origin: Spot
    target: Spot
    land: Land
    won: Land


class Result(NamedTuple):
    """How it went: no ``outcome`` where the ground cancelled it; ``fate`` is what the ground did to the attacker.

    A ``fate`` that follows an outcome is that of a victor who stands on the target's tile.
    """

    outcome: Outcome | None
    fate: Fate | None


def run(
    course: Course,
    options: Options,
    ask: Ask,
    foretold: Foretells | None = None,
    fought: Callable[[Result], None] = lambda _: None,
) -> Result:
    """Assault: tests of the tiles that are left and entered come first, that of ice under the victor last.

    ``fought`` is told how it has gone before that last test: the victor stands on the target's tile.
    """
    facts, mover, target = course.facts, course.mover, course.target
    fate = hazards.leaving(mover, course.origin, target.terrain, facts.kind, course.land, ask)
    if fate is None and facts.kind == "melee":
        fate = hazards.charging(mover, target, ask)
    if fate is not None:
        ask.tell(say("The assault does not take place; the turn is over."), "PT-71")
        return Result(None, fate)
    outcome = fight(facts, options, ask, foretold)
    if facts.kind == "melee" and outcome.end == "defender_captured":
        fought(Result(outcome, Fate("there", target)))
        return Result(outcome, hazards.afterwards(mover, target, course.won, ask))
    return Result(outcome, None)


def fight(facts: Facts, options: Options, ask: Ask, foretold: Foretells | None = None) -> Outcome:
    """Fight an assault: all roll, re-rolls are taken in their windows, then attack and counter are compared (PT-39).

    ``foretold`` says what follows from each choice of a re-roll.
    """
    _tell_why_not(facts, options, ask)
    for party in (facts.attacker, facts.defender):
        _tell_rerolls(facts.kind, party, ask)
    standing = _thrown(facts, rolled(facts, options), ask)
    left = windows(facts.attacker.rerolls, facts.defender.rerolls, options.reroll_order)
    standing = _rerolls_taken(facts, standing, left, ask, foretold)
    outcome = Outcome(standing.hits("attacker"), standing.hits("defender"), facts.base)
    _tell_dice(facts, standing, outcome, ask)
    _tell_end(facts, outcome, ask)
    return outcome


def _tell_why_not(facts: Facts, options: Options, ask: Ask) -> None:
    if facts.base:
        ask.tell(say("A base does not strike back."), "PT-A19")
    elif not facts.reached:
        ask.tell(say("{unit} does not reach that far: no counter-attack", unit=facts.defender.name), "PT-60")
    elif dice.counting(facts.defender.offence, options).none:
        ask.tell(say("{unit} has no offence in this skill: no counter-attack", unit=facts.defender.name), "PT-A07")


def _tell_rerolls(kind: Kind, party: Party, ask: Ask) -> None:
    """Tell how many re-rolls a side has, and where they come from (PT-48, PT-52, PT-53, PT-57, PT-58)."""
    melee = kind == "melee"
    sources = (
        Reason(say("by special abilities"), "PT-48", len(party.abilities)),
        Reason(say("by affinity"), "PT-52" if melee else "PT-57", int(party.favoured)),
        Reason(say("by assistance"), "PT-53" if melee else "PT-58", party.assists),
    )
    terms = tuple(source for source in sources if source.value)
    if terms:
        count = total(terms)
        text = say("{count} re-roll of {unit}|{count} re-rolls of {unit}", count=count, unit=party.name)
        ask.tell(text, "PT-46", count, terms=terms)


def _thrown(facts: Facts, values: Values, ask: Ask) -> Standing:
    """Roll the pools that matter; a kicker is never rolled, nor is a pool without dice (PT-36, PT-95, PT-A22)."""
    standing, shown = Standing(*(Dice((), value.kicker) for value in values)), list[Reason]()
    pools = dict(zip(product(ROLES, POOLS), values, strict=True))
    for (side, pool), value in pools.items():
        if not value.dice:
            continue
        party = facts.party(side)
        key, why = f"{side}_{pool}", party.pool(pool)
        against = foe(side), opposed(pool)
        lies = len(standing.of(*against).faces) == pools[against].dice
        does = standing.thrown(side, pool, (1,)).effects(side, Choice(pool, 0)) if lies and value.dice == 1 else ()
        with ask.meanwhile(lambda: shown):
            faces = ask.throw(value.dice, 6, key, why, by=party.seat, clause="PT-36", does=does)
        shown.append(Reason(why, "PT-36", faces=faces, does=of_faces(faces, does)))
        standing = standing.thrown(side, pool, faces)
    return standing


def _rerolls_taken(
    facts: Facts, standing: Standing, left: tuple[Window, ...], ask: Ask, foretold: Foretells | None
) -> Standing:
    """Let both sides use their re-rolls, window after window; returns the dice as they then lie."""
    times = 0
    while left:
        choice = _chosen(facts, standing, left, times, ask, foretold)
        if choice is None:
            left, times = left[1:], 0
            continue
        standing = _again(facts, standing, left[0].side, choice, ask)
        further = after(left, choice.pool)
        left, times = further, times + 1 if len(further) == len(left) else 0
    return standing


def _chosen(
    facts: Facts, standing: Standing, left: tuple[Window, ...], times: int, ask: Ask, foretold: Foretells | None
) -> Choice | None:
    """Ask which die is rolled again, of those alike the first; None: the window is given up (PT-50, PT-A13)."""
    side, party = left[0].side, facts.party(left[0].side)
    dice = {
        f"{pool}.{at}": (Choice(pool, at), face)
        for pool in POOLS
        for at, face in enumerate(standing.of(side, pool).faces if left[0].may(pool) else ())
        if face not in standing.of(side, pool).faces[:at]
    }
    if not dice:
        return None
    options = [Option(value, _die(choice, face)) for value, (choice, face) in dice.items()]
    options.append(Option(KEEP, say("Keep the dice")))
    of = _source(party, left)
    why = say(
        "Which die does {unit} roll again? {count} left ({source})|"
        "Which die does {unit} roll again? {count} left ({source})",
        unit=party.name,
        count=left[0].total,
        source=say("ability") if of == "ability" else _situation(party),
    )
    key = f"reroll_{side}_{of}_{times + 1}"
    with ask.meanwhile(partial(_compared, facts, standing)):
        if foretold is None:
            value = ask.choose(party.seat, options, key, why, clause="PT-50")
        else:
            follows = partial(foretold, standing, left)
            value = ask.choose_foretold(party.seat, options, key, why, follows, clause="PT-50")
    if value == KEEP:
        ask.tell(say("{unit} keeps the dice.", unit=party.name), "PT-A13")
        return None
    return dice[value][0]


def _source(party: Party, left: tuple[Window, ...]) -> str:
    """Name what the first window is for: a side's abilities come before its situation (PT-48, PT-49)."""
    further = any(window.side == left[0].side for window in left[1:])
    return "ability" if further or not party.rerolls.situational else "situational"


def _situation(party: Party) -> Text:
    """Name what gives a unit its situational re-rolls (PT-51)."""
    if party.favoured and party.assists:
        return say("affinity and assists")
    return say("affinity") if party.favoured else say("assistance")


def _die(choice: Choice, face: int) -> Text:
    return say("Offence: {face}" if choice.pool == "offence" else "Defence: {face}", face=face)


def _compared(facts: Facts, standing: Standing) -> tuple[Reason, ...]:
    """Lay out how the dice lie now."""
    attack, counter = Reason(say("Attack"), "PT-40", duel=facts.attack(standing)), facts.counter(standing)
    return (attack, Reason(say("Counter-attack"), "PT-39", duel=counter)) if counter else (attack,)


def notes(facts: Facts) -> Foretells:
    """Return what says what follows from each re-roll if both play best, the best first; silent where it is too much.

    Of what is equally good keeping the dice comes first: then there is nothing to gain.
    """
    worth = (facts.attacker.worth, facts.defender.worth)

    def foretold(standing: Standing, left: tuple[Window, ...]) -> Foretold:
        side, follow = left[0].side, choices(standing, left, worth) or {}
        best = sorted(follow, key=lambda choice: (-_gain(follow[choice], side, worth), choice is not None))
        said = {choice: _said(follow[choice], side, base=facts.base) for choice in best}
        if best and best[0] is None:
            said[None] = say("nothing to gain: {follows}", follows=said[None])
        named = {f"{choice.pool}.{choice.die}" if choice else KEEP: words for choice, words in said.items()}
        gains = [_gain(follow[choice], side, worth) for choice in best[:2]]
        clear = best and (best[0] is None or len(gains) < 2 or gains[0] > gains[1])
        too_much = () if named else (Reason(TOO_MANY, "PT-46"),)
        return Foretold(named, next(iter(named)) if clear else None, too_much)

    return foretold


def _gain(ends: Ends, side: Role, worth: tuple[int, int]) -> Fraction:
    """Return what an end is worth to one of the two: the enemy's chance of capture less the own one, weighed."""
    defender, attacker = ends.defender_captured + ends.both_captured, ends.attacker_captured + ends.both_captured
    gain = worth[1] * defender - worth[0] * attacker
    return gain if side == "attacker" else -gain


def _said(ends: Ends, side: Role, *, base: bool) -> Text:
    """Say how likely both captures are, to one of the two."""
    defender, attacker = ends.defender_captured + ends.both_captured, ends.attacker_captured + ends.both_captured
    if base:
        return say("the base falls {percent}%", percent=round(100 * defender))
    captures, falls = (defender, attacker) if side == "attacker" else (attacker, defender)
    return say("captures {captures}%, falls {falls}%", captures=round(100 * captures), falls=round(100 * falls))


def _again(facts: Facts, standing: Standing, side: Role, choice: Choice, ask: Ask) -> Standing:
    """Roll one die again: the new face stays, whatever it is (PT-A14)."""
    party = facts.party(side)
    pool, was = party.pool(choice.pool), standing.of(side, choice.pool).faces[choice.die]
    does = standing.effects(side, choice)
    with ask.meanwhile(partial(_compared, facts, standing)):
        (face,) = ask.throw(1, 6, "reroll", pool, by=party.seat, clause="PT-50", does=does)
    ask.tell(say("{pool}: {was} is rolled again, {face}", pool=pool, was=was, face=face), "PT-50")
    return standing.rerolled(side, choice, face)


def _tell_dice(facts: Facts, standing: Standing, outcome: Outcome, ask: Ask) -> None:
    ask.tell(say("The attack hits." if outcome.attack_hits else "The attack does not hit."), "PT-40")
    ask.oppose(facts.attack(standing))
    counter = facts.counter(standing)
    if counter:
        back = say("The counter-attack hits.") if outcome.counter_hits else say("The counter-attack does not hit.")
        ask.tell(back, "PT-39")
        ask.oppose(counter)


def _tell_end(facts: Facts, outcome: Outcome, ask: Ask) -> None:
    attacker, defender = facts.attacker, facts.defender
    match outcome.end:
        case "base_taken":
            ask.tell(say("{unit} takes the enemy base.", unit=attacker.name), "PT-65")
        case "both_captured":
            both = say("{unit} and {enemy}: both captured", unit=attacker.name, enemy=defender.name)
            ask.tell(both, "PT-43", harm=(*_harm(defender, attacker), *_harm(attacker, defender)))
        case "defender_captured":
            ask.tell(say("{unit}: captured", unit=defender.name), "PT-42", harm=_harm(defender, attacker))
        case "attacker_captured":
            ask.tell(say("{unit}: captured", unit=attacker.name), "PT-44", harm=_harm(attacker, defender))
        case "stall" if facts.kind == "melee":
            ask.tell(say("The fight stalls: {unit} goes back.", unit=attacker.name), "PT-45")
        case "stall":
            ask.tell(say("The fight stalls."), "PT-45")


def _harm(lost: Party, by: Party) -> tuple[Harm, ...]:
    return (Harm(lost.piece, 0, "gone", by.piece),) if lost.piece else ()
