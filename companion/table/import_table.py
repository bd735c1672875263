"""Import: an exported table becomes a new one, once its whole log and its digest are right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from hashlib import blake2b
from io import BytesIO
from logging import getLogger
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple

import msgspec

from companion.kit.asking import Ask, Draw, Moment, Pending, Together
from companion.kit.asking import check as check_answer
from companion.kit.game import RULEKEEPER, SCREEN, Game
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table.create import free_code
from companion.table.export import LONGEST_LOG, Kept, KeptEntry
from companion.table.import_file import ExportFile, too_long, wrong
from companion.table.log_chain import beginning, path
from companion.table.problem import Problem
from companion.table.records import RULINGS, SETTINGS_SAID, ActionWaiting, Entry, Kind, SeatRecord, TableRecord
from companion.table.rule_run import fits, givers, typed
from companion.table.seat_view import Created
from companion.table.seats import new_token
from companion.table.session import UNFIT, decoded, encoded, stored
from companion.table.tables_db import TablesDb
from companion.table.validation import (
    NAME_LENGTH,
    TITLE_LENGTH,
    can_be_spoken,
    can_be_told,
    is_shallow,
    is_time,
    name,
    plain,
    read,
)

LARGEST = 64 * 1024 * 1024
"""Bytes of a file: one of a table of 5,000 entries that was written unfolded has a third of it."""
IN_MEMORY = 1024 * 1024
"""Bytes of checked entries that wait in memory; more wait in a file beside the tables."""

_logger = getLogger(__name__)


class Taken(NamedTuple):
    """Hold an exported table that was checked and can be kept."""

    options: dict[str, Any]
    kept: Kept
    held: ActionWaiting | None
    log: Log


class _Mark(NamedTuple):
    """Hold what later entries rest on, and where in the file of the log an entry begins."""

    seq: int
    base: int
    kind: Kind
    ruling: int
    path: str
    moves: bool
    at: int


class Log:
    """Hold the entries of a log that was checked, in a file that is gone when nobody needs it any more."""

    def __init__(self, folder: Path | None) -> None:
        self._file = SpooledTemporaryFile(max_size=IN_MEMORY, dir=str(folder) if folder else None)  # noqa: SIM115
        self._end = 0
        self.marks: list[_Mark] = []

    @property
    def head(self) -> _Mark | None:
        """Find the entry that the state rests on; None before the first."""
        if not self.marks:
            return None
        last = self.marks[-1]
        return self.marks[last.base - 1] if last.kind == "undo" or not last.moves else last

    @property
    def step(self) -> _Mark | None:
        """Find the newest step: what seats have set since is none."""
        mark = self.head
        while mark is not None and mark.kind == "setting":
            mark = self.marks[mark.base - 1]
        return mark

    def add(self, entry: Entry) -> None:
        """Append an entry; raise Problem (413) when the log grows too long."""
        line = msgspec.json.encode(entry) + b"\n"
        moves = entry.state is not None
        self.marks.append(_Mark(entry.seq, entry.base, entry.kind, entry.ruling, entry.path, moves, self._end))
        self._file.seek(self._end)
        self._file.write(line)
        self._end += len(line)
        # Each state that was taken back to stands in it once more than in what was sent.
        if self._end > 2 * LONGEST_LOG:
            raise too_long()

    def entry(self, mark: _Mark) -> Entry:
        """Return an entry again."""
        self._file.seek(mark.at)
        return msgspec.json.decode(self._file.readline(), type=Entry)

    def __iter__(self) -> Iterator[Entry]:
        self._file.seek(0)
        for line in self._file:
            yield msgspec.json.decode(line, type=Entry)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


@contextmanager
def taken(games: Mapping[str, Game[Any]], source: bytes | IO[bytes], folder: Path | None = None) -> Iterator[Taken]:
    """Check an exported table, which is there as long as the block lasts; what waits on the disk waits in ``folder``.

    Raises Problem saying what is wrong with the file (400; 413), or with the disk (409).
    """
    log = Log(folder)
    try:
        try:
            checked = _check(games, BytesIO(source) if isinstance(source, bytes) else source, log)
        except OSError as full:
            raise no_room() from full
        yield checked
    finally:
        log.close()


def _check(games: Mapping[str, Game[Any]], source: IO[bytes], log: Log) -> Taken:
    file = ExportFile(source)
    kept = file.head()
    game = games.get(kept.game)
    if game is None:
        raise Problem(400, say("The game {game} is not installed here.", game=plain(kept.game)), "game")
    options = read(game.options, kept.options)
    seats = [*(role.id for role in game.roles(options)), RULEKEEPER]
    if sorted(seats) != sorted(one.seat for one in kept.seats):
        raise wrong("seats")
    for one in kept.seats:
        name(one.name, NAME_LENGTH, "seats")
    name(kept.title, TITLE_LENGTH, "title")
    if not is_time(kept.created):
        raise wrong("created")
    _check_log(game, file, seats, log)
    head = log.head
    if head is None:
        raise wrong("log")
    state = decoded(game, log.entry(head).state or "")
    with _showing(game):
        game.tracked(state)
    held = _held(game, file.held, state, seats)
    return Taken(msgspec.to_builtins(options), file.rest(), held, log)


def take_in(db: TablesDb, taken: Taken, now: datetime) -> Created:
    """Keep an exported table as a new one; all seats but the rulekeeper's are free, and a question is put anew."""
    kept, held, head = taken.kept, taken.held, taken.log.head
    assert head is not None
    row = TableRecord(
        id=free_code(db),
        game=kept.game,
        title=name(kept.title, TITLE_LENGTH, "title"),
        options=taken.options,
        dice=kept.dice,
        version=1,
        moved=1,
        head=head.seq,
        last=len(taken.log.marks) + 1,
        held=msgspec.structs.replace(held, since=1, put=now) if held else None,
        wish=None,
        paused=kept.paused,
        ended=kept.ended,
        created=kept.created,
        updated=stored(now),
    )
    db.put_row(row)
    for entry in taken.log:
        db.add_entry(row.id, entry, row.version)
    names = {one.seat: name(one.name) for one in kept.seats}
    db.add_entry(row.id, _opened(head, row, names[RULEKEEPER]), row.version)
    token = new_token()
    for one in kept.seats:
        db.put_place(row.id, SeatRecord(one.seat, name(one.name), token if one.seat == RULEKEEPER else None))
    return Created(row.id, {RULEKEEPER: token})


