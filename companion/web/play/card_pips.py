"""How the pips of a playing card are printed: where each lies, and the figure of a court card."""

from __future__ import annotations

import msgspec

from companion.kit.panels import Suit

WIDTH, HEIGHT = 60, 90
"""The part of a card that the pips lie on."""
PIP, ACE, FIGURE = 17, 34, 46
_LEFT, _MIDDLE, _RIGHT = 12, 30, 48
_TOP, _BOTTOM = 11, 79
_FOUR_ROWS = (0.0, 1 / 3, 2 / 3, 1.0)
_SIDES: dict[int, tuple[float, ...]] = {
    2: (),
    3: (),
    4: (0.0, 1.0),
    5: (0.0, 1.0),
    6: (0.0, 0.5, 1.0),
    7: (0.0, 0.5, 1.0),
    8: (0.0, 0.5, 1.0),
    9: _FOUR_ROWS,
    10: _FOUR_ROWS,
}
"""How far down the pips at the left and at the right lie, from the top (0) to the bottom (1)."""
_CENTRE: dict[int, tuple[float, ...]] = {
    2: (0.0, 1.0),
    3: (0.0, 0.5, 1.0),
    5: (0.5,),
    7: (0.25,),
    8: (0.25, 0.75),
    9: (0.5,),
    10: (1 / 6, 5 / 6),
}
"""The same of those in the middle."""
_COURT = {"J": "knight", "Q": "queen", "K": "king"}
_SPANISH_COURT = {"10": "pawn", "11": "knight", "12": "king"}
FRENCH = ("spades", "clubs", "hearts", "diamonds")


class Pip(msgspec.Struct, frozen=True):
    """A picture on a card: what it shows, its middle and its width; the lower ones stand on their heads."""

    sign: str
    x: float
    y: float
    size: int
    turned: bool = False


def card_pips(rank: str, suit: Suit) -> tuple[Pip, ...]:
    """List the pictures of a playing card, French or Spanish: none for a rank that neither deck has."""
    court = (_COURT if suit in FRENCH else _SPANISH_COURT).get(rank)
    if court:
        return (Pip(court, _MIDDLE, HEIGHT / 2, FIGURE),)
    if rank in {"A", "1"}:
        return (Pip(suit, _MIDDLE, HEIGHT / 2, ACE),)
    count = int(rank) if rank.isdecimal() else 0
    sides = ((column, down) for column in (_LEFT, _RIGHT) for down in _SIDES.get(count, ()))
    centre = ((_MIDDLE, down) for down in _CENTRE.get(count, ()))
    return tuple(
        Pip(suit, column, round(_TOP + (_BOTTOM - _TOP) * down, 1), PIP, turned=down > 0.5)
        for column, down in (*sides, *centre)
    )
