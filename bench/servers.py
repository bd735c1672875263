"""Compare ways to serve: ``python -m bench.servers``. What is not installed is left out.

One durable insert behind Flask through each server, and the bare hub: one event of 16 kB to many phones.
"""

from __future__ import annotations

import asyncio
import importlib.util
import socket
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from flask import Flask, Response, request
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from bench.__main__ import many_sockets
from bench.app_server import Floor
from bench.figures import Figure, percentile, show, spread, timed
from companion.connections import tracked_protocol
from companion.network import listen
from companion.serve import Server, Site
from companion.web.live import HEADER, Live, Told

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 1000
EVENT = b"data: " + b"x" * 16_000
CHANGES = 60


def app_with_floor(folder: Path, live: Live) -> Flask:
    app = Flask(__name__)
    app.add_url_rule("/floor", "floor", Floor(folder / "floor.sqlite"), methods=["POST"])

    def follow() -> Response:
        return Response("data: 1\n\n", mimetype="text/event-stream", headers={HEADER: "one"})

    def change() -> str:
        live.publish("one", Told(EVENT + request.get_data() + b"\n\n"))
        return "told"

    app.add_url_rule("/live", "follow", follow)
    app.add_url_rule("/change", "change", change, methods=["POST"])
    return app


def by_site(folder: Path, server_socket: socket.socket, parser: type[asyncio.Protocol]) -> None:
    live = Live()
    site = Site(app_with_floor(folder, live), live)
    server = Server(site, lambda: None)
    server.config.http = tracked_protocol(server.connections, parser)
    server.run(sockets=[server_socket])


def by_a2wsgi(folder: Path, server_socket: socket.socket) -> None:
    from a2wsgi import WSGIMiddleware

    app: Any = WSGIMiddleware(app_with_floor(folder, Live()), workers=8)
    config = uvicorn.Config(app, http="h11", ws="none", lifespan="off", log_level="error", access_log=False)
    uvicorn.Server(config).run(sockets=[server_socket])


def by_gevent(folder: Path, server_socket: socket.socket) -> None:
    from gevent import socket as green
    from gevent.pywsgi import WSGIServer

    WSGIServer(green.socket(fileno=server_socket.detach()), app_with_floor(folder, Live()), log=None).serve_forever()


def by_cheroot(folder: Path, server_socket: socket.socket) -> None:
    from cheroot.wsgi import Server as Cheroot

    place = server_socket.getsockname()
    server_socket.close()
    Cheroot(place, app_with_floor(folder, Live()), numthreads=8).start()


WAYS: dict[str, tuple[str, Callable[[Path, socket.socket], None]]] = {
    "own adapter, h11": ("h11", partial(by_site, parser=H11Protocol)),
    "own adapter, httptools": ("httptools", partial(by_site, parser=HttpToolsProtocol)),
    "a2wsgi, h11": ("a2wsgi", by_a2wsgi),
    "gevent": ("gevent", by_gevent),
    "cheroot": ("cheroot", by_cheroot),
}


def inserts(port: int) -> list[float]:
    line = HTTPConnection("127.0.0.1", port, timeout=30)
    took: list[float] = []
    for number in range(ROUNDS):
        with timed(took):
            line.request("POST", "/floor", b'{"action": 1}')
            line.getresponse().read()
        if number == 50:
            took.clear()
    line.close()
    return took


class Listening(asyncio.Protocol):
    def __init__(self, heard: Callable[[], None]) -> None:
        self.heard = heard
        self.end = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(b"GET /live HTTP/1.1\r\nHost: here\r\n\r\n")

    def data_received(self, data: bytes) -> None:
        self.end = (self.end + data)[-4:]
        if self.end == b"\n\n\r\n":
            self.heard()


async def told(port: int, phones: int) -> list[float]:
    """Return how long the last of some phones waited for each of some changes, in seconds."""
    missing, complete = phones, asyncio.Event()

    def heard() -> None:
        nonlocal missing
        missing -= 1
        if missing == 0:
            complete.set()

    loop = asyncio.get_running_loop()
    made = [await loop.create_connection(lambda: Listening(heard), "127.0.0.1", port) for _ in range(phones)]
    await asyncio.wait_for(complete.wait(), 60)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    took = []
    for _ in range(CHANGES):
        await asyncio.sleep(0.1)
        missing = phones
        complete.clear()
        began = time.perf_counter()
        writer.write(b"POST /change HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\n\r\n!")
        await asyncio.wait_for(complete.wait(), 30)
        took.append(time.perf_counter() - began)
        await reader.readuntil(b"told")
    for transport, _ in made:
        transport.close()
    writer.close()
    return took[5:]


def measure(name: str) -> list[Figure]:
    with subprocess.Popen(
        [sys.executable, "-m", "bench.servers", name], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        port = int(process.stdout.readline())
        try:
            figures = [Figure("one durable insert (p50 / p99)", spread(inserts(port)))]
            if name.startswith("own"):
                for phones in (32, 200, 1000):
                    middle, slow = (percentile(asyncio.run(told(port, phones)), part) * 1e3 for part in (50, 99))
                    figures.append(Figure(f"the last of {phones} phones (p50 / p99)", f"{middle:.1f} / {slow:.1f} ms"))
        finally:
            process.terminate()
    return figures


def serve(name: str) -> None:
    server_socket = listen("127.0.0.1", 0)
    port = server_socket.getsockname()[1]
    threading.Timer(0.5, lambda: print(port, flush=True)).start()
    with tempfile.TemporaryDirectory() as folder:
        WAYS[name][1](Path(folder), server_socket)


if __name__ == "__main__":
    many_sockets()
    if len(sys.argv) > 1:
        serve(sys.argv[1])
    else:
        for way, (needs, _) in WAYS.items():
            if importlib.util.find_spec(needs):
                show(way, measure(way))
