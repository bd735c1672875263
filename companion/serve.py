"""The server's side of Companion: pages by Flask in a few threads, live streams on the event loop without any."""

from __future__ import annotations

import asyncio
import gc
import socket
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import uvicorn
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header
from werkzeug.test import run_wsgi_app

from companion.connections import (
    ACCEPTED_AT_ONCE,
    BACKLOG,
    MOST_FILES,
    OUT_OF_FILES,
    SPARE_FILES,
    TRANSPORT,
    Connections,
    raise_file_limit,
    tracked_protocol,
)
from companion.hosting import Hosting
from companion.proxies import Proxies
from companion.request_body import Body, Usage
from companion.table.store import time_in_line
from companion.web.guard import FOLDER, SAFE, UNREAD, largest
from companion.web.live import HEADER, Live, pack_first
from companion.web.presence import HELD, held_seats

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from pathlib import Path
    from wsgiref.types import WSGIApplication

    from flask import Flask

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

THREADS = 8
PATIENCE = 3
"""Seconds that requests get to finish when Companion stops."""
TURN = 0.0005
"""Seconds that a thread may compute while others wait: phones are told while the next view is still being made."""

SILENCE = 8.0
"""Seconds in which a phone that listens confirms what it was sent: one that does not has given its stream up itself."""
SILENCE_OPTION: int | None = getattr(socket, "TCP_USER_TIMEOUT", None)
"""How the system is told of that, None where Python has no name for it."""

PLAIN = b"packed=no"
"""Asks in the query of a stream that it is not packed."""

NO_PROXIES = Proxies()
ALONE = Hosting()

_CHANNEL = HEADER.lower().encode()
_HELD = HELD.lower().encode()


class Answer(NamedTuple):
    """Hold a finished WSGI response."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Site:
    """Be the ASGI application around a WSGI one; a response that names a live channel stays open.

    ``largest`` tells for a path how many bytes a request may bring: of a larger body nothing more is read, and the app
    is told its length to refuse it. One body that is too large for the memory waits in ``folder`` at a time; of another
    one nothing more is read either, and the app is told why (``UNREAD`` in the environment). What ``proxies`` say of
    where a request came from is believed.
    """

    def __init__(
        self,
        app: WSGIApplication,
        live: Live,
        *,
        threads: int = THREADS,
        largest: Callable[[str], int] = largest,
        folder: Path | None = None,
        proxies: Proxies = NO_PROXIES,
    ) -> None:
        self.app = app
        self.proxies = proxies
        self.live = live
        self.largest = largest
        self.usage = Usage(folder)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="page")
        # What may change a table stands in line here and not in a thread, so that others are left for the pages.
        self._writers = asyncio.Semaphore(max(1, threads // 2))

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Serve one request: the server asks for nothing else, neither websockets nor a lifespan."""
        with closing(Body(self.usage)) as body:
            if await self._read(body, scope, receive):
                await self._answer(scope, receive, send, body)

    async def _answer(self, scope: MutableMapping[str, Any], receive: Receive, send: Send, body: Body) -> None:
        looks = self.live.looks
        answer = await self._ask(scope, body)
        channel = _channel(answer)
        if channel is None or scope["method"] != "GET":
            await _reply(send, answer)
            return
        packed = _takes_gzip(scope)
        listener = self.live.listen(channel, packed=packed)
        try:
            if self.live.looks != looks:
                # Something changed and was told before we listened, so the first event may be out of date.
                answer = await self._ask(scope, body)
                if _channel(answer) != channel:
                    await _reply(send, answer)
                    return
            body.close()
            held, transport = held_seats(_header(answer, _HELD)), _transport(scope)
            _notice_silence(transport)
            await _send_first(send, answer, packed=packed)
            del answer  # a whole page, which every phone would keep for as long as it listens
            listener.begin(send, transport)
            with self.live.presence.following(channel, held, listener):
                while (await receive())["type"] != "http.disconnect":
                    pass
        finally:
            self.live.leave(channel, listener)
            listener.close()

    async def _ask(self, scope: MutableMapping[str, Any], body: Body) -> Answer:
        environ = _environ(scope, body)
        self.proxies.believe(environ)
        if scope["method"] in SAFE:
            return await self._run(environ, 0.0)
        came = time.monotonic()
        async with self._writers:
            return await self._run(environ, time.monotonic() - came)

    async def _run(self, environ: dict[str, Any], in_line: float) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._pool, _run, self.app, environ, in_line)

    async def _read(self, body: Body, scope: MutableMapping[str, Any], receive: Receive) -> bool:
        """Read a request's body as far as there is room for it; False when the phone has gone."""
        largest = self.largest(scope["path"])
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        if declared.isdigit() and not body.fits(int(declared), largest):
            return True
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return False
            part = message.get("body", b"")
            if not body.fits(body.size + len(part), largest):
                return True
            last = not message.get("more_body")
            await body.add(part, last=last)
            if body.unread or last:
                return True


def _environ(scope: MutableMapping[str, Any], body: Body) -> dict[str, Any]:
    host, port = scope.get("server") or ("localhost", 80)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode("utf-8", "surrogateescape").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "RAW_URI": scope.get("raw_path", b"").decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port or 80),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        # A socket for both kinds of addresses knows one of IPv4 as one of IPv6, and all of those as one household.
        "REMOTE_ADDR": (scope.get("client") or ("", 0))[0].removeprefix("::ffff:"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": body.stream(),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        UNREAD: body.unread,
    }
    for raw_name, raw_value in scope["headers"]:
        if b"_" in raw_name:
            continue  # it would pass for the header of the same name with dashes
        name, value = raw_name.decode("latin-1").upper().replace("-", "_"), raw_value.decode("latin-1")
        key = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
        comma = "; " if name == "COOKIE" else ","
        environ[key] = f"{environ[key]}{comma}{value}" if key in environ else value
    environ["CONTENT_LENGTH"] = str(body.size)
    environ.pop("HTTP_CONTENT_LENGTH", None)
    environ.pop("HTTP_TRANSFER_ENCODING", None)
    return environ


