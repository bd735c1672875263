"""Put a roll together by tapping: each tap makes another notation out of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.kit.dice.notation import (
    LARGEST_NUMBER,
    MOST_DICE,
    Dice,
    Keep,
    Keeping,
    Number,
    Sum,
    Target,
    Test,
    Throw,
    every_dice,
    kinds,
)
from companion.kit.dice.parser import Misread, read
from companion.kit.text import say

SIDES = (2, 3, 4, 6, 8, 10, 12, 20, 100)
"""The dice of the tray."""


class Contents(msgspec.Struct, frozen=True):
    """What a notation holds, for the tray: how many dice of each kind, and what is done with the last of them."""

    counts: dict[int, int]
    last: Dice | None = None
    bonus: int = 0
    target: int | None = None

    def keeps(self, how: Keeping) -> int | None:
        """Return how many of the last dice are kept or dropped in a way; None where it is not done."""
        keep = self.last.keep if self.last else None
        return keep.number if keep and keep.how == how else None

    @property
    def success(self) -> int | None:
        """Return the face from which the last dice are successes."""
        success = self.last.success if self.last else None
        return success.number if success and success.how == ">=" else None


def contents(text: str) -> Contents:
    """Say what a notation holds; raise Misread."""
    if not text.strip():
        return Contents({})
    parsed = read(text)
    counts: dict[int, int] = {}
    for dice in every_dice(parsed):
        if dice.low == 1 and not dice.names:
            counts[dice.high] = counts.get(dice.high, 0) + dice.count
    inner = parsed.inner if isinstance(parsed, Target) else parsed
    target = parsed.test.number if isinstance(parsed, Target) and parsed.test.how == ">=" else None
    return Contents(counts, [*every_dice(parsed)][-1], _bonus(inner), target)


def tapped(text: str, tap: str) -> str:
    """Return the notation after a tap; raise Misread when it makes no sense, or the text did not.

    A tap is ``add.6`` or ``take.6`` for a die, ``plus.1`` for a number, ``kh.1`` to keep one more of the last dice,
    ``success.1`` and ``target.1`` to raise what is to be reached (``.-1``: lower), and for what is switched on or
    off: ``kh.``, ``kl.``, ``dl.``, ``success.``, ``target.``, ``explode.``, ``again.``, ``advantage.``,
    ``disadvantage.``; ``clear.`` for none.
    """
    what, _, number = tap.partition(".")
    if what == "clear":
        return ""
    if not text.strip() and what != "add":
        raise Misread(say("There are no dice yet: tap some."), 0)
    step = int(number) if number.removeprefix("-").isdecimal() and len(number) < 6 else 0
    after = _after(read(text), what, step) if text.strip() else _die(step)
    written = "" if after is None else str(after)
    if written:
        read(written)
    return written


def _after(parsed: Throw, what: str, step: int) -> Throw | None:
    match what:
        case "add":
            return _within(parsed, lambda inner: _added(inner, step))
        case "take":
            return _within(parsed, lambda inner: _taken(inner, step))
        case "plus":
            return _within(parsed, lambda inner: _plus(inner, step))
        case "target":
            return _aimed(parsed, step)
        case "kh" | "kl" | "dl":
            return _changed(parsed, lambda dice: _kept(dice, what, step))
        case "success":
            return _changed(parsed, lambda dice: _counted(dice, step), every=True)
        case "advantage" | "disadvantage":
            keep = Keep("kh" if what == "advantage" else "kl", 1)
            return _changed(parsed, lambda dice: _twice(dice, keep))
        case "explode":
            return _changed(parsed, lambda dice: replace(dice, explode=None if dice.explode else Test("=", dice.high)))
        case "again":
            again = Test("=", 1)
            return _changed(parsed, lambda dice: replace(dice, again=None if dice.again else again, once=False))
        case _:
            raise Misread(say("“{letter}” means nothing here.", letter=what[:20]), 0)


def _die(sides: int, beside: Throw | None = None) -> Dice:
    """Take one die, which counts what those beside it count."""
    dice = Dice(1, 1, sides)
    return _counted(dice, 0) if beside is not None and "successes" in kinds(beside) else dice


def _within(parsed: Throw, change: Callable[[Throw], Throw | None]) -> Throw | None:
    """Change what a target is compared with, and leave the target."""
    if not isinstance(parsed, Target):
        return change(parsed)
    inner = change(parsed.inner)
    return None if inner is None else Target(inner, parsed.test)


def _changed(parsed: Throw, change: Callable[[Dice], Dice], *, every: bool = False) -> Throw:
    """Change the last dice, or every one of them, so that all still count the same thing."""
    match parsed:
        case Dice():
            if parsed.names:
                raise Misread(say("Dice with named faces can only be rolled."), parsed.at[0])
            return change(parsed)
        case Sum(how=how, left=left, right=right):
            last = any(every_dice(right))
            left = _changed(left, change, every=every) if every or not last else left
            right = _changed(right, change, every=every) if every or last else right
            return Sum(how, left, right)
        case Target(inner=inner, test=test):
            return Target(_changed(inner, change, every=every), test)
        case Number():
            return parsed


def _alike(dice: Throw, sides: int) -> bool:
    return isinstance(dice, Dice) and (dice.low, dice.high, dice.names) == (1, sides, ())


def _added(parsed: Throw, sides: int) -> Throw:
    """Add a die to those of its kind that are added up; else behind them, before a number."""
    if more := _more(parsed, sides):
        return more
    if isinstance(parsed, Sum) and parsed.how in ("+", "-") and isinstance(parsed.right, Number):
        return Sum(parsed.how, _added(parsed.left, sides), parsed.right)
    return Sum("+", parsed, _die(sides, parsed))


def _more(parsed: Throw, sides: int) -> Throw | None:
    match parsed:
        case Dice() if _alike(parsed, sides):
            return replace(parsed, count=min(MOST_DICE, parsed.count + 1))
        case Sum(how="+", left=left, right=right) if more := _more(right, sides):
            return Sum("+", left, more)
        case Sum(how="+" | "-" as how, left=left, right=right) if more := _more(left, sides):
            return Sum(how, more, right)
    return None


def _taken(parsed: Throw, sides: int) -> Throw | None:
    """Take one die away of the last of its kind; None when nothing is left but a number."""
    match parsed:
        case Dice() if _alike(parsed, sides):
            fewer = parsed.count - 1
            keep = parsed.keep and replace(parsed.keep, number=min(parsed.keep.number, fewer))
            keep = keep if keep and keep.kept(fewer) else None
            return replace(parsed, count=fewer, keep=keep) if fewer else None
        case Sum(how=how, left=left, right=right):
            if any(_alike(dice, sides) for dice in every_dice(right)):
                less = _taken(right, sides)
                return left if less is None else Sum(how, left, less)
            less = _taken(left, sides)
            if less is None:
                return right if how == "+" and any(every_dice(right)) else None
            return Sum(how, less, right)
        case Target():
            return _within(parsed, lambda inner: _taken(inner, sides))
    return parsed


def _bonus(parsed: Throw) -> int:
    match parsed:
        case Sum(how="+", right=Number(value=value)):
            return value
        case Sum(how="-", right=Number(value=value)):
            return -value
    return 0


def _plus(parsed: Throw, step: int) -> Throw:
    bonus = max(-LARGEST_NUMBER, min(LARGEST_NUMBER, _bonus(parsed) + step))
    bare = parsed.left if isinstance(parsed, Sum) and _bonus(parsed) else parsed
    if bonus == 0:
        return bare
    return Sum("+" if bonus > 0 else "-", bare, Number(abs(bonus)))


def _aimed(parsed: Throw, step: int) -> Throw:
    """Raise or lower the target; without a step switch it on, at what is about the middle, or off."""
    if isinstance(parsed, Target):
        return Target(parsed.inner, replace(parsed.test, number=parsed.test.number + step)) if step else parsed.inner
    middle = sum(dice.count * (dice.low + dice.high) for dice in every_dice(parsed)) // 2
    return Target(parsed, Test(">=", min(LARGEST_NUMBER, middle + _bonus(parsed))))


def _kept(dice: Dice, how: Literal["kh", "kl", "dl"], step: int) -> Dice:
    """Keep more or fewer; without a step switch it on, with one, or off."""
    keep = dice.keep
    if keep is None or keep.how != how:
        return replace(dice, keep=Keep(how, 1), count=max(2, dice.count))
    most = dice.count - 1 if how == "dl" else dice.count
    return replace(dice, keep=Keep(how, max(1, min(most, keep.number + step))) if step else None)


def _counted(dice: Dice, step: int) -> Dice:
    """Raise or lower the face of a success; without a step switch it on, at the middle, or off."""
    success: Test | None = dice.success
    if success is None:
        return replace(dice, success=Test(">=", dice.low + dice.sides // 2))
    if not step:
        return replace(dice, success=None, failure=None)
    return replace(dice, success=Test(success.how, max(dice.low, min(dice.high, success.number + step))))


def _twice(dice: Dice, keep: Keep) -> Dice:
    """Throw two and keep the better or the worse, or one again."""
    once = (dice.keep, dice.count) == (keep, 2)
    return replace(dice, keep=None, count=1) if once else replace(dice, keep=keep, count=2)
