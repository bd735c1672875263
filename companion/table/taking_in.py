"""Taking an exported table in: all of it is checked before any of it is kept."""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode
from logging import getLogger
from typing import TYPE_CHECKING, Any

import msgspec

from companion.kit.asking import Ask, Draw, Moment, Pending, Together
from companion.kit.asking import check as check_answer
from companion.kit.game import RULEKEEPER, SCREEN, Game
from companion.kit.ruling import Refusal
from companion.kit.text import say
from companion.table.carrying import EDITION, FORMAT, Contents, Kept, KeptEntry, digest
from companion.table.fitting import is_time, shallow, spoken, told
from companion.table.founding import free_code
from companion.table.problem import Problem
from companion.table.reading import NAME_LENGTH, TITLE_LENGTH, name, plain, read
from companion.table.records import RULINGS, Entry, Held, Place, Row
from companion.table.results import Created
from companion.table.running import fits, givers, typed
from companion.table.seats import new_token
from companion.table.sitting import UNFIT, beginning, decoded, encoded, path, stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from companion.table.books import Books

LARGEST = 64 * 1024 * 1024
"""Bytes of a file, and bytes that its folded log may unfold to: a table of 5,000 entries has a third of it."""

_logger = getLogger(__name__)


class Opening(msgspec.Struct, frozen=True):
    """Hold what tells whether a file is an exported table, and whether this Companion can read it."""

    format: Any = None
    edition: Any = None


class Taken(msgspec.Struct, frozen=True):
    """Hold an exported table that was checked and can be kept."""

    game: Game[Any]
    options: dict[str, Any]
    kept: Kept
    held: Held | None
    log: list[Entry]


def check(games: Mapping[str, Game[Any]], data: bytes) -> Taken:
    """Check an exported table; raise Problem (400) saying what is wrong with the file."""
    kept, contents = _read(data)
    game = games.get(kept.game)
    if game is None:
        raise Problem(400, say("The game {game} is not installed here.", game=plain(kept.game)), "game")
    options = read(game.options, kept.options)
    seats = [*(role.id for role in game.roles(options)), RULEKEEPER]
    if sorted(seats) != sorted(one.seat for one in kept.seats):
        raise _wrong("seats")
    for one in kept.seats:
        name(one.name, NAME_LENGTH, "seats")
    name(kept.title, TITLE_LENGTH, "title")
    _check_texts_and_times(kept, contents)
    log = _log(game, contents.log)
    _check_states(game, log, seats)
    held = _held(game, contents.held, decoded(game, log[_head(log) - 1].state or ""), seats)
    if kept.digest != digest(kept):
        raise Problem(400, say("This file was changed or damaged: its digest does not fit."), "digest")
    return Taken(game, msgspec.to_builtins(options), kept, held, log)


def take_in(books: Books, taken: Taken, now: datetime) -> Created:
    """Keep an exported table as a new one; all seats but the rulekeeper's are free, and a question is put anew."""
    kept, held = taken.kept, taken.held
    row = Row(
        id=free_code(books),
        game=kept.game,
        title=name(kept.title, TITLE_LENGTH, "title"),
        options=taken.options,
        dice=kept.dice,
        version=1,
        moved=1,
        head=_head(taken.log),
        last=len(taken.log),
        held=msgspec.structs.replace(held, since=1, put=now) if held else None,
        wish=None,
        paused=kept.paused,
        ended=kept.ended,
        created=kept.created,
        updated=stored(now),
    )
    books.put_row(row)
    for entry in taken.log:
        books.add_entry(row.id, entry, row.version)
    token = new_token()
    for one in kept.seats:
        books.put_place(row.id, Place(one.seat, name(one.name), token if one.seat == RULEKEEPER else None))
    return Created(row.id, {RULEKEEPER: token})


def _wrong(where: str) -> Problem:
    return Problem(400, say("This file is damaged: {where} does not fit.", where=where), where)


def _read(data: bytes) -> tuple[Kept, Contents]:
    try:
        opening = msgspec.json.decode(data, type=Opening)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as wrong:
        raise Problem(400, say("This file is not an exported table, or a part of it is missing.")) from wrong
    if opening.format != FORMAT:
        raise Problem(400, say("This file is not an exported table, or a part of it is missing."), "format")
    if opening.edition != EDITION:
        raise Problem(400, say("This table was exported by a newer Companion: update this one."), "edition")
    try:
        kept = msgspec.json.decode(data, type=Kept)
        if isinstance(kept.contents, Contents):
            return kept, kept.contents
        unfolding = zlib.decompressobj()
        unfolded = unfolding.decompress(b64decode(kept.contents, validate=True), LARGEST)
        if unfolding.unconsumed_tail:
            raise too_large()
        if not unfolding.eof:
            raise _wrong("contents")
        return kept, msgspec.json.decode(unfolded, type=Contents)
    except msgspec.DecodeError as wrong:
        raise _wrong(_where(str(wrong))) from wrong
    except (zlib.error, binascii.Error, ValueError, RecursionError) as wrong:
        raise _wrong("contents") from wrong


