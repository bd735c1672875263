"""What a board is drawn with: its shapes, and where in a square or a hexagon everything stands, ready to print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec


def plain(number: float) -> float:
    """Return a number as it is best printed: whole where it is, without what binary fractions add."""
    return int(number) if number == int(number) else round(number, 3)


class Box(msgspec.Struct, frozen=True):
    """A place to draw a picture in: its upper left corner as seen from the middle of the square, and its size."""

    x: float
    y: float
    width: float
    height: float


class Caption(msgspec.Struct, frozen=True):
    """Where the name of a hexagon ends, and its picture beside it; a name that is ``long`` is squeezed."""

    x: float
    y: float
    picture: Box
    long: bool


class Figure(msgspec.Struct, frozen=True, array_like=True):
    """What is drawn of a piece on a board, at a place: nothing of it is in words, or another one for another seat."""

    id: str
    x: float
    y: float
    colour: str
    glyph: str
    spent: bool
    down: bool
    signs: Sequence[str]
    hits: int
    photo: str


class Token(msgspec.Struct, frozen=True):
    """A round token with a picture on it, whose middle lies at ``y``: how large it is, and the ``rim`` on it.

    The ``picture`` lies over a ``figure``, which is seen where it is missing. ``mark`` is the middle of the mark of its
    side and how large that is, ``emblem`` the box in which the mark is drawn.
    """

    y: float
    radius: float
    rim: float
    picture: Box
    figure: Box
    mark: tuple[float, float, float]
    emblem: Box


def token(y: float, radius: float, mark: tuple[float, float, float]) -> Token:
    """Work out a token of that size."""
    within, half, (x, down, size) = radius - 0.6, plain(radius * 0.68), mark
    picture = Box(plain(-within), plain(y - within), plain(2 * within), plain(2 * within))
    figure = Box(-half, plain(y - half), plain(2 * half), plain(2 * half))
    wide = plain(size * 6)  # a mark is a fourth as wide as its box, and lies a little beneath the middle
    emblem = Box(plain(x - wide / 2), plain(down - wide * 0.61), wide, wide)
    return Token(y, radius, plain(radius - 0.55), picture, figure, mark, emblem)


class Shapes(msgspec.Struct, frozen=True):
    """The shapes of a kind of board, each drawn from the middle of a square, which is ten units wide.

    ``outline`` is the square itself, ``within`` a little smaller; ``figure`` is where a piece stands, ``token`` what it
    is with a picture. Its hits are a stack of coins as large as ``coin`` whose lowest lies at ``coins``, and ``signs``
    is where up to four signs stand, in their order.
    """

    outline: str
    within: str
    figure: Box
    token: Token
    coin: float
    coins: tuple[float, float]
    signs: tuple[tuple[float, float], ...]

    def hits(self, piece: Figure) -> Iterator[tuple[float, float]]:
        """Find the middle of each coin of the stack that stands for the hits of a piece, from below."""
        x, y = (0, self.coins[1]) if len(piece.signs) >= len(self.signs) else self.coins
        for number in range(min(piece.hits, STACKED)):
            yield x, plain(y - number * COIN_HEIGHT)

    def placed(self, signs: Sequence[str]) -> Iterator[tuple[str, float, float, Box]]:
        """Find the middle of each sign that there is room for, and the box of its picture."""
        for sign, (x, y) in zip(signs, self.signs, strict=False):
            yield sign, x, y, Box(plain(x - 1), plain(y - 1), 2, 2)


STACKED = 3
"""Coins of a stack: a number on it says how many there are."""
COIN_HEIGHT = 0.6
"""From one coin of a stack to the next."""
SQUARE = Shapes(
    "M-5-5h10v10h-10z",
    "M-3.6-4.6h7.2q1 0 1 1v7.2q0 1-1 1h-7.2q-1 0-1-1v-7.2q0-1 1-1z",
    Box(-4.1, -4.5, 8.2, 8.2),
    token(-0.2, 4.4, (0, -3.6, 1.2)),
    2,
    (2.8, 2.8),
    ((-3.5, -2.4), (3.5, -2.4), (-3.5, 2.4), (3.5, 2.4)),
)
HEXAGON = Shapes(
    "M-3-5.2h6l3 5.2-3 5.2h-6l-3-5.2z",
    "M-2.7-4.7h5.4l2.7 4.7-2.7 4.7h-5.4l-2.7-4.7z",
    Box(-3.6, -4.7, 7.2, 7.2),
    token(-1.3, 3.5, (-2.4, 0.9, 1)),
    1.5,
    (2, 1.9),
    ((3.3, -2.3), (-3.3, -2.3), (4.4, 0.2), (-4.4, 0.2)),
)


def caption(square: str, drawn: bool) -> Caption:
    """Find where the name of a hexagon stands, with the picture of its terrain beside it where one is ``drawn``."""
    long = len(square) > 2
    end = 2.25 if long else 1.6
    picture = Box(plain(end - 1.3), 1.5 if long else 1.8, 2.8, 2.8)
    return Caption(plain(end - 1.5 if drawn else end), 4 if long else 4.1, picture, long)
