"""Every re-roll of an assault played best by both sides, worked out exactly over all throws.

The attack and the counter-attack are two fights that have nothing in common but the re-rolls. In each, throws between
which no re-roll can ever make a difference are one class; so values are worked out for pairs of classes only, from the
last window back to the first, as whole numbers over a power of six.

A re-roll is only tried on the lowest die of a pool: whatever comes up, the pool is then at least as high as if another
die had been taken, and a higher pool never strikes or saves less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from operator import mul
from typing import NamedTuple

from companion.games.pocket_tactics.dice import POOLS, Choice, Standing, Value, Window, after, hits, pool

MOST_DICE = 6
"""Dice of a pool up to which best play is worked out."""
AT_ONCE, PATIENTLY = 750_000, 4_000_000
"""Throws and pairs of classes that are looked at: at the table, some 0.3 seconds; in a look-up, some 2 seconds."""

Grid = list[list[int]]
"""The class of each state of a fight: a row for each throw of the offence, a column for each of the defence."""
Faces = tuple[int, ...]
Mark = tuple[int, ...]
"""What a class is known by: the classes it is in if nothing is done, if the other fight is touched, after a 1..6."""


class TooMany(ValueError):
    """There are too many dice and re-rolls to work best play out."""


class Thrown(NamedTuple):
    """Every throw of one pool that differs, by its place in the list.

    ``at`` finds the place of faces (highest first), ``ways`` counts the throws alike, ``again`` tells the places that
    follow when the lowest die comes up 1..6 anew (empty without dice).
    """

    at: dict[Faces, int]
    pools: list[tuple[int, ...]]
    ways: list[int]
    again: list[list[int]]


class Fight(NamedTuple):
    """All that can be thrown of one offence and one defence."""

    offence: Thrown
    defence: Thrown


class _Node(NamedTuple):
    """What is known with certain windows left: the classes of both fights, and the value of each pair of them."""

    attack: Grid
    counter: Grid
    values: list[tuple[int, ...]]


class Ends(NamedTuple):
    """The chances of the four ends of an assault; they add up to 1 (PT-42 to PT-45)."""

    defender_captured: Fraction
    both_captured: Fraction
    attacker_captured: Fraction
    stall: Fraction


class Stakes(NamedTuple):
    """What it is worth how an assault ends: one number that is added up and compared, larger for the attacker.

    It holds three: what the attacker gains, in how many ways the defender is captured, in how many both are; the last
    two have ``bits`` each. ``worth`` is what the attacker and the defender are worth, each at least 1.
    """

    worth: tuple[int, int]
    bits: int

    def value(self, attack: int, counter: int) -> int:
        """Return the value of one way to end: whether the attack hits, and whether the counter does."""
        gain = self.worth[1] * attack - self.worth[0] * counter
        return (gain << 2 * self.bits) + (attack << self.bits) + (attack & counter)

    def ends(self, total: int, whole: int) -> Ends:
        """Take the sum over ``whole`` ways apart."""
        mask = (1 << self.bits) - 1
        gain, defender, both = total >> 2 * self.bits, total >> self.bits & mask, total & mask
        attacker = (self.worth[1] * defender - gain) // self.worth[0]
        ways = (defender - both, both, attacker - both, whole - defender - attacker + both)
        return Ends(*(Fraction(count, whole) for count in ways))


def played(
    attack: tuple[Value, Value],
    counter: tuple[Value, Value],
    left: tuple[Window, ...],
    worth: tuple[int, int],
    most: int,
) -> Ends:
    """Return how an assault ends when both sides play ``left``, one window at least; each fight is (offence, defence).

    ``worth`` is what the attacker and the defender are worth, each at least 1. Raise TooMany beyond the limits, one of
    which is ``most``: AT_ONCE or PATIENTLY.
    """
    whole = 6 ** (sum(value.dice for value in (*attack, *counter)) + sum(window.total for window in left))
    stakes = Stakes(worth, whole.bit_length())
    return stakes.ends(Play(fight(*attack), fight(*counter), stakes, most).total(left), whole)


def fight(offence: Value, defence: Value) -> Fight:
    """Return all that can be thrown of one offence and one defence; raise TooMany beyond the limit."""
    if max(offence.dice, defence.dice) > MOST_DICE:
        raise TooMany
    return Fight(_thrown(offence), _thrown(defence))


@lru_cache(maxsize=64)
def _thrown(value: Value) -> Thrown:
    throws = list(combinations_with_replacement(range(6, 0, -1), value.dice))
    at = {faces: index for index, faces in enumerate(throws)}
    ways = [factorial(value.dice) // prod(map(factorial, Counter(faces).values())) for faces in throws]
    again = [[at[pool((*faces[:-1], face))] for face in range(1, 7)] for faces in throws if faces]
    return Thrown(at, [pool(faces, value.kicker) for faces in throws], ways, again)


def _turned(grid: Grid) -> Grid:
    return [list(column) for column in zip(*grid, strict=True)]


class Play:
    """What each pair of states is worth with each of the windows left; raises TooMany beyond ``most`` looks."""

    def __init__(self, attack: Fight, counter: Fight, stakes: Stakes, most: int) -> None:
        self.attack, self.counter, self.left = attack, counter, most
        self.states = sum(len(fought.offence.pools) * len(fought.defence.pools) for fought in (attack, counter))
        self._spend(self.states)
        values = [tuple(stakes.value(struck, back) for back in (0, 1)) for struck in (0, 1)]
        self.nodes: dict[tuple[Window, ...], _Node] = {(): _Node(_verdicts(attack), _verdicts(counter), values)}

    def total(self, left: tuple[Window, ...]) -> int:
        """Add up over all throws."""
        attack, counter, rows = self._worked(left)
        by_attack, by_counter = _weights(self.attack, attack), _weights(self.counter, counter)
        return sum(by_attack[at] * sum(map(mul, by_counter, row)) for at, row in rows)

    def value(self, standing: Standing, left: tuple[Window, ...]) -> int:
        """Return what it is worth if the dice lie so."""
        ours, saving, theirs, guarding = (pool(dice.faces) for dice in standing)
        node = self._node(left)
        struck = node.attack[self.attack.offence.at[ours]][self.attack.defence.at[guarding]]
        back = node.counter[self.counter.offence.at[theirs]][self.counter.defence.at[saving]]
        return node.values[struck][back]

    def _spend(self, looks: int) -> None:
        self.left -= looks
        if self.left < 0:
            raise TooMany

    def _node(self, left: tuple[Window, ...]) -> _Node:
        if left not in self.nodes:
            attack, counter, rows = self._worked(left)
            listed = {at: tuple(row) for at, row in rows}
            values, alike = _merged([listed[at] for at in range(len(listed))])
            columns, alike_there = _merged(list(zip(*values, strict=True)))
            self.nodes[left] = _Node(
                [[alike[mark] for mark in row] for row in attack],
                [[alike_there[mark] for mark in row] for row in counter],
                list(zip(*columns, strict=True)),
            )
        return self.nodes[left]

    def _worked(self, left: tuple[Window, ...]) -> tuple[Grid, Grid, Iterator[tuple[int, list[int]]]]:
        """Return the classes of both fights, and for each of the attack the values of its pairs, as they come."""
        window = left[0]
        attacks = window.side == "attacker"
        struck = self._node(after(left, "offence")) if window.may("offence") else None
        saved = self._node(after(left, "defence")) if window.may("defence") else None
        first, second = (struck, saved) if attacks else (saved, struck)
        # To pass is to do without one re-roll after the other.
        passed = first or second
        assert passed is not None
        self._spend(self.states)
        attack, marks = _marked(
            self.attack, attacks, passed.attack, (second or passed).attack, first.attack if first else None
        )
        counter, others = _marked(
            self.counter, not attacks, passed.counter, (first or passed).counter, second.counter if second else None
        )
        self._spend(len(marks) * len(others))
        best = max if attacks else min
        return attack, counter, _rows(best, marks, others, (passed, first or passed, second or passed))


def _verdicts(fought: Fight) -> Grid:
    return [[int(hits(offence, defence)) for defence in fought.defence.pools] for offence in fought.offence.pools]


def _marked(fought: Fight, by_row: bool, stays: Grid, other: Grid, again: Grid | None) -> tuple[Grid, list[Mark]]:
    """Sort the states of a fight into classes; ``by_row`` when the offence is the side that may roll again."""
    dice = fought.offence if by_row else fought.defence
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
) -> Iterator[tuple[int, list[int]]]:
    """Work out the value of each pair of classes: nothing rolled again, a die of the attack, a die of the counter.

    What does not depend on a die of the attack is worked out once for the classes that have it in common.
    """
    passed, first, second = (node.values for node in nodes)
    stays, across, *again = zip(*others, strict=True)
    alike: tuple[int, ...] = ()
    untouched: list[int] = []
    for at in sorted(range(len(marks)), key=marks.__getitem__):
        here, there, *come = marks[at]
        if alike != (here, there):
            alike = here, there
            values = [6 * value for value in passed[here]]
            untouched = [values[to] for to in stays]
            if again:
                columns = [map(second[there].__getitem__, column) for column in again]
                untouched = list(map(best, untouched, map(sum, zip(*columns, strict=True))))
        row = untouched
        if come:
            sums = list(map(sum, zip(*[first[to] for to in come], strict=True)))
            row = list(map(best, row, [sums[to] for to in across]))
        yield at, row


def _merged(rows: list[tuple[int, ...]]) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return the rows that differ, and for each row which of them it is."""
    seen: dict[tuple[int, ...], int] = {}
    alike = [seen.setdefault(row, len(seen)) for row in rows]
    return list(seen), alike


