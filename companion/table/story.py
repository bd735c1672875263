"""The story of a table: its whole log with what could be seen after each entry, to be kept as one file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

import msgspec

from companion.kit.changes import Change, changes
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.panels import View
from companion.kit.text import say
from companion.table import views
from companion.table.hidden import is_open
from companion.table.problem import Problem
from companion.table.session import Session
from companion.table.transactions import Transactions
from companion.table.unshowable import past_views
from companion.table.view_models import Line, Summary

T = TypeVar("T")

PATIENCE = 2.0
"""Seconds that a story waits for another one to be told."""


class Scene(msgspec.Struct, frozen=True):
    """Show an entry of the log with what the shared screen saw after it, and what the entry made other there.

    Once the story is open, ``seats`` are what each of the game's seats saw. ``before`` is what the screen saw before:
    in that turn the entry was made. Where an entry left the position as it was, the views are the very same ones.
    """

    line: Line
    before: View
    view: View
    changes: tuple[Change, ...] = ()
    seats: Mapping[str, View] = {}


class Subject(msgspec.Struct, frozen=True):
    """Say what a story is about: the table, and whether everything is told (``open``), or what everybody saw."""

    summary: Summary
    open: bool
    seats: tuple[str, ...]


def subject(session: Session) -> Subject:
    """Say what the story of a table is about: everything may be told when nothing is hidden any more."""
    summary = views.summary(session)
    seats = tuple(person.seat for person in summary.people if person.seat != RULEKEEPER)
    return Subject(summary, is_open(session), seats)


def scenes(session: Session, about: Subject) -> Iterator[Scene]:
    """Tell the log of a table, oldest first; raise Problem (409) where the game of today can not show a position."""
    undone = {line.seq for line in views.report(session, SCREEN) if line.undone}
    before: View | None = None
    seats: dict[str, View] = {}
    for entry in session.log():
        reasons = entry.reasons if about.open else views.readable(entry.reasons, SCREEN)
        fields = (entry.seq, entry.at, entry.kind, entry.seat, entry.who, entry.headline, reasons)
        line = Line(*fields, undone=entry.seq in undone, typed=entry.typed)
        view = before
        if entry.state is not None:
            seats = past_views(session, entry.state, (SCREEN, *(about.seats if about.open else ())))
            view = seats.pop(SCREEN)
        if view is None:
            continue  # nothing lies on the table yet
        found = () if before is None or before is view else changes(before, view)
        yield Scene(line, before or view, view, found, seats)
        before = view


class Stories(Transactions):
    """What may be asked of all that happened at a table."""

    def story(self, table: str, seat: str, tell: Callable[[Subject, Iterator[Scene]], T]) -> T:
        """Tell the whole log of a table to ``tell``, an entry after the other; raise Problem as ``scenes`` does.

        A long one takes seconds: one is told at a time, and whoever comes meanwhile is refused (429).
        """
        if not self._telling.acquire(timeout=PATIENCE):
            raise Problem(429, say("Another replay is being saved. Try again in a moment."), passing=True)
        try:
            with self._look(table, seat) as session:
                about = subject(session)
                return tell(about, scenes(session, about))
        finally:
            self._telling.release()
