"""Connections: how many may be open at once, and which one is closed to make room for another."""

from __future__ import annotations

import errno
import sys
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Protocol, cast

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from companion.terminal import refuse, speak

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as _Http
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
else:
    _Http = object

FILES = 8192
"""Open files wanted: a thousand phones with a stream and a few connections each. macOS allows 10,240 at most."""
ACCEPTED = 16
"""Connections accepted in one turn of the event loop; those of four turns are there before the first is counted."""
BACKLOG = 1024
"""Connections that the system keeps until they are accepted: all phones come back at once after a restart."""
SPARE = 64 + 4 * ACCEPTED
"""Files kept for the tables and the pages, and for what was accepted before somebody could be sent away."""
PATIENCE = 15.0
"""Seconds for the head of a request; seconds in which something of its body has to come."""
UNFINISHED = 1024
"""Requests of one address that may be unfinished at once: a thousand phones may come by one, all after a restart."""
HEAD = 32 * 1024
"""Bytes of a head without its end."""
FIELDS = 100
"""Fields of a head: four bytes that write one take a hundred and fifty in memory, also while a stream is followed."""
MINUTE = 60.0
NO_ROOM = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
"""What the system says when it can not accept another connection."""


def open_files() -> int:
    """Allow this process as many open files as it wants and may have; return how many those are."""
    if sys.platform == "win32":
        return FILES
    import resource  # noqa: PLC0415 (Windows has none)

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # macOS names no hard limit where there is one: what it refuses is tried smaller.
    for most in (FILES, FILES // 2, FILES // 4, FILES // 8):
        wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
        if soft == resource.RLIM_INFINITY or soft >= wanted:
            break
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return FILES if soft == resource.RLIM_INFINITY else min(FILES, soft)


class Connection(Protocol):
    """One connection as the books see it: where it comes from, and what it can be cut off by."""

    client: tuple[str, int] | None
    transport: asyncio.Transport


class Connections:
    """The books of the open connections: who is being answered, and who keeps still and since when.

    A connection keeps still from its last whole answer, or from when its request began (from the last that came of its
    body). At most ``most`` are open: for another one the stillest is cut off, which is never one that is answered or
    followed live; where there is none, the newest. An address has at most ``most_unfinished`` unfinished requests: a
    house full of phones may share one, so nothing else is counted by it.
    """

    def __init__(self, most: int, clock: Callable[[], float] = monotonic) -> None:
        self.most = max(ACCEPTED, most)
        self.most_unfinished = min(UNFINISHED, self.most // 2)
        self.clock = clock
        self._open: set[Connection] = set()
        self._still: dict[Connection, float] = {}  # since when, the longest first
        self._unfinished: dict[str, dict[Connection, None]] = {}  # by address, the stillest first
        self._refused = 0
        self._said = -MINUTE

    def opened(self, connection: Connection) -> None:
        """Take a new connection in; its first request has begun."""
        self._open.add(connection)
        self.unfinished(connection)
        if len(self._open) > self.most:
            stillest = next(iter(self._still))
            self._cut(stillest)
            if stillest is connection:
                self._refuse()

    def unfinished(self, connection: Connection, *, progress: bool = False) -> None:
        """Note that a request is not whole yet; with ``progress`` its time begins anew."""
        if connection not in self._open:
            return
        here = self._unfinished.setdefault(_address(connection), {})
        if progress or connection not in here:
            self._stir(connection)
            self._unfinished.setdefault(_address(connection), here)[connection] = None
            self._still[connection] = self.clock()
            if len(here) > self.most_unfinished:
                self._cut(next(iter(here)))

    def answering(self, connection: Connection) -> None:
        """Note that a request is whole: it is answered for as long as that takes."""
        self._stir(connection)

    def idle(self, connection: Connection) -> None:
        """Note that a connection has had its answer and asks for nothing."""
        self._stir(connection)
        if connection in self._open:
            self._still[connection] = self.clock()

    def closed(self, connection: Connection) -> None:
        """Forget a connection."""
        self._stir(connection)
        self._open.discard(connection)

    def full(self) -> None:
        """Make room where the system accepts no more connections."""
        self._refuse()
        for connection in list(self._still)[:ACCEPTED]:
            self._cut(connection)

    def look(self) -> None:
        """Cut off whose request has taken too long, and say what was refused: call it every second or so."""
        late = self.clock() - PATIENCE
        for connection, since in list(self._still.items()):
            if since > late:
                break
            if connection in self._unfinished.get(_address(connection), ()):
                self._cut(connection)
        self._say()

    def _stir(self, connection: Connection) -> None:
        self._still.pop(connection, None)
        here = self._unfinished.get(_address(connection), {})
        here.pop(connection, None)
        if not here:
            self._unfinished.pop(_address(connection), None)

    def _cut(self, connection: Connection) -> None:
        self.closed(connection)
        connection.transport.abort()

    def _refuse(self) -> None:
        self._refused += 1
        self._say()

    def _say(self) -> None:
        if self._refused and self.clock() - self._said >= MINUTE:
            refuse(
                speak(
                    f"Too many connections at once ({self.most} at most). Refused: {self._refused}.",
                    f"Demasiadas conexiones a la vez ({self.most} como mucho). Rechazadas: {self._refused}.",
                )
            )
            self._refused, self._said = 0, self.clock()


def _address(connection: Connection) -> str:
    return connection.client[0] if connection.client else ""


class Counted(_Http):
    """One connection of uvicorn's, whichever parser it has, that tells the books what it does."""

    books: Connections
    head = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin."""
        super().connection_made(transport)
        self.books.opened(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.books.closed(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        super().data_received(data)
        self._note(len(data))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take one field of a head; what is raised here is answered as no request at all (400)."""
        if len(self.headers) >= FIELDS:
            raise ValueError("too many fields")
        super().on_header(name, value)

    def on_response_complete(self) -> None:
        """Go on after an answer."""
        super().on_response_complete()
        self._note(0)

    def _note(self, came: int) -> None:
        if self.transport.is_closing():
            return
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is not None and cycle.more_body:
            # Also where the answer has been given and the rest of what was too large still comes.
            self.head = 0
            self.books.unfinished(self, progress=True)
        elif cycle is not None and not cycle.response_complete:
            self.head = 0
            self.books.answering(self)
        elif came or cycle is None:
            self.head += came
            self.books.unfinished(self)
            if self.head > HEAD:
                self.transport.abort()
        else:
            self.head = 0
            self.books.idle(self)


def counted(books: Connections, parser: type[asyncio.Protocol] = AutoHTTPProtocol) -> type[asyncio.Protocol]:
    """Make uvicorn's protocol, by the best parser there is, that keeps the books of its connections."""
    return type(parser.__name__, (Counted, parser), {"books": books})
