"""Every re-roll of an assault played best by both sides, worked out exactly over all throws.

The attack and the counter-attack are two fights that have nothing in common but the re-rolls. In each, throws between
which no re-roll can ever make a difference are one class; so values are worked out for pairs of classes only, from the
last window back to the first, as whole numbers over a power of six.

A re-roll is only tried on the lowest die of a pool: whatever comes up, the pool is then at least as high as if another
die had been taken, and a higher pool never strikes or saves less.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from companion.games.pocket_tactics.comparing import Value, hits, pool
from companion.games.pocket_tactics.windows import Window, after

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_DICE = 6
"""Dice of a pool, and"""
MOST_PAIRS = 5_000_000
"""pairs of classes, up to which best play is worked out: a few seconds."""

Grid = list[list[int]]
"""The class of each state of a fight: a row for each throw of the offence, a column for each of the defence."""
Mark = tuple[int, ...]
"""What a class is known by: the classes it is in if nothing is done, if the other fight is touched, after a 1..6."""


class TooMany(ValueError):
    """There are too many dice and re-rolls to work best play out."""


class _Dice(NamedTuple):
    pools: list[tuple[int, ...]]
    ways: list[int]
    again: list[list[int]]
    """The throws that follow when the lowest die comes up 1..6 anew; empty without dice."""


class _Fight(NamedTuple):
    offence: _Dice
    defence: _Dice


class _Node(NamedTuple):
    """Hold what is known with certain windows left: the classes of both fights, and the value of each pair of them."""

    attack: Grid
    counter: Grid
    values: list[tuple[int, ...]]


class Won(NamedTuple):
    """Count in how many of ``whole`` equally likely ways the defender, the attacker and both are captured."""

    defender: int
    attacker: int
    both: int
    whole: int


def played(
    attack: tuple[Value, Value], counter: tuple[Value, Value], left: tuple[Window, ...], worth: tuple[int, int]
) -> Won:
    """Count how an assault ends when both sides play ``left`` best; each fight is (offence, defence).

    ``worth`` is what the attacker and the defender are worth, each at least 1. Raise TooMany beyond the limits.
    """
    if max(value.dice for value in (*attack, *counter)) > MOST_DICE:
        raise TooMany
    dice = sum(value.dice for value in (*attack, *counter))
    whole = 6 ** (dice + sum(window.total for window in left))
    play = _Play(_fight(*attack), _fight(*counter), worth, whole.bit_length())
    return play.won(left, whole)


@lru_cache(maxsize=64)
def _dice(value: Value) -> _Dice:
    throws = list(combinations_with_replacement(range(6, 0, -1), value.dice))
    at = {faces: index for index, faces in enumerate(throws)}
    ways = [factorial(value.dice) // prod(map(factorial, Counter(faces).values())) for faces in throws]
    again = [[at[pool((*faces[:-1], face))] for face in range(1, 7)] for faces in throws if faces]
    return _Dice([pool(faces, value.kicker) for faces in throws], ways, again)


def _fight(offence: Value, defence: Value) -> _Fight:
    return _Fight(_dice(offence), _dice(defence))


def _turned(grid: Grid) -> Grid:
    return [list(column) for column in zip(*grid, strict=True)]


class _Play:
    """Work out what each pair of states is worth with each of the windows left.

    A value holds three numbers in one, so that they are added and compared at once: what the attacker gains, in how
    many ways the defender is captured, in how many both are. The attacker wants it as large as can be, the defender
    as small.
    """

    def __init__(self, attack: _Fight, counter: _Fight, worth: tuple[int, int], bits: int) -> None:
        self.attack, self.counter, self.worth, self.bits = attack, counter, worth, bits
        self.nodes: dict[tuple[Window, ...], _Node] = {(): self._decided()}

    def won(self, left: tuple[Window, ...], whole: int) -> Won:
        """Add up over all throws."""
        attack, counter, rows = self._worked(left)
        by_attack, by_counter = _weights(self.attack, attack), _weights(self.counter, counter)
        total = sum(ways * sum(map(mul, by_counter, row)) for ways, row in zip(by_attack, rows, strict=True))
        mask = (1 << self.bits) - 1
        gain, defender, both = total >> 2 * self.bits, total >> self.bits & mask, total & mask
        return Won(defender, (self.worth[1] * defender - gain) // self.worth[0], both, whole)

    def _decided(self) -> _Node:
        """Return the node in which no re-roll is left."""

        def value(attack: int, counter: int) -> int:
            gain = self.worth[1] * attack - self.worth[0] * counter
            return (gain << 2 * self.bits) + (attack << self.bits) + (attack & counter)

        values = [tuple(value(attack, counter) for counter in (0, 1)) for attack in (0, 1)]
        return _Node(_verdicts(self.attack), _verdicts(self.counter), values)

    def _node(self, left: tuple[Window, ...]) -> _Node:
        if left not in self.nodes:
            attack, counter, rows = self._worked(left)
            values, alike = _merged([tuple(row) for row in rows])
            columns, alike_there = _merged(list(zip(*values, strict=True)))
            self.nodes[left] = _Node(
                [[alike[one] for one in row] for row in attack],
                [[alike_there[one] for one in row] for row in counter],
                list(zip(*columns, strict=True)),
            )
        return self.nodes[left]

    def _worked(self, left: tuple[Window, ...]) -> tuple[Grid, Grid, Iterator[list[int]]]:
        """Return the classes of both fights, and row by row the value of each pair of them."""
        if not left:
            node = self.nodes[()]
            return node.attack, node.counter, map(list, node.values)
        window = left[0]
        attacks = window.side == "attacker"
        struck = self._node(after(left, "offence")) if window.may("offence") else None
        saved = self._node(after(left, "defence")) if window.may("defence") else None
        first, second = (struck, saved) if attacks else (saved, struck)
        # To pass is to do without one re-roll after the other.
        passed = first or second
        assert passed is not None
        attack, marks = _marked(self.attack, attacks, passed.attack, (second or passed).attack,
                                first.attack if first else None)  # fmt: skip
        counter, others = _marked(self.counter, not attacks, passed.counter, (first or passed).counter,
                                  second.counter if second else None)  # fmt: skip
        if len(marks) * len(others) > MOST_PAIRS:
            raise TooMany
        best = max if attacks else min
        return attack, counter, _rows(best, marks, others, (passed, first or passed, second or passed))


def _verdicts(fight: _Fight) -> Grid:
    return [[int(hits(offence, defence)) for defence in fight.defence.pools] for offence in fight.offence.pools]


def _marked(fight: _Fight, by_row: bool, stays: Grid, other: Grid, again: Grid | None) -> tuple[Grid, list[Mark]]:
    """Sort the states of a fight into classes; ``by_row`` when the offence is the side that may roll again."""
    dice = fight.offence if by_row else fight.defence
    if not by_row:
        stays, other, again = _turned(stays), _turned(other), _turned(again) if again else None
    marks: dict[Mark, int] = {}
    grid = []
    for at, (here, there) in enumerate(zip(stays, other, strict=True)):
        come = [again[to] for to in dice.again[at]] if again and dice.again else []
        grid.append([marks.setdefault(mark, len(marks)) for mark in zip(here, there, *come, strict=True)])
    return (grid if by_row else _turned(grid)), list(marks)


def _rows(
    best: Callable[[int, int], int], marks: list[Mark], others: list[Mark], nodes: tuple[_Node, _Node, _Node]
) -> Iterator[list[int]]:
    """Work out the value of each pair of classes: nothing rolled again, a die of the attack, a die of the counter."""
    passed, first, second = (node.values for node in nodes)
    stays, across, *again = zip(*others, strict=True)
    untouched: dict[Mark, list[int]] = {}
    for here, there, *come in marks:
        if (here, there) not in untouched:
            kept = [6 * value for value in passed[here]]
            row = [kept[at] for at in stays]
            columns = [map(second[there].__getitem__, column) for column in again]
            untouched[here, there] = list(map(best, row, map(sum, zip(*columns, strict=True)))) if columns else row
        row = untouched[here, there]
        if come:
            sums = list(map(sum, zip(*[first[to] for to in come], strict=True)))
            row = list(map(best, row, [sums[at] for at in across]))
        yield row


def _merged(rows: list[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the rows that differ, and for each row which of them it is."""
    seen: dict[tuple[int, ...], int] = {}
    alike = [seen.setdefault(row, len(seen)) for row in rows]
    return list(seen), alike


def _weights(fight: _Fight, grid: Grid) -> list[int]:
    """Count the throws of each class, which are numbered as they first come."""
    found: Counter[int] = Counter()
    for ways, row in zip(fight.offence.ways, grid, strict=True):
        for times, one in zip(fight.defence.ways, row, strict=True):
            found[one] += ways * times
    return [found[one] for one in range(max(found) + 1)]
