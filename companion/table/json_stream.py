"""JSON read piece by piece out of blocks of bytes, so that a file of any size needs little memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

MAX_LISTS = 50_000
"""Lists and objects in one piece: each takes more memory than the three letters that write it."""

_BLANK = re.compile(rb"[ \t\r\n]*+")
_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_PLAIN = re.compile(rb"[^ \t\r\n,:\[\]{}\"]*+")
_BETWEEN = re.compile(rb'[^"\[\]{}]*+(?:"(?:[^"\\]++|\\.)*+"[^"\[\]{}]*+)*+', re.DOTALL)


class TooLong(Exception):
    """A piece is longer, or holds more lists, than was allowed."""


class Broken(Exception):
    """What is read is no JSON, or a part of it is missing."""


class JsonStream:
    """One JSON value that is read; whoever reads takes every piece in turn, whole as bytes or part by part.

    ``max_length`` is the length in bytes of a piece that is taken whole. What a piece is made of is not looked at: it
    may be no JSON inside. Raises TooLong or Broken.
    """

    def __init__(self, blocks: Iterable[bytes], max_length: int) -> None:
        self._blocks = iter(blocks)
        self._max_length = max_length
        self._buffer = b""
        self._offset = 0

    def peek(self) -> bytes:
        """Return the letter that the next piece begins with, blanks left out; empty at the end."""
        while True:
            blank = _BLANK.match(self._buffer, self._offset)
            self._offset = blank.end() if blank else self._offset
            if self._offset < len(self._buffer):
                return self._buffer[self._offset : self._offset + 1]
            if not self._read_block():
                return b""

    def members(self) -> Iterator[str]:
        """Name each member of the object that comes next; its value is to be taken before the next name."""
        for _ in self._items(b"{", b"}"):
            try:
                name = msgspec.json.decode(self.value(), type=str)
            except (msgspec.DecodeError, UnicodeError) as error:
                raise Broken from error
            self._expect(b":")
            yield name

    def elements(self) -> Iterator[None]:
        """Come to each element of the list that comes next; it is to be taken before the next one."""
        return self._items(b"[", b"]")

    def value(self) -> bytes:
        """Take the next piece as it is written."""
        match self.peek():
            case b"{" | b"[":
                end = self._end_of_nested()
            case b'"':
                while (text := _TEXT.match(self._buffer, self._offset)) is None:
                    self._read_on()
                end = text.end()
            case _:
                while (plain := _PLAIN.match(self._buffer, self._offset)) and plain.end() == len(self._buffer):
                    if not self._read_block():
                        break
                    self._check_length(len(self._buffer))
                end = plain.end() if plain else self._offset
        if end == self._offset:
            raise Broken
        self._check_length(end)
        piece = self._buffer[self._offset : end]
        self._offset = end
        return piece

    def text_chunks(self) -> Iterator[bytes]:
        """Take the text that comes next in parts; one with an escape in it is no such text."""
        self._expect(b'"')
        while (end := self._buffer.find(b'"', self._offset)) < 0:
            yield self._plain_text(len(self._buffer))
            if not self._read_block():
                raise Broken
        yield self._plain_text(end)
        self._offset += 1

    def end(self) -> None:
        """Make sure that nothing follows."""
        if self.peek():
            raise Broken

    def _plain_text(self, end: int) -> bytes:
        part = self._buffer[self._offset : end]
        if b"\\" in part:
            raise Broken
        self._offset = end
        return part

    def _items(self, opening: bytes, closing: bytes) -> Iterator[None]:
        self._expect(opening)
        more = self.peek() != closing
        while more:
            yield
            more = self.peek() != closing
            if more:
                self._expect(b",")
        self._offset += 1

    def _expect(self, letter: bytes) -> None:
        if self.peek() != letter:
            raise Broken
        self._offset += 1

    def _end_of_nested(self) -> int:
        """Find where the list or object that comes next ends."""
        depth, lists, length = 0, 0, 0
        while True:
            between = _BETWEEN.match(self._buffer, self._offset + length)
            length = (between.end() if between else len(self._buffer)) - self._offset
            letter = self._buffer[self._offset + length : self._offset + length + 1]
            if letter in {b"", b'"'}:
                self._read_on()
                continue
            length += 1
            if letter in {b"{", b"["}:
                depth, lists = depth + 1, lists + 1
                if lists > MAX_LISTS:
                    raise TooLong
            else:
                depth -= 1
            if depth == 0:
                return self._offset + length

    def _read_on(self) -> None:
        """Read one block more of the piece that is being looked at."""
        self._check_length(len(self._buffer))
        if not self._read_block():
            raise Broken

    def _check_length(self, end: int) -> None:
        if end - self._offset > self._max_length:
            raise TooLong

    def _read_block(self) -> bool:
        block = next(self._blocks, b"")
        self._buffer = self._buffer[self._offset :] + block
        self._offset = 0
        return bool(block)