def _opened(head: _Mark, row: TableRecord, who: str) -> Entry:
    """Tell everybody where this table comes from: whoever has the file has seen what is in it."""
    return Entry(
        seq=row.last,
        base=head.seq,
        undoes=None,
        ruling=head.ruling,
        at=row.updated,
        kind="setting",
        seat=RULEKEEPER,
        by=RULEKEEPER,
        who=who,
        headline=say("This table was opened from a copy"),
        reasons=(),
        revealing=False,
        typed=False,
        path=head.path,
        action=None,
        answers=(),
        state=None,
    )


def too_large() -> Problem:
    """Say that no exported table is as large as this (413)."""
    return Problem(413, say("This file is too large: {most} MB at most.", most=LARGEST >> 20), "file")


def no_room() -> Problem:
    """Say that there is no room for a file while it is looked at (409)."""
    return Problem(409, say("The disk is full: nothing was changed. Make room and try again."), passing=True)


def _check_log(game: Game[Any], file: ExportFile, seats: list[str], log: Log) -> None:
    """Play the log through: every entry must rest on the one that play had come to, and its position be one."""
    looked_at: set[bytes] = set()
    for one in file.entries():
        where = f"log {one.seq}"
        if not (
            can_be_spoken(one.headline) and can_be_told(one.reasons) and is_time(one.at) and is_shallow(one.action)
        ):
            raise wrong(where)
        base = log.head
        if one.seq != len(log.marks) + 1 or (one.kind == "start") != (base is None):
            raise wrong(where)
        if one.undoes is not None:
            step = log.step
            if one.kind != "undo" or step is None or one.undoes != step.seq or step.kind == "start":
                raise wrong(where)
            base = log.marks[step.base - 1]
        moves = one.kind in {"start", "action", "correction"} or (one.kind == "setting" and one.action is not None)
        if one.base != (base.seq if base else 0) or moves != isinstance(one.state, msgspec.Raw):
            raise wrong(where)
        entry = _entry(game, one, base, log)
        if moves and entry.state is not None:
            known = blake2b(entry.state.encode(), digest_size=16).digest()
            if known not in looked_at:
                looked_at.add(known)
                _look(game, entry.state, seats)
        log.add(entry)


