"""Skill tests, and kickers that effects change (PT-91 to PT-98)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from companion.games.pocket_tactics import actions as do
from companion.games.pocket_tactics import describing, speech
from companion.games.pocket_tactics.comparing import pool as counted
from companion.games.pocket_tactics.pieces import Shift
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.comparing import Value
    from companion.games.pocket_tactics.doing import Slot
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.kit.asking import Ask

SKILL = Field("slot", say("Skill"), "choice", tuple(Option(slot, Text(slot)) for slot in describing.SLOTS))
POOL = Field("pool", say("Dice"), "choice", (Option("offence", Text("offence")), Option("defence", Text("defence"))))


class Trial(NamedTuple):
    """Hold a skill test: who tests what, the value that is rolled, and what one die must show (PT-91)."""

    seat: str
    name: Text
    skill: Text
    value: Value
    target: int


def passed(trial: Trial, ask: Ask) -> bool:
    """Roll a skill test; the kicker counts like a die that shows it (PT-92, PT-93, PT-95)."""
    value = trial.value
    why = say(
        "{unit} tests {skill}: {target} or more on one die", unit=trial.name, skill=trial.skill, target=trial.target
    )
    faces = ask.throw(value.dice, 6, "test", why, by=trial.seat, clause="PT-92") if value.dice else ()
    if value.kicker:
        ask.tell(say("the kicker counts like a die"), "PT-93", value.kicker)
    elif not faces:
        ask.tell(say("There is nothing to roll."), "PT-91")
    success = any(die >= trial.target for die in counted(faces, value.kicker))
    said = say("{unit} passes the test of {skill}", unit=trial.name, skill=trial.skill)
    if not success:
        said = say("{unit} fails the test of {skill}", unit=trial.name, skill=trial.skill)
    ask.tell(say("{what} (needed: {needed} or more)", what=said, needed=trial.target), "PT-92", faces=faces)
    return success


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now: both at any time in the game, they use no turn up."""
    if state.phase != "play":
        return []
    mine = tuple(Option(unit.id, speech.kind(state, unit)) for unit in in_play(state) if unit.seat == seat)
    units = tuple(Option(unit.id, speech.unit(state, unit)) for unit in in_play(state))
    target = Field("target", say("Needed on one die"), "number", value=4, low=1, high=6)
    by = Field("by", say("Changed by"), "number", value=0, low=-6, high=6, hint=say("0: as printed."))
    found = [
        Offer(
            "test_skill",
            say("Skill test"),
            fields=(Field("unit", say("Unit"), "choice", mine), SKILL, POOL, target),
            clause="PT-91",
            loose=True,
            aside=True,
            button=say("Roll"),
        ),
        Offer(
            "shift_kicker",
            say("Change a kicker"),
            fields=(Field("unit", say("Unit"), "choice", units), SKILL, POOL, by),
            clause="PT-98",
            loose=True,
            aside=True,
            button=say("Change"),
        ),
    ]
    # A game that was won may have been reopened by hand: then a player may have nobody left.
    return found if mine else []


def in_play(state: State) -> list[Unit]:
    """List the units on the map and in reserve."""
    return [unit for unit in state.units if unit.where != "captured"]


def rule(state: State, seat: Seat, action: do.Testing, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    if state.phase != "play":
        raise Refusal(say("The game has not begun yet."), "PT-24")
    unit = _unit(state, action)
    if isinstance(action, do.ShiftKicker):
        return _shift(state, unit, action, ask)
    if unit.seat != seat:
        raise Refusal(say("{unit} is not yours.", unit=speech.unit(state, unit)), "PT-91", "unit")
    value = state.value(unit, action.slot, action.pool)
    skill = _skill(state, unit, action)
    success = passed(Trial(seat, speech.unit(state, unit), skill, value, action.target), ask)
    return state.but(last=replace(state.last, passed=success))


def _unit(state: State, action: do.Testing) -> Unit:
    """Return the unit that is tested or changed; raise Refusal when it is out of play, or has no such skill."""
    clause = "PT-98" if isinstance(action, do.ShiftKicker) else "PT-91"
    unit = state.unit(action.unit)
    if unit.where == "captured":
        raise Refusal(say("{unit} is captured.", unit=speech.unit(state, unit)), clause, "unit")
    if action.slot == "third" and state.card(unit).third is None:
        raise Refusal(say("{unit} has no third skill.", unit=speech.unit(state, unit)), "PT-10", "slot")
    return unit


def _skill(state: State, unit: Unit, action: do.Testing) -> Text:
    """Name what is tested or changed: ``arcane, offence``."""
    slot: Slot = action.slot
    return say("{one}, {two}", one=describing.skill_name(state.card(unit), slot), two=Text(action.pool))


def _shift(state: State, unit: Unit, action: do.ShiftKicker, ask: Ask) -> State:
    """Change a kicker; it never counts less than 0 or more than 6 (PT-94, PT-98)."""
    kept = tuple(one for one in unit.shifts if (one.slot, one.pool) != (action.slot, action.pool))
    new = (Shift(action.slot, action.pool, action.by),) if action.by else ()
    state = state.with_unit(unit.id, shifts=(*kept, *new))
    printed = state.card(unit).value(action.slot, action.pool).kicker
    kicker = state.value(state.unit(unit.id), action.slot, action.pool).kicker
    ask.tell(
        say(
            "{unit}, {skill}: kicker {kicker}, printed {printed}",
            unit=speech.unit(state, unit),
            skill=_skill(state, unit, action),
            kicker=kicker,
            printed=printed,
        ),
        "PT-98",
    )
    if printed + action.by != kicker:
        ask.tell(say("A kicker is never below 0 nor above 6."), "PT-94")
    return state
