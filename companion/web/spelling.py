"""The words of the rulebooks: taken out of what was typed, shortened to their stem, and found though misspelt."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable
from difflib import get_close_matches

SUITS = "♠♥♦♣"
"""Signs that belong to a word: a card is called ``10♠``."""

_LONGEST_WORD = 40
_SHORTEST_MISSPELT = 5
_FURTHEST = 2
"""Letters that a misspelt word may have too many or too few."""
_ALIKE = 0.8


def words(typed: str) -> list[str]:
    """Split what was typed into words, dropping all but letters, figures and suits (``abc12`` is two)."""
    spaced = re.sub(r"\b([^\W\d_]{2,5})(\d{1,3})\b", r"\1 \2", typed[:2000])
    return [word[:_LONGEST_WORD] for word in re.findall(rf"(?:[^\W_]|[{SUITS}])+", spaced)]


def shortened(word: str) -> str:
    """Cut a word's ending, so that a plural finds the singular in either language."""
    if len(word) < 5 or word.isdecimal():
        return word
    return word[:-3] if word.lower().endswith("ies") else word[:-1] if len(word) == 5 else word[:-2]


def folded(word: str) -> str:
    """Write a word in small letters without accents."""
    apart = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


class Spelling:
    """Know every word of some texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._spelt: dict[str, str] = {}
        for text in texts:
            for word in words(text):
                self._spelt.setdefault(folded(word), word.casefold())
        self._sorted = sorted(self._spelt)

    def knows(self, word: str) -> bool:
        """Tell whether a word begins like one of them, its own ending left aside; figures are never misspelt."""
        stem = folded(shortened(word))
        at = bisect_left(self._sorted, stem)
        return word.isdecimal() or (at < len(self._sorted) and self._sorted[at].startswith(stem))

    def nearest(self, word: str) -> str | None:
        """Find the word that is most like a misspelt one; None where none is."""
        typed = folded(word)
        if len(typed) < _SHORTEST_MISSPELT:
            return None
        near = [one for one in self._sorted if abs(len(one) - len(typed)) <= _FURTHEST and not one.isdecimal()]
        found = get_close_matches(typed, near, n=1, cutoff=_ALIKE)
        return self._spelt[found[0]] if found else None
