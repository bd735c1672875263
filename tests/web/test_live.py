"""Live streams on the wire: packed once for all who take it, straight to each connection, in order, never too much."""

from __future__ import annotations

import asyncio
import socket
import threading
import zlib
from random import Random
from typing import TYPE_CHECKING, Any, Self

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from companion.connections import Connections, tracked_protocol
from companion.web import live
from companion.web.live import MOST_WAITING, PING, RESTING, Listener, Told
from tests.web.test_serve import PATIENCE, SmallSite, Watched, serving, site

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["site"]

GZIP = "Accept-Encoding: gzip, deflate, br"
WHOLE = b"data: whole\n\n"


class Stream:
    """A phone that follows a channel, and reads it as it is on the wire."""

    def __init__(self, site: SmallSite, *head: str, path: str = "/live/one", version: str = "1.1") -> None:
        self.socket = socket.create_connection(("127.0.0.1", site.port), PATIENCE)
        self.file = self.socket.makefile("rb")
        lines = [f"GET {path} HTTP/{version}", "Host: here", *head, "", ""]
        self.socket.sendall("\r\n".join(lines).encode())
        self.unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
        self.head: dict[str, str] = {}

    def read_head(self) -> Self:
        self.file.readline()
        while (line := self.file.readline().decode()) != "\r\n":
            name, _, value = line.partition(": ")
            self.head[name.lower()] = ", ".join(filter(None, [self.head.get(name.lower()), value.strip()]))
        return self

    def chunk(self) -> bytes:
        """Read one chunk, empty at the end."""
        sent = self.file.read(int(self.file.readline(), 16))
        assert self.file.read(2) == b"\r\n"
        return sent

    def event(self) -> bytes:
        """Read one chunk, unpacked where it is packed."""
        sent = self.chunk()
        return self.unpacker.decompress(sent) if "content-encoding" in self.head else sent

    def __enter__(self) -> Self:
        return self.read_head()

    def __exit__(self, *_: object) -> None:
        self.file.close()
        self.socket.close()


