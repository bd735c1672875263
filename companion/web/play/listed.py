"""What is listed on a page or lies in its zones, with what may be done there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

import msgspec

from companion.kit.action import Offer
from companion.kit.card_numbers import CardNumbers
from companion.kit.panels import Piece, Pile, Row, Stat, Zone
from companion.kit.text import Text


class Apart(NamedTuple):
    """An offer, by its place among some, that is the next step, or would end what is ``left`` to do."""

    place: int
    primary: bool
    left: Text | None


class PieceWithWays(NamedTuple):
    """A piece that is listed, with what starts from it, its mark, and which of its ways stand ``apart``."""

    piece: Piece
    ways: Sequence[Offer]
    mark: str
    apart: tuple[Apart, ...]


class Lying(NamedTuple):
    """What lies in a zone, others' pieces apart from one's own.

    Nobody looks at one that ``rests``: it is contested, but nothing of one's own lies there, nor what can act.
    """

    others: tuple[PieceWithWays, ...]
    own: tuple[PieceWithWays, ...]
    rests: bool


class RowWithSteps(NamedTuple):
    """A line of a tracker, with what starts from it, and which of that stands ``apart``."""

    row: Row
    steps: Sequence[Offer]
    apart: tuple[Apart, ...]


def named(piles: Iterable[Pile]) -> Iterator[tuple[str, Pile]]:
    """Pair piles with what tells them apart while others come and go: made of their names, numbered where alike."""
    found: Counter[str] = Counter()
    for pile in piles:
        name = f"{crc32(msgspec.msgpack.encode(pile.name)):x}"
        found[name] += 1
        yield (name if found[name] == 1 else f"{name}-{found[name]}"), pile


def lying(zone: Zone, pieces: Sequence[PieceWithWays], seat: str, start: Container[str]) -> Lying:
    """Sort what lies in a zone for a seat; ``start`` are the places from which something starts.

    Of who has no side of his own all is looked at alike.
    """
    others = tuple(one for one in pieces if one.piece.side != seat)
    own = tuple(one for one in pieces if one.piece.side == seat)
    looked_at = own or any(one.ways or one.mark or not seat for one in others)
    return Lying(others, own, zone.contest is not None and not looked_at and zone.id not in start)


class PlacedNumbers(NamedTuple):
    """The numbers of a card in their places; at the foot a sign stands where a card has no such number."""

    left: Stat
    right: Stat | None
    foot: tuple[Stat | str, ...]


def card_numbers(places: CardNumbers | None, piece: Piece) -> PlacedNumbers | None:
    """Put the numbers of a piece where its card has them; None where it is no card.

    Those that have no place of their own come last.
    """
    numbers = {stat.sign: stat for stat in piece.stats}
    if places is None or places.left not in numbers:
        return None
    left, right = numbers.pop(places.left), numbers.pop(places.right, None)
    foot = [numbers.pop(sign, sign) for sign in places.foot]
    return PlacedNumbers(left, right, (*foot, *numbers.values()))
