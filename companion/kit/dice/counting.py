"""Count the ways of a throw with whole numbers: to each total, each number of successes, each number of a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import comb

from companion.kit.dice.notation import MOST_EXPLOSIONS, Dice, Keep, Number, Sum, Target, Throw, every_dice
from companion.kit.dice.ways import SURE, Abacus, TooManyWays, Ways

MOST_STEPS = 80_000
"""Steps of counting kept dice, or pairs of numbers multiplied, that nobody has to wait for."""
MOST_MOVED = 500_000_000
"""Bits that those steps may move."""


def total(throw: Throw) -> Ways:
    """Count the ways to each total (a target counts 1 when it is reached, 0 when not); raise TooManyWays.

    Named faces add nothing to it: see ``named``.
    """
    return _Count(Abacus()).total(throw)


def named(throw: Throw, names: tuple[str, ...]) -> Iterator[Ways]:
    """Count for each name the ways to each number of dice that show it; raise TooManyWays."""
    abacus = Abacus()
    groups = [dice for dice in every_dice(throw) if dice.names]
    for name in names:
        ways = SURE
        for dice in groups:
            one = abacus.counted([(int(said == name), 1) for said in dice.names], dice.sides)
            ways = abacus.plus(ways, abacus.times(one, dice.count))
        yield ways


class _Count:
    """Count the ways of one throw, with an abacus that gives up when it takes too long."""

    def __init__(self, abacus: Abacus) -> None:
        self.abacus = abacus
        self.steps = MOST_STEPS
        self.moved = MOST_MOVED

    def total(self, throw: Throw) -> Ways:
        match throw:
            case Number(value=value):
                return Ways(value, (1,), 1)
            case Dice():
                return SURE if throw.names else self.handful(throw)
            case Target(inner=inner, test=test):
                return self.abacus.each(self.total(inner), lambda number: int(test.holds(number)))
            case Sum(how="+", left=left, right=right):
                return self.abacus.plus(self.total(left), self.total(right))
            case Sum(how="-", left=left, right=right):
                less = self.abacus.each(self.total(right), lambda number: -number)
                return self.abacus.plus(self.total(left), less)
            case Sum(how="/", left=left, right=Number(value=by)):
                return self.abacus.each(self.total(left), lambda number: number // by)
            case Sum(left=left, right=right):
                return self.product(self.total(left), self.total(right))

    def product(self, left: Ways, right: Ways) -> Ways:
        pairs = ((first * second, ways * more) for first, ways in left.pairs() for second, more in right.pairs())
        whole = left.whole * right.whole
        self.step(len(left.counts) * len(right.counts), whole.bit_length())
        return self.abacus.counted(pairs, whole)

    def step(self, steps: int, bits: int) -> None:
        """Take steps that each move so many bits."""
        self.steps -= steps
        self.moved -= steps * bits
        if self.steps < 0 or self.moved < 0:
            raise TooManyWays

    def handful(self, dice: Dice) -> Ways:
        """Count the ways to what a handful adds up to, or to its successes less its failures."""
        self.step(dice.sides, 1)
        faces = _faces(dice)
        if dice.keep:
            return self.kept(dice, faces, dice.keep)
        return self.abacus.times(self.chain(dice, faces), dice.count)

    def chain(self, dice: Dice, faces: dict[int, int]) -> Ways:
        """Count the ways of one die and of those that it explodes into."""
        whole, value = sum(faces.values()), _value(dice)
        exploding = _exploding(dice, faces)
        chain = self.abacus.counted([(value(face), ways) for face, ways in faces.items()], whole)
        if not exploding:
            return chain
        going_on = self.abacus.counted([(value(face), faces[face]) for face in exploding], whole)
        ending = self.abacus.counted(
            [(value(face), ways) for face, ways in faces.items() if face not in exploding], whole
        )
        for _ in range(MOST_EXPLOSIONS):
            chain = self.abacus.either(self.abacus.plus(going_on, chain), ending)
        return chain

    def kept(self, dice: Dice, faces: dict[int, int], keep: Keep) -> Ways:
        """Count the ways to what the dice come to that are kept.

        Face by face, those first that are picked first: kept ones where dice are kept, dropped ones where dice are
        dropped. ``ways[most, few]`` counts the ways in which so many dice that explode and so many that do not add up
        to each sum: packed into one whole number, a block of bits for every sum, so that a face is a shift.
        """
        whole, value = sum(faces.values()), _value(dice)
        exploding = _exploding(dice, faces)
        chains = _chains(dice.count, whole) if exploding else {(0, dice.count): 1}
        longest = max(more + last for more, last in chains)
        most_more, most_last = max(more for more, _ in chains), dice.count
        throws = whole ** (dice.count * (MOST_EXPLOSIONS + 1 if exploding else 1))
        least, highest = min(0, *map(value, faces)), max(0, *map(value, faces))
        counting = longest - keep.number if keep.how in ("dh", "dl") else keep.number
        block = throws.bit_length() + 1
        length = (highest - least) * counting + 1
        self.abacus.spend(length, throws)
        ways = {(0, 0): 1}
        for face in sorted(faces, reverse=keep.how in ("kh", "dh")):
            after: dict[tuple[int, int], int] = {}
            shift = (value(face) - least) * block
            for (more, last), known in ways.items():
                most = most_more - more if face in exploding else most_last - last
                self.step(most + 1, length * block)
                for count in range(most + 1):
                    there = (more + count, last) if face in exploding else (more, last + count)
                    slots = there[0] if face in exploding else there[1]
                    picked = min(keep.number, more + last + count) - min(keep.number, more + last)
                    adding = count - picked if keep.how in ("dh", "dl") else picked
                    added = (known * (comb(slots, count) * faces[face] ** count)) << (shift * adding)
                    after[there] = after.get(there, 0) + added
            ways = after
        sums: dict[int, int] = {}
        for (more, last), times in chains.items():
            staying = keep.kept(more + last)
            sums[staying] = sums.get(staying, 0) + ways.get((more, last), 0) * times
        mask = (1 << block) - 1
        pairs = (
            (least * staying + place, packed >> (block * place) & mask)
            for staying, packed in sums.items()
            for place in range(length)
        )
        self.step(len(sums) * length, 1)
        return self.abacus.counted(((number, count) for number, count in pairs if count), throws)


def _value(dice: Dice) -> Callable[[int], int]:
    """Return what a face adds."""
    success, failure = dice.success, dice.failure
    if success is None:
        return lambda face: face
    return lambda face: int(success.holds(face)) - int(failure is not None and failure.holds(face))


def _faces(dice: Dice) -> dict[int, int]:
    """Count the ways to each face that one die ends on, once it was thrown again as it must be."""
    again = dice.again.among(dice.faces) if dice.again else range(0)
    if dice.once:
        return {face: len(again) + (0 if face in again else dice.sides) for face in dice.faces}
    return {face: 1 for face in dice.faces if face not in again}


def _exploding(dice: Dice, faces: dict[int, int]) -> frozenset[int]:
    """Return the faces that explode, of those that a die can end on."""
    return frozenset(dice.explode.among(dice.faces) if dice.explode else ()) & faces.keys()


def _chains(count: int, whole: int) -> dict[tuple[int, int], int]:
    """Count the ways to each number of dice that explode, and of dice that do not, that so many dice grow into.

    A die that explodes as often as it may is followed by no other. Each is counted as if it had been thrown as often as
    the longest: what was not thrown may have come up as it likes.
    """
    found: dict[tuple[int, int], int] = {}
    ways = [1]
    for last in range(count + 1):
        full = count - last
        for more, times in enumerate(ways):
            weight = comb(count, last) * times * whole ** (MOST_EXPLOSIONS * last - more)
            found[(MOST_EXPLOSIONS + 1) * full + more, last] = weight
        ways = [sum(ways[max(0, to - MOST_EXPLOSIONS) : to + 1]) for to in range(len(ways) + MOST_EXPLOSIONS)]
    return found
