"""Statistics of dice: which faces came, how likely that was, and what is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import msgspec

from companion.kit.asking import Source
from companion.kit.luck import Luck, luck_of_face, luck_of_sum, workable
from companion.table.log_tally import DiceThrow

MAX_KINDS = 12
"""Kinds of dice that are shown, those that were thrown most: people who throw more kinds play with the tray."""
MAX_FACES, MAX_FACES_OF_ONE = 100, 20
"""Faces of a die up to which each is counted, for all and for one seat or source: more come up too seldom."""
MAX_WORK = 150_000
"""The largest sums that are worked up to, one after another: so far nobody has to wait for it."""


class FaceSeen(msgspec.Struct, frozen=True):
    """Show how often a face came up, and how often is expected.

    ``as_far`` is the exact chance that fair dice show this face at least as far from that, on either side; null where
    there are too many dice to work it out.
    """

    face: int
    seen: int
    expected: Fraction
    as_far: Fraction | None


class DiceSeen(msgspec.Struct, frozen=True):
    """Show the dice of one kind that a seat threw (``seat`` null: all seats together).

    ``source`` is where they were thrown: by Companion (``app``) or on the real table (``typed``); null: both.
    ``total`` is the sum of their faces, ``expected`` what is expected of it, ``luck`` how unusual it is, exactly; null
    where there are too many dice to work it out. ``faces`` are empty for dice of more than 100 faces; for those of one
    seat or source, of more than 20.
    """

    seat: str | None
    source: Source | None
    sides: int
    count: int
    total: int
    expected: Fraction
    luck: Luck | None
    faces: tuple[FaceSeen, ...]


class LeftOut(msgspec.Struct, frozen=True):
    """Count the kinds of dice that are not shown, because others were thrown more, and the dice of them."""

    kinds: int
    count: int


def count_dice(throws: Iterable[DiceThrow], seats: Sequence[str]) -> tuple[tuple[DiceSeen, ...], LeftOut]:
    """Count the dice of the kinds that were thrown most: for each those of all, of each seat, and of each source.

    Sources are told apart where there are both. How unusual it is, is worked out for dice of few faces first.
    """
    kinds: dict[int, list[DiceThrow]] = {}
    for throw in throws:
        kinds.setdefault(throw.sides, []).append(throw)
    count = {sides: sum(len(throw.faces) for throw in kind) for sides, kind in kinds.items()}
    most = sorted(kinds, key=lambda sides: (-count[sides], sides))
    shown, others = sorted(most[:MAX_KINDS]), most[MAX_KINDS:]
    work = _WorkLimit()
    dice = tuple(seen for sides in shown for seen in _kind(sides, kinds[sides], seats, work))
    return dice, LeftOut(len(others), sum(count[sides] for sides in others))


class _WorkLimit:
    """What may still be worked out, until it takes too long."""

    def __init__(self) -> None:
        self.left = MAX_WORK

    def allows(self, count: int, sides: int) -> bool:
        """Take on so many dice; False where they are too many."""
        if not workable(count, sides) or count * sides > self.left:
            return False
        self.left -= count * sides
        return True


def _kind(sides: int, throws: Iterable[DiceThrow], seats: Sequence[str], work: _WorkLimit) -> Iterator[DiceSeen]:
    faces: dict[tuple[str | None, Source | None], Counter[int]] = {}
    for throw in throws:
        for group in ((None, None), (throw.by, None), (None, throw.source)):
            faces.setdefault(group, Counter()).update(throw.faces)
    groups: list[tuple[str | None, Source | None]] = [(None, None), *((seat, None) for seat in dict.fromkeys(seats))]
    if (None, "app") in faces and (None, "typed") in faces:
        groups += [(None, "app"), (None, "typed")]
    return (_group(sides, *group, faces[group], work) for group in groups if group in faces)


def _group(sides: int, seat: str | None, source: Source | None, faces: Counter[int], work: _WorkLimit) -> DiceSeen:
    count = faces.total()
    total = sum(face * times for face, times in faces.items())
    exact = work.allows(count, sides)
    max_faces = MAX_FACES if seat is None and source is None else MAX_FACES_OF_ONE
    expected = Fraction(count, sides)
    return DiceSeen(
        seat,
        source,
        sides,
        count,
        total,
        Fraction(count * (sides + 1), 2),
        luck_of_sum(count, sides, total) if exact else None,
        tuple(
            FaceSeen(face, faces[face], expected, luck_of_face(count, sides, faces[face]).as_far if exact else None)
            for face in range(1, sides + 1 if sides <= max_faces else 1)
        ),
    )
