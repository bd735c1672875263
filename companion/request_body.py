"""The body of a request: how much of it may be in memory, and where the rest of it waits."""

from __future__ import annotations

import asyncio
import io
import tempfile
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_IN_MEMORY = 1024 * 1024
"""Bytes of a request's body that are in memory; a larger body is written to a file while it comes."""
MOST_IN_MEMORY = 16 * LARGEST_IN_MEMORY
"""Bytes of all bodies in memory together: with more, only small ones are read."""
WRITE_SIZE = 256 * 1024
"""Bytes that are written to that file at a time."""
ALWAYS_READ = 16 * 1024
"""Bytes of a body that is read however many others there are: far more than a tap on a phone needs."""


@dataclass
class Usage:
    """What all bodies together take: bytes in memory, and whether one is in a file of ``folder``."""

    folder: Path | None = None
    in_memory: int = 0
    on_disk: bool = False


class Body:
    """The body of a request, in memory or in a file; ``unread`` says why there is none where it was not read.

    ``size`` is in bytes, known where the body was not read too.
    """

    def __init__(self, usage: Usage) -> None:
        self._usage = usage
        self._parts: list[bytes] = []
        self._in_memory = 0
        self._file: IO[bytes] | None = None
        self.size = 0
        self.unread = ""

    def fits(self, size: int, largest: int) -> bool:
        """Tell whether there is room for so many bytes; where there is none, nothing of the body is kept."""
        if size > largest:
            self._refuse(size, "large")
        elif size > LARGEST_IN_MEMORY:
            if self._file is None and self._usage.on_disk:
                self._refuse(size, "busy")
        elif size > ALWAYS_READ and self._usage.in_memory - self._in_memory + size > MOST_IN_MEMORY:
            self._refuse(size, "busy")
        return not self.unread

    async def add(self, part: bytes, *, last: bool) -> None:
        """Add what has come."""
        self.size += len(part)
        self._parts.append(part)
        self._count(len(part))
        if self.size <= LARGEST_IN_MEMORY or (self._in_memory < WRITE_SIZE and not last):
            return
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(dir=self._usage.folder)  # noqa: SIM115
                self._usage.on_disk = True
            # A disk may keep one waiting, and meanwhile everybody else would wait too.
            await asyncio.to_thread(self._file.write, self._take_parts())
        except OSError:
            self._refuse(self.size, "full")

    def stream(self) -> IO[bytes]:
        """Return the whole body to read from its beginning."""
        if self._file is None:
            return io.BytesIO(b"".join(self._parts))
        self._file.seek(0)
        return self._file

    def close(self) -> None:
        """Let go of everything."""
        self._take_parts()
        if self._file is not None:
            self._file.close()
            self._file = None
            self._usage.on_disk = False

    def _count(self, more: int) -> None:
        self._in_memory += more
        self._usage.in_memory += more

    def _take_parts(self) -> bytes:
        together = b"".join(self._parts)
        self._parts.clear()
        self._count(-self._in_memory)
        return together

    def _refuse(self, size: int, why: str) -> None:
        self.close()
        self.size, self.unread = size, why
