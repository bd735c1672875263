"""Exact odds: run an asking rule over every possible throw, with weights."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING, TypeVar

from companion.kit.asking import Answer, Ask, Choice, Choose, Faces, Pending, Throw

if TYPE_CHECKING:
    from collections.abc import Callable

K = TypeVar("K", bound=Hashable)

Distribution = dict[K, Fraction]


class Quiet(Ask):
    """Hold a conversation of which nobody reads the reasons."""

    def tell(self, *_: object, **__: object) -> None:
        """Tell nobody."""

    def show(self, faces: tuple[int, ...]) -> None:
        """Show nobody."""


def _unsettled(_: Choose) -> None:
    return None


def odds(
    rule: Callable[[Ask], K],
    pick: Callable[[Choose, Mapping[str, Distribution[K]]], str],
    settled: Callable[[Choose], str | None] = _unsettled,
) -> Distribution[K]:
    """Work out the exact distribution of what a rule returns.

    ``rule`` is run with an ``Ask`` and returns a hashable outcome; ``pick`` answers a choice, knowing the
    distribution that each open option leads to. ``settled`` answers a choice without looking at where it leads, which
    is quicker. Draws and together-questions have no exact odds here: ValueError.
    """
    return _explore(rule, pick, settled, ())


def _explore(
    rule: Callable[[Ask], K],
    pick: Callable[[Choose, Mapping[str, Distribution[K]]], str],
    settled: Callable[[Choose], str | None],
    answers: tuple[Answer, ...],
) -> Distribution[K]:
    try:
        return {rule(Quiet(answers)): Fraction(1)}
    except Pending as pending:
        question = pending.question
    match question:
        case Throw():
            total: Distribution[K] = {}
            for faces, weight in throws(question.count, question.sides, question.alike):
                known = (*answers, Faces(question.key, faces, "app"))
                for outcome, chance in _explore(rule, pick, settled, known).items():
                    total[outcome] = total.get(outcome, Fraction(0)) + weight * chance
            return total
        case Choose():
            value = settled(question)
            if value is not None:
                known = (*answers, Choice(question.key, value, question.seat))
                return _explore(rule, pick, settled, known)
            ways = {
                option.value: _explore(
                    rule, pick, settled, (*answers, Choice(question.key, option.value, question.seat))
                )
                for option in question.options
                if option.barred is None
            }
            return ways[pick(question, ways)]
        case _:
            raise ValueError(f"no exact odds over {question.key}")


@lru_cache(maxsize=1024)
def throws(
    count: int, sides: int, alike: tuple[tuple[int, ...], ...] = ()
) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
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