def too_large() -> Problem:
    """Say that no exported table is as large as this (413)."""
    return Problem(413, say("This file is too large: {most} MB at most.", most=LARGEST >> 20), "file")


def _where(message: str) -> str:
    quoted = message.split("`")[1::2]
    return plain(quoted[-1].removeprefix("$.") if quoted else "contents")


def _log(game: Game[Any], kept: Iterable[KeptEntry]) -> list[Entry]:
    """Play the log through: every entry must rest on the one that play had come to."""
    log: list[Entry] = []
    for one in kept:
        where = f"log {one.seq}"
        head = _head(log)
        base = log[head - 1] if head else None
        if one.seq != len(log) + 1 or (one.kind == "start") != (base is None):
            raise _wrong(where)
        if one.undoes is not None:
            step = _step(log, base)
            if one.kind != "undo" or step is None or one.undoes != step.seq or step.kind == "start":
                raise _wrong(where)
            base = log[step.base - 1]
        moves = one.kind in {"start", "action", "correction"} or (one.kind == "setting" and one.action is not None)
        if one.base != (base.seq if base else 0) or moves != (one.state is not None):
            raise _wrong(where)
        log.append(_entry(game, one, base))
    if not log:
        raise _wrong("log")
    return log


def _step(log: list[Entry], head: Entry | None) -> Entry | None:
    """Find the newest step: what seats have set since is none."""
    while head is not None and head.kind == "setting":
        head = log[head.base - 1]
    return head


def _head(log: list[Entry]) -> int:
    if not log:
        return 0
    last = log[-1]
    return last.base if last.kind == "undo" or last.state is None else last.seq


def _entry(game: Game[Any], one: KeptEntry, base: Entry | None) -> Entry:
    before = base.path if base else beginning()
    state = base.state if base and one.undoes else None
    if one.kind == "correction" and not isinstance((one.action or {}).get("path"), str):
        raise _wrong(f"log {one.seq}")
    if one.state is not None:
        try:
            state = encoded(decoded(game, encoded(one.state)))
        except (Problem, RecursionError) as wrong:
            raise _wrong(f"log {one.seq}") from wrong
    moves = one.state is not None
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
    )


def _held(game: Game[Any], held: Held | None, state: Any, seats: list[str]) -> Held | None:
    """Return the action under way with what its own rule asks and tells, whatever the file says of that."""
    if held is None:
        return None
    gave = {gave for answer in held.spare for gave in givers(answer)}
    if not {held.seat, held.by, *held.silent, *gave} <= {*seats}:
        raise _wrong("held")
    try:
        game.rule(state, held.seat, read(game.actions, held.action), Ask(held.answers))
    except Pending as pending:
        question, reasons = pending.question, pending.reasons
    except (Problem, *UNFIT) as wrong:
        raise _wrong("held") from wrong
    else:
        raise _wrong("held")
    parts = question.questions if isinstance(question, Together) else {}
    if isinstance(question, Draw | Moment) or not held.sealed.keys() <= parts.keys():
        raise _wrong("held")
    try:
        for seat, answer in held.sealed.items():
            check_answer(parts[seat], answer)
    except Refusal as wrong:
        raise _wrong("held") from wrong
    sound = msgspec.structs.replace(held, question=question, reasons=reasons)
    open_parts = (question, *(part for _, part in sound.unanswered))
    if not sound.unanswered or any(fits(part, answer) for part in open_parts for answer in held.spare):
        raise _wrong("held")
    return sound


def _check_texts_and_times(kept: Kept, contents: Contents) -> None:
    for entry in contents.log:
        said = spoken(entry.headline) and told(entry.reasons)
        if not (said and is_time(entry.at) and shallow(entry.action)):
            raise _wrong(f"log {entry.seq}")
    if not is_time(kept.created):
        raise _wrong("created")


def _check_states(game: Game[Any], log: list[Entry], seats: list[str]) -> None:
    """Look at every position as everybody will, and as taking back brings it back: a damaged one shows here."""
    try:
        for stored in {entry.state for entry in log if entry.state is not None}:
            state = decoded(game, stored)
            for seat in (*seats, SCREEN):
                game.view(state, seat)
                game.offers(state, seat)
        game.tracked(decoded(game, log[_head(log) - 1].state or ""))
    except UNFIT as wrong:
        _logger.warning("a position of an imported table can not be shown: %r", wrong)
        raise Problem(
            400, say("The position in this file does not fit the rules of {game}.", game=game.name), "log"
        ) from wrong
