"""Construction: cards laid face down, turned up when both have finished, paid for, and put into play (HW-41 to HW-47)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war.sides import SEATS

if TYPE_CHECKING:
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State


def to_place(state: State) -> Seat | None:
    """Return who puts developments into territories now: the attacker first; None when all lie in one (HW-46)."""
    if not state.open:
        return None
    return next((seat for seat in (state.attacker, state.defender) if state.of(seat, "laid")), None)


def finished(state: State) -> bool:
    """Tell whether construction is over: both have built, and every development lies in a territory (HW-44, HW-46)."""
    return all(state.plan(seat).built for seat in SEATS) and to_place(state) is None
