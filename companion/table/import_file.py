"""The file of an exported table, read piece by piece and checked."""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import IO, Any

import msgspec

from companion.kit.text import say
from companion.table.export import EDITION, FORMAT, LONGEST_LOG, MOST_ENTRIES, Kept, KeptEntry
from companion.table.json_stream import Broken, JsonStream, TooLong
from companion.table.problem import Problem
from companion.table.records import ActionWaiting
from companion.table.validation import plain

BLOCK = 64 * 1024
LONGEST_PIECE = 4 * 1024 * 1024
"""Bytes of an entry, or of all that stands beside the log: a rulebook's largest battle has a hundredth of it."""


class Opening(msgspec.Struct, frozen=True):
    """Hold what tells whether a file is an exported table, and whether this Companion can read it."""

    format: Any = None
    edition: Any = None


class ExportFile:
    """Read a file from its beginning: first ``head``, then ``entries``, then ``rest``.

    ``held`` is the action under way, known after the entries. Raises Problem (400) saying what is wrong with the file,
    (413) where its log is too long.
    """

    def __init__(self, source: IO[bytes]) -> None:
        self._stream = JsonStream(iter(lambda: source.read(BLOCK), b""), LONGEST_PIECE)
        self._members = self._stream.members()
        self._fields: list[bytes] = []
        self._left = LONGEST_PIECE
        self._digest = sha256()
        self._head = b""
        self.held: ActionWaiting | None = None

    def head(self) -> Kept:
        """Read what stands before the log; ``paused``, ``ended`` and ``digest`` come after it."""
        with _understood("contents"):
            whole = self._fields_up_to("contents")
            opening = msgspec.json.decode(self._written(), type=Opening)
            if opening.format != FORMAT:
                raise Problem(400, NO_TABLE, "format")
            if opening.edition != EDITION:
                raise Problem(400, say("This table was exported by a newer Companion: update this one."), "edition")
            if not whole:
                raise wrong("contents")
            kept, self._head, _ = self._kept()
        return kept

    def entries(self) -> Iterator[KeptEntry]:
        """Read the log, oldest entry first."""
        with _understood("contents"):
            self._digest.update(self._head + b'"contents":')
            if self._stream.begins() != b'"':
                yield from self._contents(self._stream, plainly=True)
                return
            self._digest.update(b'"')
            folded = JsonStream(self._unfolded(), LONGEST_PIECE)
            try:
                yield from self._contents(folded, plainly=False)
                folded.end()
            except Broken as broken:
                raise wrong("contents") from broken
            self._digest.update(b'"')

    def rest(self) -> Kept:
        """Read what stands after the log, and make sure that the whole file is as it was written."""
        with _understood("contents"):
            if self._fields_up_to("contents"):
                raise wrong("contents")
            self._stream.end()
            kept, head, tail = self._kept()
        self._digest.update(tail)
        if head != self._head or kept.digest != self._digest.hexdigest():
            raise Problem(400, say("This file was changed or damaged: its digest does not fit."), "digest")
        return kept

    def _fields_up_to(self, last: str) -> bool:
        """Take fields until one of this name comes; tell whether it did."""
        for name in self._members:
            if name == last:
                return True
            try:
                value = self._stream.whole()
            except TooLong as long:
                raise wrong(plain(name)) from long
            self._left -= len(name) + len(value)
            if self._left < 0:
                raise wrong(plain(name))
            self._fields.append(msgspec.json.encode(name) + b":" + value)
        return False

    def _written(self) -> bytes:
        return b"{" + b",".join(self._fields) + b"}"

    def _kept(self) -> tuple[Kept, bytes, bytes]:
        """Return what is known of the table by now, and how what stands before and after its log is written."""
        kept = msgspec.json.decode(b",".join([b'{"contents":""', *self._fields]) + b"}", type=Kept)
        blank = msgspec.structs.replace(kept, digest="")
        head, _, tail = msgspec.json.encode(blank, order="deterministic").rpartition(b'"contents":""')
        return kept, head, tail

    def _contents(self, stream: JsonStream, *, plainly: bool) -> Iterator[KeptEntry]:
        """Read the log and the action under way; where they are not folded, digest them as if written anew."""
        digest = self._digest.update if plainly else lambda _: None
        known: set[str] = set()
        before = b'{"log":['
        for name in stream.members():
            if name in known or name not in {"log", "held"}:
                raise wrong(plain(name))
            known.add(name)
            if name == "held":
                with _understood("held"):
                    self.held = msgspec.json.decode(stream.whole(), type=ActionWaiting | None)
                continue
            for number, _ in enumerate(stream.elements()):
                if number == MOST_ENTRIES:
                    raise too_long()
                with _understood(f"contents.log[{number}]"):
                    entry = _entry(stream.whole())
                digest(before + _anew(entry) if plainly else b"")
                before = b","
                yield entry
        if "log" not in known:
            raise wrong("log")
        held = b',"held":' + msgspec.json.encode(self.held, order="deterministic") if self.held else b""
        digest(b"]" + held + b"}")

    def _unfolded(self) -> Iterator[bytes]:
        unfolding, left, length = zlib.decompressobj(), b"", 0
        for letters in self._stream.letters():
            self._digest.update(letters)
            several = left + letters
            whole = len(several) // 4 * 4
            data, left = b64decode(several[:whole], validate=True), several[whole:]
            while True:
                block = unfolding.decompress(data, BLOCK)
                length += len(block)
                if length > LONGEST_LOG:
                    raise too_long()
                if block:
                    yield block
                data = unfolding.unconsumed_tail
                if not data and len(block) < BLOCK:
                    break
        if left or unfolding.unused_data or not unfolding.eof:
            raise ValueError("what was folded does not end where it should")


def _entry(written: bytes) -> KeptEntry:
    entry = msgspec.json.decode(written, type=KeptEntry)
    # What says that it has no state has none, as what says nothing of it.
    return msgspec.structs.replace(entry, state=msgspec.UNSET) if entry.state == msgspec.Raw(b"null") else entry


def _anew(entry: KeptEntry) -> bytes:
    """Write an entry in the one way in which it is digested."""
    if isinstance(entry.state, msgspec.Raw):
        state = msgspec.json.encode(msgspec.json.decode(entry.state), order="deterministic")
        entry = msgspec.structs.replace(entry, state=msgspec.Raw(state))
    return msgspec.json.encode(entry, order="deterministic")


NO_TABLE = say("This file is not an exported table, or a part of it is missing.")


def wrong(where: str) -> Problem:
    """Say which part of the file does not fit (400)."""
    return Problem(400, say("This file is damaged: {where} does not fit.", where=where), where)


def too_long() -> Problem:
    """Say that no table has a log as long as this (413)."""
    return Problem(413, say("The log in this file is too long."), "file")


@contextmanager
def _understood(where: str) -> Iterator[None]:
    """Say of what can not be read, at a place of the file, what is wrong with it."""
    try:
        yield
    except msgspec.ValidationError as misfit:
        raise wrong(_place(where, str(misfit))) from misfit
    except Broken as broken:
        raise Problem(400, NO_TABLE) from broken
    except (TooLong, zlib.error, binascii.Error, ValueError, RecursionError) as no:
        if where == "contents" and isinstance(no, msgspec.DecodeError):
            raise Problem(400, NO_TABLE) from no
        raise wrong(where) from no


def _place(where: str, message: str) -> str:
    if " field `" not in message and " at `$" not in message:
        return where
    inner = message.split("`")[-2].removeprefix("$").removeprefix(".")
    return plain(inner if where == "contents" else f"{where}.{inner}")
