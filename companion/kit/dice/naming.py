"""Read the faces of dice that say words: ``d{1=hit 2=melee hit 6=retreat}``."""

from __future__ import annotations

import re

from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

MOST_NAMED = 100


class Misread(Refusal):
    """Say that a text is no throw, and at which of its characters (``at``, from 0)."""

    def __init__(self, text: Text, at: int) -> None:
        super().__init__(text, field="notation")
        self.at = at


def named(text: str, at: int) -> tuple[str, ...]:
    """Return what the faces 1.. say, of a text in braces that stands ``at`` a place; raise Misread."""
    inside = text[1:-1]
    marks = list(re.finditer(r"([0-9]{1,3})\s*=\s*", inside))
    if not marks or inside[: marks[0].start()].strip():
        raise Misread(say("Name the faces like this: 1=hit 2=melee hit 6=retreat."), at + 1)
    names: dict[int, str] = {}
    for mark, after in zip(marks, [*marks[1:], None], strict=True):
        face, place = int(mark[1]), at + 1 + mark.start()
        if not 1 <= face <= MOST_NAMED:
            raise Misread(say("Faces that are named run from 1 to {most}.", most=MOST_NAMED), place)
        if face in names:
            raise Misread(say("This face already has a name."), place)
        names[face] = inside[mark.end() : after.start() if after else len(inside)].strip(" \t\r\n,;")
    return tuple(names.get(face, "") for face in range(1, max(*names, 2) + 1))
