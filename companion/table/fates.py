"""What chance brings at one point of a game: fresh the first time, the same when the step is taken back and
repeated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from companion.table.books import Books


class Fates:
    """Throw and draw at one point of the game, named by the digest of the path that led there.

    ``nth`` is how many throws (or draws) the action has had before. A throw takes what is remembered first
    and goes on with fresh faces; a draw takes the remembered cards that are still in the pile, then fresh
    ones. So neither repeating an action nor choosing another one instead is a way to better luck.
    """

    def __init__(self, books: Books, table: str, path: str, luck: Random) -> None:
        self._books = books
        self._table = table
        self._path = path
        self._luck = luck

    def throw(self, nth: int, count: int, sides: int) -> tuple[int, ...]:
        """Throw ``count`` dice with faces 1..``sides``."""
        kind = f"d{sides}"
        came: list[int] = self._books.fate(self._table, self._path, nth, kind)
        if len(came) < count:
            came += [self._luck.randint(1, sides) for _ in range(count - len(came))]
            self._books.put_fate(self._table, self._path, nth, kind, came)
        return tuple(came[:count])

    def draw(self, nth: int, pile: Sequence[str], count: int) -> tuple[str, ...]:
        """Draw ``count`` cards out of an unordered pile; all of them where it has fewer."""
        came: list[str] = self._books.fate(self._table, self._path, nth, "draw")
        left = sorted(pile)
        drawn: list[str] = []
        for card in came:
            if card in left and len(drawn) < count:
                left.remove(card)
                drawn.append(card)
        fresh = self._luck.sample(left, min(count - len(drawn), len(left)))
        if fresh:
            self._books.put_fate(self._table, self._path, nth, "draw", came + fresh)
        return (*drawn, *fresh)
