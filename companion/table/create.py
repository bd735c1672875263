"""Creating a table: its options are read, its game is set up, its log begins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from random import Random
from typing import Any, NamedTuple

import msgspec

from companion.kit.asking import Pending
from companion.kit.game import RULEKEEPER, Game
from companion.kit.ruling import Ruling
from companion.table.log_chain import BEGINNING, path
from companion.table.records import Entry, SeatRecord, TableRecord
from companion.table.rule_run import Chance, RuleRun
from companion.table.seats import free_code, new_token
from companion.table.session import Session, encoded, stored
from companion.table.settings import dice_setting, take_board_along
from companion.table.sql import TablesDb
from companion.table.validation import NAME_LENGTH, TITLE_LENGTH, no_seat, plain, tidy_name, to_struct
from companion.table.view_models import Created


class Wanted(NamedTuple):
    """What whoever makes a table wants: its title, its options as sent, names by seat, and how dice are rolled."""

    title: str
    options: Any
    names: Mapping[str, str]
    dice: str


def _as_set_up(ruling: Ruling[Any]) -> Ruling[Any]:
    return ruling


def create(
    db: TablesDb,
    game: Game[Any],
    wanted: Wanted,
    now: datetime,
    luck: Random,
    begun: Callable[[Ruling[Any]], Ruling[Any]] = _as_set_up,
) -> Created:
    """Set a table up as it is wanted.

    Whatever the set-up throws or draws comes from Companion; ``begun`` may put on the table what is there already. The
    log begins with what comes of that, so that no later version of a game sets anything up otherwise. Raises Problem
    (400) naming the field, or Refusal.
    """
    options = to_struct(game.options, wanted.options)
    seats = [*(role.id for role in game.roles(options)), RULEKEEPER]
    for seat in wanted.names:
        if seat not in seats:
            raise no_seat(str(seat), 400, f"seats.{plain(str(seat))}")
    names = {seat: tidy_name(wanted.names.get(seat, ""), NAME_LENGTH, f"seats.{seat}") for seat in seats}
    row = TableRecord(
        id=free_code(db),
        game=game.slug,
        title=tidy_name(wanted.title, TITLE_LENGTH, "title"),
        options=msgspec.to_builtins(options),
        dice=dice_setting(wanted.dice).mode,
        created=stored(now),
        updated=stored(now),
    )
    run = RuleRun(Chance(db, row.id, BEGINNING, luck), "app", now=now)
    ruling = run.run(lambda ask: game.setup(options, ask))
    if isinstance(ruling, Pending):
        raise TypeError(f"the set-up of {game.slug} may throw and draw, but not ask {ruling.question.key}")
    ruling = begun(ruling)
    entry = Entry(
        seq=1,
        base=0,
        ruling=0,
        at=stored(now),
        kind="start",
        seat=RULEKEEPER,
        by=RULEKEEPER,
        who=names[RULEKEEPER],
        headline=ruling.headline,
        path=path(BEGINNING, RULEKEEPER, {}, run.answers),
        reasons=ruling.reasons,
        answers=tuple(run.answers),
        state=encoded(ruling.outcome),
    )
    return store_table(db, row, (entry,), names)


def like(session: Session, title: str, begun: Callable[[Ruling[Any]], Ruling[Any]]) -> Created:
    """Make a table with the options of another one, its rulekeeper, its dice, and what lies beside it.

    ``begun`` says what lies on it, and how its log begins.
    """
    name = session.places[RULEKEEPER].name
    names = {RULEKEEPER: name} if name else {}
    wanted = Wanted(title, msgspec.to_builtins(session.options), names, session.row.dice)
    made = create(session.db, session.game, wanted, session.now, session.luck, begun)
    take_board_along(session, made.table)
    return made


def store_table(db: TablesDb, row: TableRecord, log: Iterable[Entry], names: Mapping[str, str]) -> Created:
    """Store a new table with the names by seat; only the rulekeeper's seat is taken."""
    token = new_token()
    db.put_row(row)
    for entry in log:
        db.add_entry(row.id, entry, row.version)
    for seat, name in names.items():
        db.put_place(row.id, SeatRecord(seat, name, token if seat == RULEKEEPER else None))
    return Created(row.id, {RULEKEEPER: token})
