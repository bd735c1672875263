"""Statistics of dice: which faces came, how likely that was, and what is left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec

from companion.kit.luck import Luck, luck_of_face, luck_of_sum, workable
from companion.kit.questions import Source

MAX_KINDS = 12
"""Kinds of dice that are shown, those that were thrown most: people who throw more kinds play with the tray."""
MAX_FACES, MAX_FACES_OF_ONE = 100, 20
"""Faces of a die up to which each is counted, for all and for one seat or source: more come up too seldom."""
MAX_WORK = 150_000
"""The largest sums that are worked up to, one after another: so far nobody has to wait for it."""

_Group = tuple[str | None, Source | None]
"""The dice of one seat, of one source, or (both None) all of them."""


class DiceThrow(msgspec.Struct, frozen=True):
    """The faces of one throw: for which seat, dice of how many sides, rolled by Companion or typed."""

    by: str
    sides: int
    source: Source
    faces: tuple[int, ...]


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
    kinds: dict[int, defaultdict[_Group, Counter[int]]] = {}
    for throw in throws:
        groups = kinds.setdefault(throw.sides, defaultdict(Counter))
        for group in ((None, None), (throw.by, None), (None, throw.source)):
            groups[group].update(throw.faces)
    count = {sides: groups[None, None].total() for sides, groups in kinds.items()}
    most = sorted(kinds, key=lambda sides: (-count[sides], sides))
    order: list[_Group] = [(None, None), *((seat, None) for seat in dict.fromkeys(seats))]
    sources: list[_Group] = [(None, "app"), (None, "typed")]
    dice, work_left = [], MAX_WORK
    for sides in sorted(most[:MAX_KINDS]):
        groups = kinds[sides]
        for seat, source in order + (sources if groups.keys() >= {*sources} else []):
            faces = groups.get((seat, source))
            if faces is not None:
                work = faces.total() * sides
                exact = workable(faces.total(), sides) and work <= work_left
                work_left -= work if exact else 0
                dice.append(_dice_of(sides, seat, source, faces, exact=exact))
    others = most[MAX_KINDS:]
    return tuple(dice), LeftOut(len(others), sum(count[sides] for sides in others))


def _dice_of(sides: int, seat: str | None, source: Source | None, faces: Counter[int], *, exact: bool) -> DiceSeen:
    count, total = faces.total(), sum(face * times for face, times in faces.items())
    luck = luck_of_sum(count, sides, total) if exact else None
    max_faces = MAX_FACES if seat is None and source is None else MAX_FACES_OF_ONE
    expected = Fraction(count, sides)
    seen = tuple(
        FaceSeen(face, faces[face], expected, luck_of_face(count, sides, faces[face]).as_far if exact else None)
        for face in range(1, sides + 1 if sides <= max_faces else 1)
    )
    return DiceSeen(seat, source, sides, count, total, Fraction(count * (sides + 1), 2), luck, seen)
