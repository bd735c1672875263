"""How what people wrote is said back to them: short enough to be shown, with the word that they may have meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from companion.kit.text import Text, say

LONGEST_QUOTED = 40


def quoted(written: object) -> str:
    """Return what was written as a sentence can show it: printable, and not all of it where it is long."""
    plain = "".join(letter for letter in str(written)[: 2 * LONGEST_QUOTED] if letter.isprintable()).strip()
    return plain if len(plain) <= LONGEST_QUOTED else f"{plain[: LONGEST_QUOTED - 1]}…"


def did_you_mean(what: Text, written: str, known: Iterable[str]) -> Text:
    """Add the word that was meant, where what was written is a slip of it."""
    meant = get_close_matches(written[:LONGEST_QUOTED].lower(), list(known), n=1)
    return say("{what} Did you mean “{word}”?", what=what, word=meant[0]) if meant else what
