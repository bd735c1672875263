"""Two sides or more that contend: who leads and by how much, and who throws the most until one alone has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from companion.kit.text import Text


class Contest(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who leads somewhere, by how much, and how far that is from deciding it: drawn as a bar between two sides.

    ``totals`` are what each side has, the first drawn on the left; the side with more leads by the difference, and
    with ``needed`` of it, it is decided. ``coming`` is what each may have beside, such as what can not count just now.
    ``says`` who leads in a few words, ``flips`` what would change that.
    """

    totals: tuple[tuple[str, int], tuple[str, int]]
    needed: int
    says: Text
    flips: tuple[Text, ...] = ()
    coming: tuple[int, int] = (0, 0)

    @property
    def lead(self) -> int:
        """Return by how much the first side leads; negative where it is the second."""
        return self.totals[0][1] - self.totals[1][1]

    @property
    def most(self) -> int:
        """Return the lead that the bar has room for, at either end."""
        far = max(abs(self.lead + self.coming[0]), abs(self.lead - self.coming[1]), abs(self.lead))
        return max(self.needed, min(far, 2 * self.needed), 1)

    @property
    def width(self) -> int:
        """Return how wide the bar is, from one end to the other."""
        return 2 * self.most

    @property
    def bars(self) -> tuple[tuple[str, str, int, int], ...]:
        """Return what is drawn: ``lead`` or ``coming``, whose, where it begins (the middle is 0), how long it is."""
        (left, _), (right, _) = self.totals
        tip = -self.lead
        drawn = (
            ("coming", left, tip - self.coming[0], tip),
            ("coming", right, tip, tip + self.coming[1]),
            ("lead", left if self.lead > 0 else right, min(tip, 0), max(tip, 0)),
        )
        visible = ((kind, side, max(begin, -self.most), min(end, self.most)) for kind, side, begin, end in drawn)
        return tuple((kind, side, begin, end - begin) for kind, side, begin, end in visible if end > begin)

    @property
    def decided(self) -> bool:
        """Tell whether the lead is as large as is needed."""
        return abs(self.lead) >= max(self.needed, 1)


S = TypeVar("S")


def highest(seats: Sequence[S], total: Callable[[S, int], int], tied: Callable[[], None] = lambda: None) -> S:
    """Return whose total alone is the highest.

    ``total`` throws for a seat, the how-manieth time from 0; ``tied`` tells that all throw again.
    """
    again = 0
    while True:
        totals = {seat: total(seat, again) for seat in seats}
        best = max(seats, key=totals.__getitem__)
        if list(totals.values()).count(totals[best]) == 1:
            return best
        tied()
        again += 1
