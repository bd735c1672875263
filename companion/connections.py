"""Connections: how many may be open at once, and which one is closed to make room for another."""

from __future__ import annotations

import errno
import sys
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Protocol, cast

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from companion.kit.text import say
from companion.proxies import Proxies
from companion.terminal import refuse

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as _Http
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
else:
    _Http = object

if sys.platform != "win32":
    import resource

MOST_FILES = 8192
"""Open files wanted: a thousand phones with a stream and a few connections each. macOS allows 10,240 at most."""
ACCEPTED_AT_ONCE = 16
"""Connections accepted in one turn of the event loop; those of four turns are there before the first is counted."""
BACKLOG = 1024
"""Connections that the system keeps until they are accepted: all phones come back at once after a restart."""
SPARE_FILES = 64 + 4 * ACCEPTED_AT_ONCE
"""Files kept for the tables and the pages, and for what was accepted before somebody could be sent away."""
TIMEOUT = 15.0
"""Seconds for the head of a request; seconds in which something of its body has to come."""
MOST_UNFINISHED = 1024
"""Requests of one address that may be unfinished at once: a thousand phones may come by one, all after a restart."""
LARGEST_HEAD = 32 * 1024
"""Bytes of a head without its end."""
MOST_FIELDS = 100
"""Fields of a head: four bytes that write one take a hundred and fifty in memory, also while a stream is followed."""
REPORT_EVERY = 60.0
"""Seconds between two lines in the terminal about connections that were refused."""
TRANSPORT = "companion.transport"
"""Where the ``state`` of a request holds the transport of its connection."""
NO_PROXIES = Proxies()
OUT_OF_FILES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
"""What the system says when it can not accept another connection."""


