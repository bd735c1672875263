"""Charts of the exact odds of a throw, short enough to be read on a phone."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from fractions import Fraction

from companion.kit.dice.combinatorics import Distribution, named, total
from companion.kit.dice.notation import Target, Throw, every_dice, kinds
from companion.kit.odds import Bar, Chart
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

MOST_BARS = 20
MOST_NAMES = 6
"""Names that get a chart each; of more than these only the chance of at least one is shown."""
RARE = 200
"""What comes up less than once in so many throws stands at the ends of a long chart as one bar."""

Groups = list[tuple[int, int, int]]
"""Numbers that stand together: the lowest, the highest, the ways to any of them."""


def charts(throw: Throw) -> tuple[Chart, ...]:
    """Work out the exact odds of a throw; raise TooManyWays where they are too many to count while somebody waits."""
    return tuple(_charts(throw))


def chances(throw: Throw) -> dict[int, Fraction]:
    """Work out the exact chance of each total, none where dice only show names; raise TooManyWays."""
    inner = throw.inner if isinstance(throw, Target) else throw
    return total(inner).chances() if kinds(inner) - {"names"} else {}


def _charts(throw: Throw) -> Iterable[Chart]:
    inner = throw.inner if isinstance(throw, Target) else throw
    counted = kinds(inner)
    if counted & {"points", "successes"}:
        totals = total(inner)
        if isinstance(throw, Target):
            yield _target(throw, totals)
        groups = _groups(totals)
        yield _exactly(totals, groups, say("Successes") if "successes" in counted else say("Total"))
        if len(groups) > 2:
            yield _at_least(totals, groups)
    if "names" in counted:
        yield from _names(throw)


def _target(throw: Target, totals: Distribution) -> Chart:
    reached = Fraction(sum(count for number, count in totals.pairs() if throw.test.holds(number)), totals.whole)
    bars = (Bar(say("reached"), reached), Bar(say("not reached"), 1 - reached))
    test = str(throw.test).replace(">=", "≥ ").replace("<=", "≤ ")
    return Chart(say("Target {test}", test=test), bars)


def _exactly(numbers: Distribution, groups: Groups, title: Text) -> Chart:
    bars = tuple(Bar(_label(low, high, numbers), Fraction(count, numbers.whole)) for low, high, count in groups)
    return Chart(title, bars, reasons=(Reason(say("on average {mean}", mean=_written(numbers.mean))),))


def _at_least(numbers: Distribution, groups: Groups) -> Chart:
    bars, left = [], numbers.whole
    for low, _, count in groups:
        if left < numbers.whole:
            bars.append(Bar(say("{number} or more", number=_number(low)), Fraction(left, numbers.whole)))
        left -= count
    return Chart(say("At least"), tuple(bars))


def _label(low: int, high: int, numbers: Distribution) -> Text:
    if low == high:
        return Text(_number(low))
    if low == numbers.low:
        return say("{number} or less", number=_number(high))
    if high == numbers.high:
        return say("{number} or more", number=_number(low))
    return Text(f"{_number(low)}–{_number(high)}")


def _number(number: int) -> str:
    return str(number).replace("-", "−")


def _groups(numbers: Distribution) -> Groups:
    """Put the numbers into so few groups that they are read, the rare ones at the ends."""
    pairs = list(numbers.pairs())
    if len(pairs) <= MOST_BARS:
        return [(number, number, count) for number, count in pairs]
    low, high = _usual(pairs, numbers.whole), _usual(pairs[::-1], numbers.whole)
    widths = (width * 10**zeros for zeros in itertools.count() for width in (1, 2, 5))
    wide = next(width for width in widths if (high - low) // width + 1 <= MOST_BARS - 3)
    first = low // wide * wide
    edges = [start for start in range(first, high + wide + 1, wide) if start > numbers.low and start <= numbers.high]
    starts = [numbers.low, *edges]
    return [
        (start, after - 1, count)
        for start, after in zip(starts, [*edges, numbers.high + 1], strict=True)
        if (count := sum(numbers.counts[start - numbers.low : after - numbers.low]))
    ]


def _usual(pairs: list[tuple[int, int]], whole: int) -> int:
    """Return the first number that is not rare, counted from one end."""
    rest = 0
    for number, count in pairs:
        rest += count
        if rest * RARE > whole:
            return number
    return pairs[-1][0]


def _names(throw: Throw) -> Iterable[Chart]:
    groups = [dice for dice in every_dice(throw) if dice.names]
    names = tuple(dict.fromkeys(name for dice in groups for name in dice.names if name))
    counted = named(throw, names)
    if len(names) <= MOST_NAMES:
        for name, shown in zip(names, counted, strict=True):
            yield _exactly(shown, _groups(shown), say("How many show {name}", name=name))
        return
    bars = tuple(
        Bar(say("{name}", name=name), Fraction(shown.whole - shown.counts[0], shown.whole))
        for name, shown in zip(names, counted, strict=True)
    )
    yield Chart(say("At least one"), bars)


def decimal(number: Fraction) -> str:
    """Write a number with at most two decimals."""
    return f"{float(round(number, 2)):.2f}".rstrip("0").rstrip(".").replace("-", "−")


def _written(number: Fraction) -> Text | str:
    """Write a number with the mark before its decimals that the reader's language has."""
    whole, mark, rest = decimal(number).partition(".")
    return say("{whole}.{decimals}", whole=whole, decimals=rest) if mark else whole
