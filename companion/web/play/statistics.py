"""The statistics of a table in words: numbers as they are read aloud, and the lines of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from companion.kit.text import Speak, Text
from companion.table.dice_statistics import DiceSeen, FaceSeen
from companion.table.statistics import Fought, GameCount, Spent, Statistics
from companion.table.view_models import Summary
from companion.web.language import gettext, language, ngettext
from companion.web.pages import begun, share

FEW_FACES = 6
RARE = Fraction(1, 10)
"""Chances below this are easier to grasp as one in so many."""
RAREST = 1_000_000


def decimal(number: Fraction, places: int = 2) -> str:
    """Write a number with a comma or a point, as the reader does."""
    written = f"{float(number):.{places}f}"
    return written.replace(".", ",") if language() == "es" else written


def odds(chance: Fraction) -> str:
    """Say a chance: in per cent, or as one in so many where it is small."""
    if chance >= RARE:
        return f"{share(chance)}\xa0%"
    rarest = chance * RAREST < 1
    words = gettext("less than 1 in %(count)s") if rarest else gettext("1 in %(count)s")
    # A narrow space that does not break: read the same in both languages.
    count = f"{RAREST if rarest else round(1 / chance):,}".replace(",", "\u202f")
    return (words % {"count": count}).replace(" ", "\xa0")


def bar(value: float, most: float) -> str:
    """Return how long a bar is, of a hundred that the longest one has."""
    return f"{100 * value / most if most else 0:.2f}"


def mark(value: float, most: float) -> str:
    """Return where the mark of a value begins on a bar: it is one and a half wide."""
    return f"{100 * value / most - 0.75:.2f}"


def span(seconds: int) -> str:
    """Say how long something took, in two units at the most."""
    hours, minutes = divmod(seconds // 60, 60)
    if hours:
        return f"{hours}\xa0h {minutes}\xa0min" if minutes else f"{hours}\xa0h"
    if minutes:
        return f"{minutes}\xa0min {seconds % 60}\xa0s" if seconds % 60 and minutes < 10 else f"{minutes}\xa0min"
    return f"{seconds}\xa0s"


class DiceOfOneKind(NamedTuple):
    """The dice of one kind: those of all seats, of each seat, and (where there are both) of each source."""

    whole: DiceSeen
    seats: tuple[DiceSeen, ...]
    sources: tuple[DiceSeen, ...]


class Side(NamedTuple):
    """The units of one side."""

    name: str
    units: tuple[Fought, ...]


class SortedStatistics(NamedTuple):
    """The statistics of a table, sorted for reading.

    ``seats`` are those that did anything or were waited for, ``turns`` whether the game has any. ``marks`` tells which
    columns the units need; ``most`` is the largest number that bars of hits reach.
    """

    counted: Statistics
    dice: tuple[DiceOfOneKind, ...]
    sides: tuple[Side, ...]
    seats: tuple[Spent, ...]
    turns: bool
    marks: dict[str, bool]
    most: int
    who: Callable[[str], str]
    thrown: int


def sort_statistics(counted: Statistics, summary: Summary, speak: Speak) -> SortedStatistics:
    """Sort the statistics of a table for reading, with the names of its seats."""
    people = {person.seat: (speak(person.role), person.name) for person in summary.people}

    def who(seat: str) -> str:
        role, name = people.get(seat, (speak(Text(seat)), ""))
        return f"{role} ({name})" if name else role

    kinds = (tuple(group) for _, group in groupby(counted.dice, lambda dice: dice.sides))
    all_dice = tuple(
        DiceOfOneKind(
            next(dice for dice in kind if dice.seat is None and dice.source is None),
            tuple(dice for dice in kind if dice.seat is not None),
            tuple(dice for dice in kind if dice.source is not None),
        )
        for kind in kinds
    )
    seats, units = counted.seats, counted.units
    return SortedStatistics(
        counted,
        all_dice,
        tuple(Side(who(side), tuple(group)) for side, group in groupby(units, lambda unit: unit.side)),
        tuple(seat for seat in seats if seat.seconds or seat.turns or seat.steps or seat.undone or seat.corrected),
        any(seat.turns for seat in seats),
        {
            "hits": any(unit.dealt or unit.taken for unit in units),
            "knocked_down": any(unit.knocked_down for unit in units),
            "destroyed": any(unit.destroyed for unit in units),
        },
        max((max(unit.dealt, unit.taken) for unit in units), default=0),
        who,
        sum(dice.whole.count for dice in all_dice) + counted.left_out.count,
    )


def played(count: GameCount) -> str:
    """Say how many rounds or turns a game has had, as it counts them itself."""
    if count.of == "round":
        return ngettext("%(num)d round", "%(num)d rounds", count.count) % {"num": count.count}
    return ngettext("%(num)d turn", "%(num)d turns", count.count) % {"num": count.count}


def average(dice: DiceSeen) -> Fraction:
    """Return the average of a die."""
    return Fraction(dice.total, dice.count)


def expected(dice: DiceSeen) -> Fraction:
    """Return the average that is expected of a fair die."""
    return Fraction(dice.sides + 1, 2)


def faces(dice: DiceSeen) -> tuple[FaceSeen, ...]:
    """List the faces that are shown: of dice with many faces only those that came up, until there is one for each."""
    if dice.sides <= FEW_FACES or dice.count >= dice.sides:
        return dice.faces
    return tuple(face for face in dice.faces if face.seen)


def left_out(counted: Statistics) -> str:
    """Say how many kinds of dice are left out; empty where none is."""
    if not counted.left_out.kinds:
        return ""
    words = gettext("Other kinds of dice: %(kinds)s (dice rolled: %(dice)s). Only those rolled most are shown.")
    return words % {"kinds": counted.left_out.kinds, "dice": counted.left_out.count}


def luck(dice: DiceSeen) -> str:
    """Say how unusual an average is, on its own side and on both; empty where that is not worked out."""
    if dice.luck is None:
        return ""
    low = dice.total <= dice.expected
    words = gettext("this low or lower: %(odds)s") if low else gettext("this high or higher: %(odds)s")
    one_side = words % {"odds": odds(dice.luck.at_most if low else dice.luck.at_least)}
    both = gettext("this far off either way: %(odds)s") % {"odds": odds(dice.luck.as_far)}
    return f"{one_side} · {both}"


def unit_words(unit: Fought, speak: Speak) -> str:
    """Name a unit with where it stands, or what has become of it."""
    name = begun(speak(unit.name))
    if unit.fate == "gone":
        fell = gettext("fell on %(place)s") % {"place": unit.place} if unit.place else gettext("out of the game")
        return f"{name}, {fell}"
    return f"{name} {unit.place}" if unit.place else name


def markdown(statistics: SortedStatistics, speak: Speak) -> Iterator[str]:
    """Write the statistics as lines of Markdown."""
    counted, who = statistics.counted, statistics.who
    yield f"- {gettext('Time')}: {span(counted.seconds)}"
    if counted.breaks:
        yield f"- {gettext('Breaks')}: {counted.breaks} ({span(counted.away)})"
    if counted.played:
        yield f"- {gettext('Rounds') if counted.played.of == 'round' else gettext('Turns')}: {counted.played.count}"
    yield f"- {gettext('Actions')}: {counted.steps}"
    yield f"- {gettext('Undone')}: {counted.undone}"
    yield f"- {gettext('Corrected by hand')}: {counted.corrected}"
    for seat in statistics.seats:
        waits = gettext("%(time)s, the longest %(longest)s")
        yield f"- {who(seat.seat)}: {waits % {'time': span(seat.seconds), 'longest': span(seat.longest)}}"
    for dice in statistics.dice:
        yield from ("", f"### {gettext('Dice with %(sides)s faces') % {'sides': dice.whole.sides}}", "")
        for row in (dice.whole, *dice.seats, *dice.sources):
            yield f"- {source(row) if row.seat is None else who(row.seat)}: {_dice(row)}"
        if faces(dice.whole):
            heads = (gettext("Face"), gettext("Seen"), gettext("Expected"), gettext("Chance"))
            yield from ("", f"| {' | '.join(heads)} |", "|" + "---:|" * len(heads))
        for face in faces(dice.whole):
            times = decimal(face.expected, 1 if face.expected >= 1 else 2)
            yield f"| {face.face} | {face.seen} | {times} | {odds(face.as_far) if face.as_far else '–'} |"
    if left_out(counted):
        yield from ("", left_out(counted))
    for side in statistics.sides:
        yield from ("", f"### {side.name}", "")
        for unit in side.units:
            yield f"- {unit_words(unit, speak)}: {', '.join(_harm(unit)) or '–'}"


def deeds(unit: Fought) -> Iterator[str]:
    """Say what a unit did to others."""
    for count, words in (
        (unit.destroyed, gettext("destroyed %(count)s")),
        (unit.knocked_down, gettext("knocked over %(count)s")),
        (unit.dealt, gettext("hits dealt %(count)s")),
    ):
        if count:
            yield words % {"count": count}


def _harm(unit: Fought) -> Iterator[str]:
    yield from deeds(unit)
    if unit.taken:
        yield gettext("hits taken %(count)s") % {"count": unit.taken}


def source(dice: DiceSeen) -> str:
    """Say where dice were thrown."""
    if dice.source is None:
        return gettext("All together")
    return gettext("Rolled by Companion") if dice.source == "app" else gettext("Dice from the real table")


def _dice(dice: DiceSeen) -> str:
    words = gettext("%(count)s dice, average %(average)s, expected %(expected)s") % {
        "count": dice.count,
        "average": decimal(average(dice)),
        "expected": decimal(expected(dice)),
    }
    return " · ".join(part for part in (words, luck(dice)) if part)
