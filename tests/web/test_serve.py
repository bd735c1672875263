"""The server: pages by threads, live streams without any, nothing lost in between, a last word at the end."""

from __future__ import annotations

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Self

import pytest
from flask import Flask, Response, request

from companion import request_body
from companion.network import listen
from companion.serve import Server, Site
from companion.table import store
from companion.web.guard import UNREAD
from companion.web.live import HEADER, PING, RESTING, Live, Told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from http.client import HTTPResponse
    from pathlib import Path

    from companion.connections import Connections
    from companion.web.live import Listener

PATIENCE = 30.0
LARGEST = 1000


class Watched(Live):
    """A hub that tells when a stream has ended."""

    def __init__(self, ping_every: float = 60.0) -> None:
        super().__init__(ping_every)
        self.left = threading.Event()

    def leave(self, channel: str, listener: Listener) -> None:
        super().leave(channel, listener)
        self.left.set()


def told() -> Response:
    return Response("told", headers={HEADER: "one"})


def echo() -> str:
    sent = request.get_data()
    return request.environ[UNREAD] or str(len(sent))


def headers() -> dict[str, str]:
    return dict(request.headers) | {"path": request.args["path"]}


def waited() -> str:
    return str(store.time_in_line.get())


def limit() -> None:
    request.max_content_length = largest(request.path)


def largest(path: str) -> int:
    return 3 * LARGEST if path == "/gulp" else LARGEST


class SmallSite:
    """A small app, its hub, and the server that serves them."""

    def __init__(self, live: Watched, connections: Connections | None = None) -> None:
        self.live = live
        self.state = 1
        self.during: Callable[[], object] = lambda: None
        self.app = Flask(__name__)
        self.app.before_request(limit)
        self.app.add_url_rule("/live/<channel>", view_func=self.follow)
        self.app.add_url_rule("/told", view_func=told, methods=["POST"])
        self.app.add_url_rule("/echo", view_func=echo, methods=["POST"])
        self.app.add_url_rule("/gulp", "gulp", echo, methods=["POST"])
        self.app.add_url_rule("/headers", view_func=headers)
        self.app.add_url_rule("/waited", view_func=waited, methods=["GET", "POST"])
        self.app.add_url_rule("/held", view_func=self.hold, methods=["POST"])
        self.holding = threading.Semaphore(0)
        self.released = threading.Event()
        self.server_socket = listen("127.0.0.1", 0)
        self.port = self.server_socket.getsockname()[1]
        self.begun = threading.Event()
        self.shown = threading.Semaphore(0)
        asgi = Site(self.app, live, threads=2, largest=largest)
        self.server = Server(asgi, self.begun.set, connections, self.shown.release)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.server_socket]})

    def follow(self, channel: str) -> Response:
        body = f"data: {self.state}\n\n"
        self.during()
        return Response(body, mimetype="text/event-stream", headers={HEADER: channel})

    def hold(self) -> str:
        self.holding.release()
        assert self.released.wait(PATIENCE)
        return waited()

    def until(self, so: Callable[[], bool]) -> None:
        """Wait until the server has come so far."""
        ends = time.monotonic() + PATIENCE
        while not so():
            assert time.monotonic() < ends
            time.sleep(0.001)

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[HTTPResponse, bytes]:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as phone:
            phone.request(method, path, body, headers)
            answer = phone.getresponse()
            return answer, answer.read()


class Phone:
    """A phone that follows a channel."""

    def __init__(self, site: SmallSite, channel: str) -> None:
        self.line = HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)
        self.line.request("GET", f"/live/{channel}")
        self.answer = self.line.getresponse()

    def event(self) -> bytes:
        """Read one event; empty when the stream has ended."""
        lines = []
        while line := self.answer.readline():
            lines.append(line)
            if line == b"\n":
                break
        return b"".join(lines)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.answer.close()
        self.line.close()


@contextmanager
def serving(site: SmallSite) -> Iterator[SmallSite]:
    with site.server_socket:
        site.thread.start()
        assert site.begun.wait(PATIENCE)
        try:
            yield site
        finally:
            site.server.should_exit = True
            site.thread.join(PATIENCE)
            assert not site.thread.is_alive()


@pytest.fixture
def site() -> Iterator[SmallSite]:
    with serving(SmallSite(Watched())) as made:
        yield made


def test_what_can_wait_is_done_once_when_the_first_page_was_answered(site: SmallSite) -> None:
    assert not site.shown.acquire(blocking=False)
    site.ask("GET", "/waited")
    assert site.shown.acquire(timeout=PATIENCE)
    site.ask("GET", "/waited")
    ticks = []
    site.server.on_tick, ticked = lambda counter: ticks.append(counter) or ticked(counter), site.server.on_tick
    site.until(lambda: len(ticks) > 2)
    assert not site.shown.acquire(blocking=False)


