"""Exact odds of dice: how long those of large pools take, and how soon those that are too many are refused."""

from __future__ import annotations

import time

from bench.figures import Figure, spread
from companion.kit.dice.odds import charts
from companion.kit.dice.parser import read
from companion.kit.ruling import Refusal

TIMES = 20
POOLS = (
    "20d20",
    "100d20",
    "300d6",
    "10d10kh5",
    "20d20kh10",
    "10d10>=7f1",
    "10d10r1",
    "10d10ro1",
    "10d10!",
    "10d10!10>=7",
    "10d10!kh5",
    "6d6!dl1",
    "10d{1=hit 2=melee 6=miss}",
    "(5d6+5d8)>=40",
)
TOO_MANY = (
    "1000d10000",
    "1000d10000kh500",
    "+".join(["30d10000"] * 30),
    "*".join(["2d10000"] * 30),
    "+".join(["((62d1000)>=9)"] * 16),
    "+".join(["(9d9!dl3>4)"] * 20),
)


def measure() -> list[Figure]:
    """Measure the processor time of reading, counting and charting, from the text on."""
    figures = []
    for notation in (*POOLS, *TOO_MANY):
        took: list[float] = []
        said = "odds"
        for _ in range(TIMES):
            began = time.process_time()
            try:
                charts(read(notation))
            except Refusal:
                said = "refused"
            took.append(time.process_time() - began)
        shown = notation if len(notation) < 40 else f"{notation[:36]}…"
        figures.append(Figure(f"{shown}: {said} (p50 / p99)", spread(took), "50 ms"))
    return figures
