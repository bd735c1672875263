"""The tables of the first page, each in one line: what is played, by whom, whose turn it is, and since when."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.kit.game import RULEKEEPER
from companion.kit.text import Speak
from companion.table.problem import Problem
from companion.table.view_models import Person, Summary
from companion.web.language import gettext, speaker
from companion.web.lobby import ago
from companion.web.play.turn import listed_turn, speak_turn
from companion.web.state import app_state
from companion.web.this_phone import own_seats

FEW = 4
"""So many people are named, more are counted."""


class ListedTable(msgspec.Struct, frozen=True):
    """Show a table in a list: its name, the game where that says something else, who is there, whose turn it is.

    ``seat`` is its reader's, with its name in ``role``, empty for whoever sits elsewhere; ``mine`` tells that the table
    waits for that seat.
    """

    table: str
    name: str
    game: str
    people: str
    turn: str
    when: str
    seat: str = ""
    role: str = ""
    mine: bool = False
    over: bool = False

    @property
    def line(self) -> str:
        """What is said beneath the name, in one line; that it is its reader's turn stands beside it."""
        return " · ".join(filter(None, (self.game, self.people, "" if self.mine else self.turn, self.when)))


def listed(summary: Summary, seat: str = "") -> ListedTable:
    """Put a table into a list; ``seat`` is where its reader sits."""
    speak = speaker(summary.game)
    game = app_state().games.get(summary.game)
    kind = speak(summary.kind) if summary.kind else speak(game.name) if game else summary.game
    turn = listed_turn(summary, seat)
    role = next((person.role for person in summary.people if person.seat == seat), None)
    return ListedTable(
        summary.table,
        summary.title or kind or gettext("Cannot be read"),
        kind if summary.title else "",
        _people(summary.people, speak),
        speak_turn(turn, speak) if turn else "",
        ago.in_a_line(summary.updated_at, ago.now()),
        seat,
        speak(role) if role else "",
        bool(seat) and seat in summary.waits_for and not summary.paused,
        summary.over,
    )


def own_tables() -> list[ListedTable]:
    """List the tables whose game goes on where this phone sits, each with one seat: rather one that plays."""
    found: dict[str, ListedTable] = {}
    for table, seat in own_seats():
        if table in found and (seat == RULEKEEPER or found[table].seat != RULEKEEPER):
            continue
        try:
            summary = app_state().tables.summary(table)
        except Problem as wrong:
            if wrong.passing:
                raise
            continue  # it is gone, or can not be read
        taken = any(person.seat == seat and person.taken for person in summary.people)
        if taken and not (summary.over or summary.archived) and summary.playable:
            found[table] = listed(summary, seat)
    return list(found.values())


def _people(people: Sequence[Person], speak: Speak) -> str:
    names = list(_names(people, speak))
    more = len(names) - FEW
    if more > 1:
        return gettext("%(names)s and %(count)s more") % {"names": ", ".join(names[:FEW]), "count": more}
    return ", ".join(names)


def _names(people: Iterable[Person], speak: Speak) -> Iterable[str]:
    """Name whoever sits there, each once; who gave no name is called as his seat is, but for the rulekeeper."""
    named = (
        person.name or speak(person.role)
        for person in people
        if person.taken and (person.name or person.seat != RULEKEEPER)
    )
    return {name.casefold(): name for name in named}.values()
