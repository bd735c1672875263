"""Import: an exported table becomes a new one, once its whole log and its digest are right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from hashlib import blake2b
from io import SEEK_END, BytesIO
from itertools import chain
from logging import getLogger
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple

import msgspec

from companion.kit.asking import Ask, Pending
from companion.kit.game import RULEKEEPER, SCREEN, Game
from companion.kit.questions import Draw, Moment, Together
from companion.kit.text import say
from companion.table import validation
from companion.table.create import store_table
from companion.table.export import COPIED_FIELDS, MAX_LOG_BYTES, ExportedEntry, Kept
from companion.table.housekeeping import OPENED_FROM_A_COPY
from companion.table.import_file import ExportFile, damaged_part, too_long
from companion.table.log_chain import BEGINNING, Link, path
from companion.table.pictures import Kind, Picture, keep
from companion.table.problem import Problem, no_room
from companion.table.records import RULINGS, SETTINGS_SAID, ActionWaiting, Entry, NoRealBoard, TableRecord
from companion.table.rule_run import fits, givers, typed
from companion.table.seats import free_code
from companion.table.session import UNFIT, decoded, encoded, stored
from companion.table.settings import NO_REAL_BOARD, REAL_BOARD
from companion.table.sql import TablesDb
from companion.table.view_models import Created

LARGEST = 64 * 1024 * 1024
"""Bytes of a file: one of a table of 5,000 entries that was written unfolded has a third of it."""
MAX_IN_MEMORY = 1024 * 1024
"""Bytes of checked entries that wait in memory; more wait in a file beside the tables."""

_logger = getLogger(__name__)


class CheckedImport(NamedTuple):
    """An exported table that was checked and can be stored."""

    options: dict[str, Any]
    table: Kept
    pending: ActionWaiting | None
    log: CheckedLog
    pictures: CheckedPictures


class CheckedPictures:
    """The pictures of a table that were checked, in a file that is gone when nobody needs it any more."""

    def __init__(self, folder: Path | None) -> None:
        self._file = SpooledTemporaryFile(max_size=MAX_IN_MEMORY, dir=str(folder) if folder else None)  # noqa: SIM115
        self._kept: list[tuple[str, Kind, int]] = []

    def add(self, picture: Picture) -> None:
        """Lay a picture aside."""
        self._kept.append((picture.digest, picture.kind, len(picture.data)))
        self._file.write(picture.data)

    def __iter__(self) -> Iterator[Picture]:
        self._file.seek(0)
        for digest, kind, size in self._kept:
            yield Picture(digest, kind, self._file.read(size))

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


class CheckedLog:
    """The entries of a log that was checked, in a file that is gone when nobody needs it any more.

    ``real_board`` is what they say last of whether one lies beside: an exported table has no field for it.
    """

    def __init__(self, folder: Path | None) -> None:
        self._file = SpooledTemporaryFile(max_size=MAX_IN_MEMORY, dir=str(folder) if folder else None)  # noqa: SIM115
        self._offsets: list[int] = []
        self.links: list[Link] = []
        self.real_board = True

    @property
    def head(self) -> Link | None:
        """Find the entry that the state rests on; None before the first."""
        return self.links[self.links[-1].head - 1] if self.links else None

    @property
    def step(self) -> Link | None:
        """Find the newest step: what seats have set since is none."""
        link = self.head
        while link is not None and link.kind == "setting":
            link = self.links[link.base - 1]
        return link

    def add(self, entry: Entry) -> None:
        """Append an entry; raise Problem (413) when the log grows too long."""
        rests_on = (entry.seq, entry.base, entry.undoes, entry.ruling, entry.kind, entry.path)
        self.links.append(Link(*rests_on, version=1, has_state=entry.state is not None))
        if entry.headline in (REAL_BOARD, NO_REAL_BOARD):
            self.real_board = entry.headline == REAL_BOARD
        self._offsets.append(self._file.seek(0, SEEK_END))
        self._file.write(msgspec.json.encode(entry) + b"\n")
        # Each state that was taken back to stands in it once more than in what was sent.
        if self._file.tell() > 2 * MAX_LOG_BYTES:
            raise too_long()

    def entry(self, link: Link) -> Entry:
        """Return an entry again."""
        self._file.seek(self._offsets[link.seq - 1])
        return msgspec.json.decode(self._file.readline(), type=Entry)

    def __iter__(self) -> Iterator[Entry]:
        self._file.seek(0)
        for line in self._file:
            yield msgspec.json.decode(line, type=Entry)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


@contextmanager
def check_import(
    games: Mapping[str, Game[Any]], source: bytes | IO[bytes], folder: Path | None = None
) -> Iterator[CheckedImport]:
    """Check an exported table, which is there as long as the block lasts; what waits on the disk waits in ``folder``.

    Raises Problem saying what is wrong with the file (400; 413), or with the disk (409).
    """
    with closing(CheckedLog(folder)) as log, closing(CheckedPictures(folder)) as pictures:
        try:
            checked = _check(games, BytesIO(source) if isinstance(source, bytes) else source, log, pictures)
        except OSError as error:
            raise no_room() from error
        yield checked


def _check(
    games: Mapping[str, Game[Any]], source: IO[bytes], log: CheckedLog, pictures: CheckedPictures
) -> CheckedImport:
    file = ExportFile(source, pictures.add)
    table = file.header()
    game = games.get(table.game)
    if game is None:
        raise Problem(400, say("The game {game} is not installed here.", game=validation.plain(table.game)), "game")
    options = validation.to_struct(game.options, table.options)
    seats = [*(role.id for role in game.roles(options)), RULEKEEPER]
    if sorted(seats) != sorted(place.seat for place in table.seats):
        raise damaged_part("seats")
    for place in table.seats:
        validation.tidy_name(place.name, validation.NAME_LENGTH, "seats")
    validation.tidy_name(table.title, validation.TITLE_LENGTH, "title")
    if not validation.is_time(table.created):
        raise damaged_part("created")
    _check_log(game, file, seats, log)
    head = log.head
    if head is None:
        raise damaged_part("log")
    state = decoded(game, log.entry(head).state or "")
    with _showing(game):
        game.tracked(state)
    pending = _pending(game, file.pending, state, seats)
    return CheckedImport(msgspec.to_builtins(options), file.trailer(), pending, log, pictures)


def store_import(db: TablesDb, checked: CheckedImport, now: datetime) -> Created:
    """Store a checked table as a new one; all seats but the rulekeeper's are free, and a question is put anew."""
    table, pending, head = checked.table, checked.pending, checked.log.head
    assert head is not None
    row = TableRecord(
        id=free_code(db),
        game=table.game,
        title=validation.tidy_name(table.title, validation.TITLE_LENGTH, "title"),
        options=checked.options,
        dice=table.dice,
        created=table.created,
        updated=stored(now),
        head=head.seq,
        last=len(checked.log.links) + 1,
        held=msgspec.structs.replace(pending, since=1, put=now) if pending else None,
        paused=table.paused,
        ended=table.ended,
    )
    names = {place.seat: validation.tidy_name(place.name) for place in table.seats}
    # Everybody is told where this table comes from: whoever has the file has seen what is in it.
    opened = Entry(
        seq=row.last,
        base=head.seq,
        ruling=head.ruling,
        at=row.updated,
        kind="setting",
        seat=RULEKEEPER,
        by=RULEKEEPER,
        who=names[RULEKEEPER],
        headline=OPENED_FROM_A_COPY,
        path=head.path,
    )
    keep(db, checked.pictures)
    made = store_table(db, row, chain(checked.log, (opened,)), names)
    if not checked.log.real_board:
        db.put_note(made.table, "", NoRealBoard())
    return made


