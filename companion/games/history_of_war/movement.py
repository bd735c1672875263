"""Movement: units go to a territory, and come back from one (HW-48, HW-49, HW-79, HW-80, HW-84 to HW-86)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.history_of_war import speech
from companion.games.history_of_war.pieces import STEPS, Last, Name, Phase, Played, Seat, Territory, other
from companion.games.history_of_war.state import State, check_phase
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import say

movement = Chapter[State, Seat]()

DEPLOYMENTS: tuple[Phase, ...] = ("attacker_deployment", "defender_deployment")
RETREATS: tuple[Phase, ...] = ("attacker_retreat", "defender_retreat")


class Deploy(Action, frozen=True, tag="deploy"):
    """Move an unlocked unit to a territory (HW-48, HW-79)."""

    unit: Name
    to: Name


class Retreat(Action, frozen=True, tag="retreat"):
    """Move an unlocked unit from a territory to your deployment area (HW-84, HW-86)."""

    unit: Name


def own_unit(state: State, seat: Seat, name: str, *phases: Phase) -> tuple[Played, str]:
    """Return a player's unlocked unit and the clause of the phase, or raise Refusal (HW-29, HW-31, HW-35, HW-36)."""
    check_phase(state, seat, *phases)
    unit, clause = state.played(name), STEPS[state.phase].clause
    called = speech.unit(state, unit)
    if unit.seat != seat:
        raise Refusal(say("{unit} is not yours.", unit=called), clause, "unit")
    if not state.is_unit(unit):
        raise Refusal(say("{unit} is not a unit.", unit=called), clause, "unit")
    if unit not in state.units(seat):
        text = say("{unit} is set aside with its territory, out of play for good.", unit=called)
        raise Refusal(text, "HW-A39", "unit")
    if unit.locked:
        raise Refusal(say("{unit} is locked until the round ends.", unit=called), "HW-36", "unit")
    return unit, clause


def _sets_out(state: State, unit: Played) -> bool:
    """Tell whether a unit lies where units deploy from: the own deployment area, or as agreed on (HW-A10)."""
    return unit.place == "deployment" or (state.options.territory_to_territory and unit.place[0] == "t")


def goals(state: State, unit: Played) -> tuple[Territory, ...]:
    """List the territories that a unit may move to (HW-48, HW-A10)."""
    if unit.locked or not _sets_out(state, unit):
        return ()
    return tuple(territory for territory in state.open if territory.id != unit.place)


def may_retreat(_state: State, unit: Played) -> bool:
    """Tell whether a unit may retreat (HW-84)."""
    return not unit.locked and unit.place[0] == "t"


@movement.offers
def offers(state: State, seat: Seat) -> Iterator[Offer]:
    """Offer the units that may move in this phase."""
    if seat not in state.acting or seat in state.done:
        return
    for unit in state.units(seat):
        if state.phase in DEPLOYMENTS and (territories := goals(state, unit)):
            yield _deployment(state, unit, territories)
        if state.phase in RETREATS and may_retreat(state, unit):
            place, name = speech.place(state, unit.place), speech.card(state, unit)
            label = say("Retreat from {territory}: {unit}", territory=place, unit=name)
            yield Retreat.offer(label, on=unit.id, unit=unit.id, clause=STEPS[state.phase].clause)


def _deployment(state: State, unit: Played, territories: tuple[Territory, ...]) -> Offer:
    """Offer a unit the territories that it may move to, with who is there."""
    options = []
    for goal in territories:
        own, enemies = (len(state.units(seat, goal.id)) for seat in (unit.seat, other(unit.seat)))
        note = say("units there: yours {mine}, enemy {theirs}", mine=own, theirs=enemies)
        options.append(Option(goal.id, speech.territory(state, goal), note=note))
    only = options[0].value if len(options) == 1 else None
    hint = say("It is locked there until the round ends.")
    label, clause = say("Deploy: {unit}", unit=speech.card(state, unit)), STEPS[state.phase].clause
    to = Field("to", say("To which territory"), "choice", tuple(options), only, hint=hint)
    return Deploy.offer(label, to, on=unit.id, unit=unit.id, clause=clause)


@movement.rule(
    Deploy,
    says=lambda state, _, action: say(
        "{unit} → {place}", unit=speech.named(state, action.unit), place=speech.place(state, action.to)
    ),
)
def deploy(state: State, seat: Seat, action: Deploy, ask: Ask) -> State:
    """Move an unlocked unit to a territory, where it is locked for the rest of the round (HW-48, HW-49)."""
    unit, moves = own_unit(state, seat, action.unit, *DEPLOYMENTS)
    if not _sets_out(state, unit):
        raise Refusal(say("Units deploy from their own deployment area."), "HW-A10", "unit")
    goal = next((territory for territory in state.open if territory.id == action.to), None)
    if goal is None:
        raise Refusal(say("That is no territory to conquer."), moves, "to")
    if goal.id == unit.place:
        raise Refusal(say("It is there already."), moves, "to")
    who = speech.unit(state, unit)
    text = say("{unit} moved to {territory}", unit=who, territory=speech.territory(state, goal))
    ask.tell(text, moves, marks=((unit.id, "acting"),))
    locks = "HW-49" if seat == state.attacker else "HW-80"
    ask.tell(say("{unit} is locked for the rest of the round", unit=who), locks)
    return state.with_card(unit.id, place=goal.id, locked=True).but(last=Last((unit.id,), (goal.id,)))


@movement.rule(Retreat, says=lambda state, _, action: say("{unit} retreats", unit=speech.named(state, action.unit)))
def retreat(state: State, seat: Seat, action: Retreat, ask: Ask) -> State:
    """Move an unlocked unit from a territory to its deployment area, where it is locked (HW-84, HW-85)."""
    unit, clause = own_unit(state, seat, action.unit, *RETREATS)
    if not may_retreat(state, unit):
        raise Refusal(say("Only a unit in a territory retreats."), clause, "unit")
    who = speech.unit(state, unit)
    text = say("{unit} retreated from {territory}", unit=who, territory=speech.place(state, unit.place))
    ask.tell(text, clause, marks=((unit.id, "acting"),))
    ask.tell(say("{unit} is locked for the rest of the round", unit=who), "HW-85")
    return state.with_card(unit.id, place="deployment", locked=True).but(last=Last((unit.id,)))
