"""Connections: half requests lock nobody out, who is answered is left alone, and the terminal hears of it rarely."""

from __future__ import annotations

import asyncio
import errno
import socket
import sys
import threading
from contextlib import ExitStack, suppress
from typing import Any

import pytest
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from companion import connections as module
from companion.connections import (
    ACCEPTED_AT_ONCE,
    LARGEST_HEAD,
    MOST_FIELDS,
    MOST_FILES,
    REPORT_EVERY,
    TIMEOUT,
    Connections,
    raise_file_limit,
    tracked_protocol,
)
from companion.web.live import Told
from tests.web.test_serve import PATIENCE as LONG
from tests.web.test_serve import Phone, SmallSite, Watched, serving

HALF_HEAD = b"GET /headers HTTP/1.1\r\nHost: here\r\n"
HALF_BODY = b"POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\nabc"
WHOLE = b"GET /waited HTTP/1.1\r\nHost: here\r\n\r\n"


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Line:
    """A connection, and its own transport."""

    def __init__(self, connections: Connections, address: str = "10.0.0.1") -> None:
        self.client: tuple[str, int] | None = (address, 1)
        self.transport: Any = self
        self.cut = False
        connections.opened(self)

    def abort(self) -> None:
        assert not self.cut
        self.cut = True


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def connections(clock: Clock) -> Connections:
    return Connections(32, clock)


def test_a_head_has_to_be_whole_in_time_and_a_body_has_to_come_on(connections: Connections, clock: Clock) -> None:
    head, body, answered = Line(connections), Line(connections), Line(connections)
    connections.unfinished(body, progress=True)
    connections.answering(answered)
    clock.now += TIMEOUT - 1
    connections.unfinished(head)
    connections.unfinished(body, progress=True)
    connections.close_overdue()
    assert not head.cut
    clock.now += 1
    connections.close_overdue()
    assert (head.cut, body.cut, answered.cut) == (True, False, False)
    clock.now += TIMEOUT - 1
    connections.close_overdue()
    assert (body.cut, answered.cut) == (True, False)


def test_who_is_idle_is_not_cut_off_for_that(connections: Connections, clock: Clock) -> None:
    idle, late = Line(connections), Line(connections)
    connections.answering(idle)
    connections.idle(idle)
    clock.now += TIMEOUT
    connections.close_overdue()
    assert (idle.cut, late.cut) == (False, True)
    connections.unfinished(idle)
    clock.now += TIMEOUT
    connections.close_overdue()
    assert idle.cut


def test_only_unfinished_requests_of_one_address_are_counted(connections: Connections) -> None:
    other = Line(connections, "10.0.0.2")
    whole = [Line(connections) for _ in range(5)]
    for line in whole:
        connections.answering(line)
    lines = [Line(connections) for _ in range(connections.most_unfinished)]
    connections.unfinished(lines[0], progress=True)
    newest = Line(connections)
    assert [line for line in [*lines, newest, other, *whole] if line.cut] == [lines[1]]


def test_for_a_new_one_the_longest_waiting_goes_and_never_one_that_is_answered(
    connections: Connections, clock: Clock
) -> None:
    lines = [Line(connections, f"10.0.0.{number}") for number in range(connections.most)]
    for line in lines[2:]:
        connections.answering(line)
    clock.now += 1
    connections.idle(lines[5])
    assert not any(Line(connections, "10.0.1.1").cut for _ in range(3))
    assert [number for number, line in enumerate(lines) if line.cut] == [0, 1, 5]


def test_where_all_are_answered_the_newest_goes_and_it_is_said_once_a_minute(
    connections: Connections, clock: Clock, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "en")
    for _ in range(connections.most):
        connections.answering(Line(connections))
    assert all(Line(connections).cut for _ in range(500))
    connections.make_room()
    assert capsys.readouterr().err == "Too many connections at once (32 at most). Refused: 1.\n"
    clock.now += REPORT_EVERY
    connections.close_overdue()
    connections.close_overdue()
    assert capsys.readouterr().err == "Too many connections at once (32 at most). Refused: 500.\n"


def test_what_is_closed_is_forgotten(connections: Connections) -> None:
    for _ in range(100):
        line = Line(connections)
        connections.answering(line)
        connections.idle(line)
        connections.closed(line)
    assert not connections._open
    assert not connections._waiting
    assert not connections._unfinished