def test_what_is_published_reaches_everybody_on_the_channel_and_nobody_else(site: SmallSite) -> None:
    with Phone(site, "one") as ana, Phone(site, "one") as ben, Phone(site, "two") as eva:
        assert [phone.event() for phone in (ana, ben, eva)] == [b"data: 1\n\n"] * 3
        assert ana.answer.getheader("Content-Type") == "text/event-stream; charset=utf-8"
        assert ana.answer.getheader(HEADER) is None
        assert site.live.channels() == {"one", "two"}
        assert len(site.live._listeners["one"]) == 2
        site.live.publish("one", Told(b"data: 2\n\n"))
        site.live.publish("two", Told(b"data: secret\n\n"))
        assert (ana.event(), ben.event()) == (b"data: 2\n\n", b"data: 2\n\n")
        assert eva.event() == b"data: secret\n\n"


def test_the_end_of_an_answer_is_not_held_back(site: SmallSite) -> None:
    with Phone(site, "one"):
        site.until(lambda: bool(site.server.server_state.connections))
        for connection in site.server.server_state.connections:
            held = connection.transport.get_extra_info("socket")
            assert held.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_phone_that_leaves_is_forgotten(site: SmallSite) -> None:
    with Phone(site, "one") as ana:
        ana.event()
    assert site.live.left.wait(PATIENCE)
    assert site.live.channels() == set()
    assert site.live._listeners == {}


def test_phones_hold_no_threads(site: SmallSite) -> None:
    with Phone(site, "one") as first:
        first.event()
        before = threading.active_count()
        phones = [Phone(site, "one") for _ in range(100)]
        assert threading.active_count() <= before + 2
        site.live.publish("one", Told(b"data: all\n\n"))
        for phone in phones:
            assert phone.event() == b"data: 1\n\n"
            assert phone.event() == b"data: all\n\n"
            phone.__exit__()


def test_half_of_the_threads_are_left_for_pages_and_who_waits_to_change_something_holds_none(site: SmallSite) -> None:
    with ThreadPoolExecutor(4) as taps:
        try:
            first = taps.submit(site.ask, "POST", "/held")
            assert site.holding.acquire(timeout=PATIENCE)
            others = [taps.submit(site.ask, "POST", "/held") for _ in range(3)]
            while len(site.server.server_state.tasks) < 4:
                threading.Event().wait(0.01)
            assert site.ask("GET", "/waited")[1] == b"0.0"
            assert not site.holding.acquire(blocking=False)
        finally:
            site.released.set()
        assert all(float(other.result()[1]) > float(first.result()[1]) for other in others)
    assert site.ask("GET", "/waited")[1] == b"0.0"


def test_a_change_while_the_first_event_is_made_is_not_lost(site: SmallSite) -> None:
    def change() -> None:
        site.during = lambda: None
        site.state = 2
        assert site.live.channels() == set()

    site.during = change
    with Phone(site, "one") as ana:
        assert ana.event() == b"data: 2\n\n"


def test_when_the_server_stops_phones_hear_a_last_word(site: SmallSite) -> None:
    with Phone(site, "one") as ana, Phone(site, "two") as ben:
        ana.event(), ben.event()
        site.server.should_exit = True
        assert (ana.event(), ben.event()) == (RESTING.event, RESTING.event)
        assert (ana.event(), ben.event()) == (b"", b"")
        site.thread.join(PATIENCE)
        assert not site.thread.is_alive()


def test_who_comes_after_the_last_word_hears_only_that(site: SmallSite) -> None:
    site.live.close_all()
    with Phone(site, "one") as ana:
        assert [ana.event(), ana.event(), ana.event()] == [b"data: 1\n\n", RESTING.event, b""]


def test_a_sign_of_life_is_heard() -> None:
    with serving(SmallSite(Watched(ping_every=0.01))) as site, Phone(site, "one") as ana:
        assert ana.event() == b"data: 1\n\n"
        assert [ana.event(), ana.event()] == [PING.event, PING.event]


def test_publishing_without_a_server_is_no_error() -> None:
    live = Live()
    live.publish("one", Told(b"data: 1\n\n"))
    live.close_all()
    assert live.channels() == set()


def test_only_a_get_is_held_open(site: SmallSite) -> None:
    answer, body = site.ask("HEAD", "/live/one")
    assert (answer.status, body, answer.getheader(HEADER)) == (200, b"", None)
    answer, body = site.ask("POST", "/told")
    assert (answer.status, body, answer.getheader(HEADER)) == (200, b"told", None)
    answer, body = site.ask("OPTIONS", "/echo")
    assert answer.status == 200
    assert set(str(answer.getheader("Allow")).split(", ")) == {"POST", "OPTIONS"}


@pytest.mark.parametrize(
    ("path", "size", "status"),
    [
        ("/echo", 0, 200),
        ("/echo", LARGEST, 200),
        ("/echo", LARGEST + 1, 413),
        ("/echo", 300_000, 413),
        ("/gulp", LARGEST + 1, 200),
        ("/gulp", 3 * LARGEST, 200),
        ("/gulp", 3 * LARGEST + 1, 413),
    ],
)
def test_a_body_has_a_largest_size(site: SmallSite, path: str, size: int, status: int) -> None:
    answer, body = site.ask("POST", path, b"x" * size)
    assert answer.status == status
    assert status == 413 or body == str(size).encode()


