"""Exact odds: how long any of them takes, and whether 100,000 throws of the same rule agree."""

from __future__ import annotations

import random
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec.structs import asdict, replace

from bench.figures import Figure, percentile, timed
from companion.games import discover
from companion.kit.asking import Ask, Pending
from companion.kit.odds import Quiet, odds
from companion.kit.questions import Choice, Choose, Faces, Throw
from companion.kit.ruling import Refusal
from tests.support.conformance import Sitting, Watch, random_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.kit.questions import Answer

GAMES = 12
FACTS = 150
THROWS = 100_000


def pick(question: Choose, _: object) -> str:
    """Answer a choice in a fixed way."""
    return next(option.value for option in question.options if option.barred is None)


def thrown(rule: Callable[[Ask], Any], luck: random.Random) -> Any:
    """Run a rule once with dice."""
    answers: list[Answer] = []
    while True:
        try:
            return rule(Quiet(answers))
        except Pending as pending:
            question = pending.question
            if isinstance(question, Throw):
                faces = tuple(luck.choices(range(1, question.sides + 1), k=question.count))
                answers.append(Faces(question.key, faces, "app"))
            else:
                assert isinstance(question, Choose)
                answers.append(Choice(question.key, pick(question, None), question.seat))


def counted(outcome: Any) -> Any:
    """Forget the faces themselves: exact odds try only one of those that a rule treats alike."""
    return replace(outcome, **{name: () for name, value in asdict(outcome).items() if isinstance(value, tuple)})


class Foreseeing(Sitting):
    """A random game in which every look at the odds is timed."""

    took: list[float]

    def foresee(self, seat: str, action: Any) -> None:
        with timed(self.took):
            self.game.foresee(self.state, seat, action)


def in_play(game: Any) -> list[float]:
    """Time every look at the odds in some random games, in seconds."""
    took: list[float] = []
    watch = Watch(game)
    for seed in range(GAMES):
        sitting = Foreseeing(game, seed, watch)
        sitting.took = took
        for _ in range(300):
            if sitting.over():
                break
            sitting.step()
    return took


def looked_up(game: Any, luck: random.Random) -> list[float]:
    """Time the odds of many random facts, in seconds."""
    took: list[float] = []
    for lookup in game.lookups.values():
        for _ in range(FACTS if lookup.charts else 0):
            began = time.perf_counter()
            try:
                lookup.charts(random_facts(lookup, luck))
            except Refusal:
                continue
            took.append(time.perf_counter() - began)
    return took


def random_facts(lookup: Any, luck: random.Random) -> Any:
    """Fill a lookup's facts at random."""

    class Asked:
        options = lookup.facts

    return random_options(Asked, luck)


def measure() -> list[Figure]:
    """Measure all games that are here."""
    figures = []
    luck = random.Random(1)
    for slug, game in discover().items():
        for what, took in (("in play", in_play(game)), ("of lookups", looked_up(game, luck))):
            if not took:
                continue  # the free table has no look-ups
            middle, slow, most = (*(percentile(took, part) * 1e3 for part in (50, 99)), max(took) * 1e3)
            got = f"{middle:.2f} / {slow:.1f} / {most:.1f} ms"
            figures.append(Figure(f"{slug}: odds {what}, {len(took)} (p50 / p99 / max)", got, "50 ms"))
        thrown_for = [lookup for lookup in game.lookups.values() if lookup.charts]
        figures += [against_throws(slug, lookup, luck) for lookup in thrown_for]
    return figures


def against_throws(slug: str, lookup: Any, luck: random.Random) -> Figure:
    """Compare the exact odds of a lookup's usual facts with throws; the largest difference should be by chance."""
    facts = lookup.facts()

    def rule(ask: Ask) -> Any:
        return counted(lookup.rule(facts, ask).outcome)

    began = time.perf_counter()
    exact = odds(rule, pick)
    middle = time.perf_counter()
    came = Counter(thrown(rule, luck) for _ in range(THROWS))
    ended = time.perf_counter()
    assert set(came) <= set(exact)
    furthest = max(
        abs(came[outcome] - THROWS * chance) / max(1.0, (THROWS * chance * (1 - chance)) ** 0.5)
        for outcome, chance in ((outcome, float(chance)) for outcome, chance in exact.items())
    )
    got = f"{(middle - began) * 1e3:.1f} ms / {(ended - middle):.1f} s"
    what = f"{slug}: {lookup.slug}, exact / {THROWS:,} throws"
    return Figure(what, got, f"they differ by {furthest:.1f} sigma at the most, in {len(exact)} outcomes")
