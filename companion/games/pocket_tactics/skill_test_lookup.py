"""The look-up of a skill test: at least one die that is high enough, the kicker included (PT-91 to PT-95)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from companion.games.pocket_tactics import odds
from companion.games.pocket_tactics.comparing import Value
from companion.games.pocket_tactics.doing import Pool, Skill
from companion.games.pocket_tactics.skill_tests import Trial, passed
from companion.kit.chart import Bar, Chart
from companion.kit.game import Lookup
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.kit.asking import Ask


class SkillFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hold the facts of a skill test."""

    skill: Annotated[Skill, Meta(title="Skill")] = "melee"
    pool: Annotated[Pool, Meta(title="Dice")] = "offence"
    dice: Annotated[int, Meta(title="Number of dice", ge=0, le=9)] = 2
    kicker: Annotated[int, Meta(title="Kicker", description="The number in brackets; 0: none.", ge=0, le=6)] = 0
    target: Annotated[int, Meta(title="Needed on one die", ge=1, le=6)] = 5


class Tested(msgspec.Struct, frozen=True, kw_only=True):
    """Hold whether a skill test was passed."""

    success: bool


def rule(facts: SkillFacts, ask: Ask) -> Ruling[Tested]:
    """Rule on a skill test."""
    skill = say("{one}, {two}", one=Text(facts.skill), two=Text(facts.pool))
    value = Value(facts.dice, facts.kicker)
    success = passed(Trial("tester", say("the unit"), skill, value, facts.target), ask)
    headline = say("The test is passed") if success else say("The test is failed")
    return Ruling(Tested(success=success), headline, tuple(ask.reasons))


def charts(facts: SkillFacts) -> tuple[Chart, ...]:
    """Show how likely the test is passed."""
    chance = odds.p_test(Value(facts.dice, facts.kicker), facts.target)
    reasons = [Reason(say("{target} or more on one die at least", target=facts.target), "PT-92")]
    if facts.kicker:
        reasons.append(Reason(say("the kicker counts like a die"), "PT-93", facts.kicker))
    bars = (Bar(say("The test is passed"), chance), Bar(say("The test is failed"), 1 - chance))
    return (Chart(say("The skill test"), bars, reasons=tuple(reasons)),)


SKILL_TEST = Lookup(
    "skill_test",
    say("A skill test"),
    SkillFacts,
    rule,
    charts,
    say("How likely at least one die is high enough, the kicker included."),
)
