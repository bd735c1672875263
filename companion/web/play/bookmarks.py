"""What somebody may look for in the past of a table, in words: losses, points, corrections and the end, and turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from companion.kit.text import Speak, Text, mentions
from companion.table.ending import Course
from companion.table.replay import Mark
from companion.web.language import gettext, ngettext
from companion.web.play.replay_story import Names
from companion.web.play.statistics import odds
from companion.web.play.turn import spoken_name, uncounted


class Bookmark(NamedTuple):
    """Say what there is at an entry of the log; ``note`` says more. ``kind`` is that of a mark, or of a course."""

    seq: int
    kind: str
    words: str
    note: str = ""


class Turn(NamedTuple):
    """Say which turn or round begins at an entry of the log; ``parts`` are its phases and turns, where it has any."""

    begins: Bookmark
    parts: tuple[Bookmark, ...] = ()


def bookmarks(marks: Iterable[Mark], course: Course | None, speak: Speak, names: Names) -> Iterator[Bookmark]:
    """List what may be looked for, turns aside; of a game that is over, with its ``course``, first where it turned."""
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
        if mark.kind != "turn":
            yield Bookmark(mark.seq, mark.kind, _words(mark, speak, names))


def turns(marks: Iterable[Mark], speak: Speak, names: Names) -> Iterator[Turn]:
    """List the turns and rounds of a game by their names, each with what came one after the other within it."""

    def line(mark: Mark, said: Iterable[Text | None], side: str) -> Bookmark:
        words = [spoken_name(one, speak) for one in said if one is not None]
        who = speak(names[side]) if side in names else ""
        if who and not any(mentions(word, who) for word in words):
            words.append(who)
        return Bookmark(mark.seq, "turn", " · ".join(words) or gettext("Next turn"))

    begun = (mark for mark in marks if mark.kind == "turn")
    # What has no name stands for itself.
    for _, group in groupby(begun, lambda mark: uncounted(mark.name) if mark.name else mark.seq):
        first, *others = group
        if not others:
            yield Turn(line(first, (first.name, first.phase), first.side))
            continue
        same = all(other.side == first.side for other in others)
        head = line(first, (first.name and uncounted(first.name),), first.side if same else "")
        parts = (line(mark, (mark.phase,), "" if same else mark.side) for mark in (first, *others))
        yield Turn(head, tuple(parts))


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
    return gettext("The end")
