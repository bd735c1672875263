"""Statistics of time: for how long the table waited for whom, as far as its log tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from companion.kit.text import Text
from companion.table.log_tally import Shown, Step

AWAY = 30 * 60
"""Seconds without any entry after which people have left the table: that is no time to think."""


def turns_of(line: Iterable[Step]) -> Counter[str]:
    """Count how often the game began to wait for each seat, on the line of play that led to where the table is."""
    turns: Counter[str] = Counter()
    before: tuple[str, ...] = ()
    for step in line:
        if step.shown is not None:
            turns.update(seat for seat in step.shown.waited if seat not in before)
            before = step.shown.waited
    return turns


class Time:
    """Add up the time from before the first step to the newest one; pauses and absences are counted apart.

    ``spent`` is the time of each seat, ``longest`` its longest wait up to one step, ``whole`` the time of the table.
    ``breaks`` are pauses and absences, ``away`` the time that they took.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        self.spent: dict[str, float] = {}
        self.longest: dict[str, float] = {}
        self.whole = self.away = 0.0
        self.breaks = 0
        self._phases: dict[bytes, tuple[Text, float]] = {}
        self._add_up(steps)

    def _add_up(self, steps: Sequence[Step]) -> None:
        first = next((at for at, step in enumerate(steps) if step.kind == "action"), len(steps))
        halted = False
        waited: list[tuple[Shown | None, float]] = []
        for before, now in pairwise(steps[max(first - 1, 0) :]):
            halted = halted if before.halts is None else before.halts
            # A clock that was set back took no time.
            gap = max(now.at - before.at, 0.0)
            if halted or gap > AWAY:
                self.away += gap
                self.breaks += before.halts is True or not halted
            else:
                waited.append((before.shown, gap))
            if now.kind == "action" or now.taken_back:
                self._end(before.shown, now, waited)
                waited = []

    def _end(self, shown: Shown | None, now: Step, waited: Iterable[tuple[Shown | None, float]]) -> None:
        """Give the time up to a step to whom the table waited for; among several, to the one who took it."""
        if shown is not None and shown.over:
            return
        seats = (shown.waited if shown else ()) or (now.seat,)
        seat = seats[0] if len(seats) == 1 else now.seat
        took = 0.0
        for meanwhile, gap in waited:
            took += gap
            if meanwhile is not None and meanwhile.step is not None:
                key = msgspec.json.encode(meanwhile.step, order="deterministic")
                self._phases[key] = (meanwhile.step, self._phases.get(key, (meanwhile.step, 0.0))[1] + gap)
        self.whole += took
        if seat in seats:
            self.spent[seat] = self.spent.get(seat, 0.0) + took
            self.longest[seat] = max(self.longest.get(seat, 0.0), took)

    @property
    def phases(self) -> tuple[tuple[Text, float], ...]:
        """List the phases of the turn, each with the time that the table spent in it."""
        return tuple(self._phases.values())
