"""Live streams on the wire: packed once for all who take it, in order, never too much of them at once."""

from __future__ import annotations

import socket
import threading
import zlib
from random import Random
from typing import TYPE_CHECKING, Any, Self

import pytest

from companion.web import live
from companion.web.live import MOST_WAITING, PING, RESTING, Listener, Told
from tests.web.test_serve import PATIENCE, site

if TYPE_CHECKING:
    from tests.web.test_serve import SmallSite

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


def test_an_event_is_packed_once_and_for_nobody_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[bytes] = []
    monkeypatch.setattr(live, "pack", lambda event, pack=live.pack: packed.append(event) or pack(event))
    told = Told(b"data: 1\n\n")
    for _ in range(3):
        Listener().offer(told)
    assert packed == []
    for _ in range(3):
        Listener(packed=True).offer(told)
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
