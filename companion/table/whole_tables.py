"""What is done with whole tables: they are ended, archived, deleted and brought back, and go for good in the end."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress

from companion.kit.game import SCREEN
from companion.table import calls, housekeeping, settings
from companion.table.problem import Damaged, Deletion, Unsound
from companion.table.session import Session
from companion.table.sql import TablesDb
from companion.table.transactions import Transactions
from companion.table.validation import no_table
from companion.table.view_models import Done
from companion.table.views import Look

TOGETHER = 20
"""Tables that go into the bin in one transaction."""
ROWS_TOGETHER = 200
"""Rows that go for good in one transaction: players wait for it as long as for somebody else's action."""
PAUSE = 0.1
"""Seconds between two of those."""


class WholeTables(Transactions):
    """What a rulekeeper does with his table, and whoever runs Companion with any; see ``Tables``.

    The caller has made sure that it is the laptop that asks where a method is for that one.
    """

    def end(self, table: str, seat: str, key: str, on: bool = True, own: Collection[str] = ()) -> Done:
        """End the table, or open it again; for the rulekeeper.

        While the game goes on, and others than those on his phone (``own``) sit there, one of them has to agree first.
        """
        return self._keep(table, seat, key, lambda session: settings.end(session, on=on, own=own))

    def consent_to_end(self, table: str, seat: str, yes: bool, key: str, own: Collection[str] = ()) -> Done:
        """Say yes or no to the rulekeeper who asks to end the table; ``own`` are all seats of the phone that does."""
        return self._once(table, seat, key, lambda session: settings.consent_to_end(session, seat, own, yes=yes))

    def archive(self, table: str, seat: str, on: bool, key: str) -> Done:
        """Put the table into the archive, or take it out; for the rulekeeper."""
        return self._keep(table, seat, key, lambda session: housekeeping.archive(session, on=on))

    def delete(self, table: str, seat: str, key: str) -> Done:
        """Delete the table for everybody, with a way back for a while; for the rulekeeper."""
        return self._keep(table, seat, key, lambda session: housekeeping.delete(session, "rulekeeper"))

    def retitle_any(self, table: str, title: str) -> None:
        """Change what a table is called; for the laptop."""
        self._tidy(table, lambda session: settings.retitle(session, title))

    def archive_any(self, table: str, *, on: bool) -> None:
        """Put a table into the archive, or take it out; for the laptop."""
        self._tidy(table, lambda session: housekeeping.archive(session, on=on))

    def end_any(self, table: str) -> None:
        """End a table without asking anybody at it; for the laptop."""
        self._tidy(table, settings.end_from_outside)

    def delete_any(self, table: str) -> None:
        """Delete a table, also one whose game is not installed; for the laptop."""
        self._tidy(table, lambda session: housekeeping.delete(session, "host"))

    def bring_back(self, table: str) -> None:
        """Bring a deleted table back; for its rulekeeper and for the laptop.

        Raises Problem (404) where there is no way back any more.
        """
        self._tidy(table, housekeeping.bring_back)

    def _tidy(self, table: str, do: Callable[[Session], object]) -> None:
        """Do what nobody's seat is needed for: done again, it changes nothing."""
        with self._store.write() as db:
            session = self._open(db, table, deleted=True)
            calls.know(session, lambda: Look(session).plain_view(SCREEN).to_move)
            do(session)
            calls.note(session, calls.NOBODY, lambda: Look(session).plain_view(SCREEN).to_move)
            session.save()
        self._remember(session)
        self._changed(table)

    def bin(self, limit: int, offset: int = 0) -> tuple[Deletion, ...]:
        """List deleted tables that can be brought back, the one used last first."""
        with self._store.read() as db:
            return tuple(found for table in db.ids(limit, offset, "bin") if (found := self._in_bin(db, table)))

    def _in_bin(self, db: TablesDb, table: str) -> Deletion | None:
        """Say how a table was deleted; None where it has no way back, or can not be read: others have theirs."""
        with suppress(Unsound):
            row = db.row(table)
            if row is not None and not housekeeping.has_expired(row, self._now()):
                return housekeeping.deletion(row, db.places(table))
        return None

    def deletion(self, table: str) -> Deletion | None:
        """Say how a table was deleted; None where it was not. Raises Problem (404) when there is none any more."""
        with self._store.read() as db:
            row = db.row(table)
            if row is None or housekeeping.has_expired(row, self._now()):
                raise no_table(table)
            return housekeeping.deletion(row, db.places(table)) if row.deleted is not None else None

    def keep_house(self, wait: Callable[[float], bool]) -> None:
        """Put empty tables into the bin, and let those go for good whose way back has ended.

        Each transaction is a short one, with a pause after it: ``wait`` waits so many seconds, and tells whether to
        stop.
        """
        while self._put_empty_away():
            if wait(PAUSE):
                return
        with self._store.read() as db:
            tables = housekeeping.forgettable(db, self._now())
        for table in tables:
            with suppress(Damaged):  # one that can not be read stays
                while self._forget_some(table):
                    if wait(PAUSE):
                        return

    def _put_empty_away(self) -> bool:
        """Put some empty tables into the bin; tell whether there may be more of them."""
        with self._store.read() as db:
            found = housekeeping.empty_tables(db, self._now(), TOGETHER)
        if not found:
            return False
        with self._store.write() as db:
            # Somebody may have sat down meanwhile.
            found = housekeeping.empty_tables(db, self._now(), TOGETHER)
            found = [table for table in found if self._put_away(db, table)]
        for table in found:
            self._changed(table)
        return bool(found)

    def _put_away(self, db: TablesDb, table: str) -> bool:
        """Put an empty table into the bin; tell whether that was done: one that can not be read stays."""
        with suppress(Unsound):
            session = self._open(db, table)
            housekeeping.delete(session, "nobody")
            session.save()
            return True
        return False

    def _forget_some(self, table: str) -> bool:
        """Delete some of what is stored of a table for good; tell whether something is left.

        Its own row goes last, with a mark from the beginning that it can not be brought back: a part of it is no table.
        """
        with self._store.write() as db:
            row = db.row(table)
            if row is None or not housekeeping.has_expired(row, self._now()):
                return False
            if row.deleted_by != "for good":
                row.deleted_by = "for good"
                db.put_row(row)
            if db.forget_rows(table, ROWS_TOGETHER):
                return True
            db.forget_table(table)
            return False
