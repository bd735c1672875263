"""Opposed dice, laid out pair under pair: which die meets which, what cancels, and which decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from companion.kit.counts import number
from companion.kit.ruling import Duel, Pair, Verdict
from companion.kit.text import Text, listed, say

NO_DICE = say("no dice")


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


def dice(duel: Duel) -> Text:
    """Say which dice each side has, highest first, to those who do not see them."""
    ours = [_called(pair.left, fixed=pair.left_fixed) for pair in duel.pairs if pair.left is not None]
    theirs = [_called(pair.right, fixed=pair.right_fixed) for pair in duel.pairs if pair.right is not None]
    return say(
        "{left}: {ours}. {right}: {theirs}.",
        left=duel.left,
        ours=listed(ours, NO_DICE),
        right=duel.right,
        theirs=listed(theirs, NO_DICE),
    )


def outcome(duel: Duel) -> Text:
    """Say what cancels and which die beats which: ``6 = 6 cancel each other. Attack: 4 beats 3.``"""
    ties = [_equal(pair) for pair in duel.pairs if pair.verdict == "tie"]
    decided = [_decision(duel, pair) for pair in duel.pairs if pair.verdict in {"left", "right"}]
    if not ties:
        return decided[0] if decided else say("There are no dice to compare.")
    pairs = listed(ties, NO_DICE)
    if not decided:
        return say("{pairs} cancel each other; nothing is left.", pairs=pairs)
    return say("{pairs} cancel each other. {decision}", pairs=pairs, decision=decided[0])


def _equal(pair: Pair) -> Text:
    left, right = _called(pair.left, fixed=pair.left_fixed), _called(pair.right, fixed=pair.right_fixed)
    return say("{left} = {right}", left=left, right=right)


def _decision(duel: Duel, pair: Pair) -> Text:
    left, right = _called(pair.left, fixed=pair.left_fixed), _called(pair.right, fixed=pair.right_fixed)
    side, won, lost, face = (
        (duel.left, left, right, pair.right) if pair.verdict == "left" else (duel.right, right, left, pair.left)
    )
    if face is None:
        return say("{side}: {won} wins, no die stands against it.", side=side, won=won)
    return say("{side}: {won} beats {lost}.", side=side, won=won, lost=lost)


def _called(face: int | None, *, fixed: bool) -> Text:
    return say("kicker {face}", face=face or 0) if fixed else number(face or 0)


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