def test_a_body_that_says_it_is_too_large_is_not_waited_for(site: SmallSite) -> None:
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE) as line:
        line.sendall(b"POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 9999999999\r\n\r\nxxx")
        assert line.recv(12) == b"HTTP/1.1 413"


def test_a_body_of_unknown_length_has_a_largest_size_too(site: SmallSite) -> None:
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE) as line:
        line.sendall(b"POST /echo HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n")
        line.sendall(b"fff\r\n" + b"x" * 0xFFF + b"\r\n")
        assert line.recv(12) == b"HTTP/1.1 413"


def test_a_body_in_chunks_is_read_whole(site: SmallSite) -> None:
    with closing(HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as phone:
        phone.request("POST", "/echo", iter([b"abc", b"defg"]), encode_chunked=True)
        assert phone.getresponse().read() == b"7"


def test_headers_and_addresses_arrive_as_they_were_sent(site: SmallSite) -> None:
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE) as line:
        line.sendall(
            b"GET /headers?path=%C3%B1%20 HTTP/1.1\r\nHost: here\r\nCookie: a=1\r\nCookie: b=2\r\n"
            b"Accept: x\r\nAccept: y\r\nX_Forged: 1\r\nConnection: close\r\n\r\n"
        )
        text = b"".join(iter(lambda: line.recv(4096), b"")).decode()
    assert '"Cookie":"a=1; b=2"' in text
    assert '"Accept":"x,y"' in text
    assert "Forged" not in text
    assert '"path":"\\u00f1 "' in text


def test_noise_on_the_port_harms_nobody(site: SmallSite) -> None:
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE) as line:
        line.sendall(b"\x16\x03\x01 this is no HTTP\r\n\r\n")
        assert line.recv(12) in {b"HTTP/1.1 400", b""}
    assert site.ask("POST", "/echo", b"abc")[1] == b"3"


def test_a_large_body_waits_in_a_file_and_only_one_at_a_time(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name, bytes_ in (("LARGEST_IN_MEMORY", 1000), ("WRITE_SIZE", 100)):
        monkeypatch.setattr(request_body, name, bytes_)
    site.server.site.usage.folder = tmp_path
    body = bytes(range(256)) * 11
    head = f"POST /gulp HTTP/1.1\r\nHost: here\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE) as first:
        first.sendall(head + body[:2000])
        site.until(lambda: site.server.site.usage.on_disk)
        assert site.server.site.usage.in_memory <= 2000
        answer, told = site.ask("POST", "/gulp", body)
        assert (answer.status, told) == (200, b"busy")
        assert site.ask("POST", "/gulp", body[:1000])[1] == b"1000"
        first.sendall(body[2000:])
        assert first.recv(12) == b"HTTP/1.1 200"
    assert site.ask("POST", "/gulp", body)[1] == str(len(body)).encode()
    site.until(lambda: not site.server.site.usage.on_disk)
    assert site.server.site.usage.in_memory == 0


def test_a_large_body_whose_phone_leaves_makes_room_for_the_next(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_body, "LARGEST_IN_MEMORY", 1000)
    monkeypatch.setattr(request_body, "WRITE_SIZE", 100)
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE) as line:
        line.sendall(b"POST /gulp HTTP/1.1\r\nHost: here\r\nContent-Length: 3000\r\n\r\n" + b"x" * 2000)
        site.until(lambda: site.server.site.usage.on_disk)
    site.until(lambda: not site.server.site.usage.on_disk)
    assert site.ask("POST", "/gulp", b"x" * 3000)[1] == b"3000"


def test_a_large_body_that_the_disk_does_not_take_is_not_read(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(request_body, "LARGEST_IN_MEMORY", 1000)
    site.server.site.usage.folder = tmp_path / "nowhere"
    for _ in range(2):
        assert site.ask("POST", "/gulp", b"x" * 3000)[1] == b"full"
    assert not site.server.site.usage.on_disk


def test_bodies_take_so_much_memory_together_and_small_ones_always_come_through(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_body, "MOST_IN_MEMORY", 1500)
    monkeypatch.setattr(request_body, "ALWAYS_READ", 100)
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE) as line:
        line.sendall(b"POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\n" + b"x" * 999)
        site.until(lambda: site.server.site.usage.in_memory == 999)
        assert site.ask("POST", "/echo", b"x" * 600)[1] == b"busy"
        assert site.ask("POST", "/echo", b"x" * 500)[1] == b"500"
        assert site.ask("POST", "/echo", b"x" * 100)[1] == b"100"
    site.until(lambda: site.server.site.usage.in_memory == 0)
    assert site.ask("POST", "/echo", b"x" * 600)[1] == b"600"
