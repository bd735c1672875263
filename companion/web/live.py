"""The hub of the live phones: what is published on a channel reaches everybody who listens to it, in its order."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable
from functools import cached_property, lru_cache, partial
from threading import Lock
from typing import Any

from companion.web.presence import Presence

Send = Callable[[Any], Awaitable[None]]

HEADER = "X-Live-Channel"
"""A response with this header is the first event of the channel that it names, and stays open."""

PING_EVERY = 2.5
"""Seconds between signs of life; a phone that hears nothing for twice as long asks whether its connection is dead."""

MOST_WAITING = 256 * 1024
"""Bytes that wait for a phone that does not read; when there are more, it gets the full state instead."""

GZIP_HEADER = b"\x1f\x8b\x08\0\0\0\0\0\4\xff"
"""Stands once in front of the packed events of a stream: browsers read no further than the first member of a gzip."""

FIRST_EVENTS = 4
"""First events kept packed: phones that come back together, as after a restart, are mostly told the same."""


def pack(event: bytes) -> bytes:
    """Pack an event by itself as deflate blocks.

    They end with a byte and refer to nothing before them, so the same bytes follow whatever else a phone was told.
    """
    packer = zlib.compressobj(1, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(event) + packer.flush(zlib.Z_FULL_FLUSH)


@lru_cache(FIRST_EVENTS)
def pack_first(event: bytes) -> bytes:
    """Pack the first event of a stream, with what has to stand in front of all of them."""
    return GZIP_HEADER + pack(event)


def _chunk(sent: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(sent), sent)


class Told:
    """An event: the full state, or what changed since the event before it, with what makes the full state (``whole``).

    It is packed once for all who take it packed.
    """

    def __init__(self, event: bytes, whole: Callable[[], bytes] | None = None) -> None:
        self.event = event
        self.whole = whole

    @cached_property
    def packed(self) -> bytes:
        """The event packed."""
        return pack(self.event)

    @cached_property
    def chunk(self) -> bytes:
        """The event as it stands in the body of an HTTP/1.1 response in chunks."""
        return _chunk(self.event)

    @cached_property
    def packed_chunk(self) -> bytes:
        """The event packed, as it stands there."""
        return _chunk(self.packed)

    @cached_property
    def full(self) -> Told:
        """What carries the full state."""
        return self if self.whole is None else Told(self.whole())


@lru_cache(FIRST_EVENTS)
def _beside(event: bytes) -> Told:
    """Make an event that is told beside a channel, once for all who are told it together."""
    return Told(event)


RESTING = Told(b"event: resting\ndata: resting\n\n")
PING = Told(b"event: ping\ndata: ping\n\n")


class Listener:
    """An open stream: what was not sent yet is kept, and replaced by the full state where that is told or is less.

    What is told goes straight to the connection's transport where that has sent all before it. Else a task sends it,
    as fast as the phone reads. ``packed`` tells that the response is packed.
    """

    def __init__(self, *, packed: bool = False) -> None:
        self.packed = packed
        self._waiting: list[bytes] = []
        self._beside = b""
        self._last = False
        self._send: Send | None = None
        self._transport: asyncio.WriteTransport | None = None
        self._sending: asyncio.Task[None] | None = None

    def begin(self, send: Send, transport: asyncio.WriteTransport | None = None) -> None:
        """Begin to send, after the first event: by ASGI, or on a ``transport`` whose response is in chunks."""
        self._send, self._transport = send, transport
        self._send_waiting()

    def offer(self, told: Told, *, last: bool = False) -> None:
        """Take an event to send: one that says what changed follows those not sent yet, any other replaces them."""
        if self._last:
            return
        self._last = last
        if last:
            self._beside = b""
        transport = None if last else self._free_transport()
        if transport is not None:
            transport.write(told.packed_chunk if self.packed else told.chunk)
            return
        event = self._encoded(told)
        if told is PING:
            self._waiting = self._waiting or [event]
        elif told.whole is None:
            self._waiting = [event]
        elif sum(map(len, self._waiting)) + len(event) > MOST_WAITING:
            self._waiting = [self._encoded(told.full)]
        else:
            self._waiting.append(event)
        self._send_waiting()

    def aside(self, event: bytes) -> None:
        """Take an event that is told beside the channel: it replaces nothing but the one before of its kind."""
        if self._last:
            return
        told, transport = _beside(event), self._free_transport()
        if transport is not None:
            transport.write(told.packed_chunk if self.packed else told.chunk)
            return
        self._beside = self._encoded(told)
        self._send_waiting()

    def close(self) -> None:
        """End the stream without another word."""
        self._waiting, self._beside, self._last = [], b"", True
        if self._sending is not None:
            self._sending.cancel()

    def _encoded(self, told: Told) -> bytes:
        return told.packed if self.packed else told.event

    def _free_transport(self) -> asyncio.WriteTransport | None:
        """Return the transport where it is known, and nothing waits before what is told now: neither here nor in it."""
        transport = self._transport
        if transport is None or self._sending is not None or transport.is_closing():
            return None
        return None if transport.get_write_buffer_size() else transport

    def _send_waiting(self) -> None:
        if self._send is not None and self._sending is None and (self._waiting or self._beside or self._last):
            self._sending = asyncio.get_running_loop().create_task(self._send_all(self._send))

    async def _send_all(self, send: Send) -> None:
        try:
            while self._waiting or self._beside:
                events = b"".join((*self._waiting, self._beside))
                self._waiting, self._beside = [], b""
                await send({"type": "http.response.body", "body": events, "more_body": True})
            if self._last:
                await send({"type": "http.response.body", "body": b""})
        finally:
            self._sending = None


class Live:
    """Who listens to which channel; publish from any thread, listen on the server's event loop.

    ``presence`` knows which seats of a table have a phone that listens. ``looks`` counts how often somebody who has
    something to publish looked who listens. A first event made before a look and sent after it may be out of date: a
    publisher looks after each change.
    """

    def __init__(self, ping_every: float = PING_EVERY) -> None:
        self.ping_every = ping_every
        self.presence = Presence()
        self.looks = 0
        self._lock = Lock()
        self._listeners: dict[str, set[Listener]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def listen(self, channel: str, *, packed: bool = False) -> Listener:
        """Open a stream on a channel; call it on the event loop. After ``close_all`` it only hears the last word."""
        loop, listener = asyncio.get_running_loop(), Listener(packed=packed)
        with self._lock:
            if self._closed:
                listener.offer(RESTING, last=True)
                return listener
            if self._loop is not loop:
                self._loop = loop
                loop.call_later(self.ping_every, self._ping, loop)
            self._listeners.setdefault(channel, set()).add(listener)
        return listener

    def leave(self, channel: str, listener: Listener) -> None:
        """Forget a stream that ended."""
        with self._lock:
            listeners = self._listeners.get(channel, set())
            listeners.discard(listener)
            if not listeners:
                self._listeners.pop(channel, None)

    def channels(self) -> set[str]:
        """Return the channels that somebody listens to."""
        with self._lock:
            self.looks += 1
            return set(self._listeners)

    def publish(self, channel: str, told: Told) -> None:
        """Send an event to everybody who listens to the channel."""
        self._offer((channel,), told, last=False)

    def close_all(self) -> None:
        """Say a last word on every channel and end all streams, those to come too."""
        with self._lock:
            self._closed = True
        self._offer(tuple(self.channels()), RESTING, last=True)

    def _offer(self, channels: tuple[str, ...], told: Told, *, last: bool) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(partial(self._deliver, channels, told, last=last))

    def _deliver(self, channels: tuple[str, ...], told: Told, *, last: bool) -> None:
        with self._lock:
            listeners = [listener for channel in channels for listener in self._listeners.get(channel, ())]
        for listener in listeners:
            listener.offer(told, last=last)

    def _ping(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._loop is loop:
            loop.call_later(self.ping_every, self._ping, loop)
            with self._lock:
                channels = tuple(self._listeners)
            self._deliver(channels, PING, last=False)
