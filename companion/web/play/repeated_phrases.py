"""Fragments of HTML in which each phrase that is repeated is one character: a file says it once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

FIRST = 0xE000
LAST = 0xF8FF
"""The first and the last of the characters that stand for nothing (Unicode's private ones)."""
_PRIVATE = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")
_PHRASE = re.compile(r"<i lang=en>[^<]*</i><i lang=es>[^<]*</i>|<[^>]{8,}>")
"""What is said in both languages, or a tag that is longer than the character and its place in the list."""


def shortened(fragments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return fragments with a private character for each repeated phrase, and those phrases in their order.

    The first phrase is ``FIRST``. A private character that somebody typed is a phrase itself.
    """
    typed = sorted({found for fragment in fragments for found in _PRIVATE.findall(fragment)})
    counted = Counter(found for fragment in fragments for found in _PHRASE.findall(fragment))
    room = LAST + 1 - FIRST - len(typed)
    phrases = [*typed, *(phrase for phrase, times in counted.most_common(room) if times > 1)]
    signs = {phrase: chr(FIRST + place) for place, phrase in enumerate(phrases)}

    def sign(found: re.Match[str]) -> str:
        phrase = found[0]
        return signs.get(phrase) or _PRIVATE.sub(lambda private: signs[private[0]], phrase)

    either = re.compile(f"{_PHRASE.pattern}|{_PRIVATE.pattern}")
    return [either.sub(sign, fragment) for fragment in fragments], phrases