class Wire(asyncio.WriteTransport):
    """A transport that keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.unsent = 0
        self.closing = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        assert isinstance(data, bytes)
        self.written.append(data)

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def is_closing(self) -> bool:
        return self.closing


async def sent(listener: Listener) -> list[bytes]:
    """Let a listener that hears a last word send all that waits, and return it."""
    bodies: list[bytes] = []
    ended = asyncio.Event()

    async def send(message: Any) -> None:
        bodies.append(message["body"])
        if not message.get("more_body"):
            ended.set()

    listener.begin(send)
    await asyncio.wait_for(ended.wait(), PATIENCE)
    return bodies


def waiting(*events: Told) -> bytes:
    """Return what waits after some events that a phone has not read."""

    async def heard() -> bytes:
        listener = Listener()
        for event in events:
            listener.offer(event)
        first: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        async def send(message: Any) -> None:
            first.set_result(message["body"])

        listener.begin(send)
        return await asyncio.wait_for(first, PATIENCE)

    return asyncio.run(heard())


def test_the_newest_state_replaces_one_that_was_not_sent() -> None:
    async def heard() -> list[bytes]:
        listener = Listener()
        for told in (Told(b"old"), Told(b"new"), PING):
            listener.offer(told)
        listener.offer(RESTING, last=True)
        listener.offer(Told(b"too late"))
        return await sent(listener)

    assert asyncio.run(heard()) == [RESTING.event, b""]
    assert waiting(Told(b"old"), Told(b"new"), PING) == b"new"


def test_what_changed_follows_what_was_not_sent_until_there_is_too_much_of_it() -> None:
    def heard(*events: bytes) -> bytes:
        return waiting(*(Told(event, lambda: WHOLE) for event in events))

    half = b"x" * (MOST_WAITING // 2)
    assert heard(b"1", b"2", b"3") == b"123"
    assert heard(half, half) == half + half
    assert heard(half, half, b"1") == WHOLE
    assert heard(half, half, b"1", b"2") == WHOLE + b"2"


def test_a_sign_of_life_does_not_replace_a_state() -> None:
    assert waiting(Told(b"state"), PING) == b"state"
    assert waiting(PING, PING) == PING.event


def test_events_go_straight_to_a_connection_that_has_sent_all_before_and_else_wait_their_turn() -> None:
    async def heard() -> tuple[list[bytes], list[bytes]]:
        wire, listener, bodies = Wire(), Listener(), list[bytes]()
        may_send = asyncio.Event()
        began, ended = asyncio.Event(), asyncio.Event()

        async def send(message: Any) -> None:
            began.set()
            await may_send.wait()
            bodies.append(message["body"])
            if message["body"] == b"45":
                ended.set()

        listener.begin(send, wire)
        listener.offer(Told(b"1"))
        listener.offer(Told(b"2", lambda: WHOLE))
        wire.unsent = 1
        listener.offer(Told(b"3", lambda: WHOLE))
        wire.unsent = 0
        await asyncio.wait_for(began.wait(), PATIENCE)
        listener.offer(Told(b"4", lambda: WHOLE))
        listener.offer(Told(b"5", lambda: WHOLE))
        assert len(wire.written) == 2, "a task is in the middle of what came before"
        may_send.set()
        await asyncio.wait_for(ended.wait(), PATIENCE)
        listener.offer(Told(b"6", lambda: WHOLE))
        wire.closing = True
        listener.offer(Told(b"7", lambda: WHOLE))
        listener.close()
        return wire.written, bodies

    assert asyncio.run(heard()) == ([b"1\r\n1\r\n", b"1\r\n2\r\n", b"1\r\n6\r\n"], [b"3", b"45"])


def test_all_connections_are_given_the_same_bytes_and_nothing_is_packed_for_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    packed: list[bytes] = []
    monkeypatch.setattr(live, "pack", lambda event, pack=live.pack: packed.append(event) or pack(event))

    async def send(_: Any) -> None:
        pytest.fail("nothing waits")

    def written(told: Told, listeners: Iterable[Listener]) -> list[bytes]:
        wires = []
        for listener in listeners:
            wires.append(Wire())
            listener.begin(send, wires[-1])
            listener.offer(told)
        return [chunk for wire in wires for chunk in wire.written]

    told = Told(b"data: 1\n\n")
    plain = written(told, (Listener() for _ in range(3)))
    assert [one is plain[0] for one in plain] == [True] * 3
    assert packed == []
    chunks = written(told, (Listener(packed=True) for _ in range(3)))
    assert [one is chunks[0] for one in chunks] == [True] * 3
    assert packed == [told.event]


def test_a_packed_stream_is_event_for_event_the_plain_one(site: SmallSite) -> None:
    with Stream(site) as plain, Stream(site, GZIP) as packed:
        assert "content-encoding" not in plain.head
        assert packed.head["content-encoding"] == "gzip"
        assert plain.event() == packed.event() == b"data: 1\n\n"
        events = [Told(b"id: %d\ndata: %b\n\n" % (number, b"a square " * number), lambda: WHOLE) for number in range(9)]
        for told in (*events, PING, Told(WHOLE), PING):
            site.live.publish("one", told)
            assert plain.event() == packed.event() == told.event
        site.live.close_all()
        assert plain.event() == packed.event() == RESTING.event
        assert plain.chunk() == packed.chunk() == b""


def test_an_event_is_smaller_packed_and_the_same_for_every_phone(site: SmallSite) -> None:
    told = Told(b"data: " + b"a square, " * 500 + b"\n\n")
    with Stream(site, GZIP) as first:
        first.event()
        site.live.publish("one", Told(b"data: only the first hears this\n\n"))
        first.event()
        with Stream(site, GZIP) as second:
            second.event()
            site.live.publish("one", told)
            one, other = first.chunk(), second.chunk()
            assert one == other
            assert len(one) < len(told.event) / 10
            assert first.unpacker.decompress(one) == second.unpacker.decompress(other) == told.event


@pytest.mark.parametrize(
    ("head", "path"),
    [
        ([], "/live/one"),
        (["Accept-Encoding: br, deflate"], "/live/one"),
        (["Accept-Encoding: gzip;q=0, *"], "/live/one"),
        ([GZIP], "/live/one?build=1&packed=no"),
    ],
)
def test_who_does_not_take_gzip_is_told_as_it_is(site: SmallSite, head: list[str], path: str) -> None:
    with Stream(site, *head, path=path) as phone:
        assert "content-encoding" not in phone.head
        assert phone.head["vary"] == "Accept-Encoding"
        assert phone.chunk() == b"data: 1\n\n"
        site.live.publish("one", Told(b"data: 2\n\n"))
        assert phone.chunk() == b"data: 2\n\n"


def test_answers_that_are_no_streams_stay_as_they_are(site: SmallSite) -> None:
    for method, path in (("HEAD", "/live/one"), ("POST", "/told")):
        answer, _ = site.ask(method, path, **{"Accept-Encoding": "gzip"})
        assert answer.getheader("Content-Encoding") is None


@pytest.mark.parametrize(
    ("protocol", "version", "direct"),
    [
        (tracked_protocol(Connections(99), HttpToolsProtocol), "1.1", True),
        (tracked_protocol(Connections(99), H11Protocol), "1.1", True),
        (tracked_protocol(Connections(99), HttpToolsProtocol), "1.0", False),
        (HttpToolsProtocol, "1.1", False),
        (H11Protocol, "1.1", False),
    ],
)
def test_events_are_written_to_the_connection_where_it_is_known_and_in_chunks(
    protocol: type[asyncio.Protocol], version: str, *, direct: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bodies: list[bytes] = []

    def begin(listener: Listener, send: Any, transport: Any, begin: Any = Listener.begin) -> None:
        async def spied(message: Any) -> None:
            bodies.append(message["body"])
            await send(message)

        begin(listener, spied, transport)

    monkeypatch.setattr(Listener, "begin", begin)
    site = SmallSite(Watched())
    site.server.config.http = protocol
    events = [b"data: %d\n\n" % number for number in range(2, 9)]
    with serving(site), Stream(site, version=version) as phone:
        assert phone.event() == b"data: 1\n\n"
        for event in events:
            site.live.publish("one", Told(event))
            assert phone.event() == event
        site.live.close_all()
        assert [phone.event(), phone.event()] == [RESTING.event, b""]
    assert bodies == [*([] if direct else events), RESTING.event, b""]


@pytest.mark.parametrize("parser", [HttpToolsProtocol, H11Protocol])
def test_a_connection_whose_stream_has_ended_answers_the_next_request(parser: type[asyncio.Protocol]) -> None:
    site = SmallSite(Watched())
    site.server.config.http = tracked_protocol(site.server.connections, parser)
    with serving(site), Stream(site, GZIP) as phone:
        phone.event()
        site.live.publish("one", Told(WHOLE))
        assert phone.event() == WHOLE
        site.live.close_all()
        assert [phone.event(), phone.chunk()] == [RESTING.event, b""]
        assert site.live.left.wait(PATIENCE)
        site.live.publish("one", Told(WHOLE))
        phone.socket.sendall(b"GET /waited HTTP/1.1\r\nHost: here\r\n\r\n")
        assert phone.file.readline() == b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize("head", [[], [GZIP]])
def test_many_quick_events_come_in_their_order(site: SmallSite, head: list[str]) -> None:
    events = [b"id: %d\ndata: %b\n\n" % (number, b"x" * 40) for number in range(2000)]
    with Stream(site, *head) as phone:
        phone.event()
        for event in events:
            site.live.publish("one", Told(event, lambda: WHOLE))
        heard = b""
        while len(heard) < len(b"".join(events)):
            heard += phone.event()
    assert heard == b"".join(events)


@pytest.mark.parametrize("head", [[], [GZIP]])
def test_for_a_phone_that_does_not_read_only_so_much_waits_and_then_the_full_state(
    site: SmallSite, head: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    most, offered, replaced = 0, threading.Semaphore(0), threading.Event()

    def offer(listener: Listener, told: Told, *, last: bool = False, offer: Any = Listener.offer) -> None:
        nonlocal most
        offer(listener, told, last=last)
        most = max(most, sum(map(len, listener._waiting)))
        offered.release()

    def whole() -> bytes:
        replaced.set()
        return WHOLE

    monkeypatch.setattr(Listener, "offer", offer)
    noise = Random(1)
    with Stream(site, *head) as phone:
        phone.event()
        events: list[bytes] = []
        while not replaced.is_set():
            assert len(events) < 1000, "it waits somewhere without end"
            events.append(b"id: %d\ndata: %b\n\n" % (len(events), noise.randbytes(20_000).hex().encode()))
            site.live.publish("one", Told(events[-1], whole))
            assert offered.acquire(timeout=PATIENCE)
        heard = b""
        while not heard.endswith(WHOLE):
            heard += phone.event()
        assert MOST_WAITING / 2 < most <= MOST_WAITING
        heard = heard.removesuffix(WHOLE)
        assert b"".join(events).startswith(heard)
        assert 0 < len(heard) <= len(b"".join(events)) - MOST_WAITING / 2, "what waited was replaced"
        site.live.publish("one", Told(b"data: after\n\n", whole))
        assert phone.event() == b"data: after\n\n"
