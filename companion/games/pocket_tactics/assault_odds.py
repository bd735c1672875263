"""The exact odds of an assault: its four ends, as charts, and as the look-up of typed-in facts (PT-36 to PT-60)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

from companion.games.pocket_tactics import best_play
from companion.games.pocket_tactics.best_play import MOST_DICE, PATIENTLY, Ends, TooMany
from companion.games.pocket_tactics.dice import (
    BASE_DICE,
    MOST_KICKER,
    Facts,
    Kind,
    Party,
    Rerolls,
    Touches,
    Value,
    base_party,
    counting,
    rolled,
    windows,
)
from companion.games.pocket_tactics.fight import TOO_MANY, End, fight, notes
from companion.games.pocket_tactics.options import Options, Order
from companion.kit.asking import Ask, Pending
from companion.kit.forms import picked
from companion.kit.game import Lookup
from companion.kit.odds import Bar, Chart
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, numbered, say


class Fighter(NamedTuple):
    """One unit as it fights: both values as they are rolled, and its re-rolls.

    Who can not counter has no offence, and then the attacker's defence is not rolled: both are ``Value()`` (PT-A22).
    """

    offence: Value
    defence: Value
    rerolls: Rerolls = Rerolls()


def p_hit(offence: Value, defence: Value) -> Fraction:
    """Return the chance that offence hits defence (PT-40, PT-41, PT-A03)."""
    return _p_hit(6, offence.dice, defence.dice, offence.kicker, defence.kicker)


@lru_cache(maxsize=4096)
def _p_hit(face: int, offence: int, defence: int, kicker: int, saving: int) -> Fraction:
    """Return the chance of a hit when all dice above ``face`` were cancelled, and so many are left on both sides.

    Each that is left shows ``face`` or less: it is ``face`` once in as many times.
    """
    if face == 0:
        return Fraction(0)
    total = Fraction(0)
    for ours in range(offence + 1):
        for theirs in range(defence + 1):
            chance = _p_shows(face, offence, ours) * _p_shows(face, defence, theirs)
            more = ours + (kicker == face) - theirs - (saving == face)
            if more > 0:
                total += chance
            elif more == 0:
                total += chance * _p_hit(face - 1, offence - ours, defence - theirs, kicker, saving)
    return total


def _p_shows(face: int, dice: int, times: int) -> Fraction:
    return Fraction(comb(dice, times) * (face - 1) ** (dice - times), face**dice)


def without_rerolls(attack: tuple[Value, Value], counter: tuple[Value, Value]) -> Ends:
    """Return the odds of two fights, each (offence, defence), with every die as it was first thrown (PT-39)."""
    strikes, back = p_hit(*attack), p_hit(*counter)
    return Ends(strikes * (1 - back), strikes * back, (1 - strikes) * back, (1 - strikes) * (1 - back))


@lru_cache(maxsize=256)
def ends(
    attacker: Fighter,
    defender: Fighter,
    order: Order = "windows",
    worth: tuple[int, int] = (1, 1),
    most: int = PATIENTLY,
) -> Ends | None:
    """Return the odds of the four ends, every re-roll played best by both sides.

    Best is what makes the chance that the enemy unit is captured, less the chance that the own one is, as large as can
    be; ``worth`` weighs them, as the attacker and the defender are worth (each at least 1). Of plays that are equally
    good in that the attacker takes the one in which the defender is captured more often, the defender the one in which
    it is less often; and then both are captured more often, or less.

    All dice are thrown openly first, and everybody sees them all when deciding (PT-46 to PT-50, PT-A13, PT-A14). None
    where that takes longer than it may: ``most`` is ``best_play.AT_ONCE`` or ``PATIENTLY``. That is kept as well.
    """
    attack, counter = (attacker.offence, defender.defence), (defender.offence, attacker.defence)
    left = windows(attacker.rerolls, defender.rerolls, order)
    if not left:
        return without_rerolls(attack, counter)
    try:
        return best_play.played(attack, counter, left, worth, most)
    except TooMany:
        return None


BEST = say("Both sides use every re-roll as well as they can: to capture more often than they lose their own.")
BEST_AT_A_BASE = say("Both sides use every re-roll as well as they can: to take the base, or to hold it.")


def charts(facts: Facts, options: Options, most: int = PATIENTLY) -> tuple[Chart, ...]:
    """Show how likely each end of an assault is; what it rests on is told with the first chart.

    Where it takes more than ``most`` to work out how re-rolls are used best, the odds without any are shown alone.
    """
    values = rolled(facts, options)
    attacker = Fighter(values.attacker_offence, values.attacker_defence, facts.attacker.rerolls)
    defender = Fighter(values.defender_offence, values.defender_defence, facts.defender.rerolls)
    plain = without_rerolls((attacker.offence, defender.defence), (defender.offence, attacker.defence))
    bars, known = _bars(facts, options, plain), _told_first(facts, options)
    if not (any(facts.attacker.rerolls) or any(facts.defender.rerolls)):
        return (Chart(say("How it may end"), bars, reasons=known),)
    best = ends(attacker, defender, options.reroll_order, (facts.attacker.worth, facts.defender.worth), most)
    if best is None:
        return (Chart(say("Without re-rolls"), bars, reasons=(*known, Reason(TOO_MANY, "PT-46"))),)
    known = (*known, Reason(BEST_AT_A_BASE if facts.base else BEST, "PT-46"))
    return (
        Chart(say("With re-rolls"), _bars(facts, options, best), reasons=known),
        Chart(say("Without re-rolls"), bars),
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
    if facts.base:
        return Bar(say("The base is taken"), ends.defender_captured), Bar(say("The base holds"), ends.stall)
    captured = Bar(say("Captured: {unit}", unit=facts.defender.name), ends.defender_captured)
    nobody = Bar(say("Captured: nobody"), ends.stall)
    if rolled(facts, options).defender_offence.none:
        return captured, nobody
    return (
        captured,
        Bar(say("Captured: both"), ends.both_captured),
        Bar(say("Captured: {unit}", unit=facts.attacker.name), ends.attacker_captured),
        nobody,
    )


ATTACKER, TARGET = say("the attacker"), say("the target")

HOME = "home"
"""Stands for any terrain of a unit's affinity."""

