"""What happened at a table: what a seat saw after any entry of the log, and what became other since it looked."""

from __future__ import annotations

import msgspec

from companion.kit.changes import Change, changes
from companion.kit.game import SCREEN
from companion.kit.panels import View
from companion.kit.text import say
from companion.table import views
from companion.table.problem import Problem
from companion.table.session import UNFIT, Session, decoded
from companion.table.transactions import Transactions
from companion.table.view_models import Line

LONGEST_RECAP = 200
"""Lines that a recap tells; where there are more, they are the newest ones."""


class Moment(msgspec.Struct, frozen=True):
    """Show what a seat saw after an entry of the log, and what the entry made other.

    ``last`` is the newest entry of the log.
    """

    line: Line
    view: View
    changes: tuple[Change, ...]
    last: int


class Recap(msgspec.Struct, frozen=True):
    """Tell what happened after the entry ``since``, up to the entry ``until``: what was said, oldest first.

    ``changes`` are what is other now than it was then, ``view`` what the seat sees now.
    """

    since: int
    until: int
    lines: tuple[Line, ...]
    changes: tuple[Change, ...]
    view: View


def view_after(session: Session, seat: str, seq: int) -> View:
    """Return what a seat could see after an entry of the log; raise Problem (404, 409) where that is not to be had."""
    state = session.db.state_after(session.row.id, seq) if 0 < seq <= session.row.last else None
    if state is None:
        raise Problem(404, say("This table has no entry {number}.", number=seq), "at")
    try:
        return session.game.view(decoded(session.game, state), seat)
    except UNFIT as wrong:
        raise Problem(409, say("This position cannot be shown by the rules of today."), "at") from wrong


def check_may_look(session: Session, seat: str, whose: str) -> None:
    """Let a seat look as another one only once the game is over; else raise Problem (403)."""
    session.check_seat(whose, screen=True)
    if whose not in {seat, SCREEN} and not session.row.ended and session.over is not True:
        raise Problem(403, say("What others saw can be looked at when the game is over."))


def moment(session: Session, seat: str, seq: int) -> Moment:
    """Return what a seat saw after an entry, and what that entry made other for it; raise as ``view_after`` does."""
    now = view_after(session, seat, seq)
    before = view_after(session, seat, seq - 1) if seq > 1 else now
    (line,) = views.lines(session, seat, seq + 1, 1)
    return Moment(line, now, changes(before, now), session.row.last)


def recap(session: Session, seat: str, version: int | None) -> Recap:
    """Return what happened since a seat saw a version of the table; None: since it did something itself.

    Raises Problem as ``view_after`` does.
    """
    row, db = session.row, session.db
    since = db.last_act(row.id, seat) if version is None else db.last_entry(row.id, version)
    since = min(max(since, 1), row.last)
    now = view_after(session, seat, row.last)
    lines = views.lines(session, seat, row.last + 1, min(row.last - since, LONGEST_RECAP))
    return Recap(since, row.last, lines[::-1], changes(view_after(session, seat, since), now), now)


class Replay(Transactions):
    """What may be asked of the past of a table; what each method raises is said where it is done."""

    def look_back(self, table: str, seat: str, seq: int, whose: str | None = None) -> Moment:
        """Return what a seat saw after an entry of the log; once the game is over, what any seat (``whose``) saw."""
        with self._look(table, seat) as session:
            whose = whose or seat
            check_may_look(session, seat, whose)
            return moment(session, whose, seq)

    def recap(self, table: str, seat: str, version: int | None = None) -> Recap:
        """Return what happened since a seat saw a version of the table; None: since it did something itself."""
        with self._look(table, seat) as session:
            return recap(session, seat, version)