def test_where_the_system_has_no_more_files_the_longest_waiting_make_room(connections: Connections) -> None:
    lines = [Line(connections) for _ in range(10)]
    connections.answering(lines[0])
    connections.make_room()
    assert [line.cut for line in lines] == [False] + [True] * 9


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
@pytest.mark.parametrize(
    ("soft", "hard", "largest", "after"),
    [
        (256, 256, 256, 256),
        (256, 4096, 4096, 4096),
        (1024, 10**6, 10**6, MOST_FILES),
        (10**5, 10**6, 10**6, MOST_FILES),
        (256, -1, 10**6, MOST_FILES),
        (256, -1, 5000, MOST_FILES // 2),
        (256, -1, 300, 256),
        (-1, -1, 10**6, MOST_FILES),
    ],
)
def test_as_many_files_are_allowed_as_may_be(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, largest: int, after: int
) -> None:
    import resource

    now = [(soft, hard)]

    def set_(_: int, limits: tuple[int, int]) -> None:
        if limits[0] > largest:
            raise ValueError("as macOS does where the hard limit is none")
        now[:] = [limits]

    monkeypatch.setattr(resource, "getrlimit", lambda _: now[0])
    monkeypatch.setattr(resource, "setrlimit", set_)
    assert resource.RLIM_INFINITY == -1
    assert raise_file_limit() == after
    assert now[0][1] == hard
    assert now[0][0] == -1 or now[0][0] >= after


def site_of(parser: type[asyncio.Protocol], connections: Connections) -> SmallSite:
    site = SmallSite(Watched(), connections)
    site.server.config.http = tracked_protocol(connections, parser)
    return site


def line(site: SmallSite, sent: bytes) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", site.port), LONG)
    made.sendall(sent)
    return made


def unfinished(connections: Connections) -> int:
    return sum(map(len, list(connections._unfinished.values())))


def ask(line: socket.socket, sent: bytes = WHOLE) -> None:
    line.sendall(sent)
    answer = b""
    while not answer.endswith(b"\r\n\r\n0.0"):
        answer += line.recv(65536) or b"\r\n\r\n0.0"
    assert answer.startswith(b"HTTP/1.1 200")


def gone(line: socket.socket) -> bool:
    """Wait until a connection is cut off."""
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True


parsers = pytest.mark.parametrize("parser", [HttpToolsProtocol, H11Protocol])


@parsers
def test_half_requests_lock_nobody_out(parser: type[asyncio.Protocol]) -> None:
    connections = Connections(24)
    with serving(site_of(parser, connections)) as site, ExitStack() as lines, Phone(site, "one") as follower:
        assert follower.event() == b"data: 1\n\n"
        half = [lines.enter_context(line(site, sent)) for sent in [HALF_HEAD, HALF_BODY] * 40]
        assert site.ask("POST", "/echo", b"abc")[1] == b"3"
        assert all(gone(one) for one in half[: -connections.most_unfinished - 1])
        site.live.publish("one", Told(b"data: 2\n\n"))
        assert follower.event() == b"data: 2\n\n"


@parsers
def test_a_half_request_is_cut_off_and_who_goes_on_asking_is_not(parser: type[asyncio.Protocol]) -> None:
    clock = Clock()
    with (
        serving(site_of(parser, Connections(100, clock))) as site,
        line(site, b"") as silent,
        line(site, b"") as asking,
        line(site, b"") as half,
        line(site, HALF_BODY) as body,
        Phone(site, "one") as follower,
    ):
        assert follower.event() == b"data: 1\n\n"
        ask(asking)
        ask(half)
        half.sendall(HALF_HEAD)
        while unfinished(site.server.connections) < 3:
            threading.Event().wait(0.01)
        clock.now += TIMEOUT
        assert [gone(one) for one in (silent, body, half)] == [True] * 3
        ask(asking)


@parsers
def test_a_head_without_end_is_not_taken_in(parser: type[asyncio.Protocol]) -> None:
    with serving(site_of(parser, Connections(100))) as site, line(site, HALF_HEAD) as endless:
        with suppress(ConnectionError):
            for _ in range(100):
                endless.sendall(b"X-More: " + b"x" * LARGEST_HEAD + b"\r\n")
            raise AssertionError("it was all taken in")
        assert site.ask("POST", "/echo", b"abc")[1] == b"3"


@pytest.mark.parametrize("end", [b"", b"\r\n"])
def test_a_head_of_many_fields_is_no_request(end: bytes) -> None:
    with serving(site_of(HttpToolsProtocol, Connections(100))) as site:
        # Each of them takes far more memory than the bytes that it is written with.
        with line(site, b"GET /waited HTTP/1.1\r\nHost: here\r\n" + b"a:\r\n" * (MOST_FIELDS + 1) + end) as many:
            assert many.recv(65536).startswith(b"HTTP/1.1 400")
            assert gone(many)
        with line(site, b"") as few:
            for _ in range(2):
                ask(few, WHOLE[:-2] + b"a:\r\n" * (MOST_FIELDS - 1) + b"\r\n")


def test_a_failed_accept_is_no_traceback(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "es")
    with serving(site_of(HttpToolsProtocol, Connections(100))) as site:
        loop = site.server.servers[0].get_loop()
        for _ in range(1000):
            loop.call_soon_threadsafe(loop.call_exception_handler, {"exception": OSError(errno.EMFILE, "no more")})
        assert site.ask("POST", "/echo", b"abc")[1] == b"3"
    assert capfd.readouterr().err == "Demasiadas conexiones a la vez (100 como mucho). Rechazadas: 1.\n"


def test_few_are_accepted_in_one_turn() -> None:
    with serving(site_of(HttpToolsProtocol, Connections(100))) as site:
        assert site.server.config.backlog == ACCEPTED_AT_ONCE
    assert module.SPARE_FILES > 4 * ACCEPTED_AT_ONCE
