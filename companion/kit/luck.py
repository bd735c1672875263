"""How unusual dice came up: exact chances that fair dice come as far from what is expected."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from functools import lru_cache
from math import comb, log10

import msgspec

MOST_DIGITS = 4000
"""Digits of the number of possible throws that is worked with at most: about five thousand six-sided dice."""
MOST_SUM = 50_000
"""The largest sum that is worked up to."""


class Luck(msgspec.Struct, frozen=True):
    """How unusual a number is that came of fair dice, as exact chances.

    ``at_most`` is the chance of this number or a smaller one, ``at_least`` of this one or a larger one, ``as_far`` of
    one that is at least as far from what is expected, on either side.
    """

    at_most: Fraction
    at_least: Fraction
    as_far: Fraction


def workable(count: int, sides: int) -> bool:
    """Tell whether so many dice are few enough to be worked out exactly."""
    return count > 0 and sides > 1 and count * sides <= MOST_SUM and count * log10(sides) <= MOST_DIGITS


@lru_cache(maxsize=512)
def luck_of_sum(count: int, sides: int, total: int) -> Luck:
    """Say how unusual the sum of ``count`` dice with faces 1..``sides`` is; ``total`` is between their extremes."""
    whole = sides**count
    mirrored = count * (sides + 1) - total
    below, here = _ways(count, sides, min(total, mirrored))
    # A sum and its mirror image are as likely: each die turned over, so that 1 becomes the highest face.
    smaller, larger = (below, whole - below - here) if total <= mirrored else (whole - below - here, below)
    far = whole if total == mirrored else 2 * (below + here)
    return Luck(Fraction(smaller + here, whole), Fraction(larger + here, whole), Fraction(far, whole))


def _ways(count: int, sides: int, total: int) -> tuple[int, int]:
    """Count the throws whose sum is less than ``total``, and those where it is just that.

    They are the coefficients of (1 + x + ... + x^(sides-1))^count: each follows from four before it, because that is
    ((1 - x^sides) / (1 - x))^count, whose derivative is a short multiple of itself.
    """
    latest = deque([1], maxlen=sides + 1)
    below = 0
    for k in range(total - count):
        below += latest[-1]
        following = (count + k) * latest[-1]
        if k + 1 >= sides:
            following += (k + 1 - sides - count * sides) * latest[-sides]
        if k >= sides:
            following += (count * (sides - 1) - (k - sides)) * latest[-sides - 1]
        latest.append(following // (k + 1))
    return below, latest[-1]


@lru_cache(maxsize=512)
def luck_of_face(count: int, sides: int, shown: int) -> Luck:
    """Say how unusual it is that one face came up ``shown`` times on ``count`` dice."""
    whole = sides**count
    # Distances from the expected count / sides, in units of 1 / sides.
    off = abs(shown * sides - count)
    at_most = _times(count, sides, 0, shown)
    here = _times(count, sides, shown, shown)
    # Nearer than that: more than count - off, less than count + off.
    nearer = _times(count, sides, (count - off) // sides + 1, -(-(count + off) // sides) - 1) if off else 0
    return Luck(Fraction(at_most, whole), Fraction(whole - at_most + here, whole), Fraction(whole - nearer, whole))


def _times(count: int, sides: int, low: int, high: int) -> int:
    """Count the throws in which one face comes up ``low`` to ``high`` times."""
    low, high = max(low, 0), min(high, count)
    if low > high:
        return 0
    ways: int = comb(count, low) * (sides - 1) ** (count - low)
    total = ways
    for times in range(low, high):
        ways = ways * (count - times) // ((times + 1) * (sides - 1))
        total += ways
    return total
