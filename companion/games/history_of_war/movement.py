"""Movement: units go to a territory, and come back from one (HW-48, HW-49, HW-79, HW-80, HW-84 to HW-86)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import actions as do
from companion.games.history_of_war import checks, speech, turn
from companion.games.history_of_war.pieces import Last
from companion.games.history_of_war.sides import other
from companion.kit.asking import Option
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Refusal
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.history_of_war.phases import Phase
    from companion.games.history_of_war.pieces import Played, Territory
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask

DEPLOYMENTS: tuple[Phase, ...] = ("attacker_deployment", "defender_deployment")
RETREATS: tuple[Phase, ...] = ("attacker_retreat", "defender_retreat")


def can_deploy(state: State, seat: Seat) -> bool:
    """Tell whether a player has a unit that may move to a territory (HW-48, HW-A10)."""
    return any(goals(state, unit) for unit in state.units(seat))


def can_retreat(state: State, seat: Seat) -> bool:
    """Tell whether a player has a unit that may retreat (HW-84)."""
    return any(_retreats(unit) for unit in state.units(seat))


def goals(state: State, unit: Played) -> tuple[Territory, ...]:
    """List the territories that a unit may move to: from the own deployment area, or as agreed on (HW-A10)."""
    if unit.locked or not _sets_out(state, unit):
        return ()
    return tuple(one for one in state.open if one.id != unit.place)


def _sets_out(state: State, unit: Played) -> bool:
    return unit.place == "deployment" or (state.options.territory_to_territory and unit.place[0] == "t")


def _retreats(unit: Played) -> bool:
    return not unit.locked and unit.place[0] == "t"


def rule(state: State, seat: Seat, action: do.Moving, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    match action:
        case do.Deploy():
            return _deploy(state, seat, action, ask)
        case do.Retreat():
            return _retreat(state, seat, action.unit, ask)


def _deploy(state: State, seat: Seat, action: do.Deploy, ask: Ask) -> State:
    """Move an unlocked unit to a territory, where it is locked for the rest of the round (HW-48, HW-49)."""
    turn.check_phase(state, seat, *DEPLOYMENTS)
    moves, locks = ("HW-48", "HW-49") if seat == state.attacker else ("HW-79", "HW-80")
    unit = checks.own_unit(state, seat, action.unit, moves)
    if not _sets_out(state, unit):
        raise Refusal(say("Units deploy from their own deployment area."), "HW-A10", "unit")
    goal = next((one for one in state.open if one.id == action.to), None)
    if goal is None:
        raise Refusal(say("That is no territory to conquer."), moves, "to")
    if goal.id == unit.place:
        raise Refusal(say("It is there already."), moves, "to")
    who = speech.unit(state, unit)
    ask.tell(
        say("{unit} moved to {territory}", unit=who, territory=speech.territory(state, goal)),
        moves,
        marks=((unit.id, "acting"),),
    )
    ask.tell(say("{unit} is locked for the rest of the round", unit=who), locks)
    state = state.with_card(unit.id, place=goal.id, locked=True)
    return state.but(last=Last((unit.id,), (goal.id,)))


def _retreat(state: State, seat: Seat, name: str, ask: Ask) -> State:
    """Move an unlocked unit from a territory to its deployment area, where it is locked (HW-84, HW-85)."""
    turn.check_phase(state, seat, *RETREATS)
    clause = "HW-84" if seat == state.attacker else "HW-86"
    unit = checks.own_unit(state, seat, name, clause)
    if not _retreats(unit):
        raise Refusal(say("Only a unit in a territory retreats."), clause, "unit")
    who = speech.unit(state, unit)
    ask.tell(
        say("{unit} retreated from {territory}", unit=who, territory=speech.place(state, unit.place)),
        clause,
        marks=((unit.id, "acting"),),
    )
    ask.tell(say("{unit} is locked for the rest of the round", unit=who), "HW-85")
    return state.with_card(unit.id, place="deployment", locked=True).but(last=Last((unit.id,)))


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    if seat not in state.acting or seat in state.done:
        return []
    if state.phase in DEPLOYMENTS:
        return [_deploying(state, unit) for unit in state.units(seat) if goals(state, unit)]
    if state.phase in RETREATS:
        return [_retreating(state, unit) for unit in state.units(seat) if _retreats(unit)]
    return []


def _deploying(state: State, unit: Played) -> Offer:
    options = tuple(
        Option(
            one.id,
            speech.territory(state, one),
            note=say(
                "units there: yours {mine}, enemy {theirs}",
                mine=len(state.units(unit.seat, one.id)),
                theirs=len(state.units(other(unit.seat), one.id)),
            ),
        )
        for one in goals(state, unit)
    )
    field = Field(
        "to",
        say("To which territory"),
        "choice",
        options,
        options[0].value if len(options) == 1 else None,
        hint=say("It is locked there until the round ends."),
    )
    clause = "HW-48" if unit.seat == state.attacker else "HW-79"
    return Offer(
        "deploy",
        say("Deploy: {unit}", unit=speech.card(state, unit)),
        {"unit": unit.id},
        (field,),
        on=unit.id,
        clause=clause,
    )


def _retreating(state: State, unit: Played) -> Offer:
    clause = "HW-84" if unit.seat == state.attacker else "HW-86"
    label = say(
        "Retreat from {territory}: {unit}", territory=speech.place(state, unit.place), unit=speech.card(state, unit)
    )
    return Offer("retreat", label, {"unit": unit.id}, on=unit.id, clause=clause)
