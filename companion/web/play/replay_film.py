"""The positions of a replay that is one file: each fragment of HTML once, each phrase once, and what became other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from companion.web.play.replay_json import same_ends
from companion.web.play.replay_sheets import Slot

FIRST = 0xE000
LAST = 0xF8FF
"""The first and the last of the characters that stand for nothing (Unicode's private ones)."""
_PRIVATE = re.compile(f"[{chr(FIRST)}-{chr(LAST)}]")
_PHRASE = re.compile(r"<i lang=en>[^<]*</i><i lang=es>[^<]*</i>|<[^>]{8,}>")
"""What is said in both languages, or a tag that is longer than the character and its place in the list."""


class Film:
    """The slots of a file from entry to entry: each fragment once, and per entry what became other in the slots.

    What became other is told as (slot, from which fragment on, how many go, which come).
    """

    def __init__(self) -> None:
        self.fragments: dict[str, int] = {}
        self.slots: dict[str, Slot] = {}
        self.steps: list[list[list[int | list[int]]]] = []
        self._now: list[list[int]] = []

    def add(self, slots: Iterable[Slot]) -> None:
        """Add how an entry left the slots."""
        filled = {slot.key: slot for slot in slots}
        for key, slot in filled.items():
            if key not in self.slots:
                self.slots[key] = slot
                self._now.append([])
        step: list[list[int | list[int]]] = []
        for number, key in enumerate(self.slots):
            items = filled[key].items if key in filled else ()
            after = [self.fragments.setdefault(item, len(self.fragments)) for item in items]
            if after != self._now[number]:
                step.append([number, *_spliced(self._now[number], after)])
                self._now[number] = after
        self.steps.append(step)

    def same(self) -> None:
        """Add an entry that left everything as it was."""
        self.steps.append([])

    def data(self, seqs: Sequence[int]) -> dict[str, Any]:
        """Return what the script of the file puts the positions together from; ``seqs`` are the entries' numbers."""
        fragments, phrases = shortened([*self.fragments])
        return {"f": fragments, "w": phrases, "n": len(self.slots), "k": seqs, "d": self.steps}

    @property
    def shown(self) -> list[tuple[int, Slot, str]]:
        """List every slot with its number and the HTML that fills it at the end."""
        fragments = [*self.fragments]
        filled = [
            _filled(slot, [fragments[one] for one in now]) for slot, now in zip(self._slots, self._now, strict=True)
        ]
        order = sorted(range(len(filled)), key=lambda one: (self._slots[one].owner != "", one))
        return [(one, self._slots[one], filled[one]) for one in order]

    @property
    def _slots(self) -> list[Slot]:
        return [*self.slots.values()]


def _spliced(before: list[int], after: list[int]) -> tuple[int, int, list[int]]:
    """Say how a list becomes another one: from where on, how many go, and which come."""
    start, end = same_ends(before, after)
    return start, len(before) - start - end, after[start : len(after) - end]


def _filled(slot: Slot, items: Sequence[str]) -> str:
    """Put together what fills a slot, as the script of the file does."""
    if not items:
        return ""
    head, body = items[0], "".join(items[1:])
    return f"{head}{body}</svg>" if slot.kind == "board" else f"{head}<ul>{body}</ul>"


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
