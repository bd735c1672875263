"""The tables: everything that people, pages and scripts may ask of one sitting."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import IO, Any, TypeVar

from companion.kit.correction import Tracked
from companion.kit.files import GameFile
from companion.kit.odds import Chart
from companion.kit.text import say
from companion.table import (
    act,
    calls,
    correct,
    create,
    export,
    idempotency,
    import_table,
    pictures,
    rematch,
    seats,
    settings,
    undo,
    validation,
    views,
)
from companion.table import ending as endings
from companion.table.ending import Course, Ending
from companion.table.pictures import Picture
from companion.table.problem import Problem
from companion.table.records import Entry
from companion.table.rematch import Seated
from companion.table.replay import Replay
from companion.table.seating import Seating
from companion.table.session import UNFIT, Session
from companion.table.sql import TablesDb
from companion.table.statistics import Statistics
from companion.table.stock_take import StockTakes
from companion.table.story import Stories
from companion.table.view_models import Created, Done, Line, Printed, Seen, Summary
from companion.table.whole_tables import WholeTables

LONGEST_LOG = 200

T = TypeVar("T")


class Tables(Seating, WholeTables, Replay, StockTakes, Stories):
    """All tables, and what a seat or anybody else may ask of one.

    Every method that changes something is one transaction, durable before it returns; afterwards ``changed``
    is told the table's id. ``key`` names a request: a repeated key gives the first answer again and changes
    nothing. ``seen`` is the version that the request was made from. The caller has made sure, by its token,
    that the seat is who asks. Refused requests raise Refusal (a rule says no) or Problem (everything else).
    """

    def create(
        self,
        game: str,
        title: str = "",
        options: Mapping[str, Any] | None = None,
        names: Mapping[str, str] | None = None,
        dice: str = "app",
        key: str | None = None,
    ) -> Created:
        """Set a table up; the rulekeeper's seat is taken, all others are free.

        Whoever repeats a ``key`` is given the tokens again: it has to be long and random.
        """
        if game not in self._games:
            raise validation.no_game(game)
        wanted = create.Wanted(title, dict(options or {}), dict(names or {}), dice)
        return self._create(
            idempotency.named(key, "create", game, *wanted),
            lambda db: create.create(db, self._games[game], wanted, self._now(), self._luck),
        )

    def summaries(self, limit: int = 50, offset: int = 0, *, archived: bool = False) -> tuple[Summary, ...]:
        """Describe ``limit`` tables after the first ``offset``, the one used last first; archived ones apart."""
        with self._store.read() as db:
            ids = db.ids(limit, offset, "archived" if archived else "shown")
        return tuple(summary for table in ids if (summary := self._summary(table)))

    def _summary(self, table: str) -> Summary | None:
        """Describe one of several tables; one that can not be read is listed all the same, for the others' sake."""
        try:
            with self._store.read() as db:
                row = db.row(table)
                return views.summary(self._session(db, row)) if row else None
        except (Problem, *UNFIT) as error:
            if isinstance(error, Problem) and error.passing:
                raise
            return Summary(table, "", "", 0, (), "", over=False, playable=False)

    def summary(self, table: str) -> Summary:
        """Describe one table to somebody without a seat."""
        with self._look(table) as session:
            return views.summary(session)

    def damage(self, table: str) -> Problem | None:
        """Look whether all that is stored of a table can be what was written; return what to say where it can not."""
        try:
            with self._look(table, from_file=True) as session:
                views.check(session)
        except Problem as problem:
            return problem
        return None

    def game_of(self, table: str) -> str:
        """Return the slug of the game that is played at a table: no table ever changes to another one."""
        game = self._games_of.get(table)
        if game is None:
            game = self._find(table, lambda db: db.game(table))
            if game in self._games:
                self._games_of[table] = game
        return game

    def version(self, table: str) -> int:
        """Return the version of a table: it grows with everything that a phone would show."""
        with self._store.read() as db:
            version = db.version_shown(table) if seats.is_code(table) else None
            if version is None:
                self._open(db, table)
                raise validation.no_table(table)
            return version

    def _find(self, table: str, read: Callable[[TablesDb], T | None]) -> T:
        """Read one thing of a table; raise Problem (404) when there is no such table."""
        with self._store.read() as db:
            value = read(db) if seats.is_code(table) else None
        if value is None:
            raise validation.no_table(table)
        return value

    def seen(self, table: str, seat: str) -> Seen:
        """Return everything that a seat may see."""
        with self._look(table, seat) as session:
            return views.seen_by(session, seat)

    def seen_all(self, table: str, seats: Collection[str]) -> dict[str, Seen]:
        """Return everything that each of some seats may see, at one moment.

        One to which that can not be shown, or that there is not, is left out: ``seen`` says why.
        """
        with self._look(table) as session:
            return views.Look(session).seen_all(seats)

    def log(self, table: str, seat: str, before: int | None = None, limit: int = views.LOG_SHOWN) -> tuple[Line, ...]:
        """Return lines of the log older than entry ``before``, newest first; at most 200."""
        with self._look(table, seat) as session:
            newest = session.row.last + 1
            start = newest if before is None else min(max(before, 0), newest)
            return views.lines(session, seat, start, min(max(limit, 1), LONGEST_LOG))

    def report(self, table: str, seat: str) -> tuple[Line, ...]:
        """Return the whole log as a seat may read it, oldest first."""
        with self._look(table, seat) as session:
            return views.report(session, seat)

    def statistics(self, table: str) -> Statistics:
        """Return the statistics of a table, as everybody may see them."""
        with self._look(table) as session:
            return self._statistics.get(session)

    def ending(self, table: str) -> Ending | None:
        """Return how the game of a table ended, as everybody may see it; None where it goes on."""
        with self._look(table) as session:
            return endings.ending(session)

    def course(self, table: str) -> Course:
        """Return how the game of a table went that is over: all of its log is read for that.

        Raises Problem (409) where it goes on.
        """
        with self._look(table) as session:
            if endings.ending(session) is None:
                raise Problem(409, say("The game is not over yet."))
            return endings.course(session, *self._statistics.counted(session))

    def rematch(self, table: str, seat: str, *, swap: bool = False) -> Seated:
        """Return the seat at the rematch of a table whose game is over; whoever asks first sets that up.

        With ``swap`` two players change places there; who comes later is given what there is.
        """
        return self._rematch(table, seat, swap=swap)

    def seats_kept(self, table: str, seats: Iterable[str]) -> tuple[Seated, ...]:
        """Return the seats at the rematch of a table that are kept for whoever holds some seats here."""
        with self._look(table) as session:
            return rematch.seats_kept(session, seats)

    def options_now(self, table: str) -> Any:
        """Return the options of a new table that is set up as this one is now."""
        with self._look(table) as session:
            laid_out = session.game.options_now
            return laid_out(session.state) if laid_out else session.options

    def files(self, table: str, seats: Iterable[str]) -> tuple[GameFile, ...]:
        """List what some seats have brought to the table or written at it, and what all use there, as files."""
        with self._look(table) as session:
            found = (file for seat in seats for file in session.game.files(session.state, seat))
            return tuple({(file.action, file.text): file for file in found}.values())

    def keep_pictures(self, found: Sequence[Picture]) -> None:
        """Keep pictures that came with a file; a table may name them later."""
        with self._store.write() as db:
            pictures.keep(db, found)

    def allow_copy(self, table: str, seat: str) -> None:
        """Raise Problem (403) where this seat may not take a copy."""
        with self._look(table, seat) as session:
            export.check_may_export(session, seat)

    def copy(self, table: str, seat: str, key: str) -> bytes:
        """Write a table down as JSON; it stands in the log that this was done.

        Under a repeated key the same copy is made again; raises Problem (409) where the table has moved on since.
        """
        with self._look(table, seat) as session:
            export.check_may_export(session, seat)
            # Nobody is told of a copy that a damaged log does not give.
            for _ in session.log():
                pass
        done = self._once(table, seat, key, lambda session: export.log_export(session, seat))
        with self._look(table, seat) as session:
            if done.repeated and done.version != session.row.version:
                raise Problem(409, say("The table has moved on since this copy was taken. Take a new one."))
            return export.export(session, seat)

    def import_(self, data: bytes | IO[bytes], key: str | None = None) -> Created:
        """Take an exported table in as a new one; the rulekeeper's seat is taken, all others are free.

        One at a time: meanwhile others are refused (429). A ``key`` has to be long and random, as that of ``create``.
        """
        if not self._importing.acquire(blocking=False):
            raise Problem(429, say("Another file is being opened. Try again in a moment."), "file", passing=True)
        try:
            with import_table.check_import(self._games, data, self._store.path.parent) as checked:
                return self._create(
                    idempotency.named(key, "import", checked.table.digest),
                    lambda db: import_table.store_import(db, checked, self._now()),
                )
        finally:
            self._importing.release()

    def tracked(self, table: str, seat: str) -> tuple[Tracked, ...]:
        """List the values that can be corrected by hand; another seat's secrets have no value."""
        with self._look(table, seat) as session:
            return views.tracked(session, seat)

    def printed(self, table: str, seat: str, tracker: str) -> Printed:
        """Return the cards of a tracker that a seat has before it."""
        with self._look(table, seat) as session:
            session.check_seat(seat)
            return views.printed(session, seat, tracker)

    def foresee(self, table: str, seat: str, action: Mapping[str, Any]) -> tuple[Chart, ...]:
        """Work out the exact odds of an action before it is done; empty when it throws no dice."""
        with self._look(table, seat) as session:
            session.check_seat(seat)
            made, actor = act.decode_action(session, seat, action)
            game, state = session.game, session.state
        return game.foresee(state, actor, made)

    def act(
        self,
        table: str,
        seat: str,
        action: Mapping[str, Any],
        key: str,
        seen: int | None = None,
        answers: Sequence[Mapping[str, Any]] | None = None,
        photos: Sequence[bytes] = (),
    ) -> Done:
        """Do an action; ``answers`` are given ahead for questions that will be the seat's own.

        The rulekeeper acts for a seat that nobody took with ``{"for": seat, ...}`` in the action. ``photos`` are
        pictures that it names: they are kept where it is done.
        """
        brought = pictures.brought(action, photos)

        def do(session: Session) -> Entry | None:
            entry = act.act(session, seat, action, answers or ())
            pictures.keep(session.db, brought)
            return entry

        return self._once(table, seat, key, do, seen)

    def picture(self, digest: str) -> tuple[str, bytes] | None:
        """Return the content type and the bytes of a picture; None when there is none of that name, or it was damaged.

        The caller has made sure that whoever asks sees it (``pictures.seen_in``).
        """
        with self._store.read() as db:
            return db.picture(digest)

    def answer(self, table: str, seat: str, answer: Mapping[str, Any], key: str, seen: int | None = None) -> Done:
        """Answer the question that waits: ``{"faces": [...]}``, ``{"roll": true}`` or ``{"value": "..."}``.

        At a together-question a seat answers its own part; the rulekeeper names a free seat with ``"seat"``.
        """
        return self._once(table, seat, key, lambda session: act.answer(session, seat, answer, seen), seen)

    def silence(self, table: str, seat: str, seen: int, key: str) -> Done:
        """Go on without an answer that did not come in time; any seat may say that the time is up.

        ``seen`` is a version at which the question was open: where it is answered by now, nothing is done. Raises
        Problem (409) while there is time left.
        """
        return self._once(table, seat, key, lambda session: act.silence(session, seen), seen, calls.NOBODY)

    def withdraw(self, table: str, seat: str, key: str) -> Done:
        """Give up an action that waits for an answer, while nothing came of it; the rulekeeper may always."""
        return self._once(table, seat, key, lambda session: undo.withdraw(session, seat))

    def take_back(self, table: str, seat: str, key: str, seen: int | None = None) -> Done:
        """Take the newest action or correction back, or ask the others for it."""
        return self._once(table, seat, key, lambda session: undo.take_back(session, seat, seen), seen)

    def consent(self, table: str, seat: str, yes: bool, key: str, seen: int | None = None) -> Done:
        """Say yes or no to somebody who asks to take something back."""
        return self._once(table, seat, key, lambda session: undo.consent(session, seat, seen, yes=yes), seen)

    def correct(self, table: str, seat: str, path: str, value: str, key: str, seen: int | None = None) -> Done:
        """Set a tracked value by hand; raise Problem (409) when it is not any more what it was at ``seen``."""
        return self._once(table, seat, key, lambda session: correct.correct(session, seat, path, value, seen), seen)

    def set_dice(self, table: str, seat: str, mode: str, key: str) -> Done:
        """Change who throws the dice; for the rulekeeper."""
        return self._keep(table, seat, key, lambda session: settings.set_dice(session, mode))

    def pause(self, table: str, seat: str, on: bool, key: str) -> Done:
        """Pause the table or go on; for the rulekeeper."""
        return self._keep(table, seat, key, lambda session: settings.pause(session, on=on))

    def retitle(self, table: str, seat: str, title: str, key: str) -> Done:
        """Change what the table is called; for the rulekeeper."""
        return self._keep(table, seat, key, lambda session: settings.retitle(session, title))

    def rename(self, table: str, seat: str, name: str, key: str) -> Done:
        """Change one's own name."""
        return self._once(table, seat, key, lambda session: seats.rename(session, seat, name))

    def release(self, table: str, rulekeeper: str, seat: str, key: str) -> Done:
        """Free a seat, so that its link opens nothing any more; for the rulekeeper."""
        return self._keep(table, rulekeeper, key, lambda session: seats.release(session, seat))

    def grant(self, table: str, rulekeeper: str, knock: str, yes: bool, key: str) -> Done:
        """Hand a taken seat over to somebody who knocked, or not; for the rulekeeper."""
        return self._keep(table, rulekeeper, key, lambda session: seats.grant(session, knock, yes=yes))

    def join(self, table: str, seat: str, name: str, key: str | None = None) -> str:
        """Take a free seat (``next``: the next one of those that are alike); returns its token.

        Raises Taken when somebody else sits there. A ``key`` has to be long and random, as that of ``create``.
        """
        named = idempotency.named(key, "join", seat, name)
        token = self._sit(table, named, lambda session: seats.join(session, seat, name))
        taken = self.seat_of(table, token)
        if taken is None or seat not in {taken, seats.NEXT}:
            raise Problem(409, say("This seat was given up in the meantime: take one again."), "seat")
        return token

    def knock(self, table: str, seat: str, name: str, key: str | None = None) -> str:
        """Ask the rulekeeper for a taken seat; returns a token to ask with how it went (``knocked``)."""
        named = idempotency.named(key, "knock", seat, name)
        return self._sit(table, named, lambda session: seats.knock(session, seat, name).token)

    def knocked(self, table: str, token: str) -> str | None:
        """Tell somebody who knocked how it went: None while it waits, ``no``, or the token of the seat."""
        with self._look(table) as session:
            return seats.knocked(session, token)

    def asked(self, table: str, tokens: Iterable[str]) -> bool:
        """Tell whether somebody knocked with one of these tokens."""
        with self._look(table) as session:
            return seats.asked(session, tokens)

    def seat_of(self, table: str, token: str) -> str | None:
        """Return the seat that a token opens; None when it opens none."""
        return self.seats_of(table, (token,)).get(token)

    def seats_of(self, table: str, tokens: Iterable[str]) -> dict[str, str]:
        """Return which of these tokens opens which seat."""
        # All by one look: a phone may show thousands of tokens, and each look takes longer than all the rest.
        places = self._find(table, lambda db: db.places(table) or None)
        return {token: seat for token in tokens if (seat := seats.seat_of(places, token)) is not None}

    def private_link(self, table: str, seat: str) -> str:
        """Return the token of a seat, for the private link; raise Problem (409) when nobody sits there."""
        with self._look(table, seat) as session:
            session.check_seat(seat)
            return seats.token_of(session, seat)
