"""Exact odds: run an asking rule over every possible throw, with weights; and the charts that show them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import factorial
from typing import TypeVar

import msgspec

from companion.kit.asking import Ask, Pending
from companion.kit.questions import Answer, Cards, Choice, Choose, Draw, Faces, Throw
from companion.kit.ruling import Reason
from companion.kit.text import Text

K = TypeVar("K", bound=Hashable)

Distribution = dict[K, Fraction]
Throws = tuple[tuple[tuple[int, ...], Fraction], ...]
"""Throws that differ, each with its chance."""


class Bar(msgspec.Struct, frozen=True):
    """One bar of a chart of odds; ``place`` is the square of the chart's map that it is the chance of."""

    label: Text
    chance: Fraction
    place: str | None = None


class Map(msgspec.Struct, frozen=True):
    """A chart laid out as a board: files left to right, ranks bottom to top (``turned``: seen from the other side)."""

    files: tuple[str, ...]
    ranks: tuple[str, ...]
    turned: bool = False


class Chart(msgspec.Struct, frozen=True):
    """Exact odds: bars in reading order, each a chance; with a ``map``, those with a place are drawn on it.

    ``reasons`` say what they rest on, such as the face that a die needs and why.
    """

    title: Text
    bars: tuple[Bar, ...]
    map: Map | None = None
    reasons: tuple[Reason, ...] = ()


class Quiet(Ask):
    """A conversation of which nobody reads the reasons."""

    unread = True

    def tell(self, *_: object, **__: object) -> None:
        """Tell nobody."""

    show = leave_out = oppose = harm = expect = clash = tell


@lru_cache(maxsize=1024)
def throws(count: int, sides: int, alike: tuple[tuple[int, ...], ...] = ()) -> Throws:
    """List every throw that differs, as (faces, chance); order and faces that are alike do not make a difference."""
    groups = alike or tuple((face,) for face in range(1, sides + 1))
    if sorted(face for group in groups for face in group) != list(range(1, sides + 1)):
        raise ValueError("alike must share out all the faces")
    whole = sides**count
    listed = []
    for split in _splits(count, len(groups)):
        ways = factorial(count)
        faces: list[int] = []
        for group, times in zip(groups, split, strict=True):
            ways = ways // factorial(times) * len(group) ** times
            faces.extend([group[0]] * times)
        listed.append((tuple(faces), Fraction(ways, whole)))
    return tuple(listed)


def _splits(count: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (count,)
        return
    for first in range(count + 1):
        for rest in _splits(count - first, parts - 1):
            yield (first, *rest)


def _nobody(question: Choose, _: object) -> str:
    raise ValueError(f"nobody decides {question.key}")


def odds(
    rule: Callable[[Ask], K],
    pick: Callable[[Choose, Mapping[str, Distribution[K]]], str] = _nobody,
    settled: Callable[[Choose], str | None] = lambda _: None,
    listed: Callable[[Throw], Throws] = lambda question: throws(question.count, question.sides, question.alike),
    answers: tuple[Answer, ...] = (),
) -> Distribution[K]:
    """Work out the exact distribution of what a rule returns.

    ``rule`` is run with an ``Ask`` and returns a hashable outcome; ``pick`` answers a choice, knowing the
    distribution that each open option leads to. ``settled`` answers a choice without looking at where it leads, which
    is quicker. ``listed`` lists the throws that differ, where a caller knows that fewer do than ``alike`` tells;
    ``answers`` are those that stand already. A card is drawn evenly. Draws of several, together-questions and choices
    that nobody picks have no exact odds here: ValueError.
    """

    def further(answer: Answer) -> Distribution[K]:
        return odds(rule, pick, settled, listed, (*answers, answer))

    try:
        return {rule(Quiet(answers)): Fraction(1)}
    except Pending as pending:
        question = pending.question
    match question:
        case Throw():
            return _mixed((weight, further(Faces(question.key, faces, "app"))) for faces, weight in listed(question))
        case Draw(count=1):
            seat, whole = question.by if question.secret else None, len(question.pile)
            return _mixed(
                (Fraction(times, whole), further(Cards(question.key, (card,), seat)))
                for card, times in Counter(question.pile).items()
            )
        case Choose():
            if (value := settled(question)) is not None:
                return further(Choice(question.key, value, question.seat))
            leads_to = {
                option.value: further(Choice(question.key, option.value, question.seat))
                for option in question.options
                if option.barred is None
            }
            return leads_to[pick(question, leads_to)]
        case _:
            raise ValueError(f"no exact odds over {question.key}")


def _mixed(parts: Iterable[tuple[Fraction, Distribution[K]]]) -> Distribution[K]:
    total: Distribution[K] = {}
    for weight, part in parts:
        for outcome, chance in part.items():
            total[outcome] = total.get(outcome, Fraction(0)) + weight * chance
    return total


def hundredths(chances: Iterable[Fraction]) -> tuple[int, ...]:
    """Round chances to whole hundredths; those that make up a whole add up to 100, by largest remainder.

    Of equal remainders the larger chance is rounded up. Chances that are no parts of one whole are rounded each.
    """
    parts = [chance * 100 for chance in chances]
    if sum(parts) != 100:
        return tuple(round(float(part)) for part in parts)
    whole = [int(part) for part in parts]
    nearest = sorted(range(len(parts)), key=lambda at: (whole[at] - parts[at], -parts[at]))
    for at in nearest[: 100 - sum(whole)]:
        whole[at] += 1
    return tuple(whole)


@lru_cache(maxsize=1024)
def sums(count: int, steps: tuple[tuple[int, int], ...]) -> Throws:
    """List one throw for every sum of what its faces stand for: ``steps`` holds the pair that each face adds.

    The ways to each sum are counted die by die, so that many dice take no longer than there are sums.
    """
    reached: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {(0, 0): (1, ())}
    for _ in range(count):
        grown: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
        for (across, up), (ways, faces) in reached.items():
            for face, (right, ahead) in enumerate(steps, 1):
                there = (across + right, up + ahead)
                before, first = grown.get(there, (0, (*faces, face)))
                grown[there] = (before + ways, first)
        reached = grown
    whole = len(steps) ** count
    return tuple((faces, Fraction(ways, whole)) for ways, faces in reached.values())