def too_large() -> Problem:
    """Say that no exported table is as large as this (413)."""
    return Problem(413, say("This file is too large: {most} MB at most.", most=LARGEST >> 20), "file")


def _check_log(game: Game[Any], file: ExportFile, seats: list[str], log: CheckedLog) -> None:
    """Play the log through: every entry must rest on the one that play had come to, and its position be one."""
    checked_states: set[bytes] = set()
    for exported in file.entries():
        complete = validation.text_is_complete(exported.headline) and validation.reasons_are_complete(exported.reasons)
        if not (complete and validation.is_time(exported.at) and validation.is_shallow(exported.action)):
            raise _damaged_entry(exported)
        entry = _entry(game, exported, _base(exported, log), log)
        if entry.state is not None and entry.kind != "undo":
            state_digest = blake2b(entry.state.encode(), digest_size=16).digest()
            if state_digest not in checked_states:
                checked_states.add(state_digest)
                # As everybody will look at it, and as taking back brings it back.
                with _showing(game):
                    state = decoded(game, entry.state)
                    for seat in (*seats, SCREEN):
                        game.view(state, seat)
                        game.offers(state, seat)
        log.add(entry)


def _base(exported: ExportedEntry, log: CheckedLog) -> Link | None:
    """Return what an entry rests on; None at the first. Raises Problem where the log can not go on with it."""
    base, kind = log.head, exported.kind
    if exported.seq != len(log.links) + 1 or (kind == "start") != (base is None):
        raise _damaged_entry(exported)
    if exported.undoes is not None:
        step = log.step
        if kind != "undo" or step is None or exported.undoes != step.seq or step.kind == "start":
            raise _damaged_entry(exported)
        base = log.links[step.base - 1]
    has_state = kind in {"start", "action", "correction"} or (kind == "setting" and exported.action is not None)
    if exported.base != (base.seq if base else 0) or has_state != isinstance(exported.state, msgspec.Raw):
        raise _damaged_entry(exported)
    return base


