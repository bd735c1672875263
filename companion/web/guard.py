"""What guards every request: same origin, trusted hosts, a strict policy, and guesses that are counted."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from contextlib import ExitStack
from ipaddress import IPv6Address, ip_address, ip_network
from tempfile import SpooledTemporaryFile
from threading import Lock
from time import monotonic
from typing import IO, Any, cast
from urllib.parse import urlsplit
from wsgiref.types import WSGIEnvironment

from flask import Flask, Request, abort, current_app, request
from werkzeug.wrappers import Response

from companion.kit.text import say
from companion.table.import_table import LARGEST
from companion.table.problem import Problem, no_room

LARGEST_BODY = 1024 * 1024
"""Bytes: far more than any form or action needs."""
IMPORT = "/import"
"""Where an exported table is sent."""
PARTS = 10
"""Parts of the form that brings it: it has two."""
ACT = re.compile(r"/t/[^/]+/[^/]+/act")
"""Where a picture comes with a form, and with it perhaps one that no phone has made small."""
LARGEST_PHOTO = 16 * 1024 * 1024
"""Bytes of that: what a phone's camera takes, so that it can be said in words, and the form stays as it was filled."""
KEPT = re.compile(r"/t/[^/]+/[^/]+/another/bundle\.json")
"""Where all that a phone keeps comes in one field of a form."""
LARGEST_KEPT = 8 * 1024 * 1024
"""Bytes of that: browsers keep five million letters for a site."""
FOLDER = "COMPANION_FOLDER"
"""The setting of an app that names the folder in which large files wait."""
UNREAD = "companion.unread"
"""What the server says of a request in its environment: why the body was not read, empty where it was."""

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
FIELDS = 2000
"""Fields of a form: far more than any has."""
SAME_ORIGIN = frozenset({"same-origin", "none"})
"""What browsers say of the sender (Sec-Fetch-Site) where it is one of our pages, or the reader."""


def install(app: Flask, hosts: tuple[str, ...], guesses: Guesses, seated: Callable[[], bool], public: str = "") -> None:
    """Guard every request of an app; ``hosts`` are names that it may be reached by beside addresses.

    Where it is asked by its ``public`` address, forms must come from there, whatever a proxy says or does not say.

    ``guesses`` counts whoever asks for a table, a seat or a private link that is none, at whatever address. ``seated``
    tells whether a request shows a token of the table that it names: nothing is guessed there. Whoever shows none waits
    at the page of a table that is there too, or each code could be tried on it without end.
    """
    app.request_class = Upload
    app.config["MAX_FORM_PARTS"] = FIELDS
    named = frozenset(host.lower().rstrip(".") for host in hosts)

    @app.before_request
    def check() -> None:
        _set_limits()
        if not _trusted(request.host, named):
            raise Problem(400, say("Companion does not go by this name. Open it at the address that the laptop shows."))
        if request.method not in SAFE and not _same_origin(public):
            raise Problem(403, say("This was sent from another site, so nothing was done."))
        match request.environ.get(UNREAD):
            case "busy":
                raise Problem(429, say("Too much is being sent at once. Try again in a moment."), passing=True)
            case "full":
                raise no_room()
        if _too_many_fields():
            abort(413)
        if _names_a_table() and guesses.spent(asker()) and not seated():
            raise Problem(429, say("Too many wrong guesses. Wait a minute and try again."))

    @app.after_request
    def protect(answer: Response) -> Response:
        if answer.status_code == 404 and _names_a_table() and not seated():
            guesses.wrong(asker())
        for name, value in HEADERS.items():
            answer.headers.setdefault(name, value)
        if request.is_secure and (cookies := answer.headers.getlist("Set-Cookie")):
            # What was given by https is never shown to whoever listens to http.
            answer.headers.setlist("Set-Cookie", [f"{cookie}; Secure" for cookie in cookies])
        return answer


def _set_limits() -> None:
    """Say how much of this request is read: more than a form or an action needs only where a file comes."""
    files = request.mimetype == "multipart/form-data"
    request.max_content_length = largest(request.path) if files else LARGEST_BODY
    if files and request.path == IMPORT:
        request.max_form_parts = PARTS
    if files and KEPT.fullmatch(request.path):
        request.max_form_memory_size = LARGEST_KEPT


