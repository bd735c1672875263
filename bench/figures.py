"""Figures: what was measured, as the lines of a table."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Figure(NamedTuple):
    """One line: what was measured, what came out, and what is aimed at."""

    what: str
    got: str
    aim: str = ""


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the value that so many percent of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def spread(seconds: Sequence[float]) -> str:
    """Write the middle and the slow end of some durations in milliseconds."""
    return f"{percentile(seconds, 50) * 1e3:.2f} / {percentile(seconds, 99) * 1e3:.2f} ms"


@contextmanager
def timed(into: list[float]) -> Iterator[None]:
    """Add to a list how many seconds the block took."""
    began = time.perf_counter()
    yield
    into.append(time.perf_counter() - began)


def show(title: str, figures: Sequence[Figure]) -> None:
    """Print the lines of one measurement."""
    print(f"\n{title}")
    for figure in figures:
        print(f"  {figure.what:<62} {figure.got:<18} {figure.aim}", flush=True)
