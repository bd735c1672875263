"""House-keeping: tables are put into the archive, deleted with a way back for a while, and taken out again."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from companion.kit.game import RULEKEEPER
from companion.kit.text import say
from companion.table.problem import Deletion, Gone, Problem
from companion.table.records import DeletedBy, SeatRecord, TableRecord
from companion.table.session import Session, stored
from companion.table.sql import TablesDb
from companion.table.validation import no_table

DAYS_KEPT = 30
"""Days for which a deleted table can be brought back."""
EMPTY_AFTER = timedelta(days=1)
"""After so long without a change, a table at which nothing was ever played goes into the bin by itself."""
SETTING_UP = 40
"""Entries of a log, at most, of a table at which nothing was played: whoever set more of it up meant it to stay."""
SAT_DOWN_WITHIN = 10
"""Seconds after a table was made in which only its maker can have sat down: it is done by the same tap."""
OPENED_FROM_A_COPY = say("This table was opened from a copy")


def archive(session: Session, *, on: bool) -> None:
    """Put a table into the archive, or take it out again."""
    session.row.archived = stored(session.now) if on else None


def delete(session: Session, by: DeletedBy) -> None:
    """Delete a table, with a way back; one that is deleted already stays as it is."""
    if session.row.deleted is None:
        session.row.deleted, session.row.deleted_by, session.row.closing = stored(session.now), by, None


def bring_back(session: Session) -> None:
    """Bring a deleted table back, with all that there was; it does not go by itself again."""
    row = session.row
    if row.deleted is None:
        return
    if has_expired(row, session.now):
        raise no_table(row.id)
    row.deleted = row.archived = None
    session.append("setting", RULEKEEPER, say("The table was deleted and brought back."))


def has_expired(row: TableRecord, now: datetime) -> bool:
    """Tell whether there is no way back any more for a deleted table."""
    return row.deleted_by == "for good" or (row.deleted is not None and _until(row.deleted) <= now)


def gone(row: TableRecord, places: dict[str, SeatRecord], now: datetime) -> Problem:
    """Say of a deleted table that it was deleted; of one without a way back that there is none."""
    if has_expired(row, now):
        return no_table(row.id)
    return Gone(deletion(row, places))


def deletion(row: TableRecord, places: dict[str, SeatRecord]) -> Deletion:
    """Describe how a table was deleted, and until when it can be brought back."""
    at, keeper = row.deleted or row.updated, places.get(RULEKEEPER)
    who = keeper.name if keeper is not None else ""
    return Deletion(row.id, row.game, row.title, at, stored(_until(at)), row.deleted_by or "nobody", who)


def _until(deleted: str) -> datetime:
    return datetime.fromisoformat(deleted) + timedelta(days=DAYS_KEPT)


def empty_tables(db: TablesDb, now: datetime, limit: int) -> list[str]:
    """Name tables that go by themselves: nothing was played there, and nobody but their maker ever sat down.

    What was brought from elsewhere stays, and so does what somebody archived, or brought back before.
    """
    opened = msgspec.json.encode(OPENED_FROM_A_COPY).decode()
    return db.empty(stored(now - EMPTY_AFTER), SETTING_UP, opened, RULEKEEPER, SAT_DOWN_WITHIN, limit)


def forgettable(db: TablesDb, now: datetime) -> list[str]:
    """Name the deleted tables that go for good now."""
    return db.deleted_before(stored(now - timedelta(days=DAYS_KEPT)))
