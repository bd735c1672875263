"""Offence against defence: the dice sorted, equal ones cancelled, the first that differ decide (PT-40, PT-41)."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Value(NamedTuple):
    """Hold one value of a skill: how many dice are rolled, and the kicker that counts beside them (PT-93, PT-A06)."""

    dice: int = 0
    kicker: int = 0

    @property
    def none(self) -> bool:
        """Tell whether there is nothing to strike or save with (PT-A21)."""
        return self.dice == 0 and self.kicker == 0


def pool(faces: Sequence[int], kicker: int = 0) -> tuple[int, ...]:
    """Return the dice that count, highest first: those rolled and the phantom die; a kicker of 0 adds none (PT-A05)."""
    return tuple(sorted((*faces, kicker) if kicker else faces, reverse=True))


def hits(offence: Sequence[int], defence: Sequence[int]) -> bool:
    """Tell whether offence hits: of two sorted pools the first pair that differs decides; none is 0 (PT-A03)."""
    for ours, theirs in zip_longest(offence, defence, fillvalue=0):
        if ours != theirs:
            return ours > theirs
    return False


def clamped(kicker: int) -> int:
    """Return a kicker after all changes: never below 0, never above 6 (PT-94, PT-98)."""
    return min(max(kicker, 0), 6)
