"""JSON read piece by piece out of blocks of bytes, so that a file of any size needs little memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

MOST_LISTS = 50_000
"""Lists and objects in one piece: each takes more memory than the three letters that write it."""

_BLANK = re.compile(rb"[ \t\r\n]*+")
_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_PLAIN = re.compile(rb"[^ \t\r\n,:\[\]{}\"]*+")
_BETWEEN = re.compile(rb'[^"\[\]{}]*+(?:"(?:[^"\\]++|\\.)*+"[^"\[\]{}]*+)*+', re.DOTALL)


class TooLong(Exception):
    """Say that a piece is longer, or holds more lists, than was allowed."""


class Broken(Exception):
    """Say that this is no JSON, or that a part of it is missing."""


class JsonStream:
    """Read one JSON value; whoever reads takes every piece in turn, whole as bytes or part by part.

    ``most`` is the length in bytes of a piece that is taken whole. What a piece is made of is not looked at: it may be
    no JSON inside. Raises TooLong or Broken.
    """

    def __init__(self, blocks: Iterable[bytes], most: int) -> None:
        self._blocks = iter(blocks)
        self._most = most
        self._held = b""
        self._at = 0

    def begins(self) -> bytes:
        """Return the letter that the next piece begins with, blanks left out; empty at the end."""
        while True:
            found = _BLANK.match(self._held, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._held):
                return self._held[self._at : self._at + 1]
            if not self._more():
                return b""

    def members(self) -> Iterator[str]:
        """Name each member of the object that comes next; its value is to be taken before the next name."""
        for _ in self._parted(b"{", b"}"):
            written = self.whole()
            try:
                name = msgspec.json.decode(written, type=str)
            except (msgspec.DecodeError, UnicodeError) as wrong:
                raise Broken from wrong
            self._take(b":")
            yield name

    def elements(self) -> Iterator[None]:
        """Come to each element of the list that comes next; it is to be taken before the next one."""
        return self._parted(b"[", b"]")

    def whole(self) -> bytes:
        """Take the next piece as it is written."""
        match self.begins():
            case b"{" | b"[":
                end = self._nested()
            case b'"':
                while (text := _TEXT.match(self._held, self._at)) is None:
                    self._grow()
                end = text.end()
            case _:
                while (plain := _PLAIN.match(self._held, self._at)) and plain.end() == len(self._held):
                    if not self._more():
                        break
                    self._check(len(self._held))
                end = plain.end() if plain else self._at
        if end == self._at:
            raise Broken
        self._check(end)
        piece = self._held[self._at : end]
        self._at = end
        return piece

    def letters(self) -> Iterator[bytes]:
        """Take the text that comes next in parts; one with an escape in it is no such text."""
        self._take(b'"')
        while (end := self._held.find(b'"', self._at)) < 0:
            yield self._plainly(len(self._held))
            if not self._more():
                raise Broken
        yield self._plainly(end)
        self._at += 1

    def end(self) -> None:
        """Make sure that nothing follows."""
        if self.begins():
            raise Broken

    def _plainly(self, end: int) -> bytes:
        part = self._held[self._at : end]
        if b"\\" in part:
            raise Broken
        self._at = end
        return part

    def _parted(self, opening: bytes, closing: bytes) -> Iterator[None]:
        self._take(opening)
        if self.begins() == closing:
            self._at += 1
            return
        while True:
            yield
            if self.begins() == closing:
                self._at += 1
                return
            self._take(b",")

    def _take(self, letter: bytes) -> None:
        if self.begins() != letter:
            raise Broken
        self._at += 1

    def _nested(self) -> int:
        """Find where the list or object that comes next ends."""
        depth, lists, looked = 0, 0, 0
        while True:
            between = _BETWEEN.match(self._held, self._at + looked)
            looked = (between.end() if between else len(self._held)) - self._at
            letter = self._held[self._at + looked : self._at + looked + 1]
            if letter in {b"", b'"'}:
                self._grow()
                continue
            looked += 1
            if letter in {b"{", b"["}:
                depth, lists = depth + 1, lists + 1
                if lists > MOST_LISTS:
                    raise TooLong
            else:
                depth -= 1
            if depth == 0:
                return self._at + looked

    def _grow(self) -> None:
        """Hold one block more of the piece that is being looked at."""
        self._check(len(self._held))
        if not self._more():
            raise Broken

    def _check(self, end: int) -> None:
        if end - self._at > self._most:
            raise TooLong

    def _more(self) -> bool:
        block = next(self._blocks, b"")
        self._held = self._held[self._at :] + block
        self._at = 0
        return bool(block)
