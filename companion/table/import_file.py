"""The file of an exported table, read piece by piece and checked."""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import IO, Any, get_args

import msgspec

from companion.kit.forms import invalid_field
from companion.kit.text import say
from companion.table.export import FORMAT, MAX_ENTRIES, MAX_LOG_BYTES, Edition, ExportedEntry, ExportedPicture, Kept
from companion.table.json_stream import Broken, JsonStream, TooLong
from companion.table.pictures import Picture, check, named_in
from companion.table.problem import Problem
from companion.table.records import ActionWaiting
from companion.table.validation import plain

BLOCK_SIZE = 64 * 1024
NO_STATE = msgspec.Raw(b"null")
MAX_PIECE_BYTES = 4 * 1024 * 1024
"""Bytes of an entry, or of all that stands beside the log: a rulebook's largest battle has a hundredth of it."""


class FileFormat(msgspec.Struct, frozen=True):
    """What tells whether a file is an exported table, and whether this Companion can read it."""

    format: Any = None
    edition: Any = None


class ExportFile:
    """A file that is read from its beginning: first its ``header``, then its ``entries``, then its ``trailer``.

    ``pending`` is the action under way, known after the entries, behind which ``picture`` is told each picture that
    they name. Raises Problem: (400) what is wrong, (413) too long.
    """

    def __init__(self, source: IO[bytes], picture: Callable[[Picture], None] = lambda _: None) -> None:
        self._picture, self._named = picture, set[str]()
        self._stream = JsonStream(iter(lambda: source.read(BLOCK_SIZE), b""), MAX_PIECE_BYTES)
        self._members = self._stream.members()
        self._fields: list[bytes] = []
        self._bytes_left = MAX_PIECE_BYTES
        self._digest = sha256()
        self._header = b""
        self.pending: ActionWaiting | None = None

    def header(self) -> Kept:
        """Read what stands before the log; ``paused``, ``ended`` and ``digest`` come after it."""
        with _decoding("contents"):
            has_contents = self._read_fields()
            file_format = msgspec.json.decode(b"{" + b",".join(self._fields) + b"}", type=FileFormat)
            if file_format.format != FORMAT:
                raise Problem(400, NO_TABLE, "format")
            if file_format.edition not in get_args(Edition):
                raise Problem(400, say("This table was exported by a newer Companion: update this one."), "edition")
            if not has_contents:
                raise damaged_part("contents")
            table, self._header, _ = self._table()
        return table

    def entries(self) -> Iterator[ExportedEntry]:
        """Read the log, oldest entry first."""
        with _decoding("contents"):
            self._digest.update(self._header + b'"contents":')
            if self._stream.peek() != b'"':
                yield from self._digested(self._contents(self._stream))
                return
            self._digest.update(b'"')
            inflated = JsonStream(self._inflated(), MAX_PIECE_BYTES)
            try:
                yield from self._contents(inflated)
                inflated.end()
            except Broken as error:
                raise damaged_part("contents") from error
            self._digest.update(b'"')

    def trailer(self) -> Kept:
        """Read what stands after the log, and make sure that the whole file is as it was written."""
        with _decoding("contents"):
            if self._read_fields():
                raise damaged_part("contents")
            self._stream.end()
            table, header, trailer = self._table()
        self._digest.update(trailer)
        if header != self._header or table.digest != self._digest.hexdigest():
            raise Problem(400, say("This file was changed or damaged: its digest does not fit."), "digest")
        return table

    def _read_fields(self) -> bool:
        """Read fields until the contents come; tell whether they did."""
        for name in self._members:
            if name == "contents":
                return True
            try:
                value = self._stream.value()
            except TooLong as error:
                raise damaged_part(plain(name)) from error
            self._bytes_left -= len(name) + len(value)
            if self._bytes_left < 0:
                raise damaged_part(plain(name))
            self._fields.append(msgspec.json.encode(name) + b":" + value)
        return False

    def _table(self) -> tuple[Kept, bytes, bytes]:
        """Return what is known of the table by now, and how what stands before and after its log is written."""
        table = msgspec.json.decode(b",".join([b'{"contents":""', *self._fields]) + b"}", type=Kept)
        blank = msgspec.structs.replace(table, digest="")
        header, _, trailer = msgspec.json.encode(blank, order="deterministic").rpartition(b'"contents":""')
        return table, header, trailer

    def _contents(self, stream: JsonStream) -> Iterator[ExportedEntry]:
        """Read the log and the action under way."""
        names: set[str] = set()
        for name in stream.members():
            if name in names or name not in {"log", "held", "pictures"}:
                raise damaged_part(plain(name))
            names.add(name)
            match name:
                case "held":
                    with _decoding("held"):
                        self.pending = msgspec.json.decode(self._naming(stream), type=ActionWaiting | None)
                case "pictures":
                    self._pictures(stream)
                case _:
                    yield from self._log(stream)
        if "log" not in names:
            raise damaged_part("log")

    def _log(self, stream: JsonStream) -> Iterator[ExportedEntry]:
        for number, _ in enumerate(stream.elements()):
            if number == MAX_ENTRIES:
                raise too_long()
            with _decoding(f"contents.log[{number}]"):
                entry = msgspec.json.decode(self._naming(stream), type=ExportedEntry)
            # What says that it has no state has none, as what says nothing of it.
            yield msgspec.structs.replace(entry, state=msgspec.UNSET) if entry.state == NO_STATE else entry

    def _naming(self, stream: JsonStream) -> bytes:
        """Read a piece, and remember which pictures it names."""
        value = stream.value()
        self._named |= named_in(value)
        return value

    def _pictures(self, stream: JsonStream) -> None:
        """Read the pictures; one that nothing names, or that is another one, does not belong there."""
        for number, _ in enumerate(stream.elements()):
            where = f"contents.pictures[{number}]"
            with _decoding(where):
                sent = msgspec.json.decode(stream.value(), type=ExportedPicture)
            try:
                picture = check(sent.data)
            except Problem as error:
                raise damaged_part(where) from error
            if picture.digest != sent.digest or picture.digest not in self._named:
                raise damaged_part(where)
            self._named.discard(picture.digest)
            self._picture(picture)

    def _digested(self, entries: Iterator[ExportedEntry]) -> Iterator[ExportedEntry]:
        """Digest contents that are not folded, as if written again."""
        separator = b'{"log":['
        for entry in entries:
            self._digest.update(separator + _encoded(entry))
            separator = b","
            yield entry
        pending = b',"held":' + msgspec.json.encode(self.pending, order="deterministic") if self.pending else b""
        self._digest.update(b"]" + pending + b"}")

    def _inflated(self) -> Iterator[bytes]:
        decompressor, rest, length = zlib.decompressobj(), b"", 0
        for chunk in self._stream.text_chunks():
            self._digest.update(chunk)
            base64 = rest + chunk
            end = len(base64) // 4 * 4
            data, rest = b64decode(base64[:end], validate=True), base64[end:]
            while True:
                block = decompressor.decompress(data, BLOCK_SIZE)
                length += len(block)
                if length > MAX_LOG_BYTES:
                    raise too_long()
                if block:
                    yield block
                data = decompressor.unconsumed_tail
                if not data and len(block) < BLOCK_SIZE:
                    break
        if rest or decompressor.unused_data or not decompressor.eof:
            raise ValueError("what was folded does not end where it should")


