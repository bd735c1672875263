"""What somebody may look for in the past of a table, in words: losses, points, corrections, turns, and the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from companion.kit.text import Speak
from companion.table.ending import Course
from companion.table.replay import Mark
from companion.web.language import gettext, ngettext
from companion.web.play.replay_story import Names
from companion.web.play.statistics import odds


class Bookmark(NamedTuple):
    """Say what there is at an entry of the log; ``note`` says more. ``kind`` is that of a mark, or of a course."""

    seq: int
    kind: str
    words: str
    note: str = ""


def bookmarks(marks: Iterable[Mark], course: Course | None, speak: Speak, names: Names) -> Iterator[Bookmark]:
    """List what may be looked for; of a game that is over, with its ``course``, first where it turned."""
    if course and course.turning:
        yield Bookmark(course.turning.seq, "turning", gettext("Where the game turned most"))
    if course and course.surprise:
        dice = course.surprise
        note = gettext("%(who)s: %(dice)s. As unusual as this: %(chance)s") % {
            "who": speak(names[dice.seat]) if dice.seat in names else dice.seat,
            "dice": " ".join(map(str, dice.faces)),
            "chance": odds(dice.chance),
        }
        yield Bookmark(dice.seq, "dice", gettext("Where the dice surprised most"), note)
    for mark in marks:
        yield Bookmark(mark.seq, mark.kind, _words(mark, speak, names))


def _words(mark: Mark, speak: Speak, names: Names) -> str:
    """Say what a mark stands for."""
    side = speak(names[mark.side]) if mark.side in names else mark.side
    if mark.kind == "gone":
        piece, more = speak(mark.name) if mark.name else "", mark.count - 1
        if more:
            said = ngettext("%(piece)s and %(num)d more lost", "%(piece)s and %(num)d more lost", more)
        else:
            said = gettext("Lost: %(piece)s")
        return said % {"piece": piece, "num": more} + (f" ({side})" if side else "")
    if mark.kind == "points":
        said = ngettext("%(who)s: %(num)d point more", "%(who)s: %(num)d points more", mark.count)
        return said % {"who": side, "num": mark.count}
    if mark.kind == "correction":
        return speak(mark.name) if mark.name else ""
    if mark.kind == "end":
        return gettext("The end")
    name, phase = speak(mark.name) if mark.name else "", speak(mark.phase) if mark.phase else ""
    told = mark.side in names and side.lower() not in name.lower()
    return " · ".join(part for part in (name, phase, side if told else "") if part) or gettext("Next turn")