def _entry(game: Game[Any], exported: ExportedEntry, base: Link | None, log: CheckedLog) -> Entry:
    entry_path = base.path if base else BEGINNING
    state = log.entry(base).state if base and exported.undoes else None
    action = exported.action or {}
    if exported.kind == "correction" and not _is_correction(action):
        raise _damaged_entry(exported)
    if isinstance(exported.state, msgspec.Raw):
        try:
            state = encoded(decoded(game, bytes(exported.state).decode()))
        except (Problem, RecursionError, UnicodeError) as error:
            raise _damaged_entry(exported) from error
        if exported.kind != "setting":
            entry_path = path(entry_path, exported.seat, action, exported.answers)
    setting = exported.setting or SETTINGS_SAID.get(exported.headline.say)
    fields = {name: getattr(exported, name) for name in COPIED_FIELDS}
    fields |= {"who": validation.tidy_name(exported.who), "setting": setting if exported.kind == "setting" else None}
    ruling = exported.seq if exported.kind in RULINGS else base.ruling if base else 0
    return Entry(**fields, ruling=ruling, path=entry_path, typed=typed(exported.answers), state=state)


def _is_correction(action: dict[str, Any]) -> bool:
    """Tell whether an action is a correction of one value, or of several (a stock-take) beside the first of them."""
    several = action.get("corrections", [])
    if not isinstance(several, list):
        return False
    return all(isinstance(one, dict) and isinstance(one.get("path"), str) for one in (action, *several))


def _damaged_entry(exported: ExportedEntry) -> Problem:
    return damaged_part(f"log {exported.seq}")


def _pending(game: Game[Any], sent: ActionWaiting | None, state: Any, seats: list[str]) -> ActionWaiting | None:
    """Return the action under way with what its own rule asks and tells, whatever the file says of that."""
    if sent is None:
        return None
    if not {sent.seat, sent.by, *sent.silent, *givers(sent.spare)} <= {*seats}:
        raise damaged_part("held")
    try:
        game.rule(state, sent.seat, validation.to_struct(game.actions, sent.action), Ask(sent.answers))
    except Pending as asking:
        question, reasons = asking.question, asking.reasons
        progress = "" if asking.progress is None else encoded(asking.progress)
    except (Problem, *UNFIT) as error:
        raise damaged_part("held") from error
    else:
        raise damaged_part("held")
    parts = question.questions if isinstance(question, Together) else {}
    sealed_fits = all(seat in parts and fits(parts[seat], answer) for seat, answer in sent.sealed.items())
    if isinstance(question, Draw | Moment) or not sealed_fits:
        raise damaged_part("held")
    pending = msgspec.structs.replace(sent, question=question, reasons=reasons, progress=progress)
    open_parts = (question, *(part for _, part in pending.unanswered))
    if not pending.unanswered or any(fits(part, answer) for part in open_parts for answer in sent.spare):
        raise damaged_part("held")
    return pending


@contextmanager
def _showing(game: Game[Any]) -> Iterator[None]:
    try:
        yield
    except UNFIT as error:
        _logger.warning("a position of an imported table can not be shown: %r", error)
        text = say("The position in this file does not fit the rules of {game}.", game=game.name)
        raise Problem(400, text, "log") from error
