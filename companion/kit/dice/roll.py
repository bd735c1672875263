"""Throw what was read: the app's dice and typed real ones are the same question, at a table and in a look-up."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from operator import add, floordiv, mul, sub
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.kit.asking import Ask
from companion.kit.dice import odds, parser
from companion.kit.dice.notation import MOST_EXPLOSIONS, Dice, Kind, Number, Sum, Target, Throw, kinds
from companion.kit.game import Lookup
from companion.kit.odds import Chart
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, say

MOST_THROWN = 5000
"""Dice of one throw, with all that explode and are thrown again."""

Standing = Literal["counts", "dropped", "again"]
_WORKED_OUT: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul, "/": floordiv}


class Die(msgspec.Struct, frozen=True):
    """One die: the number that it counts, what stands on it, and what became of it.

    It ``counts``, was ``dropped``, or was thrown ``again``. ``exploded`` has brought a further die, ``success`` is
    1, or -1 for a failure.
    """

    face: int
    says: str
    standing: Standing = "counts"
    exploded: bool = False
    success: int = 0


class Handful(msgspec.Struct, frozen=True):
    """The dice of one part of the notation; ``value`` is what they add up to, or their successes."""

    text: str
    label: str
    die: str
    kind: Kind
    dice: tuple[Die, ...]
    value: int


class Named(msgspec.Struct, frozen=True):
    """How many dice show a name; a blank face has none."""

    name: str
    count: int


class Thrown(msgspec.Struct, frozen=True):
    """What came of a throw.

    ``total`` is the points or the successes, None where dice only show names. ``reached`` says whether a target was.
    """

    text: str
    kind: Kind
    total: int | None
    reached: bool | None
    names: tuple[Named, ...]
    handfuls: tuple[Handful, ...]
    headline: Text
    reasons: tuple[Reason, ...]


def throw(parsed: Throw, ask: Ask, *, by: str, key: str = "dice") -> Thrown:
    """Throw dice, with a question for every group of them, and for all that is thrown again or explodes.

    The keys of the questions begin with ``key``: a rule that throws for several gives each one of his own.
    Raises Refusal where more dice would be thrown than anybody looks at.
    """
    before = len(ask.reasons)
    roller = _Roller(ask, by, key)
    inner = parsed.inner if isinstance(parsed, Target) else parsed
    total = roller.value(inner)
    reached = parsed.test.holds(total) if isinstance(parsed, Target) else None
    counted = kinds(inner)
    kind: Kind = "points" if "points" in counted else "successes" if "successes" in counted else "names"
    if kind == "points" or isinstance(inner, Sum):
        terms = tuple(_terms(inner, iter(roller.handfuls))) if isinstance(inner, Sum) and _adds_up(inner) else ()
        ask.tell(say("in all"), value=total, terms=terms)
    names = Counter(die.says for part in roller.handfuls if part.kind == "names" for die in part.dice)
    named = tuple(Named(name, count) for name, count in names.items())
    shown = None if kind == "names" else total
    return Thrown(
        text=str(parsed),
        kind=kind,
        total=shown,
        reached=reached,
        names=named,
        handfuls=tuple(roller.handfuls),
        headline=_headline(str(parsed), kind, shown, reached, named),
        reasons=tuple(ask.reasons[before:]),
    )


def _headline(text: str, kind: Kind, total: int | None, reached: bool | None, named: tuple[Named, ...]) -> Text:
    names = ", ".join(f"{shown.count} × {shown.name or '–'}" for shown in named)
    if total is None:
        return say("{names}", names=names)
    if reached is not None:
        if reached:
            return say("{dice}: {total}, reached", dice=text, total=total)
        return say("{dice}: {total}, not reached", dice=text, total=total)
    if kind == "successes":
        return say("{dice}: {count} success|{dice}: {count} successes", dice=text, count=total)
    if names:
        return say("{total}, {names}", total=total, names=names)
    return say("{dice}: {total}", dice=text, total=total)


def _adds_up(parsed: Throw) -> bool:
    match parsed:
        case Sum(how="+" | "-", left=left, right=right):
            return _adds_up(left) and _adds_up(right)
        case _:
            return isinstance(parsed, Dice | Number)


def _terms(parsed: Throw, handfuls: Iterator[Handful], sign: int = 1) -> Iterator[Reason]:
    match parsed:
        case Sum(how="+" | "-" as how, left=left, right=right):
            yield from _terms(left, handfuls, sign)
            yield from _terms(right, handfuls, sign if how == "+" else -sign)
        case Number(value=value):
            if value:
                yield Reason(Text(""), value=sign * value)
        case Dice():
            part = next(handfuls)
            if part.kind != "names":
                yield Reason(say("{dice}", dice=part.text), value=sign * part.value)


class _Roller:
    """A roller that throws part by part, from left to right.

    ``shown`` are the dice of the part that lie in sight: the number of the line that shows them, and their places.
    """

    def __init__(self, ask: Ask, by: str, key: str) -> None:
        self.ask = ask
        self.by = by
        self.key = key
        self.handfuls: list[Handful] = []
        self.count = 0
        self.shown: list[tuple[int, range]] = []

    def value(self, parsed: Throw) -> int:
        """Throw, and return what it comes to; names come to nothing."""
        match parsed:
            case Number(value=value):
                return value
            case Dice():
                self.handfuls.append(self.handful(parsed))
                return self.handfuls[-1].value
            case Target(inner=inner, test=test):
                return int(test.holds(self.value(inner)))
            case Sum(how=how, left=left, right=right):
                return _WORKED_OUT[how](self.value(left), self.value(right))

    def handful(self, dice: Dice) -> Handful:
        """Throw one group of dice, and all that follows from it."""
        key = f"{self.key}.{len(self.handfuls) + 1}"
        pool: list[Die] = []
        self.shown.clear()
        newest = self.settled(pool, dice, dice.count, key, say("{dice}", dice=str(dice)))
        for turn in range(1, MOST_EXPLOSIONS + 1):
            bursting = [place for place in newest if dice.explode and dice.explode.holds(pool[place].face)]
            if not bursting:
                break
            for place in bursting:
                pool[place] = replace(pool[place], exploded=True)
            why = say("exploded, one more each: {dice}", dice=f"{len(bursting)}{dice.die}")
            newest = self.settled(pool, dice, len(bursting), f"{key}.more.{turn}", why)
        handful = self.counted(pool, dice)
        for line, places in self.shown:
            if out := tuple(at for at, place in enumerate(places) if pool[place].standing != "counts"):
                self.ask.leave_out(line, out)
        return handful

    def settled(self, pool: list[Die], dice: Dice, count: int, key: str, why: Text) -> list[int]:
        """Throw dice, and again those that have to be, as often as they have to be; return the places of the last."""
        begin = len(pool)
        newest = self.cast(pool, dice, count, key, why)
        for turn in (1,) if dice.once else itertools.count(1):
            waiting = [place for place in newest if dice.again and dice.again.holds(pool[place].face)]
            if not waiting:
                break
            for place in waiting:
                pool[place] = replace(pool[place], standing="again")
            why = say("re-roll: {dice}", dice=f"{len(waiting)}{dice.die}")
            newest = self.cast(pool, dice, len(waiting), f"{key}.again.{turn}", why)
        return [place for place in range(begin, len(pool)) if pool[place].standing == "counts"]

    def cast(self, pool: list[Die], dice: Dice, count: int, key: str, why: Text) -> range:
        """Ask for dice, and tell what came up; return their places."""
        self.count += count
        if self.count > MOST_THROWN:
            raise Refusal(say("These dice come to no end: they are more than {most}.", most=MOST_THROWN))
        faces = self.ask.throw(count, dice.sides, key, why, by=self.by)
        added = [Die(face, dice.says(face)) for face in (dice.low + shown - 1 for shown in faces)]
        if dice.names or dice.low < 1:
            said = ", ".join(die.says or "–" for die in added)
            self.ask.tell(say("{dice}: {faces}", dice=why, faces=said))
        else:
            self.ask.tell(why, faces=faces)
            self.shown.append((len(self.ask.reasons) - 1, range(len(pool), len(pool) + count)))
        pool += added
        return range(len(pool) - count, len(pool))

    def counted(self, pool: list[Die], dice: Dice) -> Handful:
        """Keep some of the dice, and count what they show."""
        places = [place for place, die in enumerate(pool) if die.standing == "counts"]
        if dice.keep:
            order = sorted(places, key=lambda place: pool[place].face, reverse=dice.keep.highest)
            left_out = order[dice.keep.kept(len(order)) :]
            for place in left_out:
                pool[place] = replace(pool[place], standing="dropped")
            if left_out:
                faces = ", ".join(str(pool[place].face) for place in sorted(left_out))
                self.ask.tell(say("left out: {faces}", faces=faces))
            places = order[: len(order) - len(left_out)]
        value = 0 if dice.names else sum(pool[place].face for place in places)
        if dice.success:
            for place in places:
                pool[place] = replace(pool[place], success=dice.value(pool[place].face))
            value = sum(die.success for die in pool)
            self.ask.tell(say("{count} success|{count} successes", count=value))
        return Handful(str(dice), dice.label, dice.die, dice.kind, tuple(pool), value)


class Notation(msgspec.Struct, frozen=True):
    """What is to be thrown."""

    notation: str


def _throw(facts: Notation, ask: Ask) -> Ruling[Thrown]:
    thrown = throw(parser.read(facts.notation), ask, by="you")
    return Ruling(thrown, thrown.headline, thrown.reasons)


def _charts(facts: Notation) -> tuple[Chart, ...]:
    return odds.charts(parser.read(facts.notation))


DICE = Lookup("dice", say("Dice"), Notation, _throw, _charts)