def _weights(fought: Fight, grid: Grid) -> list[int]:
    """Count the throws of each class, which are numbered as they first come."""
    counts: Counter[int] = Counter()
    for ways, row in zip(fought.offence.ways, grid, strict=True):
        for times, mark in zip(fought.defence.ways, row, strict=True):
            counts[mark] += ways * times
    return [counts[mark] for mark in range(max(counts) + 1)]


@lru_cache(maxsize=64)
def choices(
    standing: Standing, left: tuple[Window, ...], worth: tuple[int, int] = (1, 1), most: int = AT_ONCE
) -> Mapping[Choice | None, Ends] | None:
    """Return the ends that follow each choice in the first window that is left, if everybody plays best from then on.

    What is best is told by ``assault_odds.ends``. The choice None is to pass: the rest of that window is given up. No
    mapping: it is too much to be looked at, which takes as long to find out as to work it out, and is kept as well.
    """
    ours, saving, theirs, guarding = (dice.value for dice in standing)
    window, whole = left[0], 6 ** sum(each.total for each in left)
    stakes = Stakes(worth, whole.bit_length())
    try:
        play = Play(fight(ours, guarding), fight(theirs, saving), stakes, most)
        totals: dict[Choice | None, int] = {None: 6**window.total * play.value(standing, left[1:])}
        for name in POOLS:
            for die in range(len(standing.of(window.side, name).faces) if window.may(name) else 0):
                choice = Choice(name, die)
                follow = (standing.rerolled(window.side, choice, face) for face in range(1, 7))
                totals[choice] = sum(play.value(new, after(left, name)) for new in follow)
    except TooMany:
        return None
    return {choice: stakes.ends(total, whole) for choice, total in totals.items()}
