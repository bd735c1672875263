"""Exact odds as they are shown: bars, on a map where they have places."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from companion.kit.ruling import Reason
from companion.kit.text import Text


class Bar(msgspec.Struct, frozen=True):
    """One bar of a chart of odds; ``place`` is the square of the chart's map that it is the chance of."""

    label: Text
    chance: Fraction
    place: str | None = None


class Map(msgspec.Struct, frozen=True):
    """A chart laid out as a board: files left to right, ranks bottom to top (``turned``: seen from the other side)."""

    files: tuple[str, ...]
    ranks: tuple[str, ...]
    turned: bool = False


class Chart(msgspec.Struct, frozen=True):
    """Exact odds: bars in reading order, each a chance; with a ``map``, those with a place are drawn on it.

    ``reasons`` say what they rest on, such as the face that a die needs and why.
    """

    title: Text
    bars: tuple[Bar, ...]
    map: Map | None = None
    reasons: tuple[Reason, ...] = ()
