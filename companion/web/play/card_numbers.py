"""The numbers of a piece that lies as a card: which stand in its corners, and which at its foot."""

from __future__ import annotations

from typing import NamedTuple

from companion.kit.card_numbers import CardNumbers
from companion.kit.panels import Piece, Stat


class Printed(NamedTuple):
    """The numbers of a card in their places; at the foot a sign stands where a card has no such number."""

    left: Stat
    right: Stat | None
    foot: tuple[Stat | str, ...]


def card_numbers(places: CardNumbers | None, piece: Piece) -> Printed | None:
    """Put the numbers of a piece where its card has them; None where it is no card.

    Those that have no place of their own come last.
    """
    numbers = {stat.sign: stat for stat in piece.stats}
    if places is None or places.left not in numbers:
        return None
    left, right = numbers.pop(places.left), numbers.pop(places.right, None)
    foot = [numbers.pop(sign, sign) for sign in places.foot]
    return Printed(left, right, (*foot, *numbers.values()))
