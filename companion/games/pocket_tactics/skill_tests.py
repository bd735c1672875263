"""Skill tests, at the table and as a look-up, and kickers that effects change (PT-91 to PT-98)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from companion.games.pocket_tactics import turn
from companion.games.pocket_tactics.cards import SLOTS, Skill, Slot
from companion.games.pocket_tactics.combatants import DEFENCE, OFFENCE, alone, combatant, stat, untold
from companion.games.pocket_tactics.dice import MOST_KICKER, Pool, Value, pool
from companion.games.pocket_tactics.state import Seat, State, Unit, UnitId
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.clash import Combatant, Effect
from companion.kit.game import Lookup
from companion.kit.odds import Bar, Chart
from companion.kit.questions import Option
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, numbered, say

skill_tests = Chapter[State, Seat]()

SKILL = Field("slot", say("Skill"), "choice", tuple(Option(slot, Text(slot)) for slot in SLOTS))
POOL = Field("pool", say("Dice"), "choice", (Option("offence", Text("offence")), Option("defence", Text("defence"))))


class TestSkill(Action, frozen=True, kw_only=True, tag="test_skill"):
    """Test a skill of one of your units for an ability: one die of the target number or more (PT-91, PT-92)."""

    __test__ = False  # no test of pytest's

    unit: UnitId
    slot: Slot
    pool: Pool
    target: Annotated[int, Meta(ge=1, le=6)]


class ShiftKicker(Action, frozen=True, kw_only=True, tag="shift_kicker"):
    """Change a kicker of a unit, as an ability or effect says; 0 is as printed (PT-98)."""

    unit: UnitId
    slot: Slot
    pool: Pool
    by: Annotated[int, Meta(ge=-MOST_KICKER, le=MOST_KICKER)]


@skill_tests.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer both at any time in the game: they use no turn up."""
    own = tuple(Option(unit.id, state.kind(unit)) for unit in in_play(state) if unit.seat == seat)
    # A game that was won may have been reopened by hand: then a player may have nobody left.
    if state.phase != "play" or not own:
        return
    units = tuple(Option(unit.id, state.name(unit)) for unit in in_play(state))
    target = Field("target", say("Needed on one die"), "number", value=4, low=1, high=6)
    hint = say("0: as printed.")
    by = Field("by", say("Changed by"), "number", value=0, low=-MOST_KICKER, high=MOST_KICKER, hint=hint)
    for action, label, options, how_much, clause, button in (
        (TestSkill, say("Skill test"), own, target, "PT-91", say("Roll")),
        (ShiftKicker, say("Change a kicker"), units, by, "PT-98", say("Change")),
    ):
        fields = (Field("unit", say("Unit"), "choice", options), SKILL, POOL, how_much)
        yield action.offer(label, *fields, clause=clause, loose=True, aside=True, button=button)


def in_play(state: State) -> list[Unit]:
    """List the units on the map and in reserve."""
    return [unit for unit in state.units if unit.where != "captured"]


def tested(before: State, after: State, _seat: Seat, action: TestSkill) -> Text:
    """Say whether the test was passed."""
    unit = before.name(before.unit(action.unit))
    return say("{unit} passes the skill test" if after.last.passed else "{unit} fails the skill test", unit=unit)


@skill_tests.rule(TestSkill, headline=tested)
def test_skill(state: State, seat: Seat, action: TestSkill, ask: Ask) -> State:
    """Test a skill (PT-91 to PT-93)."""
    unit = _unit(state, action, "PT-91")
    turn.own(state, seat, action.unit, "PT-91")
    value = state.value(unit, action.slot, action.pool)
    shown = stat(OFFENCE if action.pool == "offence" else DEFENCE, value)
    piece = replace(combatant(state, unit), stats=(shown,))
    trial = Trial(seat, state.name(unit), _skill(state, unit, action), value, action.target, piece)
    return state.but(last=replace(state.last, passed=passed(trial, ask)))


class Trial(NamedTuple):
    """A skill test: who tests what, the value that is rolled, and what one die must show (PT-91).

    ``piece`` is what is drawn of the unit; None: nothing.
    """

    seat: str
    name: Text
    skill: Text
    value: Value
    target: int
    piece: Combatant | None = None

    def passes(self, die: int) -> bool:
        """Tell whether a die is enough (PT-92)."""
        return die >= self.target


