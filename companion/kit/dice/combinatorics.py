"""Distributions counted exactly with whole numbers: the ways to each total of a throw, to each number of a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import comb

import msgspec

from companion.kit.dice.notation import MOST_EXPLOSIONS, Dice, Keep, Number, Sum, Target, Throw, every_dice
from companion.kit.ruling import Refusal
from companion.kit.text import say

MOST_AT_ONCE, MOST_ALTOGETHER = 160_000, 400_000
"""Bytes that one count may take, and all the counts for one throw: what is more takes longer than anybody waits."""
LONGEST_COUNT = 800
"""Bytes of a single number of ways: about two thousand digits."""
MOST_STEPS = 60_000
"""Steps of counting kept dice, or pairs of numbers multiplied, that nobody has to wait for."""
MOST_MOVED = 500_000_000
"""Bits that those steps may move."""


class TooManyWays(Refusal):
    """More ways than can be counted while somebody waits."""

    def __init__(self) -> None:
        what = say("The odds of this are too many to work out here. You can roll it all the same.")
        super().__init__(what, field="notation")


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


def total(throw: Throw) -> Distribution:
    """Count the ways to each total (a target counts 1 when it is reached, 0 when not); raise TooManyWays.

    Named faces add nothing to it: see ``named``.
    """
    return _Count().total(throw)


def named(throw: Throw, names: tuple[str, ...]) -> Iterator[Distribution]:
    """Count for each name the ways to each number of dice that show it; raise TooManyWays."""
    abacus = Abacus()
    groups = [dice for dice in every_dice(throw) if dice.names]
    for name in names:
        shown = SURE
        for dice in groups:
            die = abacus.counted([(int(face == name), 1) for face in dice.names], dice.sides)
            shown = abacus.plus(shown, abacus.times(die, dice.count))
        yield shown


class _Count(Abacus):
    """The count of one throw, which gives up when it takes too long."""

    def __init__(self) -> None:
        super().__init__()
        self.steps = MOST_STEPS
        self.moved = MOST_MOVED

    def total(self, throw: Throw) -> Distribution:
        match throw:
            case Number(value=value):
                return Distribution(value, (1,), 1)
            case Dice():
                return SURE if throw.names else self.handful(throw)
            case Target(inner=inner, test=test):
                return self.each(self.total(inner), lambda number: int(test.holds(number)))
            case Sum(how="+", left=left, right=right):
                return self.plus(self.total(left), self.total(right))
            case Sum(how="-", left=left, right=right):
                negative = self.each(self.total(right), lambda number: -number)
                return self.plus(self.total(left), negative)
            case Sum(how="/", left=left, right=Number(value=by)):
                return self.each(self.total(left), lambda number: number // by)
            case Sum(left=left, right=right):
                return self.product(self.total(left), self.total(right))

    def product(self, left: Distribution, right: Distribution) -> Distribution:
        pairs = ((first * second, ways * more) for first, ways in left.pairs() for second, more in right.pairs())
        whole = left.whole * right.whole
        self.step(len(left.counts) * len(right.counts), whole.bit_length())
        return self.counted(pairs, whole)

    def step(self, steps: int, bits: int) -> None:
        """Take steps that each move so many bits."""
        self.steps -= steps
        self.moved -= steps * bits
        if self.steps < 0 or self.moved < 0:
            raise TooManyWays

    def handful(self, dice: Dice) -> Distribution:
        """Count the ways to what a handful adds up to, or to its successes less its failures."""
        self.step(dice.sides, 1)
        faces, keep = _faces(dice), dice.keep
        if keep is None:
            return self.times(self.chain(dice, faces), dice.count)
        if keep.how in ("kh", "kl") or not _exploding(dice, faces):
            return self.first(dice, faces, keep.kept(dice.count), keep.highest)
        return self.without_first(dice, faces, keep)

    def chain(self, dice: Dice, faces: dict[int, int]) -> Distribution:
        """Count the ways of one die and of those that it explodes into."""
        whole, value = sum(faces.values()), dice.value

        def ways(some: Iterable[int]) -> Distribution:
            return self.counted([(value(face), faces[face]) for face in some], whole)

        chain, exploding = ways(faces), _exploding(dice, faces)
        if not exploding:
            return chain
        going_on, ending = ways(exploding), ways(faces.keys() - exploding)
        for _ in range(MOST_EXPLOSIONS):
            chain = self.either(self.plus(going_on, chain), ending)
        return chain

    def first(self, dice: Dice, faces: dict[int, int], number: int, highest: bool) -> Distribution:
        """Count the ways to what so many of the highest or lowest dice come to.

        Face by face, those first that are kept first. ``ways[more, last]`` counts the ways in which so many dice that
        explode and so many that do not add up to each sum: packed into one whole number, a block of bits for every
        sum, so that a face is a shift. Once enough are kept, what the rest show makes no difference: all of their ways
        are counted at once, less those in which still too few show the face.
        """
        whole, value = sum(faces.values()), dice.value
        exploding = _exploding(dice, faces)
        throws = whole ** (dice.count * (MOST_EXPLOSIONS + 1 if exploding else 1))
        least, highest_value = min(map(value, faces)), max(map(value, faces))
        block = throws.bit_length() + 1
        length = (highest_value - least) * number + 1
        self.spend(length, throws)
        rest = _Rest(self.chains(dice.count, whole) if exploding else {(0, dice.count): 1}, self.step)
        left = [sum(faces[face] for face in exploding), sum(faces[face] for face in faces if face not in exploding)]
        ways, enough = {(0, 0): 1}, 0
        for face in sorted(faces, reverse=highest):
            side = 0 if face in exploding else 1
            before = tuple(left)
            left[side] -= faces[face]
            after: dict[tuple[int, int], int] = {}
            for (more, last), known in ways.items():
                lacking = number - more - last
                self.step(lacking + 2, length * block)
                others, alike = rest.ways(more, last, *before), 1
                for count in range(lacking):
                    there = (more + count, last) if side == 0 else (more, last + count)
                    if count:
                        # Those that show the face among all of its side, each in as many ways: from one less.
                        alike = alike * there[side] * faces[face] // count
                    others -= alike * rest.ways(*there, *left)
                    after[there] = after.get(there, 0) + ((known * alike) << ((value(face) - least) * block * count))
                enough += (known * others) << ((value(face) - least) * block * lacking)
            ways = after
        return self.unpacked({least * number: enough}, block, length, throws)

    def without_first(self, dice: Dice, faces: dict[int, int], keep: Keep) -> Distribution:
        """Count the ways to what exploding dice come to without so many of the highest or lowest.

        Face by face as in ``first``, but for every number of dice there may be: each that is not dropped counts.
        """
        whole, value = sum(faces.values()), dice.value
        exploding = _exploding(dice, faces)
        throws = whole ** (dice.count * (MOST_EXPLOSIONS + 1))
        most_more, most_last = dice.count * (MOST_EXPLOSIONS + 1), dice.count
        least, highest = min(map(value, faces)), max(map(value, faces))
        block = throws.bit_length() + 1
        length = (highest - least) * (most_more - keep.number) + 1
        self.spend(length, throws)
        chains = self.chains(dice.count, whole)
        ways = {(0, 0): 1}
        for face in sorted(faces, reverse=not keep.highest):
            after: dict[tuple[int, int], int] = {}
            for (more, last), known in ways.items():
                most = most_more - more if face in exploding else most_last - last
                self.step(most + 1, length * block)
                for count in range(most + 1):
                    there = (more + count, last) if face in exploding else (more, last + count)
                    slots = there[0] if face in exploding else there[1]
                    adding = count - min(keep.number, more + last + count) + min(keep.number, more + last)
                    alike = comb(slots, count) * faces[face] ** count
                    after[there] = after.get(there, 0) + ((known * alike) << ((value(face) - least) * block * adding))
            ways = after
        sums: dict[int, int] = {}
        for (more, last), times in chains.items():
            lowest = least * keep.kept(more + last)
            sums[lowest] = sums.get(lowest, 0) + ways.get((more, last), 0) * times
        return self.unpacked(sums, block, length, throws)

    def chains(self, count: int, whole: int) -> dict[tuple[int, int], int]:
        """Count the ways to each number of dice that explode, and of dice that do not, that so many dice grow into.

        A die that explodes as often as it may is followed by no other. Each is counted as if it had been thrown as
        often as the longest: what was not thrown may have come up as it likes.
        """
        self.step(2 * MOST_EXPLOSIONS * count * count, 1)
        chains: dict[tuple[int, int], int] = {}
        ways = [1]
        for last in range(count + 1):
            full = count - last
            for more, times in enumerate(ways):
                weight = comb(count, last) * times * whole ** (MOST_EXPLOSIONS * last - more)
                chains[(MOST_EXPLOSIONS + 1) * full + more, last] = weight
            ways = [sum(ways[max(0, to - MOST_EXPLOSIONS) : to + 1]) for to in range(len(ways) + MOST_EXPLOSIONS)]
        return chains

    def unpacked(self, sums: dict[int, int], block: int, length: int, whole: int) -> Distribution:
        """Read packed counts, each with the number that its first block counts."""
        self.step(len(sums) * length, 1)
        mask = (1 << block) - 1
        pairs = ((low + place, ways >> (block * place) & mask) for low, ways in sums.items() for place in range(length))
        return self.counted(((number, count) for number, count in pairs if count), whole)


class _Rest:
    """The ways of the dice that are left over, whatever they show of the faces that are left."""

    def __init__(self, chains: dict[tuple[int, int], int], step: Callable[[int, int], None]) -> None:
        self.chains: dict[int, list[tuple[int, int]]] = {}
        for (more, last), times in chains.items():
            self.chains.setdefault(last, []).append((more, times))
        self.many = len(chains)
        self.step = step
        self.ways, self.growing = cache(self._count), cache(self._count_growing)

    def _count(self, more: int, last: int, exploding: int, others: int) -> int:
        """Count them beside so many dice of each kind; so many ways are left to a die that explodes, or does not."""
        growing = self.growing(more, exploding)
        self.step(len(growing), 1)
        return sum(times * comb(every, last) * others ** (every - last) for every, times in growing if every >= last)

    def _count_growing(self, more: int, exploding: int) -> list[tuple[int, int]]:
        """Count those that explode, for each number of dice that do not."""

        def ways(most: int, times: int) -> int:
            return times * comb(most, more) * exploding ** (most - more) if most >= more else 0

        self.step(self.many, 1)
        return [(every, sum(ways(*chain) for chain in chains)) for every, chains in self.chains.items()]


def _faces(dice: Dice) -> dict[int, int]:
    """Count the ways to each face that one die ends on, once it was thrown again as it must be."""
    again = dice.again.among(dice.faces) if dice.again else range(0)
    if dice.once:
        return {face: len(again) + (0 if face in again else dice.sides) for face in dice.faces}
    return {face: 1 for face in dice.faces if face not in again}


def _exploding(dice: Dice, faces: dict[int, int]) -> frozenset[int]:
    return frozenset(dice.explode.among(dice.faces) if dice.explode else ()) & faces.keys()
