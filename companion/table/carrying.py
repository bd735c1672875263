"""Carrying a table away: the whole of it as one JSON file that can be kept, read, and taken in again."""

from __future__ import annotations

import zlib
from base64 import b64encode
from hashlib import sha256
from typing import Any, Literal

import msgspec

from companion.kit.asking import Answer
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.ruling import Reason
from companion.kit.text import Text, say
from companion.table.problem import Problem
from companion.table.records import Entry, Held, Kind
from companion.table.seen import DiceMode
from companion.table.sitting import Sitting

FORMAT: Literal["companion-table"] = "companion-table"
EDITION: Literal[1] = 1


class _Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Be a piece of the file: unknown fields are refused."""


class KeptEntry(_Strict, frozen=True):
    """Hold one entry of the log; what follows from the others is left out."""

    seq: int
    base: int
    at: str
    kind: Kind
    seat: str
    by: str
    who: str
    headline: Text
    undoes: int | None = None
    reasons: tuple[Reason, ...] = ()
    revealing: bool = False
    action: dict[str, Any] | None = None
    answers: tuple[Answer, ...] = ()
    state: Any = None


class Contents(_Strict, frozen=True):
    """Hold what may carry secrets while the game goes on: the log with its states, and the action under way."""

    log: tuple[KeptEntry, ...]
    held: Held | None = None


class KeptSeat(_Strict, frozen=True):
    """Hold a seat and who sat there; nobody's token."""

    seat: str
    name: str


class Kept(_Strict, frozen=True):
    """Hold a table.

    ``contents`` are folded (JSON, deflated, base64) while the game goes on, so that nobody reads a hand by accident.
    ``digest`` is the SHA-256 of the file without it, to notice damage. What chance has in store is never in it.
    """

    format: Literal["companion-table"]
    edition: Literal[1]
    game: str
    title: str
    options: dict[str, Any]
    dice: DiceMode
    created: str
    seats: tuple[KeptSeat, ...]
    contents: Contents | str
    paused: bool = False
    ended: bool = False
    digest: str = ""


def digest(kept: Kept) -> str:
    """Digest everything but the digest itself."""
    blank = msgspec.structs.replace(kept, digest="")
    return sha256(msgspec.json.encode(blank, order="deterministic")).hexdigest()


def export(sitting: Sitting, seat: str) -> bytes:
    """Write a table down as JSON.

    Raises Problem (403) for anybody but the rulekeeper while the game goes on, and for the shared screen.
    """
    over = sitting.row.ended or sitting.over is True
    if seat == SCREEN or (seat != RULEKEEPER and not over):
        raise Problem(403, say("Until the game is over only the rulekeeper can take it away."))
    row = sitting.row
    contents = Contents(log=tuple(_kept(entry) for entry in sitting.books.entries(row.id, row.last)), held=row.held)
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
            for place in sorted(sitting.places.values(), key=lambda place: place.seat)
        ),
        contents=contents if over else _folded(contents),
        paused=row.paused,
        ended=row.ended,
    )
    whole = msgspec.structs.replace(kept, digest=digest(kept))
    return msgspec.json.format(msgspec.json.encode(whole), indent=1)


def _folded(contents: Contents) -> str:
    return b64encode(zlib.compress(msgspec.json.encode(contents))).decode()


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
        state=msgspec.json.decode(entry.state) if moves and entry.state else None,
    )