def passed(trial: Trial, ask: Ask) -> bool:
    """Roll a skill test; the kicker counts like a die that shows it (PT-92, PT-93, PT-95)."""
    value = trial.value
    tests = "{unit} tests {skill}: {target} or more on one die"
    why = say(tests, unit=trial.name, skill=trial.skill, target=trial.target)
    does = (Effect(tuple(filter(trial.passes, range(1, 7))), say("passed")),)
    alone(trial.piece, ask)
    with ask.meanwhile(partial(untold, trial.piece, Reason(why, "PT-91"), ask)):
        faces = ask.throw(value.dice, 6, "test", why, by=trial.seat, clause="PT-92", does=does) if value.dice else ()
    if value.kicker:
        ask.tell(say("the kicker counts like a die"), "PT-93", value.kicker)
    elif not faces:
        ask.tell(say("There is nothing to roll."), "PT-91")
    success = any(map(trial.passes, pool(faces, value.kicker)))
    how = "{unit} passes the test of {skill}" if success else "{unit} fails the test of {skill}"
    said = say(how, unit=trial.name, skill=trial.skill)
    ask.tell(say("{what} (needed: {needed} or more)", what=said, needed=trial.target), "PT-92", faces=faces)
    return success


def _unit(state: State, action: TestSkill | ShiftKicker, clause: str) -> Unit:
    """Return the unit that is tested or changed; raise Refusal when it is out of play, or has no such skill."""
    if state.phase != "play":
        raise Refusal(say("The game has not begun yet."), "PT-24")
    unit = state.unit(action.unit)
    if unit.where == "captured":
        raise Refusal(say("{unit} is captured.", unit=state.name(unit)), clause, "unit")
    if action.slot == "third" and state.card(unit).third is None:
        raise Refusal(say("{unit} has no third skill.", unit=state.name(unit)), "PT-10", "slot")
    return unit


def _skill(state: State, unit: Unit, action: TestSkill | ShiftKicker) -> Text:
    return say("{one}, {two}", one=state.card(unit).skill_name(action.slot), two=Text(action.pool))


@skill_tests.rule(
    ShiftKicker, says=lambda state, _, action: say("{unit}: another kicker", unit=state.name(state.unit(action.unit)))
)
def shift_kicker(state: State, _seat: Seat, action: ShiftKicker, ask: Ask) -> State:
    """Change a kicker; it never counts less than 0 or more than 6 (PT-94, PT-98)."""
    unit = _unit(state, action, "PT-98")
    state = state.shifted(unit, action.slot, action.pool, action.by)
    printed = state.card(unit).value(action.slot, action.pool).kicker
    kicker = state.value(state.unit(unit.id), action.slot, action.pool).kicker
    text, skill = "{unit}, {skill}: kicker {kicker}, printed {printed}", _skill(state, unit, action)
    ask.tell(say(text, unit=state.name(unit), skill=skill, kicker=kicker, printed=printed), "PT-98")
    if printed + action.by != kicker:
        ask.tell(numbered("A kicker is never below 0 nor above [most_kicker].", most_kicker=MOST_KICKER), "PT-94")
    return state


class SkillFacts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The facts of a skill test."""

    skill: Annotated[Skill, Meta(title="Skill")] = "melee"
    pool: Annotated[Pool, Meta(title="Dice")] = "offence"
    dice: Annotated[int, Meta(title="Number of dice", ge=0, le=9)] = 2
    kicker: Annotated[
        int, Meta(title="Kicker", description="The number in brackets; 0: none.", ge=0, le=MOST_KICKER)
    ] = 0
    target: Annotated[int, Meta(title="Needed on one die", ge=1, le=6)] = 5


class Tested(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a skill test was passed."""

    success: bool


def rule(facts: SkillFacts, ask: Ask) -> Ruling[Tested]:
    """Rule on a skill test."""
    skill = say("{one}, {two}", one=Text(facts.skill), two=Text(facts.pool))
    success = passed(Trial("tester", say("the unit"), skill, Value(facts.dice, facts.kicker), facts.target), ask)
    headline = say("The test is passed") if success else say("The test is failed")
    return Ruling(Tested(success=success), headline, tuple(ask.reasons))


def p_test(value: Value, target: int) -> Fraction:
    """Return the chance that at least one die, the kicker included, is ``target`` or more (PT-92, PT-93)."""
    if 0 < value.kicker >= target:
        return Fraction(1)
    below = min(max(target - 1, 0), 6)
    return 1 - Fraction(below, 6) ** value.dice


def charts(facts: SkillFacts) -> tuple[Chart, ...]:
    """Show how likely the test is passed."""
    chance = p_test(Value(facts.dice, facts.kicker), facts.target)
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
