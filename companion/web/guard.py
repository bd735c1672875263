"""What guards every request: same origin, trusted hosts, a strict policy, and guesses that are counted."""

from __future__ import annotations

from collections import OrderedDict
from io import BytesIO
from ipaddress import ip_address
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from flask import Request, abort, request

from companion.kit.text import say
from companion.table.problem import Problem
from companion.table.taking_in import LARGEST

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Flask
    from werkzeug.wrappers import Response

LARGEST_BODY = 1024 * 1024
"""Bytes: far more than any form or action needs."""
IMPORT = "/import"
"""Where the only thing larger than that is sent: an exported table."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "object-src 'none'"
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
}
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


def install(app: Flask, hosts: tuple[str, ...], guesses: Guesses, seated: Callable[[], bool]) -> None:
    """Guard every request of an app; ``hosts`` are names that it may be reached by beside addresses.

    ``guesses`` counts whoever asks for a table, a seat or a private link that is none, at whatever address. ``seated``
    tells whether a request comes from a seat of the table that it names: nothing is guessed there.
    """
    app.request_class = InMemory
    app.config["MAX_FORM_PARTS"] = 2000

    @app.before_request
    def check() -> None:
        request.max_content_length = largest(request.path)
        if not _trusted(request.host, hosts):
            abort(400)
        origin = request.headers.get("Origin")
        if request.method not in SAFE and origin is not None and origin.partition("://")[2] != request.host:
            raise Problem(403, say("This was sent from another site, so nothing was done."))
        if _names_a_table() and guesses.spent(request.remote_addr or "") and not seated():
            raise Problem(429, say("Too many wrong guesses. Wait a minute and try again."))

    @app.after_request
    def protect(answer: Response) -> Response:
        if answer.status_code == 404 and _names_a_table() and not seated():
            guesses.wrong(request.remote_addr or "")
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        return answer


def largest(path: str) -> int:
    """Return how many bytes a request to an address may bring."""
    return LARGEST if path == IMPORT else LARGEST_BODY


class InMemory(Request):
    """Be a request whose files stay in memory: it is there already, and a full disk refuses nothing."""

    def _get_file_stream(self, *_: object, **__: object) -> BytesIO:
        return BytesIO()


def _names_a_table() -> bool:
    return "table" in (request.view_args or {}) or "code" in request.args


def _trusted(host: str, hosts: tuple[str, ...]) -> bool:
    """Tell whether a Host header is an address, this machine's own name, or a name on the local network.

    A foreign name that points here (DNS rebinding) is none of them.
    """
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    name = name.strip("[]").lower().rstrip(".")
    if name in hosts or name == "localhost" or name.endswith((".local", ".localhost", ".lan", ".home.arpa")):
        return True
    try:
        ip_address(name)
    except ValueError:
        return name != "" and "." not in name
    return True


class Guesses:
    """Count wrong guesses by who makes them: after ``most`` within ``seconds`` they are spent until they are old."""

    def __init__(self, most: int = 20, seconds: float = 60.0, clock: Callable[[], float] = monotonic) -> None:
        self.most = most
        self.seconds = seconds
        self.clock = clock
        self._lock = Lock()
        self._wrong: OrderedDict[str, list[float]] = OrderedDict()

    def spent(self, who: str) -> bool:
        """Tell whether somebody guessed wrong too often."""
        with self._lock:
            return len(self._recent(who)) >= self.most

    def wrong(self, who: str) -> None:
        """Count a wrong guess."""
        with self._lock:
            self._wrong[who] = [*self._recent(who), self.clock()][-self.most :]
            self._wrong.move_to_end(who)
            while len(self._wrong) > 10_000:
                self._wrong.popitem(last=False)

    def _recent(self, who: str) -> list[float]:
        since = self.clock() - self.seconds
        return [at for at in self._wrong.get(who, ()) if at > since]
