"""Export: the whole of a table as one JSON file that can be kept, and imported again."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.questions import Answer
from companion.kit.ruling import Reason
from companion.kit.text import Text, say
from companion.table.hidden import is_open
from companion.table.pictures import named_in
from companion.table.problem import Problem, Unsound
from companion.table.records import Entry, Kind, Setting
from companion.table.session import Session
from companion.table.view_models import DiceMode

FORMAT: Literal["companion-table"] = "companion-table"
Edition = Literal[1, 2]
PLAIN: Edition = 1
PICTURED: Edition = 2
"""A file with pictures in it: a Companion that knows none says that it is too old, and not that the file is damaged."""
MAX_LOG_BYTES = 256 * 1024 * 1024
"""Bytes of the log of a table, written as JSON: 20,000 entries of a large battle."""
MAX_ENTRIES = 100_000

Short = Annotated[str, Meta(max_length=200)]
"""A name, a title, a moment: longer than any that a table keeps."""
MAX_LISTED = 10_000
"""Reasons or answers of one entry: more than any rule has."""


class _Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A piece of the file: unknown fields are refused."""


class ExportedEntry(_Strict, frozen=True):
    """An entry of the log; what follows from the others is left out."""

    seq: int
    base: int
    at: Short
    kind: Kind
    seat: Short
    by: Short
    who: Short
    headline: Text
    undoes: int | None = None
    reasons: Annotated[tuple[Reason, ...], Meta(max_length=MAX_LISTED)] = ()
    revealing: bool = False
    action: dict[str, Any] | None = None
    answers: Annotated[tuple[Answer, ...], Meta(max_length=MAX_LISTED)] = ()
    state: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    setting: Setting | None = None


class ExportedPicture(_Strict, frozen=True):
    """A picture that the log names: its SHA-256, and its bytes in base64."""

    digest: Short
    data: bytes


class KeptSeat(_Strict, frozen=True):
    """Hold a seat and who sat there; nobody's token."""

    seat: Short
    name: Short


class Kept(_Strict, frozen=True):
    """Hold a table.

    ``contents`` are what may carry secrets, the ``log`` with its states, the action under way (``held``) and the
    ``pictures`` that they name, folded (JSON, deflated, base64) so that nobody reads a hand by accident and the file is
    small. Older files of tables that had ended hold them as they are. ``digest`` is the SHA-256 of the file without it,
    to notice damage. What chance has in store is never in it.
    """

    format: Literal["companion-table"]
    edition: Edition
    game: Short
    title: Short
    options: dict[str, Any]
    dice: DiceMode
    created: Short
    seats: Annotated[tuple[KeptSeat, ...], Meta(max_length=MAX_LISTED)]
    contents: str
    paused: bool = False
    ended: bool = False
    digest: Short = ""


COPIED_FIELDS = frozenset(ExportedEntry.__struct_fields__) - {"state"}
"""What an entry of the file has as the log has it."""


def digest(export: Kept) -> str:
    """Digest everything but the digest itself."""
    blank = msgspec.structs.replace(export, digest="")
    return sha256(msgspec.json.encode(blank, order="deterministic")).hexdigest()


def check_may_export(session: Session, seat: str) -> None:
    """Let the rulekeeper take a copy, and players once the table has ended or the game is over; else raise 403."""
    if seat == SCREEN or (seat != RULEKEEPER and not is_open(session)):
        raise Problem(403, say("Only the rulekeeper can export a running game."))


def log_export(session: Session, seat: str) -> Entry:
    """Tell everybody that somebody takes a copy: a setting, which is no step to take back.

    Also of a game that is over: it can be opened again, and of one that was given up much may still be hidden.
    """
    check_may_export(session, seat)
    if seat == RULEKEEPER:
        headline = say("The rulekeeper took a copy of the table with all hands")
    else:
        headline = say("{who} took a copy of the table with all hands", who=session.who(seat))
    return session.append("setting", seat, headline)


def export(session: Session, seat: str) -> bytes:
    """Write a table down as JSON, which everybody was told before; raise Problem (403) as ``check_may_export`` does."""
    check_may_export(session, seat)
    row, compressor, pictured = session.row, zlib.compressobj(), set[str]()
    contents = b"".join([*map(compressor.compress, _contents(session, pictured)), compressor.flush()])
    table = Kept(
        format=FORMAT,
        edition=PICTURED if pictured else PLAIN,
        game=row.game,
        title=row.title,
        options=row.options,
        dice=row.dice,
        created=row.created,
        seats=tuple(KeptSeat(seat=seat, name=place.name) for seat, place in sorted(session.places.items())),
        contents=b64encode(contents).decode(),
        paused=row.paused,
        ended=row.ended,
    )
    table = msgspec.structs.replace(table, digest=digest(table))
    return msgspec.json.format(msgspec.json.encode(table), indent=1)


def _contents(session: Session, pictured: set[str]) -> Iterator[bytes]:
    """Write the log, the action under way, and the pictures that both name, a few entries at a time.

    Those that there are join ``pictured``; a name of which no picture is kept is left as it is.
    """
    pending, named = session.row.held, set[str]()
    separator = b'{"log":['
    for entry in session.log():
        written = msgspec.json.encode(_exported(entry))
        named |= named_in(written)
        yield separator + written
        separator = b","
    yield b"]"
    if pending:
        written = msgspec.json.encode(pending)
        named |= named_in(written)
        yield b',"held":' + written
    for digest_ in sorted(named):
        if (found := session.db.picture(digest_)) is not None:
            before = b"," if pictured else b',"pictures":['
            pictured.add(digest_)
            yield before + msgspec.json.encode(ExportedPicture(digest=digest_, data=found[1]))
    yield b"]}" if pictured else b"}"


def _exported(entry: Entry) -> ExportedEntry:
    """Return an entry as the file has it; raise Unsound when its state is no JSON: nobody could open the copy."""
    state: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    if entry.state and entry.kind != "undo":
        try:
            state = msgspec.json.decode(entry.state, type=msgspec.Raw)
        except msgspec.DecodeError as error:
            raise Unsound(str(error)) from error
    return ExportedEntry(**{name: getattr(entry, name) for name in COPIED_FIELDS}, state=state)
