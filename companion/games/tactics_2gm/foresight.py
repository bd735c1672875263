"""The exact odds of a shot, a bomb or a sortie before it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm import actions as do
from companion.games.tactics_2gm import air_odds, fire, odds

if TYPE_CHECKING:
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.chart import Chart


def foresee(state: State, seat: Seat, action: do.Firing) -> tuple[Chart, ...]:
    """Work out the exact odds of an action; raise Refusal when it can not be done."""
    match action:
        case do.Fire():
            return (odds.chart(fire.aimed(state, seat, action)[2]),)
        case do.Bomb() | do.Sortie():
            return air_odds.charts(state, seat, action)
