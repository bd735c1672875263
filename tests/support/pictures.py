"""Pictures for tests: a PNG that browsers show, and the headers of the other kinds with nothing behind them."""

from __future__ import annotations

import random
import struct
import zlib
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.kit.action import Offer
    from companion.table.tables import Tables


GRAIN = bytes(100 + (shade & 7) for shade in range(256))


def png(width: int = 40, height: int = 30, seed: int = 1, *, noisy: bool = False) -> bytes:
    """A picture in shades that ``seed`` tells from others; a ``noisy`` one has the grain of a camera, and is large."""
    rng = random.Random(seed)
    tint = bytes(rng.randrange(256) for _ in range(3))
    rows = (rng.randbytes(3 * width).translate(GRAIN) if noisy else tint * width for _ in range(height))
    body = zlib.compress(b"".join(b"\0" + row for row in rows))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def jpeg(width: int = 40, height: int = 30, frame: int = 0xC0) -> bytes:
    """The header of a JPEG: what a camera adds, a table of codes, and the frame."""
    camera = b"\xff\xe1" + struct.pack(">H", 12) + b"Exif\0\0\xff\xc0\0\0"
    codes = b"\xff\xc4" + struct.pack(">H", 6) + b"\0" * 4
    start = bytes([0xFF, 0xFF, frame]) + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\0"
    return b"\xff\xd8" + camera + codes + start + b"\xff\xd9"


def webp(kind: str = "VP8 ", width: int = 40, height: int = 30) -> bytes:
    """The header of a WebP, lossy (``VP8 ``), without loss (``VP8L``), or of parts (``VP8X``)."""
    if kind == "VP8 ":
        body = b"\x50\x01\0\x9d\x01\x2a" + struct.pack("<HH", width, height)
    elif kind == "VP8L":
        body = b"\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14) + b"\0" * 5
    else:
        body = b"\x10\0\0\0" + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    chunk = kind.encode() + struct.pack("<I", len(body)) + body
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


def name_of(data: bytes) -> str:
    """What a picture is called."""
    return sha256(data).hexdigest()


def changing(tables: Tables, table: str, seat: str, on: str) -> Offer:
    """The offer to change a card of the own deck."""
    return next(
        offer for offer in tables.seen(table, seat).offers if offer.on == on and offer.action.startswith("edit_")
    )


def naming(offer: Offer, picture: str) -> dict[str, Any]:
    """The action that changes a card in nothing but its picture."""
    filled = {field.name: field.value for field in offer.fields if field.value not in (None, "")}
    return {"action": offer.action, **offer.given, **filled, "picture": picture}


def put_on(tables: Tables, table: str, seat: str, on: str, data: bytes, *, key: str = "") -> str:
    """Put a picture on a card of a deck, and return its name."""
    action = naming(changing(tables, table, seat, on), name_of(data))
    tables.act(table, seat, action, key or f"{on}-{name_of(data)[:12]}", photos=(data,))
    return name_of(data)


def kept(tables: Tables, *pictures: bytes) -> list[str]:
    """Keep pictures as if somebody had brought them, and return their names."""
    with tables.store.write() as db:
        for data in pictures:
            db.put_picture(name_of(data), "image/png", data)
    return [name_of(data) for data in pictures]


def damage_pictures(tables: Tables) -> None:
    """Let every picture that is kept be another one than its name says."""
    with tables.store.write() as db:
        db._run("update pictures set data = ?", (png(seed=99),))
