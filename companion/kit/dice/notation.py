"""What a throw is: dice, and what is done with them. The text ``4d6kh3+2`` is read in ``parser.py``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import eq, ge, gt, le, lt
from typing import Literal

import msgspec

Comparison = Literal[">=", "<=", "=", ">", "<"]
Keeping = Literal["kh", "kl", "dh", "dl"]
Kind = Literal["points", "successes", "names"]

_HOLDS: dict[Comparison, Callable[[int, int], bool]] = {">=": ge, "<=": le, "=": eq, ">": gt, "<": lt}
MOST_DICE, MOST_SIDES, LARGEST_NUMBER = 1000, 10_000, 1_000_000
MOST_EXPLOSIONS = 10
"""How often one die may explode, one after the other: a throw ends, and its odds are finite sums."""


class Test(msgspec.Struct, frozen=True):
    """A comparison with a number: ``>=7``."""

    __test__ = False  # no test class of pytest's

    how: Comparison
    number: int

    def holds(self, value: int) -> bool:
        """Say whether a value passes."""
        return _HOLDS[self.how](value, self.number)

    def among(self, faces: range) -> range:
        """Return the faces that pass: they always lie side by side."""
        passing = [face for face in faces if self.holds(face)]
        return range(passing[0], passing[-1] + 1) if passing else range(0)

    def __str__(self) -> str:
        return f"{self.how}{self.number}"


class Keep(msgspec.Struct, frozen=True):
    """The dice that stay: so many of the highest or lowest are kept or dropped, ``kh3``."""

    how: Keeping
    number: int

    def kept(self, count: int) -> int:
        """Return how many of ``count`` dice stay."""
        return min(self.number, count) if self.how in ("kh", "kl") else max(0, count - self.number)

    @property
    def highest(self) -> bool:
        """Say whether it is the highest dice that stay."""
        return self.how in ("kh", "dl")

    def __str__(self) -> str:
        return f"{self.how}{self.number}"


class Dice(msgspec.Struct, frozen=True, omit_defaults=True):
    """So many dice (``count``) with faces ``low``..``high``, or with named faces.

    In this order, whatever order it was typed in: ``again`` throws dice that pass once more (``once``, or until they
    pass no longer), ``explode`` adds a die for each that passes, ``keep`` lets some of them count, and ``success``
    counts dice that pass (less those that pass ``failure``) instead of adding them up. ``names`` are what the faces
    1.. say, empty for a blank one. ``at`` is where it stands in the text: first letter, letter after the last.
    """

    count: int
    low: int
    high: int
    names: tuple[str, ...] = ()
    again: Test | None = None
    once: bool = False
    explode: Test | None = None
    keep: Keep | None = None
    success: Test | None = None
    failure: Test | None = None
    label: str = ""
    at: tuple[int, int] = (0, 0)

    @property
    def sides(self) -> int:
        """Return how many faces each die has."""
        return self.high - self.low + 1

    @property
    def faces(self) -> range:
        """Return the faces in order."""
        return range(self.low, self.high + 1)

    @property
    def kind(self) -> Kind:
        """Say what it counts."""
        return "names" if self.names else "successes" if self.success else "points"

    def value(self, face: int) -> int:
        """Return what a face adds: its number, or 1 for a success and -1 for a failure where those are counted."""
        if self.success is None:
            return face
        return int(self.success.holds(face)) - int(self.failure is not None and self.failure.holds(face))

    def says(self, face: int) -> str:
        """Return what stands on a face; nothing on a blank one."""
        if self.names:
            return self.names[face - 1]
        return {-1: "−", 0: "0", 1: "+"}[face] if self.low < 0 else str(face)

    @property
    def die(self) -> str:
        """Write which die it is: ``d6``."""
        if self.names:
            named = (f"{face}={name}" for face, name in enumerate(self.names, 1) if name or face == len(self.names))
            return f"d{{{' '.join(named)}}}"
        return "dF" if self.low < 0 else f"d{self.high}"

    def __str__(self) -> str:
        again = f"{'ro' if self.once else 'r'}{_face(self.again)}" if self.again else ""
        usual = self.explode == Test("=", self.high) and (self.keep or not self.success)
        explode = "!" if usual else f"!{_face(self.explode)}" if self.explode else ""
        failure = f"f{_face(self.failure)}" if self.failure else ""
        label = f"[{self.label}]" if self.label else ""
        return f"{self.count}{self.die}{again}{explode}{self.keep or ''}{self.success or ''}{failure}{label}"


def _face(test: Test) -> str:
    """Write a test where a number alone is to be equalled."""
    return str(test.number) if test.how == "=" and test.number >= 0 else str(test)


class Number(msgspec.Struct, frozen=True):
    """A fixed number, which is added."""

    value: int

    def __str__(self) -> str:
        return str(self.value)


class Sum(msgspec.Struct, frozen=True):
    """Two throws that are added, subtracted, multiplied or divided (rounded down)."""

    how: Literal["+", "-", "*", "/"]
    left: Throw
    right: Throw

    def __str__(self) -> str:
        if _is_minus(self):
            return f"-{_beside(self.right, 3)}"
        strength = _strength(self)
        return f"{_beside(self.left, strength)}{self.how}{_beside(self.right, strength + 1)}"


class Target(msgspec.Struct, frozen=True):
    """A whole throw that is compared with a number: it succeeds or fails."""

    inner: Throw
    test: Test

    def __str__(self) -> str:
        return f"({self.inner}){self.test}"


Throw = Dice | Number | Sum | Target


def _is_minus(throw: Sum) -> bool:
    return throw.how == "-" and throw.left == Number(0)


def _strength(throw: Throw) -> int:
    """Say how closely it holds together: a comparison, a sum, a product, a single thing."""
    match throw:
        case Target():
            return 0
        case Sum() if not _is_minus(throw):
            return 1 if throw.how in ("+", "-") else 2
        case _:
            return 3


def _beside(throw: Throw, strength: int) -> str:
    return str(throw) if _strength(throw) >= strength else f"({throw})"


def every_dice(throw: Throw) -> Iterator[Dice]:
    """List the dice of a throw from left to right."""
    match throw:
        case Dice():
            yield throw
        case Sum(left=left, right=right):
            yield from every_dice(left)
            yield from every_dice(right)
        case Target(inner=inner):
            yield from every_dice(inner)
        case Number():
            return


def kinds(throw: Throw) -> frozenset[Kind]:
    """Say what a throw counts; a target that is reached counts as a success."""
    match throw:
        case Dice():
            return frozenset({throw.kind})
        case Sum(left=left, right=right):
            return kinds(left) | kinds(right)
        case Target():
            return frozenset({"successes"})
        case Number():
            return frozenset()
