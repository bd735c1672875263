"""The look-up of an assault: the odds of its ends, and dice and re-rolls told step by step (PT-36 to PT-60)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.pocket_tactics import chances, foretelling, parties
from companion.games.pocket_tactics.best_play import MOST_DICE
from companion.games.pocket_tactics.comparing import Value
from companion.games.pocket_tactics.doing import Kind
from companion.games.pocket_tactics.fight import End, fight
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.parties import Facts, Party
from companion.games.pocket_tactics.windows import Order
from companion.kit.chart import Chart
from companion.kit.game import Lookup
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.kit.asking import Ask

ATTACKER, TARGET, BASE = say("the attacker"), say("the target"), say("the base")
HOME = "home"
"""Stands for any terrain of a unit's affinity."""

Dice = Annotated[int, Meta(ge=0, le=MOST_DICE)]
Kicker = Annotated[int, Meta(ge=0, le=6)]
Few = Annotated[int, Meta(ge=0, le=6)]
Given = Annotated[int, Meta(ge=0, le=3)]
Touches = Literal["any", "offence", "defence"]

_NO_KICKER = "The number in brackets; 0: none."
_HOME = "In melee the target's tile counts for both; in a ranged assault the attacker has its own tile."
_BESIDE = "Friends on tiles beside the target's, without the two that fight."
_UNIT = {"when": ("target", ("unit",))}
_GIVEN = "In this assault."
_TOUCHES = {"any": "All its dice", "offence": "Offence dice", "defence": "Defence dice"}


class AssaultFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold the facts of an assault: the values of the skill that each side fights with, and what gives re-rolls."""

    kind: Annotated[
        Kind,
        Meta(title="Kind of assault", extra={"labels": {"melee": "Melee", "ranged": "Ranged"}}),
    ] = "melee"
    target: Annotated[
        Literal["unit", "base"],
        Meta(title="Against", extra={"labels": {"unit": "A unit", "base": "A base: three dice"}}),
    ] = "unit"
    offence: Annotated[Dice, Meta(title="Attacker: offence dice")] = 2
    offence_kicker: Annotated[Kicker, Meta(title="Attacker: kicker of the offence", description=_NO_KICKER)] = 0
    defence: Annotated[Dice, Meta(title="Attacker: defence dice", extra=_UNIT)] = 1
    defence_kicker: Annotated[
        Kicker, Meta(title="Attacker: kicker of the defence", description=_NO_KICKER, extra=_UNIT)
    ] = 0
    affinity: Annotated[bool, Meta(title="Attacker: on its affinity terrain", description=_HOME)] = False
    assists: Annotated[Few, Meta(title="Attacker: friends that assist", description=_BESIDE)] = 0
    abilities: Annotated[Given, Meta(title="Attacker: re-rolls by its abilities", description=_GIVEN)] = 0
    abilities_touch: Annotated[
        Touches,
        Meta(title="Attacker: its abilities re-roll", extra={"labels": _TOUCHES, "when": ("abilities", (1, 2, 3))}),
    ] = "any"
    target_offence: Annotated[Dice, Meta(title="Target: offence dice", extra=_UNIT)] = 1
    target_offence_kicker: Annotated[
        Kicker, Meta(title="Target: kicker of the offence", description=_NO_KICKER, extra=_UNIT)
    ] = 0
    counters: Annotated[
        bool,
        Meta(
            title="Target: it reaches the attacker",
            description="No: a ranged assault from further away than the target reaches.",
            extra={"when": ("kind", ("ranged",))},
        ),
    ] = True
    target_defence: Annotated[Dice, Meta(title="Target: defence dice", extra=_UNIT)] = 2
    target_defence_kicker: Annotated[
        Kicker, Meta(title="Target: kicker of the defence", description=_NO_KICKER, extra=_UNIT)
    ] = 0
    target_affinity: Annotated[bool, Meta(title="Target: on its affinity terrain", extra=_UNIT)] = False
    target_assists: Annotated[Few, Meta(title="Target: friends that assist", description=_BESIDE)] = 0
    target_abilities: Annotated[
        Given, Meta(title="Target: re-rolls by its abilities", description=_GIVEN, extra=_UNIT)
    ] = 0
    target_abilities_touch: Annotated[
        Touches,
        Meta(
            title="Target: its abilities re-roll",
            extra={"labels": _TOUCHES, "when": ("target_abilities", (1, 2, 3))},
        ),
    ] = "any"
    order: Annotated[
        Order,
        Meta(
            title="Order of re-rolls",
            extra={"labels": {"windows": "Abilities of both first", "side_then_side": "One side after the other"}},
        ),
    ] = "windows"
    kickers: Annotated[bool, Meta(title="Kickers count in assaults")] = True


class Assaulted(msgspec.Struct, frozen=True, kw_only=True):
    """Hold what an assault came to, and where the attacker is then."""

    attack_hits: bool
    counter_hits: bool
    outcome: End
    attacker_at: Literal["origin", "target", "captured"]


def rule(facts: AssaultFacts, ask: Ask) -> Ruling[Assaulted]:
    """Rule on an assault; raise Refusal where it can not be declared."""
    fought = fight_of(facts)
    found = fight(fought, options(facts), ask, foretelling.notes(fought))
    moved = facts.kind == "melee" and found.end in ("defender_captured", "base_taken")
    at: Literal["origin", "target", "captured"] = "target" if moved else "origin"
    result = Assaulted(
        attack_hits=found.attack_hits,
        counter_hits=found.counter_hits,
        outcome=found.end,
        attacker_at="captured" if found.counter_hits else at,
    )
    return Ruling(result, _headline(found.end), tuple(ask.reasons))


def charts(facts: AssaultFacts) -> tuple[Chart, ...]:
    """Show the odds of the ends."""
    return chances.charts(fight_of(facts), options(facts))


def options(facts: AssaultFacts) -> Options:
    """Return the options that these facts stand for."""
    return Options(reroll_order=facts.order, kicker_in_assault=facts.kickers)


def fight_of(facts: AssaultFacts) -> Facts:
    """Return what the assault is fought with; raise Refusal without any offence (PT-A21)."""
    base = facts.target == "base"
    offence = Value(facts.offence, facts.offence_kicker)
    if parties.counts(offence, options(facts)).none:
        raise Refusal(say("It has no offence to assault with."), "PT-A21", "offence")
    # Who takes a base in melee stands on no terrain then (PT-A10).
    nowhere = base and facts.kind == "melee"
    attacker = Party(
        "attacker",
        ATTACKER,
        offence,
        Value(facts.defence, facts.defence_kicker),
        HOME if facts.affinity and not nowhere else "",
        (HOME,),
        facts.assists,
        (facts.abilities_touch,) * facts.abilities,
    )
    if base:
        defender = parties.base_party("target", BASE, facts.target_assists)
        return Facts(facts.kind, attacker, defender, reached=False, base=True)
    defender = Party(
        "target",
        TARGET,
        Value(facts.target_offence, facts.target_offence_kicker),
        Value(facts.target_defence, facts.target_defence_kicker),
        HOME if facts.target_affinity else "",
        (HOME,),
        facts.target_assists,
        (facts.target_abilities_touch,) * facts.target_abilities,
    )
    return Facts(facts.kind, attacker, defender, facts.counters or facts.kind == "melee")


def _headline(end: End) -> Text:
    match end:
        case "base_taken":
            return say("The base is taken")
        case "defender_captured":
            return say("Captured: {unit}", unit=TARGET)
        case "attacker_captured":
            return say("Captured: {unit}", unit=ATTACKER)
        case "both_captured":
            return say("Captured: both")
        case "stall":
            return say("Captured: nobody")


ASSAULT = Lookup(
    "assault",
    say("An assault"),
    AssaultFacts,
    rule,
    charts,
    say("How likely each end of an assault is, with every re-roll used best by both sides and without any."),
)
