"""How states and long texts are stored small: deflated, a state as its difference to the one before it."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from companion.table.problem import Unsound

LONG = 160
"""Letters from which on a text is stored deflated: a shorter one would hardly get smaller."""
_BLOCK = 16 << 10
_AROUND = 6 << 10
"""Bytes of a state that are compared at a time, and how far what stood there may have moved.

Deflate finds again what is less than 32 kB back: with these, what a block is compared with always is. What was stored
with them can not be read with others.
"""


def deflated(text: str) -> str | bytes:
    """Return a text as it is stored: a short one as it is."""
    return text if len(text) < LONG else zlib.compress(text.encode())


def inflated(stored: str | bytes) -> str:
    """Return a text that was stored; raise Unsound where it can not have been."""
    return stored if isinstance(stored, str) else _text(_inflate(stored, b""))


def difference(before: str, after: str) -> bytes:
    """Return what makes one text out of another; of nothing (an empty text) it makes the whole."""
    old, new = before.encode(), after.encode()
    return b"".join(_deflate(new, start, old) for start in range(0, len(new), _BLOCK))


def applied(before: str, change: bytes) -> str:
    """Return the text that a difference makes out of the one before; raise Unsound where it is another one's."""
    return _text(_inflate(change, before.encode()))


def _deflate(new: bytes, start: int, old: bytes) -> bytes:
    like = _like(old, start)
    compressor = zlib.compressobj(zdict=like) if like else zlib.compressobj()
    return compressor.compress(new[start : start + _BLOCK]) + compressor.flush()


def _like(old: bytes, start: int) -> bytes:
    """Return what a block is compared with."""
    return old[max(start - _AROUND, 0) : start + _BLOCK + _AROUND]


def _inflate(stored: bytes, old: bytes) -> bytes:
    try:
        return b"".join(_blocks(stored, old))
    except zlib.error as wrong:
        raise Unsound(str(wrong)) from wrong


def _blocks(stored: bytes, old: bytes) -> Iterator[bytes]:
    start = 0
    while stored:
        like = _like(old, start)
        decompressor = zlib.decompressobj(zdict=like) if like else zlib.decompressobj()
        block = decompressor.decompress(stored)
        if not decompressor.eof:
            raise Unsound("what was stored ends too soon")
        yield block
        start += len(block)
        stored = decompressor.unused_data


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as wrong:
        raise Unsound(str(wrong)) from wrong
