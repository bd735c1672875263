"""What happened at a table: what a seat saw after any entry, what became other since it looked, and to try it anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion.kit.changes import Change, changes, marked
from companion.kit.game import SCREEN
from companion.kit.panels import Hand, View
from companion.kit.ruling import Ruling
from companion.kit.text import Text, say
from companion.table import create, idempotency, settings, views
from companion.table.hidden import is_open
from companion.table.problem import Problem
from companion.table.session import Session, decoded
from companion.table.sql import TablesDb
from companion.table.statistics import ScreenState, Step
from companion.table.transactions import Transactions
from companion.table.unshowable import past_views
from companion.table.view_models import Created, Done, Line, Seen

EVERYBODY = "everybody"
"""Whose eyes see what lies on the table, and every hand: once the game is over."""
STEPS_BESIDE = 7
"""Lines of the log beside a moment: its own, and as many before it as a shared screen has room for."""
LONGEST_RECAP = 200
"""Lines that a recap tells; where there are more, they are the newest ones."""
MOST_STEPS = 50
"""Steps of which a recap tells one by one what they made other: the newest."""


class Moment(msgspec.Struct, frozen=True):
    """Show what a seat saw after an entry of the log, and what the entry made other.

    ``last`` is the newest entry of the log.
    """

    line: Line
    view: View
    changes: tuple[Change, ...]
    last: int


class Stage(msgspec.Struct, frozen=True):
    """Hold a moment as a page shows it: ``seen`` is what there was to see then, and nothing that could be done.

    ``open`` tells that the game is over, so that anybody's eyes may be chosen; ``hands`` are those of all, where
    everything is to be seen.
    """

    seen: Seen
    moment: Moment
    open: bool
    hands: tuple[Hand, ...] = ()


class Mark(msgspec.Struct, frozen=True):
    """Name an entry of the log that somebody may look for.

    ``turn``: another turn or phase begins, ``name`` says which and ``side`` whose it is. ``gone``: ``count`` pieces
    were lost, ``name`` is the first, ``side`` whose they all were. ``points``: ``side`` won ``count`` of them.
    ``correction``: ``name`` says of what. Else the ``end``.
    """

    seq: int
    kind: Literal["turn", "gone", "points", "correction", "end"]
    name: Text | None = None
    count: int = 0
    side: str = ""
    phase: Text | None = None


class Recap(msgspec.Struct, frozen=True):
    """Tell what happened after the entry ``since``, up to the entry ``until``: what was said, oldest first.

    ``changes`` are what is other now than it was then, ``view`` what the seat sees now. ``steps`` are what each of the
    newest entries made other, by their numbers, where that is asked for.
    """

    since: int
    until: int
    lines: tuple[Line, ...]
    changes: tuple[Change, ...]
    view: View
    steps: Mapping[int, tuple[Change, ...]] = {}


class StateAfter(msgspec.Struct, frozen=True):
    """Hold the whole state of a game after the entry ``seq``, as it is stored: every secret of it."""

    seq: int
    game: str
    state: msgspec.Raw


def view_after(session: Session, seat: str, seq: int) -> View:
    """Return what a seat could see after an entry of the log; raise Problem (404, 409) where that is not to be had."""
    return past_views(session, _state(session, seq), (seat,))[seat]


def _state(session: Session, seq: int) -> str:
    state = session.db.state_after(session.row.id, seq) if 0 < seq <= session.row.last else None
    if state is None:
        raise Problem(404, say("This table has no entry {number}.", number=seq), "at")
    return state


def check_may_look(session: Session, seat: str, whose: str) -> None:
    """Let a seat look as another one only once the game is over; else raise Problem (403)."""
    if whose != EVERYBODY:
        session.check_seat(whose, screen=True)
    if whose not in {seat, SCREEN}:
        _check_open(session)


def _check_open(session: Session) -> None:
    if not is_open(session):
        raise Problem(403, _not_open(session) or say("What others saw can be looked at when the game is over."))


def _not_open(session: Session) -> Text | None:
    """Say why a game that is over is not open to all; None where it goes on."""
    if not session.finished:
        return None
    return say("This game is over by a correction: everything is shown once the rulekeeper ends the table.")


def moment(session: Session, seat: str, seq: int) -> Moment:
    """Return what a seat saw after an entry, and what that entry made other for it; raise as ``view_after`` does."""
    now = view_after(session, seat, seq)
    before = view_after(session, seat, seq - 1) if seq > 1 else now
    (line,) = views.lines(session, seat, seq + 1, 1)
    return Moment(line, now, changes(before, now), session.row.last)


def recap(session: Session, seat: str, version: int | None, *, stepwise: bool = False) -> Recap:
    """Return what happened since a seat saw a version of the table; None: since it did something itself.

    ``stepwise`` it also tells what each entry made other. Raises Problem as ``view_after`` does.
    """
    row, db = session.row, session.db
    since = db.last_act(row.id, seat) if version is None else db.last_entry(row.id, version)
    since = max(since, 1)
    now = view_after(session, seat, row.last)
    lines = views.lines(session, seat, row.last + 1, min(row.last - since, LONGEST_RECAP))
    then = view_after(session, seat, since)
    steps = _steps(session, seat, since) if stepwise else {}
    return Recap(since, row.last, lines[::-1], changes(then, now), now, steps)


def _steps(session: Session, seat: str, since: int) -> dict[int, tuple[Change, ...]]:
    """Tell what each of the newest entries after one made other for a seat."""
    first = max(since, session.row.last - MOST_STEPS)
    seen = [view_after(session, seat, first)]
    state = None
    for entry in session.db.entries(session.row.id, first + 1, session.row.last):
        # What is no step of the game leaves the state as it was.
        if entry.state is not None and entry.state != state:
            seen.append(past_views(session, entry.state, (seat,))[seat])
            state = entry.state
        else:
            seen.append(seen[-1])
    return {first + at: () if one is two else changes(one, two) for at, (one, two) in enumerate(pairwise(seen), 1)}


def _all_hands(session: Session, seq: int) -> tuple[Hand, ...]:
    """Return the hand that each seat had after an entry."""
    return tuple(
        replace(panel, title=say("{seat}: {what}", seat=role.name, what=panel.title))
        for role in session.roles
        for panel in view_after(session, role.id, seq).panels
        if isinstance(panel, Hand) and panel.whose == "own" and panel.cards
    )


def stage(session: Session, seat: str, seq: int, whose: str) -> Stage:
    """Return what a page needs to draw the table as it stood after an entry; raise as ``moment`` does."""
    eyes = SCREEN if whose == EVERYBODY else whose
    check_may_look(session, seat, whose)
    now = moment(session, eyes, seq)
    row = session.row
    seen = Seen(
        table=row.id,
        game=row.game,
        title=row.title,
        version=seq,
        seat=eyes,
        dice=row.dice,
        paused=False,
        ended=False,
        people=views.people(session),
        view=marked(now.view, now.changes),
        offers=(),
        asked=None,
        waiting=(),
        story=(),
        last=now.line,
        log=views.lines(session, eyes, seq + 1, STEPS_BESIDE) if eyes == SCREEN else (),
        more_log=False,
        take_back=None,
        consent=None,
        knocks=(),
    )
    hands = _all_hands(session, seq) if whose == EVERYBODY else ()
    return Stage(seen, now, is_open(session), hands)


def _marks(steps: Sequence[Step], last: int) -> Iterator[Mark]:
    before: ScreenState | None = None
    turn: tuple[Text | None, Text | None, str] | None = None
    for step in steps:
        if step.seq > last:
            return
        screen = step.screen or before
        gone = [harm.to for harm in step.harm if harm.fate == "gone"]
        if gone:
            side = gone[0].side if len({one.side for one in gone}) == 1 else ""
            yield Mark(step.seq, "gone", gone[0].name, len(gone), side)
        if step.kind == "correction":
            yield Mark(step.seq, "correction")
        if screen is not None and before is not None:
            known = dict(before.points)
            for side, points in screen.points:
                if side in known and points > known[side] and step.kind == "action":
                    yield Mark(step.seq, "points", side=side, count=points - known[side])
            if screen.over and not before.over:
                yield Mark(step.seq, "end")
        if screen is not None:
            now = (screen.title, screen.step, screen.to_move[0] if len(screen.to_move) == 1 else "")
            # Where several may act, it is nobody's turn who was there before.
            if turn is None or now[:2] != turn[:2] or now[2] not in {"", turn[2]}:
                yield Mark(step.seq, "turn", screen.title, side=now[2], phase=screen.step)
                turn = now
        before = screen


def try_from(session: Session, seq: int, title: str) -> Created:
    """Make a table that begins as this one stood after an entry; only its rulekeeper's seat is taken.

    Raises Problem (409) while the game goes on, for what is hidden would be told, or where a clock ran at that moment,
    which would have run ever since; (404) where there is no such entry.
    """
    if not is_open(session):
        raise Problem(409, _not_open(session) or say("The game is not over yet."))
    if view_after(session, SCREEN, seq).timed:
        raise Problem(409, say("A clock ran at that moment: choose an entry at which it stood."), "at")
    row = session.row
    state = decoded(session.game, session.db.state_after(row.id, seq) or "")

    def begun(ruling: Ruling[Any]) -> Ruling[Any]:
        told = say("From table {table}, after entry {number}", table=row.id, number=seq)
        return msgspec.structs.replace(ruling, outcome=state, headline=told, reasons=())

    return create.like(session, title, begun)


class Replay(Transactions):
    """What may be asked of the past of a table; what each method raises is said where it is done."""

    def look_back(self, table: str, seat: str, seq: int, whose: str | None = None) -> Moment:
        """Return what a seat saw after an entry of the log; once the game is over, what any seat (``whose``) saw."""
        with self._look(table, seat) as session:
            whose = whose or seat
            session.check_seat(whose, screen=True)
            check_may_look(session, seat, whose)
            return moment(session, whose, seq)

    def state_after(self, table: str, seat: str, seq: int) -> StateAfter:
        """Return the whole state after an entry; raise Problem (403) while anything of it may still be a secret."""
        with self._look(table, seat) as session:
            _check_open(session)
            return StateAfter(seq, session.row.game, msgspec.Raw(_state(session, seq).encode()))

    def stage(self, table: str, seat: str, seq: int | None = None, whose: str | None = None) -> Stage:
        """Return the table as a seat saw it after an entry, None for the newest, for a page; ``whose`` may be all."""
        with self._look(table, seat) as session:
            return stage(session, seat, session.row.last if seq is None else seq, whose or seat)

    def marks(self, table: str) -> tuple[Mark, ...]:
        """List the entries that are looked for: everybody may see them, and what was taken back is left out."""
        with self._look(table) as session:
            marks = _marks(self._statistics.counted(session)[1], session.row.last)
            return tuple(
                replace(mark, name=session.entry(mark.seq).headline) if mark.kind == "correction" else mark
                for mark in marks
            )

    def recap(self, table: str, seat: str, version: int | None = None, *, stepwise: bool = False) -> Recap:
        """Return what happened since a seat saw a version of the table; None: since it did something itself."""
        with self._look(table, seat) as session:
            return recap(session, seat, version, stepwise=stepwise)

    def has_real_board(self, table: str) -> bool:
        """Tell whether a real board lies beside a table, on which people do what happened."""
        with self._look(table) as session:
            return settings.has_real_board(session)

    def set_real_board(self, table: str, seat: str, on: bool, key: str) -> Done:
        """Say whether a real board lies beside; for the rulekeeper."""
        return self._keep(table, seat, key, lambda session: settings.set_real_board(session, on=on))

    def try_from(self, table: str, seat: str, seq: int, title: str, key: str) -> Created:
        """Make a table that begins as this one stood after an entry; raises what ``try_from`` does.

        Whoever repeats a ``key`` is given the tokens again: it has to be long and random.
        """

        def made(db: TablesDb) -> Created:
            session = self._open(db, table)
            session.check_seat(seat)
            return try_from(session, seq, title)

        return self._create(idempotency.named(key, "variant", table, seq, title), made)
