"""Pictures that people bring: told by their bytes, kept once under their SHA-256, shown to whose view names them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Literal, NamedTuple

import msgspec

from companion.kit.panels import Board, Card, Hand, Panel, Piece, Piles, Roster, Tableau, Tracker
from companion.kit.pictures import DIGEST, LARGEST
from companion.kit.ruling import Reason
from companion.kit.text import say
from companion.table.problem import Problem
from companion.table.sql import TablesDb
from companion.table.view_models import Seen

Kind = Literal["image/png", "image/jpeg", "image/webp"]
WIDEST = 1024
"""Points of a picture in either direction: more than any card shows."""
NAMED = re.compile(rf"(?<![0-9a-f])({DIGEST})(?![0-9a-f])".encode())
"""How JSON names a picture: by itself, or within the text of a list."""
_PNG, _JPEG, _RIFF = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF"
_NO_FRAME = frozenset({0xC4, 0xC8, 0xCC})
"""Markers among those of a JPEG's frames that begin none."""


class Size(NamedTuple):
    """What the header of a picture says: its kind, and how many points it has in each direction."""

    kind: Kind
    width: int
    height: int


class Picture(NamedTuple):
    """A picture as it is kept."""

    digest: str
    kind: Kind
    data: bytes


def check(data: bytes, field: str = "picture") -> Picture:
    """Return a picture that somebody brought; raise Problem (413, 400) for what is none, or too large.

    What it is its bytes tell, whatever it is called.
    """
    if len(data) > LARGEST:
        raise too_large(len(data), field)
    size = header(data)
    if size is None:
        raise Problem(400, say("This is no picture: choose a PNG, JPEG or WebP file."), field)
    if max(size.width, size.height) > WIDEST:
        said = say(
            "This picture has {width} × {height} pixels: it may have {most} in each direction.",
            width=size.width,
            height=size.height,
            most=WIDEST,
        )
        raise Problem(400, said, field)
    return Picture(sha256(data).hexdigest(), size.kind, data)


def too_large(size: int, field: str) -> Problem:
    """Say that a picture of so many bytes is too large, and what would do (413)."""
    return Problem(
        413,
        say(
            "This picture has {size} kB: choose one of {most} kB at most, or a phone whose browser makes it small.",
            size=-(-size // 1000),
            most=LARGEST // 1000,
        ),
        field,
    )


def header(data: bytes) -> Size | None:
    """Read the header of a PNG, a JPEG or a WebP; None where it is none of them, or has no size."""
    if data.startswith(_PNG):
        size = _png(data)
    elif data.startswith(_JPEG):
        size = _jpeg(data)
    elif data.startswith(_RIFF):
        size = _webp(data)
    else:
        size = None
    return size if size and size.width and size.height else None


def _png(data: bytes) -> Size | None:
    if data[8:16] != b"\0\0\0\rIHDR" or len(data) < 33:
        return None
    return Size("image/png", _big(data[16:20]), _big(data[20:24]))


def _jpeg(data: bytes) -> Size | None:
    """Look for the segment that begins a frame: what comes before it says how long it is."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in _NO_FRAME:
            return Size("image/jpeg", _big(data[at + 7 : at + 9]), _big(data[at + 5 : at + 7]))
        else:
            at += 2 + max(_big(data[at + 2 : at + 4]), 2)
    return None


def _webp(data: bytes) -> Size | None:
    if data[8:12] != b"WEBP" or len(data) < 30 or _little(data[4:8]) + 8 > len(data):
        return None
    match data[12:16]:
        case b"VP8 " if data[23:26] == b"\x9d\x01\x2a":
            return Size("image/webp", _little(data[26:28]) & 0x3FFF, _little(data[28:30]) & 0x3FFF)
        case b"VP8L" if data[20] == 0x2F:
            bits = _little(data[21:25])
            return Size("image/webp", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        case b"VP8X":
            return Size("image/webp", _little(data[24:27]) + 1, _little(data[27:30]) + 1)
    return None


def _big(some: bytes) -> int:
    return int.from_bytes(some, "big")


def _little(some: bytes) -> int:
    return int.from_bytes(some, "little")


def brought(action: Mapping[str, Any], sent: Sequence[bytes]) -> tuple[Picture, ...]:
    """Return the pictures that came with an action; raise Problem (400) for one that it does not name."""
    pictures = tuple(map(check, sent))
    named = named_in(msgspec.json.encode(action)) if pictures else frozenset()
    if any(picture.digest not in named for picture in pictures):
        raise Problem(400, say("A picture came along that nothing here names."), "pictures")
    return pictures


def keep(db: TablesDb, pictures: Iterable[Picture]) -> None:
    """Store pictures, each of them once."""
    for picture in pictures:
        db.put_picture(*picture)


def named_in(written: bytes) -> frozenset[str]:
    """Name the pictures that stand in some JSON."""
    return frozenset(digest.decode() for digest in NAMED.findall(written))


def seen_in(seen: Seen) -> frozenset[str]:
    """Name the pictures that a seat sees: on cards, on pieces, in fights, in the forms with which it changes its own.

    Fights are those of the lines that it may read now: of what is under way, of the newest ruling, and of the log.
    """
    photos = {photo for panel in seen.view.panels for photo in _photos(panel)}
    told = [seen.story, seen.asked.reasons if seen.asked else (), seen.last.reasons if seen.last else ()]
    photos |= {photo for reasons in (*told, *(line.reasons for line in seen.log)) for photo in _in_fights(reasons)}
    photos |= {
        str(field.value) for offer in seen.offers for field in offer.fields if field.kind == "picture" and field.value
    }
    return frozenset(photos) - {""}


def on_cards(cards: Iterable[Card]) -> frozenset[str]:
    """Name the pictures on some cards."""
    return frozenset(card.picture.photo for card in cards if card.picture is not None) - {""}


def _in_fights(reasons: Iterable[Reason]) -> Iterator[str]:
    meetings = (meeting for reason in reasons if reason.clash is not None for meeting in reason.clash.meetings)
    yield from (one.photo for meeting in meetings for one in (meeting.by, meeting.against) if one is not None)


def _photos(panel: Panel) -> Iterator[str]:
    cards: tuple[Card, ...] = ()
    pieces: tuple[Piece, ...] = ()
    match panel:
        case Hand():
            cards = panel.cards
        case Piles():
            cards = tuple(card for pile in panel.piles for card in pile.cards)
        case Tracker():
            lying = (row.stack.top if row.stack else row.card for row in panel.rows)
            cards = tuple(card for card in lying if card is not None)
        case Board() | Roster():
            pieces = panel.pieces
        case Tableau():
            yield from (zone.photo for zone in panel.zones)
            pieces = tuple(piece for zone in panel.zones for piece in zone.pieces)
    yield from on_cards(cards)
    yield from (piece.photo for piece in pieces)