DiceCount = Annotated[int, Meta(ge=0, le=MOST_DICE)]
Kicker = Annotated[int, Meta(description="The number in brackets; 0: none.", ge=0, le=MOST_KICKER)]
Assists = Annotated[
    int, Meta(description="Friends on tiles beside the target's, without the two that fight.", ge=0, le=6)
]
Given = Annotated[int, Meta(description="In this assault.", ge=0, le=3)]

_HOME = "In melee the target's tile counts for both; in a ranged assault the attacker has its own tile."
_UNIT = {"when": ("target", ("unit",))}
_TOUCHES = {"any": "All its dice", "offence": "Offence dice", "defence": "Defence dice"}


class AssaultFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts of an assault: the values of the skill that each side fights with, and what gives re-rolls."""

    kind: Annotated[Kind, picked("Kind of assault", melee="Melee", ranged="Ranged")] = "melee"
    target: Annotated[
        Literal["unit", "base"],
        picked("Against", unit="A unit", base=numbered("A base: [base_dice written] dice", base_dice=BASE_DICE).say),
    ] = "unit"
    offence: Annotated[DiceCount, Meta(title="Attacker: offence dice")] = 2
    offence_kicker: Annotated[Kicker, Meta(title="Attacker: kicker of the offence")] = 0
    defence: Annotated[DiceCount, Meta(title="Attacker: defence dice", extra=_UNIT)] = 1
    defence_kicker: Annotated[Kicker, Meta(title="Attacker: kicker of the defence", extra=_UNIT)] = 0
    affinity: Annotated[bool, Meta(title="Attacker: on its affinity terrain", description=_HOME)] = False
    assists: Annotated[Assists, Meta(title="Attacker: friends that assist")] = 0
    abilities: Annotated[Given, Meta(title="Attacker: re-rolls by its abilities")] = 0
    abilities_touch: Annotated[
        Touches,
        Meta(title="Attacker: its abilities re-roll", extra={"labels": _TOUCHES, "when": ("abilities", (1, 2, 3))}),
    ] = "any"
    target_offence: Annotated[DiceCount, Meta(title="Target: offence dice", extra=_UNIT)] = 1
    target_offence_kicker: Annotated[Kicker, Meta(title="Target: kicker of the offence", extra=_UNIT)] = 0
    counters: Annotated[
        bool,
        Meta(
            title="Target: it reaches the attacker",
            description="No: a ranged assault from further away than the target reaches.",
            extra={"when": ("kind", ("ranged",))},
        ),
    ] = True
    target_defence: Annotated[DiceCount, Meta(title="Target: defence dice", extra=_UNIT)] = 2
    target_defence_kicker: Annotated[Kicker, Meta(title="Target: kicker of the defence", extra=_UNIT)] = 0
    target_affinity: Annotated[bool, Meta(title="Target: on its affinity terrain", extra=_UNIT)] = False
    target_assists: Annotated[Assists, Meta(title="Target: friends that assist")] = 0
    target_abilities: Annotated[Given, Meta(title="Target: re-rolls by its abilities", extra=_UNIT)] = 0
    target_abilities_touch: Annotated[
        Touches,
        Meta(
            title="Target: its abilities re-roll", extra={"labels": _TOUCHES, "when": ("target_abilities", (1, 2, 3))}
        ),
    ] = "any"
    order: Annotated[
        Order, picked("Order of re-rolls", windows="Abilities of both first", side_then_side="One side after the other")
    ] = "windows"
    kickers: Annotated[bool, Meta(title="Kickers count in assaults")] = True

    @property
    def options(self) -> Options:
        """Return the options that these facts stand for."""
        return Options(reroll_order=self.order, kicker_in_assault=self.kickers)

    @property
    def fight(self) -> Facts:
        """Return what the assault is fought with; raise Refusal without any offence (PT-A21)."""
        base = self.target == "base"
        offence = Value(self.offence, self.offence_kicker)
        if counting(offence, self.options).none:
            raise Refusal(say("It has no offence to assault with."), "PT-A21", "offence")
        # Who takes a base in melee stands on no terrain then (PT-A10).
        nowhere = base and self.kind == "melee"
        attacker = Party(
            "attacker",
            ATTACKER,
            offence,
            Value(self.defence, self.defence_kicker),
            HOME if self.affinity and not nowhere else "",
            (HOME,),
            self.assists,
            (self.abilities_touch,) * self.abilities,
        )
        if base:
            defender = base_party("target", say("the base"), self.target_assists)
            return Facts(self.kind, attacker, defender, reached=False, base=True)
        defender = Party(
            "target",
            TARGET,
            Value(self.target_offence, self.target_offence_kicker),
            Value(self.target_defence, self.target_defence_kicker),
            HOME if self.target_affinity else "",
            (HOME,),
            self.target_assists,
            (self.target_abilities_touch,) * self.target_abilities,
        )
        return Facts(self.kind, attacker, defender, self.counters or self.kind == "melee")


class Assaulted(msgspec.Struct, frozen=True, kw_only=True):
    """What an assault came to, and where the attacker is then."""

    attack_hits: bool
    counter_hits: bool
    outcome: End
    attacker_at: Literal["origin", "target", "captured"]


def rule(facts: AssaultFacts, ask: Ask) -> Ruling[Assaulted]:
    """Rule on an assault; raise Refusal where it can not be declared."""
    outcome = fight(facts.fight, facts.options, ask, notes(facts.fight))
    moved = facts.kind == "melee" and outcome.end in ("defender_captured", "base_taken")
    result = Assaulted(
        attack_hits=outcome.attack_hits,
        counter_hits=outcome.counter_hits,
        outcome=outcome.end,
        attacker_at="captured" if outcome.counter_hits else "target" if moved else "origin",
    )
    headlines: dict[End, Text] = {
        "base_taken": say("The base is taken"),
        "defender_captured": say("Captured: {unit}", unit=TARGET),
        "attacker_captured": say("Captured: {unit}", unit=ATTACKER),
        "both_captured": say("Captured: both"),
        "stall": say("Captured: nobody"),
    }
    return Ruling(result, headlines[outcome.end], tuple(ask.reasons))


ASSAULT = Lookup(
    "assault",
    say("An assault"),
    AssaultFacts,
    rule,
    lambda facts: charts(facts.fight, facts.options),
    say("How likely each end of an assault is, with every re-roll used best by both sides and without any."),
)
