"""Where the numbers of a piece that is a card are printed."""

from __future__ import annotations

import msgspec


class CardNumbers(msgspec.Struct, frozen=True):
    """Where a card has its numbers, by their signs: one in each upper corner, others side by side at its ``foot``.

    A card that lacks a number of the foot shows a dash there. A piece without the one in the ``left`` corner is no
    such card.
    """

    left: str
    right: str
    foot: tuple[str, ...]