def raise_file_limit() -> int:
    """Allow this process as many open files as it wants and may have; return how many those are."""
    if sys.platform == "win32":
        return MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    # macOS names no hard limit where there is one: what it refuses is tried smaller.
    for most in (MOST_FILES, MOST_FILES // 2, MOST_FILES // 4, MOST_FILES // 8):
        wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
        if soft == resource.RLIM_INFINITY or soft >= wanted:
            break
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return MOST_FILES if soft == resource.RLIM_INFINITY else min(MOST_FILES, soft)


class Connection(Protocol):
    """What is known of one connection: where it comes from, and the transport that can be aborted."""

    client: tuple[str, int] | None
    transport: asyncio.Transport


class Connections:
    """The open connections: which are being answered, and since when the others have been waiting.

    A connection waits from the end of its last answer, or from when its request began (from the last that came of its
    body). At most ``most`` are open: for another one the longest waiting is aborted, which is never one that is
    answered or followed live; where none waits, the newest. An address has at most ``most_unfinished`` unfinished
    requests: a house full of phones may share one, so nothing else is counted by it. What one of the ``proxies`` brings
    is counted by where it came from, once that is known; until then it is not.
    """

    def __init__(self, most: int, clock: Callable[[], float] = monotonic, proxies: Proxies = NO_PROXIES) -> None:
        self.most = max(ACCEPTED_AT_ONCE, most)
        self.most_unfinished = min(MOST_UNFINISHED, self.most // 2)
        self.clock = clock
        self.proxies = proxies
        self._brought: dict[Connection, str] = {}  # where the request came from that a proxy brings
        self._open: set[Connection] = set()
        self._waiting: dict[Connection, float] = {}  # since when, the longest first
        self._unfinished: dict[str, dict[Connection, None]] = {}  # by address, the longest waiting first
        self._refused = 0
        self._reported = -REPORT_EVERY

    def opened(self, connection: Connection) -> None:
        """Take a new connection in; its first request has begun."""
        self._open.add(connection)
        self.unfinished(connection)
        if len(self._open) > self.most:
            longest = next(iter(self._waiting))
            self._abort(longest)
            if longest is connection:
                self._count_refused()

    def unfinished(self, connection: Connection, *, progress: bool = False) -> None:
        """Note that a request is not whole yet; with ``progress`` its time begins anew."""
        if connection not in self._open:
            return
        address = self._address(connection)
        if progress or connection not in self._unfinished.get(address, ()):
            self._untrack(connection)
            here = self._unfinished.setdefault(address, {})
            here[connection] = None
            self._waiting[connection] = self.clock()
            if len(here) > self.most_unfinished and address not in self.proxies:
                self._abort(next(iter(here)))

    def brought(self, connection: Connection, forwarded: Callable[[], str]) -> None:
        """Note where the request came from that a connection brings: ``forwarded`` returns what a proxy says of it."""
        if self.proxies.networks:
            self._untrack(connection)
            address = self.proxies.true_address(_client(connection), forwarded())
            self._brought[connection] = address

    def answering(self, connection: Connection) -> None:
        """Note that a request is whole: it is answered for as long as that takes."""
        self._untrack(connection)

    def idle(self, connection: Connection) -> None:
        """Note that a connection has had its answer and asks for nothing."""
        self._untrack(connection)
        if connection in self._open:
            self._waiting[connection] = self.clock()

    def closed(self, connection: Connection) -> None:
        """Forget a connection."""
        self._untrack(connection)
        self._brought.pop(connection, None)
        self._open.discard(connection)

    def make_room(self) -> None:
        """Make room where the system accepts no more connections."""
        self._count_refused()
        for connection in list(self._waiting)[:ACCEPTED_AT_ONCE]:
            self._abort(connection)

    def close_overdue(self) -> None:
        """Abort whose request has taken too long, and say what was refused: call it every second or so."""
        late = self.clock() - TIMEOUT
        for connection, since in list(self._waiting.items()):
            if since > late:
                break
            if connection in self._unfinished.get(self._address(connection), ()):
                self._abort(connection)
        self._report()

    def _untrack(self, connection: Connection) -> None:
        self._waiting.pop(connection, None)
        address = self._address(connection)
        here = self._unfinished.get(address, {})
        here.pop(connection, None)
        if not here:
            self._unfinished.pop(address, None)

    def _address(self, connection: Connection) -> str:
        return self._brought.get(connection) or _client(connection)

    def _abort(self, connection: Connection) -> None:
        self.closed(connection)
        connection.transport.abort()

    def _count_refused(self) -> None:
        self._refused += 1
        self._report()

    def _report(self) -> None:
        if self._refused and self.clock() - self._reported >= REPORT_EVERY:
            count, self._refused, self._reported = self._refused, 0, self.clock()
            refuse(say("Too many connections at once ({most} at most). Refused: {count}.", most=self.most, count=count))


def _client(connection: Connection) -> str:
    return connection.client[0] if connection.client else ""


def _forwarded(cycle: RequestResponseCycle) -> str:
    """Return what a request says of the addresses that it came by, the nearest last."""
    named = (value for name, value in cycle.scope["headers"] if name == b"x-forwarded-for")
    return b",".join(named).decode("latin-1")


class TrackedProtocol(_Http):
    """One connection of uvicorn's, whichever parser it has, that tells ``tracked`` what it does."""

    tracked: Connections
    head = 0
    counted: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        super().connection_made(cast("asyncio.Transport", transport))
        self.app_state = {**self.app_state, TRANSPORT: transport}
        self.tracked.opened(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.tracked.closed(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        super().data_received(data)
        self._note(len(data))

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take one field of a head; what is raised here is answered as no request at all (400)."""
        if len(self.headers) >= MOST_FIELDS:
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
            if cycle is not self.counted:
                self.counted = cycle
                self.tracked.brought(self, lambda: _forwarded(cycle))
            self.head = 0
            self.tracked.unfinished(self, progress=True)
        elif cycle is not None and not cycle.response_complete:
            self.head = 0
            self.tracked.answering(self)
        elif came or cycle is None:
            self.head += came
            self.tracked.unfinished(self)
            if self.head > LARGEST_HEAD:
                self.transport.abort()
        else:
            self.head = 0
            self.tracked.idle(self)


def tracked_protocol(
    connections: Connections, parser: type[asyncio.Protocol] = AutoHTTPProtocol
) -> type[asyncio.Protocol]:
    """Make uvicorn's protocol, by the best parser there is, that keeps track of its connections."""
    return type(parser.__name__, (TrackedProtocol, parser), {"tracked": connections})