def _run(app: WSGIApplication, environ: dict[str, Any], in_line: float) -> Answer:
    """Let the app answer in this thread; ``in_line`` are the seconds that the request has waited for one."""
    time_in_line.set(in_line)
    parts, status, headers = run_wsgi_app(app, environ, buffered=True)
    encoded = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return Answer(int(status.split(" ", 1)[0]), encoded, b"".join(parts))


def _header(answer: Answer, wanted: bytes) -> str | None:
    return next((value.decode("latin-1") for name, value in answer.headers if name == wanted), None)


def _channel(answer: Answer) -> str | None:
    return _header(answer, _CHANNEL)


async def _reply(send: Send, answer: Answer) -> None:
    headers = [header for header in answer.headers if header[0] not in {_CHANNEL, _HELD}]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body})


def _takes_gzip(scope: MutableMapping[str, Any]) -> bool:
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept-encoding").decode("latin-1")
    # A phone asks for it as it is where nothing comes through packed.
    return parse_accept_header(accepted, Accept)["gzip"] > 0 and PLAIN not in scope["query_string"].split(b"&")


async def _send_first(send: Send, answer: Answer, *, packed: bool) -> None:
    headers = [header for header in answer.headers if header[0] not in {_CHANNEL, _HELD, b"content-length"}]
    headers.append((b"vary", b"Accept-Encoding"))
    body = answer.body
    if packed:
        headers.append((b"content-encoding", b"gzip"))
        body = pack_first(body)
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": True})


def _transport(scope: MutableMapping[str, Any]) -> asyncio.Transport | None:
    """Find the transport of a request that is answered in chunks, None where the server tells of none."""
    return scope.get("state", {}).get(TRANSPORT) if scope["http_version"] == "1.1" else None


def _notice_silence(transport: asyncio.Transport | None) -> None:
    """Let a connection end soon whose phone went out of reach: else the system tries for a quarter of an hour.

    Where it knows no such limit, that is how long such a phone seems to be there.
    """
    connected = transport.get_extra_info("socket") if transport is not None else None
    if connected is not None and SILENCE_OPTION is not None:
        with suppress(OSError):
            connected.setsockopt(socket.IPPROTO_TCP, SILENCE_OPTION, int(SILENCE * 1000))


class Server(uvicorn.Server):
    """Be uvicorn, which also tells when it has begun, and says a last word to the live phones before it stops.

    ``begun`` is called when it serves, and ``shown`` once when the first request was answered. ``connections`` keeps
    track of those that are open, and limits how many there may be. With the files of a ``certificate`` and its key it
    speaks https.
    """

    def __init__(
        self,
        site: Site,
        begun: Callable[[], object],
        connections: Connections | None = None,
        shown: Callable[[], object] = lambda: None,
        certificate: tuple[Path, Path] | None = None,
    ) -> None:
        self.connections = connections or Connections(MOST_FILES - SPARE_FILES)
        super().__init__(
            uvicorn.Config(
                site,
                http=tracked_protocol(self.connections),
                ws="none",
                lifespan="off",
                log_config=None,
                log_level="error",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                backlog=ACCEPTED_AT_ONCE,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=PATIENCE,
                ssl_certfile=certificate and certificate[0],
                ssl_keyfile=certificate and certificate[1],
            )
        )
        self.site = site
        self.begun = begun
        self.shown: Callable[[], object] | None = shown

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to serve."""
        asyncio.get_running_loop().set_exception_handler(self._wrong)
        await super().startup(sockets)
        # asyncio takes one number for both: how many it accepts in a turn, and how many may wait for that.
        for server_socket in sockets or ():
            server_socket.listen(BACKLOG)
        self.begun()

    def _wrong(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Make room for a connection that could not be accepted: asyncio tries again in a second."""
        wrong = context.get("exception")
        if isinstance(wrong, OSError) and wrong.errno in OUT_OF_FILES:
            self.connections.make_room()
        else:
            loop.default_exception_handler(context)

    async def on_tick(self, counter: int) -> bool:
        """Do what is done ten times a second; tell whether to stop."""
        if counter % 10 == 0:
            self.connections.close_overdue()
        shown = self.shown
        if shown is not None and self.server_state.total_requests:
            self.shown = None
            shown()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell the phones that the table is resting, and stop."""
        self.site.live.close_all()
        await super().shutdown(sockets)


def serve(
    app: Flask,
    live: Live,
    server_socket: socket.socket,
    begun: Callable[[], object],
    shown: Callable[[], object],
    hosting: Hosting = ALONE,
) -> None:
    """Serve an app on a listening socket until Ctrl-C or the end of the process.

    ``begun`` is called when it serves, ``shown`` when the first request was answered; ``hosting`` tells how it is
    reached from beyond its network.
    """
    sys.setswitchinterval(TURN)
    # What was made to begin stays for good: a collection need not go through it again while phones wait.
    gc.freeze()
    gc.enable()
    with suppress(KeyboardInterrupt):
        site = Site(app, live, folder=app.config[FOLDER], proxies=hosting.proxies)
        connections = Connections(raise_file_limit() - SPARE_FILES, proxies=hosting.proxies)
        Server(site, begun, connections, shown, hosting.certificate).run(sockets=[server_socket])
