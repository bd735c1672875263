"""The end of a game in words: who won and by what, when it turned, what did most, and whose dice were unusual."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.kit.text import Speak, Text
from companion.table.dice_statistics import DiceSeen
from companion.table.ending import Course, Ending, Turning
from companion.web.language import gettext, ngettext
from companion.web.pages import begun, percent
from companion.web.play import statistics

ACROSS, DOWN = 300, 60
"""The drawing of how a game went."""
ROOM = 6
"""What is left free above its line and beneath."""
_AFTER = re.compile(r"[:.] ")


class ResultWords(NamedTuple):
    """Say who won as a ``title``, and by what beneath it, empty where that says it all."""

    title: str
    how: str


class CourseWords(NamedTuple):
    """Say how a game went, a sentence each, empty where there is none.

    ``turned`` names the step by which the game turned, ``by`` says how much. ``line`` is its course as the points of a
    drawing, ``level`` where nobody leads in it, ``mark`` the place of the step that turned it.
    """

    turned: str
    by: str
    unit: str
    did: str
    luck: str
    time: str
    turns: str
    line: str
    level: str
    mark: tuple[str, str] | None


def _speaking(speak: Speak, roles: Mapping[str, Text]) -> Callable[[str], str]:
    return lambda seat: speak(roles.get(seat, Text(seat)))


def result_words(ending: Ending, speak: Speak, roles: Mapping[str, Text]) -> ResultWords:
    """Say how a game ended, with the seats by what they are called."""
    if not ending.winners and not ending.last:
        return ResultWords(gettext("Nobody has won"), "")
    who = _speaking(speak, roles)
    won, last = _plain(speak(ending.headline)), _plain(speak(ending.last)) if ending.last else ""
    # A ruling that says it all begins as the game does: who won, and after a colon by what.
    title, how = _parted(last if last.startswith(won) else won, [who(seat) for seat in ending.winners])
    if not how and last != title:
        how = last
    return ResultWords(begun(title), begun(how))


def course_words(course: Course, speak: Speak, roles: Mapping[str, Text]) -> CourseWords:
    """Say how a game went, with the seats by what they are called."""
    who = _speaking(speak, roles)
    line, level, mark = _drawn(course)
    return CourseWords(
        turned=begun(_plain(speak(course.turning.headline))) if course.turning else "",
        by=_by(course.turning, who(course.turning.side)) if course.turning else "",
        unit=statistics.unit_words(course.unit, speak) if course.unit else "",
        did=", ".join(statistics.deeds(course.unit)) if course.unit else "",
        luck=_luck(course.dice, course.rolled, who),
        time=statistics.span(course.seconds) if course.seconds else "",
        turns=statistics.played(course.played) if course.played else "",
        line=line,
        level=level,
        mark=mark,
    )


def lines(words: CourseWords) -> list[str]:
    """Say beneath a result what made it: a sentence each."""
    turned = gettext("Turning point: %(what)s") % {"what": f"{words.turned} ({words.by})"} if words.turned else ""
    most = gettext("Top unit: %(unit)s") % {"unit": f"{words.unit} ({words.did})"} if words.unit else ""
    return [line for line in (turned, most, words.luck) if line]


def _parted(said: str, winners: Sequence[str]) -> tuple[str, str]:
    """Part who won from by what: at the first colon or full stop after the name of a winner."""
    for mark in _AFTER.finditer(said):
        if any(name.casefold() in said[: mark.start()].casefold() for name in winners):
            return said[: mark.start()], said[mark.end() :]
    return said, ""


def _plain(words: str) -> str:
    return words.rstrip(".")


def _by(turning: Turning, who: str) -> str:
    if turning.points:
        return ngettext("%(who)s: +%(num)d point", "%(who)s: +%(num)d points", turning.points) % {
            "who": who,
            "num": turning.points,
        }
    hits, units = turning.hits, turning.units
    lost = [ngettext("%(num)d hit", "%(num)d hits", hits) % {"num": hits}] if hits else []
    lost += [ngettext("%(num)d unit lost", "%(num)d units lost", units) % {"num": units}] if units else []
    return f"{who}: {', '.join(lost)}"


def _luck(dice: DiceSeen | None, rolled: bool, who: Callable[[str], str]) -> str:
    """Say whose dice were out of the usual, exactly; nothing where nothing was rolled that can be worked out."""
    if dice is None or dice.luck is None or dice.seat is None:
        return gettext("Nobody's dice were out of the ordinary") if rolled else ""
    high = dice.total > dice.expected
    words = (
        gettext("%(who)s: %(count)s dice, higher than fair dice %(chance)s of the time")
        if high
        else gettext("%(who)s: %(count)s dice, lower than fair dice %(chance)s of the time")
    )
    beaten = 1 - (dice.luck.at_least if high else dice.luck.at_most)
    return words % {"who": who(dice.seat), "count": dice.count, "chance": percent(beaten).replace(" ", "\xa0")}


def _drawn(course: Course) -> tuple[str, str, tuple[str, str] | None]:
    """Draw how the lead changed: the points of the line, where nobody leads, and where the game turned."""
    if not any(lead for _, lead in course.lead):
        return "", "", None
    leads = [lead for _, lead in course.lead]
    top, foot, steps = max(*leads, 0), min(*leads, 0), course.lead[-1][0]

    def place(at: int, lead: int) -> tuple[str, str]:
        return f"{ACROSS * at / steps:.1f}", f"{ROOM + (DOWN - 2 * ROOM) * (top - lead) / (top - foot):.1f}"

    line = " ".join(",".join(place(at, lead)) for at, lead in course.lead)
    turned = course.turning
    mark = next((place(at, lead) for at, lead in course.lead if turned and at == turned.at), None)
    return line, place(0, 0)[1], mark
