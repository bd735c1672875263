"""The odds of an action at a table before it is done, with what they rest on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.chesswar import actions as do
from companion.games.chesswar import bows, catapults, landing, odds, orders, saves, turn

if TYPE_CHECKING:
    from companion.games.chesswar.catapults import Impact
    from companion.games.chesswar.destruction import Toll
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State, Unit
    from companion.kit.asking import Ask
    from companion.kit.chart import Chart

Foreseen = do.Charge | do.Shoot | do.Bombard | do.Attack | do.Cast
CHANCY = ("zap", "strike")


def foresee(state: State, side: Side, action: Foreseen) -> tuple[Chart, ...]:
    """Show the odds of an action at a table, empty when it throws no dice; raise Refusal when it can not be done."""
    state = odds.calm(state)
    match action:
        case do.Charge():
            turn.check_phase(state, side, "movement")
            turn.check_own(state, side, action.unit)
            return odds.charging(state, action.unit, action.target)
        case do.Shoot():
            turn.check_phase(state, side, "shooting")
            return _shot(state, turn.check_own(state, side, action.unit), action)
        case do.Bombard():
            turn.check_phase(state, side, "shooting")
            return _thrown(state, side, turn.check_own(state, side, action.unit), action)
        case do.Attack():
            turn.check_phase(state, side, "combat")
            turn.check_own(state, side, action.unit)
            return odds.attacking(state, action.unit, action.target)
        case do.Cast():
            turn.check_acting(state, side)
            turn.check_own(state, side, action.unit)
            return odds.casting(state, action) if action.spell in CHANCY else ()


def _shot(state: State, archers: Unit, action: do.Shoot) -> tuple[Chart, ...]:
    told, shooter, aim = orders.aimed(state, archers, action)
    needs = (bows.required(told, shooter, aim), saves.required(told, told.unit(action.target), "bow"))
    return odds.shooting(state, lambda ask: orders.shoot(state, archers, action, ask)[0], needs)


def _thrown(state: State, side: Side, thrower: Unit, action: do.Bombard) -> tuple[Chart, ...]:
    needs = (catapults.required(state, thrower, orders.thrown(state, thrower, action)),)

    def rule(ask: Ask) -> tuple[State, Toll, Impact]:
        return orders.bombard(state, thrower, action, ask)

    found = landing.explored(state, rule)
    if state.mirrored:
        return landing.bombarding(state, side, found, needs)
    return landing.drifting(state, found, needs, orders.around(state, action))