def _encoded(entry: ExportedEntry) -> bytes:
    """Write an entry in the one way in which it is digested."""
    if isinstance(entry.state, msgspec.Raw):
        state = msgspec.json.encode(msgspec.json.decode(entry.state), order="deterministic")
        entry = msgspec.structs.replace(entry, state=msgspec.Raw(state))
    return msgspec.json.encode(entry, order="deterministic")


NO_TABLE = say("This file is not an exported table, or a part of it is missing.")


def damaged_part(where: str) -> Problem:
    """Say which part of the file does not fit (400)."""
    return Problem(400, say("This file is damaged: {where} does not fit.", where=where), where)


def too_long() -> Problem:
    """Say that no table has a log as long as this (413)."""
    return Problem(413, say("The log in this file is too long."), "file")


@contextmanager
def _decoding(where: str) -> Iterator[None]:
    """Say of what can not be read, at a place of the file, what is wrong with it."""
    try:
        yield
    except msgspec.ValidationError as error:
        invalid = invalid_field(error)
        inner = invalid.place or invalid.field
        place = inner if where == "contents" else f"{where}.{inner}"
        raise damaged_part(plain(place) if inner else where) from error
    except Broken as error:
        raise Problem(400, NO_TABLE) from error
    except (TooLong, zlib.error, binascii.Error, ValueError, RecursionError) as error:
        if where == "contents" and isinstance(error, msgspec.DecodeError):
            raise Problem(400, NO_TABLE) from error
        raise damaged_part(where) from error
