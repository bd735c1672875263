"""How anything is asked of a table, and how a change becomes one transaction that is told afterwards."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from logging import getLogger
from random import Random
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import msgspec

from companion.kit.game import SCREEN, Game
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table import calls, housekeeping, idempotency, rematch, seats, validation, views
from companion.table.problem import Problem, Settled, Unsound
from companion.table.records import Entry, TableRecord
from companion.table.session import PositionCache, Session
from companion.table.sql import TablesDb
from companion.table.statistics import StatisticsCache
from companion.table.store import Store
from companion.table.unshowable import UNSHOWABLE, logged
from companion.table.view_models import Created, Done, Seen

T = TypeVar("T")

_logger = getLogger(__name__)
_watched: ContextVar[tuple[str, list[Seen]] | None] = ContextVar("watched", default=None)
"""The token of a seat, and where what it sees after what it did is collected."""
_only_at: ContextVar[int | None] = ContextVar("only_at", default=None)
"""The version at which alone something is done, None for any."""

_DONE = msgspec.json.Decoder(Done)
_CREATED = msgspec.json.Decoder(Created)


def _utc() -> datetime:
    return datetime.now(UTC)


def _passed() -> float:
    """Return seconds that only go on, also while the laptop sleeps."""
    clock = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    return time.monotonic() if clock is None else time.clock_gettime(clock)


class SteadyClock:
    """Tell the time of the start and what has passed since: setting the laptop's clock moves no clock of a table.

    ``wall`` is the laptop's clock, ``passed`` are seconds that only go on.
    """

    def __init__(self, wall: Callable[[], datetime] = _utc, passed: Callable[[], float] = _passed) -> None:
        self._passed = passed
        self._begun, self._from = wall(), passed()

    def __call__(self) -> datetime:
        """Return what time it is."""
        return self._begun + timedelta(seconds=self._passed() - self._from)


class Transactions:
    """Open tables to look at them or to change them.

    A change is durable before it returns; afterwards ``changed`` is told the table's id. ``changing`` is told before,
    when all is written but the commit: it may have ready what seats will see, by a look at the table, until it is known
    whether the commit succeeded; with True it takes on what ``changed`` would do then.
    """

    def __init__(
        self,
        store: Store,
        games: Mapping[str, Game[Any]],
        luck: Random | None = None,
        changed: Callable[[str], None] = lambda _: None,
        now: Callable[[], datetime] | None = None,
        changing: Callable[[str, views.Look, Future[bool]], bool] = lambda *_: False,
    ) -> None:
        self._store = store
        self._games = dict(games)
        self._luck = luck or random.SystemRandom()
        self._changed = changed
        self._changing = changing
        self._now = now or SteadyClock()
        self._statistics = StatisticsCache()
        self._positions = PositionCache()
        self._importing, self._telling = Lock(), Lock()
        self._games_of: dict[str, str] = {}

    def moment(self) -> AbstractContextManager[None]:
        """Let all that is read inside be read in one transaction, at one moment; nothing can be changed meanwhile."""
        return self._store.moment()

    @contextmanager
    def watched(self, token: str) -> Iterator[list[Seen]]:
        """Collect what a seat sees after each thing that it does inside, once that is kept for good.

        Nothing is collected of a request that is repeated, where it can not be shown, or where the ``token`` does not
        open the seat any more.
        """
        views: list[Seen] = []
        reset = _watched.set((token, views))
        try:
            yield views
        finally:
            _watched.reset(reset)

    @contextmanager
    def only_at(self, version: int | None) -> Iterator[None]:
        """Let what is asked for inside be done at one version of its table alone, or have been done; None: at any.

        At another one Problem (409) is raised.
        """
        reset = _only_at.set(version)
        try:
            yield
        finally:
            _only_at.reset(reset)

    def instant(self) -> int:
        """Return what time it is by the clock of the tables, in milliseconds of the epoch."""
        return int(self._now().timestamp() * 1000)

    @property
    def store(self) -> Store:
        """Return where the tables are kept."""
        return self._store

    def _session(self, db: TablesDb, row: TableRecord, *, from_file: bool = False) -> Session:
        """Sit down at a table that was found; ``from_file``: whatever is known of it, it is read again."""
        position = None if from_file else self._positions.get(row.id, row.version)
        return Session(db, row, self._games, self._now(), self._luck, position)

    def _remember(self, session: Session) -> None:
        """Keep in memory what a table rests on; of one that was changed only after the commit."""
        position = session.position
        if position is not None:
            self._positions.put(session.row.id, position)

    def _open(self, db: TablesDb, table: str, *, from_file: bool = False, deleted: bool = False) -> Session:
        """Sit down at a table; raise Problem (404, 410) when there is none, or it is ``deleted`` and may not be."""
        row = db.row(table) if seats.is_code(table) else None
        if row is None:
            raise validation.no_table(table)
        if row.deleted is not None and not deleted:
            raise housekeeping.gone(row, db.places(table), self._now())
        return self._session(db, row, from_file=from_file)

    @contextmanager
    def _look(self, table: str, seat: str = SCREEN, *, from_file: bool = False) -> Iterator[Session]:
        """Look at a table from a seat of it; raise Problem (404) when there is no such table or seat."""
        with self._store.read() as db:
            session = self._open(db, table, from_file=from_file)
            session.check_seat(seat, screen=True)
            yield session
            self._remember(session)

    def _create(self, named: str | None, do: Callable[[TablesDb], Created]) -> Created:
        """Make a table, once under its name."""
        with self._store.write() as db:
            made = idempotency.once(db, idempotency.NOBODY, named, lambda: msgspec.json.encode(do(db)).decode())
            created = _remembered(_CREATED, made)
        self._changed(created.table)
        return created

    def _sit(self, table: str, named: str | None, do: Callable[[Session], str]) -> str:
        """Do what gives somebody without a seat a token, once under its name."""
        with self._store.write() as db:
            session = self._open(db, table)

            def saved() -> str:
                calls.know(session, lambda: views.Look(session).plain_view(SCREEN).to_move)
                token = do(session)
                by = seats.seat_of(session.places, token) or calls.NOBODY
                calls.note(session, by, lambda: views.Look(session).plain_view(SCREEN).to_move)
                session.save()
                return token

            token = idempotency.once(db, table, named, saved)
        self._remember(session)
        self._changed(table)
        return token

    def _rematch(self, table: str, seat: str, *, swap: bool) -> rematch.Seated:
        """Give a seat its place at the rematch of its table, which is made where there is none yet."""
        with self._store.write() as db:
            session = self._open(db, table)
            before = session.row.version
            rematch.begin(session, seat, swap, self._open)
            seated = rematch.seat_there(session, seat)
        self._remember(session)
        if session.row.version != before:
            self._changed(table)
        return seated

    def _keep(self, table: str, seat: str, key: str, do: Callable[[Session], Entry | None]) -> Done:
        """Do what only the rulekeeper may, once under its key."""

        def kept(session: Session) -> Entry | None:
            session.check_rulekeeper(seat)
            return do(session)

        return self._once(table, seat, key, kept)

    def _once(
        self,
        table: str,
        seat: str,
        key: str,
        do: Callable[[Session], Entry | None],
        seen: int | None = None,
        by: str | None = None,
    ) -> Done:
        """Do what a seat asks for, once under its key; raise Refusal or Problem with nothing changed.

        ``by`` is the seat that did it with a tap, where that is not the one that asks.
        """
        validation.key(key)
        committed = Future[bool]()
        outcome: _Kept | Refusal | Problem
        with _says_whether(committed), self._store.write() as db:
            session = self._open(db, table)
            session.check_seat(seat)
            known = db.done(table, seat, key)
            if known is not None:
                return _repeated(_told(session, seat, _remembered(_DONE, known)))
            _check_only_at(session)
            stale = seen is not None and seen < session.row.version
            token = session.places[seat].token or ""
            try:
                calls.know(session, lambda: views.Look(session).plain_view(seat).to_move)
                entry = do(session)
            except Settled:
                return _repeated(views.done(session, seat))
            except (Refusal, Problem) as refused:
                outcome = refused  # it is raised after the transaction: what chance brought is remembered
            else:
                # Whoever changes seats is the one who did that, with the same token.
                by = seats.seat_of(session.places, token) or seat if by is None else by
                outcome = self._write(session, seat, key, entry, by, committed)
        if not isinstance(outcome, _Kept):
            raise _moved_on(outcome) if stale and isinstance(outcome, Refusal) else outcome
        self._tell(session, outcome)
        return outcome.done

    def _write(
        self, session: Session, seat: str, key: str, entry: Entry | None, by: str, committed: Future[bool]
    ) -> _Kept:
        """Write what a seat has done, and have ready what will be seen of it once that is ``committed``."""
        table, look = session.row.id, views.Look(session)
        calls.note(session, by, lambda: look.plain_view(seat).to_move)
        session.save()
        done = views.done(session, seat, entry)
        session.db.put_done(table, seat, key, done.version, msgspec.json.encode(_untold(done)).decode())
        watched, view, told = _watched.get(), None, False
        if watched is not None and seats.seat_of(session.places, watched[0]) == seat:
            view = self._view(look, table, seat)
        # What can not be made ready is no reason to lose what was done.
        with logged("what seats see of table %s can not be made ready", table):
            told = self._changing(table, look, committed)
        return _Kept(done, view, told)

    def _tell(self, session: Session, kept: _Kept) -> None:
        """Tell of what was done, now that it is kept for good."""
        self._remember(session)
        if not kept.told:
            self._changed(session.row.id)
        watched = _watched.get()
        if watched is not None and kept.view is not None:
            watched[1].append(kept.view)

    @staticmethod
    def _view(look: views.Look, table: str, seat: str) -> Seen | None:
        """Return what a seat sees; None where that can not be shown, which is no reason to lose what was done."""
        try:
            return look.seen(seat)
        except (Problem, *UNSHOWABLE) as wrong:
            _logger.warning("what %s sees of table %s can not be shown: %r", seat, table, wrong)
            return None


class _Kept(NamedTuple):
    """What was written: the answer, what whoever did it sees, and whether others are told by what made that ready."""

    done: Done
    view: Seen | None
    told: bool


@contextmanager
def _says_whether(committed: Future[bool]) -> Iterator[None]:
    """Say when something ends whether that went well."""
    try:
        yield
    except BaseException:
        committed.set_result(False)
        raise
    committed.set_result(True)


def _remembered(decoder: msgspec.json.Decoder[T], answer: str) -> T:
    try:
        return decoder.decode(answer)
    except (msgspec.DecodeError, UnicodeError) as wrong:
        raise Unsound(str(wrong)) from wrong


def _check_only_at(session: Session) -> None:
    """Raise Problem (409) where something is to be done at another version of the table alone."""
    only_at = _only_at.get()
    if only_at is not None and only_at != session.row.version:
        raise Problem(409, say("The table has moved on meanwhile: that was not done."))


def _repeated(done: Done) -> Done:
    return msgspec.structs.replace(done, repeated=True)


def _untold(done: Done) -> Done:
    """Leave out of an answer what the log says."""
    return done if done.seq is None else msgspec.structs.replace(done, headline=None, reasons=())


def _told(session: Session, seat: str, done: Done) -> Done:
    """Return an answer with what the log says; older ones have it."""
    if done.seq is None or done.headline is not None:
        return done
    (line,) = views.lines(session, seat, done.seq + 1, 1)
    return msgspec.structs.replace(done, headline=line.headline, reasons=line.reasons)


def _moved_on(refused: Refusal) -> Problem:
    text = say("The table has moved on: {why}", why=refused.text)
    return Problem(409, text, refused.field, refused.clause)
