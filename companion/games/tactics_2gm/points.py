"""Action points: what is gained and spent, each a line with its reason (G2-28 to G2-34, G2-90, G2-152 to G2-154)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm.sides import side_of
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask

MOST = 999
"""What the pool of a side holds at most where its maximum limits only what is carried over."""


def short_of(state: State, seat: Seat, cost: int, clause: str) -> Reason | None:
    """Say why a player can not pay for something; None when he can."""
    have = state.ap.get(seat, 0)
    if cost <= have:
        return None
    return Reason(say("It costs {cost} AP, and you have {have}.", cost=cost, have=have), clause)


def spend(state: State, seat: Seat, cost: int, what: Text, clause: str, ask: Ask, field: str | None = None) -> State:
    """Spend AP and tell it; raise Refusal where there are too few: they never fall below zero (G2-30)."""
    short = short_of(state, seat, cost, clause)
    if short is not None:
        raise Refusal(short.text, clause, field)
    left = state.ap.get(seat, 0) - cost
    ask.tell(say("{seat}: {what}, {left} AP left", seat=Text(seat), what=what, left=left), clause, -cost)
    return state.with_ap(seat, left)


def gain(state: State, seat: Seat, amount: int, what: Text, clause: str, ask: Ask) -> State:
    """Gain AP within the maximum of the side, and tell it (G2-34, G2-A09, G2-A34)."""
    side = side_of(seat)
    most = state.cap(side) if state.options.cap_scope == "always" else MOST
    got = min(amount, max(0, most - state.pool(side)))
    have = state.ap.get(seat, 0) + got
    ask.tell(say("{seat}: {what}, now {have} AP", seat=Text(seat), what=what, have=have), clause, got)
    if got < amount:
        tell_lost(amount - got, most, ask)
    return state.with_ap(seat, have)


def tell_lost(count: int, most: int, ask: Ask) -> None:
    """Tell that AP above the maximum of a side are lost (G2-34)."""
    said = say(
        "{count} AP is above the maximum of {cap}, and lost|{count} AP are above the maximum of {cap}, and lost",
        count=count,
        cap=most,
    )
    ask.tell(said, "G2-34")