def largest(path: str) -> int:
    """Return how many bytes a request to an address may bring."""
    if path == IMPORT:
        return LARGEST
    if KEPT.fullmatch(path):
        return LARGEST_KEPT
    return LARGEST_PHOTO if ACT.fullmatch(path) else LARGEST_BODY


class Upload(Request):
    """A request whose small files stay in memory: a full disk refuses none of those.

    A Host that can be no name counts as none, as one with impossible letters does: routes can not be bound to it. A
    query with too many fields is left out, and ``overlong`` tells of it: also the page that refuses it reads the query.
    """

    def __init__(self, environ: WSGIEnvironment, *rest: Any, **options: Any) -> None:
        if not _valid_host(environ.get("HTTP_HOST", "")):
            environ["HTTP_HOST"] = ""
        self.overlong = environ.get("QUERY_STRING", "").count("&") >= FIELDS
        if self.overlong:
            environ["QUERY_STRING"] = ""
        self._opened = ExitStack()
        super().__init__(environ, *rest, **options)

    def _get_file_stream(self, *_: object, **__: object) -> IO[bytes]:
        folder = current_app.config[FOLDER]
        return cast("IO[bytes]", self._opened.enter_context(SpooledTemporaryFile(max_size=LARGEST_BODY, dir=folder)))

    def close(self) -> None:
        """Close every file that was opened: one of a form that was never read to its end is in no list of the form."""
        super().close()
        self._opened.close()


def _same_origin(public: str) -> bool:
    """Tell whether a form or an action was sent by a page of ours, or by no page at all (a script, the reader)."""
    origin = request.headers.get("Origin")
    ours = public if request.host.lower() == urlsplit(public).netloc else f"{request.scheme}://{request.host}"
    if origin is not None and origin.lower() != ours.lower():
        return False
    return request.headers.get("Sec-Fetch-Site", "none") in SAME_ORIGIN


def _too_many_fields() -> bool:
    """Tell whether more was typed than any form has, before it is taken apart: that takes long."""
    form = request.mimetype == "application/x-www-form-urlencoded"
    return cast("Upload", request).overlong or (form and request.get_data().count(b"&") >= FIELDS)


def _valid_host(host: str) -> bool:
    """Tell whether a Host header has only parts that a name may have: not too long, not empty, spelt as names are."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    try:
        name[:254].encode("idna").decode("idna")
    except UnicodeError:
        return False
    return len(name) <= 253


def _names_a_table() -> bool:
    return "table" in (request.view_args or {}) or "code" in request.args


def _trusted(host: str, hosts: frozenset[str]) -> bool:
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


def asker() -> str:
    """Return who asks: an address, or of IPv6 the network of a household, which has addresses without end."""
    named = request.remote_addr or ""
    try:
        address = ip_address(named)
    except ValueError:
        return named
    return str(ip_network((address, 64), strict=False)) if isinstance(address, IPv6Address) else named


class Guesses:
    """Wrong guesses by who makes them: after ``most`` within ``seconds`` they are spent until they are old."""

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
            self._count(who)

    def begin(self, who: str) -> bool:
        """Count a guess before it is tried, so that none is left over for others that come in the same moment.

        Return whether it may be tried: they are not spent yet. ``forgive`` takes one back that was not wrong.
        """
        with self._lock:
            if len(self._recent(who)) >= self.most:
                return False
            self._count(who)
            return True

    def forgive(self, who: str) -> None:
        """Take back that somebody's newest guess was counted."""
        with self._lock:
            self._wrong[who] = self._recent(who)[:-1]

    def _count(self, who: str) -> None:
        self._wrong[who] = [*self._recent(who), self.clock()][-self.most :]
        self._wrong.move_to_end(who)
        while len(self._wrong) > 10_000:
            self._wrong.popitem(last=False)

    def _recent(self, who: str) -> list[float]:
        since = self.clock() - self.seconds
        return [at for at in self._wrong.get(who, ()) if at > since]


class Rate(Guesses):
    """Requests by who makes them: what may be done only now and then, whether it comes to anything or not."""

    def count(self) -> None:
        """Count one request; raise Problem (429) for more than may be."""
        if not self.begin(asker()):
            raise Problem(429, say("That is a lot in one minute. Wait a little and try again."), passing=True)