def _entry(game: Game[Any], one: KeptEntry, base: _Mark | None, log: Log) -> Entry:
    before = base.path if base else beginning()
    state = log.entry(base).state if base and one.undoes else None
    if one.kind == "correction" and not isinstance((one.action or {}).get("path"), str):
        raise wrong(f"log {one.seq}")
    moves = isinstance(one.state, msgspec.Raw)
    if isinstance(one.state, msgspec.Raw):
        try:
            state = encoded(decoded(game, bytes(one.state).decode()))
        except (Problem, RecursionError, UnicodeError) as misfit:
            raise wrong(f"log {one.seq}") from misfit
    return Entry(
        seq=one.seq,
        base=one.base,
        undoes=one.undoes,
        ruling=one.seq if one.kind in RULINGS else base.ruling if base else 0,
        at=one.at,
        kind=one.kind,
        seat=one.seat,
        by=one.by,
        who=name(one.who),
        headline=one.headline,
        reasons=one.reasons,
        revealing=one.revealing,
        typed=typed(one.answers),
        path=path(before, one.seat, one.action or {}, one.answers) if moves and one.kind != "setting" else before,
        action=one.action,
        answers=one.answers,
        state=state,
        setting=one.setting or SETTINGS_SAID.get(one.headline.say) if one.kind == "setting" else None,
    )


def _held(game: Game[Any], held: ActionWaiting | None, state: Any, seats: list[str]) -> ActionWaiting | None:
    """Return the action under way with what its own rule asks and tells, whatever the file says of that."""
    if held is None:
        return None
    gave = {gave for answer in held.spare for gave in givers(answer)}
    if not {held.seat, held.by, *held.silent, *gave} <= {*seats}:
        raise wrong("held")
    try:
        game.rule(state, held.seat, read(game.actions, held.action), Ask(held.answers))
    except Pending as pending:
        question, reasons = pending.question, pending.reasons
        progress = "" if pending.progress is None else encoded(pending.progress)
    except (Problem, *UNFIT) as misfit:
        raise wrong("held") from misfit
    else:
        raise wrong("held")
    parts = question.questions if isinstance(question, Together) else {}
    if isinstance(question, Draw | Moment) or not held.sealed.keys() <= parts.keys():
        raise wrong("held")
    try:
        for seat, answer in held.sealed.items():
            check_answer(parts[seat], answer)
    except Refusal as misfit:
        raise wrong("held") from misfit
    sound = msgspec.structs.replace(held, question=question, reasons=reasons, progress=progress)
    open_parts = (question, *(part for _, part in sound.unanswered))
    if not sound.unanswered or any(fits(part, answer) for part in open_parts for answer in held.spare):
        raise wrong("held")
    return sound


def _look(game: Game[Any], stored: str, seats: list[str]) -> None:
    """Look at a position as everybody will, and as taking back brings it back: a damaged one shows here."""
    with _showing(game):
        state = decoded(game, stored)
        for seat in (*seats, SCREEN):
            game.view(state, seat)
            game.offers(state, seat)


@contextmanager
def _showing(game: Game[Any]) -> Iterator[None]:
    try:
        yield
    except UNFIT as misfit:
        _logger.warning("a position of an imported table can not be shown: %r", misfit)
        raise Problem(
            400, say("The position in this file does not fit the rules of {game}.", game=game.name), "log"
        ) from misfit
