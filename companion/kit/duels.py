"""Opposed dice, laid out pair under pair: which die meets which, what cancels, and which decides."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from companion.kit.ruling import Duel, Pair

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.kit.ruling import Verdict
    from companion.kit.text import Text


class _Die(NamedTuple):
    face: int | None = None
    fixed: bool = False


def duel(
    left: Text,
    right: Text,
    left_faces: Sequence[int],
    right_faces: Sequence[int],
    left_fixed: int = 0,
    right_fixed: int = 0,
    left_side: str = "",
    right_side: str = "",
) -> Duel:
    """Pair two pools, highest first: equal dice cancel, the first pair that differs decides, the rest stands idle.

    ``left`` and ``right`` say whose dice they are, ``left_side`` and ``right_side`` which seats' (empty: nobody's).
    A fixed die is never rolled and counts as one that was; a fixed 0 adds none. A missing die counts as 0.
    """
    ours, theirs = _highest_first(left_faces, left_fixed), _highest_first(right_faces, right_fixed)
    return Duel(left, right, tuple(_paired(ours, theirs)), left_side, right_side)


def _highest_first(faces: Sequence[int], fixed: int) -> list[_Die]:
    dice = [_Die(face) for face in faces]
    if fixed:
        dice.append(_Die(fixed, fixed=True))
    return sorted(dice, key=lambda die: die.face or 0, reverse=True)


def _paired(ours: list[_Die], theirs: list[_Die]) -> Iterator[Pair]:
    decided = False
    for our, their in zip_longest(ours, theirs, fillvalue=_Die()):
        verdict: Verdict = "idle" if decided else _verdict(our.face or 0, their.face or 0)
        decided = decided or verdict != "tie"
        yield Pair(our.face, their.face, verdict, our.fixed, their.fixed)


def _verdict(our: int, their: int) -> Verdict:
    if our == their:
        return "tie"
    return "left" if our > their else "right"
