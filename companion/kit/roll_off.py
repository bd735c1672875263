"""Who is first, or leads, or decides: everybody throws until one alone has thrown the most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

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
