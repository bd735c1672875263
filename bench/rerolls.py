"""Exact odds of assaults with re-rolls: how long best play takes to work out, and how soon too much is refused."""

from __future__ import annotations

import time

from bench.figures import Figure, spread
from companion.games.pocket_tactics.best_play import PATIENTLY, TooMany, played
from companion.games.pocket_tactics.dice import Rerolls, Value, windows

TIMES = 5
FIGHTS = (
    (2, Rerolls((), 1)),
    (3, Rerolls((), 1)),
    (3, Rerolls((), 2)),
    (3, Rerolls(("any",), 1)),
    (3, Rerolls((), 3)),
    (3, Rerolls(("any",), 2)),
    (4, Rerolls((), 2)),
    (4, Rerolls((), 3)),
    (6, Rerolls((), 2)),
    (6, Rerolls((), 4)),
)
"""Dice of each of the four pools, and the re-rolls of each side."""


def measure() -> list[Figure]:
    """Measure the processor time of the four ends, nothing of them known before."""
    figures = []
    for dice, rerolls in FIGHTS:
        pools, left = (Value(dice), Value(dice)), windows(rerolls, rerolls)
        took: list[float] = []
        said = "odds"
        for _ in range(TIMES):
            began = time.process_time()
            try:
                played(pools, pools, left, (1, 1), PATIENTLY)
            except TooMany:
                said = "refused"
            took.append(time.process_time() - began)
        given = f"{len(rerolls.ability)} by abilities + {rerolls.situational}"
        figures.append(Figure(f"{dice} dice each, re-rolls {given}: {said} (p50 / p99)", spread(took), "1000 ms"))
    return figures
