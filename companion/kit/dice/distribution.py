"""Distributions counted exactly with whole numbers: in how many ways each number comes up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

import msgspec

MOST_AT_ONCE, MOST_ALTOGETHER = 160_000, 400_000
"""Bytes that one count may take, and all the counts for one throw: what is more takes longer than anybody waits."""
LONGEST_COUNT = 800
"""Bytes of a single number of ways: about two thousand digits."""


class TooManyWays(Exception):
    """More ways than can be counted while somebody waits."""


class Distribution(msgspec.Struct, frozen=True):
    """In how many of ``whole`` equally likely ways each number ``low``, ``low + 1``, ... comes up.

    The counts of a part, such as the faces that pass a test, add up to less than the whole.
    """

    low: int
    counts: tuple[int, ...]
    whole: int

    @property
    def high(self) -> int:
        """Return the highest number that is counted."""
        return self.low + len(self.counts) - 1

    def pairs(self) -> Iterable[tuple[int, int]]:
        """List every number that can come up, with its ways."""
        return ((number, count) for number, count in enumerate(self.counts, self.low) if count)

    def chances(self) -> dict[int, Fraction]:
        """Return the chance of every number that can come up."""
        return {number: Fraction(count, self.whole) for number, count in self.pairs()}

    @property
    def mean(self) -> Fraction:
        """Return what comes up on average."""
        return Fraction(sum(number * count for number, count in self.pairs()), self.whole)


SURE = Distribution(0, (1,), 1)
"""Nothing, for certain."""


class Abacus:
    """A counter of ways that raises TooManyWays when they take too long."""

    def __init__(self) -> None:
        self.left = MOST_ALTOGETHER

    def spend(self, length: int, whole: int, times: int = 1) -> int:
        """Take the work of counting so many numbers; return the bytes that hold any of their counts."""
        width = whole.bit_length() // 8 + 1  # no count is larger than the whole
        self.left -= length * width * times
        if width > LONGEST_COUNT or length * width > MOST_AT_ONCE or self.left < 0:
            raise TooManyWays
        return width

    def counted(self, pairs: Iterable[tuple[int, int]], whole: int) -> Distribution:
        """Gather (number, ways)."""
        ways: dict[int, int] = {}
        for number, count in pairs:
            ways[number] = ways.get(number, 0) + count
        low, high = min(ways, default=0), max(ways, default=0)
        self.spend(high - low + 1, whole)
        return Distribution(low, tuple(ways.get(number, 0) for number in range(low, high + 1)), whole)

    def each(self, numbers: Distribution, change: Callable[[int], int]) -> Distribution:
        """Count the ways to what each number becomes."""
        return self.counted(((change(number), count) for number, count in numbers.pairs()), numbers.whole)

    def plus(self, first: Distribution, second: Distribution) -> Distribution:
        """Count the ways to each sum."""
        whole = first.whole * second.whole
        length = len(first.counts) + len(second.counts) - 1
        width = self.spend(length, whole)
        product = _packed(first.counts, width) * _packed(second.counts, width)
        return Distribution(first.low + second.low, _unpacked(product, width, length), whole)

    def times(self, numbers: Distribution, count: int) -> Distribution:
        """Count the ways to each sum of so many alike."""
        whole = numbers.whole**count
        length = (len(numbers.counts) - 1) * count + 1
        width = self.spend(length, whole)
        counts = _unpacked(_packed(numbers.counts, width) ** count, width, length)
        return Distribution(numbers.low * count, counts, whole)

    def either(self, first: Distribution, second: Distribution) -> Distribution:
        """Put two parts together that never happen at once; the whole of the first is a multiple of the second's."""
        scale = first.whole // second.whole
        pairs = [*first.pairs(), *((number, count * scale) for number, count in second.pairs())]
        return self.counted(pairs, first.whole)


def _packed(counts: tuple[int, ...], width: int) -> int:
    """Write the counts one behind the other into one whole number, so that a product of two is a product of sums."""
    return int.from_bytes(b"".join(count.to_bytes(width, "little") for count in counts), "little")


def _unpacked(number: int, width: int, length: int) -> tuple[int, ...]:
    packed = number.to_bytes(width * length, "little")
    return tuple(int.from_bytes(packed[at : at + width], "little") for at in range(0, width * length, width))
