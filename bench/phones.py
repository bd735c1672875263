"""Change to every phone: from a POST until the last live phone has read the whole event."""

from __future__ import annotations

import asyncio
import json
import re
import time
import zlib
from http.client import HTTPConnection
from statistics import median
from typing import TYPE_CHECKING

from bench.figures import Figure, percentile
from bench.player import Player
from companion.web.live import GZIP_HEADER

if TYPE_CHECKING:
    from bench.app_server import AppServer

SIZES = {32: (200, 8.0), 200: (100, 20.0), 1000: (60, 70.0)}
"""How many phones: how many changes, and the aim in milliseconds for the last phone's p99."""

END = b"\0\0\xff\xff\r\n"
"""Where an event ends on the wire: packed as browsers get it, it ends with a full flush, and a chunk ends with it."""

PAUSE = 0.1
"""Seconds between two changes."""


class Phone(asyncio.Protocol):
    """Follow a table's play page as browsers do, packed; count an event when its end has come."""

    def __init__(self, crowd: Crowd, request: bytes) -> None:
        self.crowd = crowd
        self.request = request
        self.told = b""
        self.ready = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        self.told += data
        if self.told.endswith(END):
            self.crowd.hears(self, self.told)
            self.told = b""


def unpack(told: bytes) -> bytes:
    """Unpack chunks of a live stream, with or without the head of its response."""
    body = told.partition(b"\r\n\r\n")[2] if told.startswith(b"HTTP/") else told
    packed = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        packed += rest[: int(size, 16)]
        body = rest[int(size, 16) + 2 :]
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed.removeprefix(GZIP_HEADER))


class Crowd:
    """Many phones at one table, and who has not heard of the newest change."""

    def __init__(self) -> None:
        self.phones: list[Phone] = []
        self.events: list[tuple[int, int]] = []
        self.unpacked: dict[bytes, bytes] = {}
        self.version = 0
        self.missing = 0
        self.complete = asyncio.Event()

    def hears(self, phone: Phone, told: bytes) -> None:
        """Read what one phone was told; what others were told as well is unpacked already."""
        if told not in self.unpacked:
            self.unpacked[told] = unpack(told)
        event = self.unpacked[told]
        marker = event.rfind(b"id: ")
        if marker < 0:
            return
        self.events.append((len(event), len(told)))
        version = int(event[marker + 4 : event.index(b"\n", marker)])
        if version >= self.version and not phone.ready:
            phone.ready = True
            self.missing -= 1
            if self.missing == 0:
                self.complete.set()

    def expect(self, version: int) -> None:
        self.version = version
        self.missing = len(self.phones)
        self.complete.clear()
        self.unpacked.clear()
        for phone in self.phones:
            phone.ready = False


def cookie(server: AppServer, table: str, seat: str, token: str) -> str:
    """Open a seat's private link and return the cookie that it brings."""
    line = HTTPConnection("127.0.0.1", server.port, timeout=30)
    line.request("GET", f"/s/{table}/{seat}/{token}")
    answer = line.getresponse()
    answer.read()
    line.close()
    return (answer.getheader("Set-Cookie") or "").split(";")[0]


async def follow(server: AppServer, player: Player, crowd: Crowd, count: int, *, alike: bool) -> None:
    """Connect phones: all see the same, or one sits on each seat and the others are screens in two languages."""
    loop = asyncio.get_running_loop()
    places = [(seat, cookie(server, player.table, seat, token)) for seat, token in player.tokens.items()]
    places = [] if alike else places
    crowd.expect(0)
    crowd.missing = count
    for number in range(count):
        seat, held = places[number] if number < len(places) else ("screen", "")
        request = (
            f"GET /t/{player.table}/{seat}/live HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {held}\r\n"
            f"Accept-Language: {'es' if number % 2 or alike else 'en'}\r\nAccept: text/event-stream\r\n"
            "Accept-Encoding: gzip\r\n\r\n"
        ).encode()
        _, phone = await loop.create_connection(lambda r=request: Phone(crowd, r), "127.0.0.1", server.port)
        crowd.phones.append(phone)
    await asyncio.wait_for(crowd.complete.wait(), 60)


async def changes(server: AppServer, player: Player, crowd: Crowd, rounds: int) -> list[float]:
    """Change the table again and again; return how long the last phone waited each time, in seconds."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    waited = []
    version = crowd.version
    for _ in range(rounds + 5):
        table = player.table
        token, path, body = await asyncio.to_thread(player.next)
        if player.table != table:
            break
        sent = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n\r\n"
        ).encode()
        version = player.ask("GET", f"/api/tables/{table}", token=token)["version"]
        await asyncio.sleep(PAUSE)
        crowd.expect(version + 1)
        began = time.perf_counter()
        writer.write(head + sent)
        await asyncio.wait_for(crowd.complete.wait(), 30)
        waited.append(time.perf_counter() - began)
        answered = await reader.readuntil(b"\r\n\r\n")
        assert b" 200 " in answered.split(b"\r\n")[0], answered
        found = re.search(rb"content-length: (\d+)", answered)
        assert found
        await reader.readexactly(int(found[1]))
    writer.close()
    return waited[5:]


async def crowded(server: AppServer, count: int, rounds: int, aim: float, *, alike: bool) -> list[Figure]:
    waited: list[float] = []
    events: list[tuple[int, int]] = []
    memory = None
    seed = 0
    while len(waited) < rounds:
        player, crowd = Player(server.port, seed), Crowd()
        await follow(server, player, crowd, count, alike=alike)
        whole = crowd.events[-1]
        crowd.events.clear()
        waited += await changes(server, player, crowd, rounds - len(waited))
        events += crowd.events
        memory = server.memory()
        for phone in crowd.phones:
            phone.transport.close()
        player.line.close()
        seed += 1
    middle, slow = (percentile(waited, part) * 1e3 for part in (50, 99))
    who = "phones that see the same" if alike else "phones, all seats, two languages"
    figures = [Figure(f"the last of {count} {who} (p50 / p99)", f"{middle:.1f} / {slow:.1f} ms", f"p99 {aim:.0f} ms")]
    if count == min(SIZES) and not alike:
        middle, packed = (median(sizes) / 1e3 for sizes in zip(*events, strict=True))
        figures.append(Figure("an event (p50, as it is / packed)", f"{middle:.1f} / {packed:.1f} kB", "5 / 1.5 kB"))
        plain, small = (size / 1e3 for size in whole)
        figures.append(Figure("the whole of a page (as it is / packed)", f"{plain:.1f} / {small:.1f} kB"))
    if count == max(SIZES) and alike and memory is not None:
        figures.append(Figure(f"memory of the server with {count} phones", f"{memory:.0f} MB"))
    return figures


def measure(server: AppServer) -> list[Figure]:
    """Measure crowds of all sizes."""
    figures = []
    before = server.memory()
    if before is not None:
        figures.append(Figure("memory of the server without phones", f"{before:.0f} MB"))
    for count, (rounds, aim) in SIZES.items():
        for alike in (True, False):
            figures += asyncio.run(crowded(server, count, rounds, aim, alike=alike))
    return figures
