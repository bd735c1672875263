"""Export: the whole of a table as one JSON file that can be kept, and imported again."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from companion.kit.asking import Answer
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Reason
from companion.kit.text import Text, say
from companion.table.problem import Problem, Unsound
from companion.table.records import Entry, Kind, Setting
from companion.table.seat_view import DiceMode
from companion.table.session import Session

FORMAT: Literal["companion-table"] = "companion-table"
EDITION: Literal[1] = 1
LONGEST_LOG = 256 * 1024 * 1024
"""Bytes of the log of a table, written as JSON: 20,000 entries of a large battle."""
MOST_ENTRIES = 100_000

Short = Annotated[str, Meta(max_length=200)]
"""A name, a title, a moment: longer than any that a table keeps."""
Many = 10_000
"""Reasons or answers of one entry: more than any rule has."""


class _Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Be a piece of the file: unknown fields are refused."""


class KeptEntry(_Strict, frozen=True):
    """Hold one entry of the log; what follows from the others is left out."""

    seq: int
    base: int
    at: Short
    kind: Kind
    seat: Short
    by: Short
    who: Short
    headline: Text
    undoes: int | None = None
    reasons: Annotated[tuple[Reason, ...], Meta(max_length=Many)] = ()
    revealing: bool = False
    action: dict[str, Any] | None = None
    answers: Annotated[tuple[Answer, ...], Meta(max_length=Many)] = ()
    state: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    setting: Setting | None = None


class KeptSeat(_Strict, frozen=True):
    """Hold a seat and who sat there; nobody's token."""

    seat: Short
    name: Short


class Kept(_Strict, frozen=True):
    """Hold a table.

    ``contents`` are what may carry secrets, the ``log`` with its states and the action under way (``held``), folded
    (JSON, deflated, base64) so that nobody reads a hand by accident and the file is small. Older files of tables that
    had ended hold them as they are. ``digest`` is the SHA-256 of the file without it, to notice damage. What chance has
    in store is never in it.
    """

    format: Literal["companion-table"]
    edition: Literal[1]
    game: Short
    title: Short
    options: dict[str, Any]
    dice: DiceMode
    created: Short
    seats: Annotated[tuple[KeptSeat, ...], Meta(max_length=Many)]
    contents: str
    paused: bool = False
    ended: bool = False
    digest: Short = ""


def digest(kept: Kept) -> str:
    """Digest everything but the digest itself."""
    blank = msgspec.structs.replace(kept, digest="")
    return sha256(msgspec.json.encode(blank, order="deterministic")).hexdigest()


def allow(session: Session, seat: str) -> None:
    """Let the rulekeeper take a copy, and players once the table has ended or the game is over; else raise 403."""
    over = session.row.ended or session.over is True
    if seat == SCREEN or (seat != RULEKEEPER and not over):
        raise Problem(403, say("Until the game is over only the rulekeeper can take it away."))


def tell(session: Session, seat: str) -> Entry:
    """Tell everybody that somebody takes a copy: a setting, which is no step to take back.

    Also of a game that is over: it can be opened again, and of one that was given up much may still be hidden.
    """
    allow(session, seat)
    if seat == RULEKEEPER:
        return session.append("setting", seat, say("The rulekeeper took a copy of the table with all hands"))
    who = session.who(seat)
    return session.append("setting", seat, say("{who} took a copy of the table with all hands", who=who))


def export(session: Session, seat: str) -> bytes:
    """Write a table down as JSON; whoever asks for it has told everybody.

    Raises Problem (403) as ``allow`` does.
    """
    allow(session, seat)
    row = session.row
    kept = Kept(
        format=FORMAT,
        edition=EDITION,
        game=row.game,
        title=row.title,
        options=row.options,
        dice=row.dice,
        created=row.created,
        seats=tuple(
            KeptSeat(seat=place.seat, name=place.name)
            for place in sorted(session.places.values(), key=lambda place: place.seat)
        ),
        contents=_folded(_contents(session)),
        paused=row.paused,
        ended=row.ended,
    )
    whole = msgspec.structs.replace(kept, digest=digest(kept))
    return msgspec.json.format(msgspec.json.encode(whole), indent=1)


def _contents(session: Session) -> Iterator[bytes]:
    """Write the log and the action under way, a few entries at a time."""
    row = session.row
    before = b'{"log":['
    for entry in session.log():
        yield before + msgspec.json.encode(_kept(entry))
        before = b","
    yield b"]" + (b',"held":' + msgspec.json.encode(row.held) if row.held else b"") + b"}"


def _folded(parts: Iterator[bytes]) -> str:
    folding = zlib.compressobj()
    return b64encode(b"".join([*map(folding.compress, parts), folding.flush()])).decode()


def _kept(entry: Entry) -> KeptEntry:
    moves = entry.state is not None and entry.kind != "undo"
    return KeptEntry(
        seq=entry.seq,
        base=entry.base,
        at=entry.at,
        kind=entry.kind,
        seat=entry.seat,
        by=entry.by,
        who=entry.who,
        headline=entry.headline,
        undoes=entry.undoes,
        reasons=entry.reasons,
        revealing=entry.revealing,
        action=entry.action,
        answers=entry.answers,
        state=_raw(entry.state) if moves and entry.state else msgspec.UNSET,
        setting=entry.setting,
    )


def _raw(state: str) -> msgspec.Raw:
    """Take a stored state as it is; raise Unsound when it is no JSON: nobody could open the copy."""
    try:
        return msgspec.json.decode(state, type=msgspec.Raw)
    except msgspec.DecodeError as wrong:
        raise Unsound(str(wrong)) from wrong
