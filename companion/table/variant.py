"""A variant: a new table that begins with a position of one whose game is over, for "what if I had"."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Ruling
from companion.kit.text import say
from companion.table import create, idempotency, rematch
from companion.table.problem import Problem
from companion.table.replay import view_after
from companion.table.session import Session, decoded
from companion.table.sql import TablesDb
from companion.table.transactions import Transactions
from companion.table.view_models import Created


def begin(session: Session, seq: int, title: str) -> Created:
    """Make a table that begins as this one stood after an entry; only its rulekeeper's seat is taken.

    Raises Problem (409) while the game goes on, for what is hidden would be told, or where a clock ran at that moment,
    which would have run ever since; (404) where there is no such entry.
    """
    if not rematch.is_over(session):
        raise Problem(409, say("The game is not over yet."))
    if view_after(session, SCREEN, seq).timed:
        raise Problem(409, say("A clock ran at that moment: choose an entry at which it stood."), "at")
    row = session.row
    state = decoded(session.game, session.db.state_after(row.id, seq) or "")
    name = session.places[RULEKEEPER].name
    sent = (title, msgspec.to_builtins(session.options), {RULEKEEPER: name} if name else {}, row.dice)

    def begun(ruling: Ruling[Any]) -> Ruling[Any]:
        told = say("From table {table}, after entry {number}", table=row.id, number=seq)
        return msgspec.structs.replace(ruling, outcome=state, headline=told, reasons=())

    return create.create(session.db, session.game, sent, session.now, session.luck, begun)


class Variants(Transactions):
    """What may be asked of a table whose game is over, to try it otherwise."""

    def try_from(self, table: str, seat: str, seq: int, title: str, key: str) -> Created:
        """Make a table that begins as this one stood after an entry; raises what ``begin`` does.

        Whoever repeats a ``key`` is given the tokens again: it has to be long and random.
        """

        def made(db: TablesDb) -> Created:
            session = self._open(db, table)
            session.check_seat(seat)
            return begin(session, seq, title)

        return self._create(idempotency.named(key, "variant", table, seq, title), made)
