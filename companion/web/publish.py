"""What a seat sees is rendered once for a version of its table, and told to all phones that see the same."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable
from threading import Condition, Lock, Thread, Timer
from typing import Any, Generic, NamedTuple, TypeVar, cast

import msgspec
from flask import Flask, current_app, render_template
from markupsafe import Markup

from companion.kit.game import SCREEN
from companion.table.problem import Problem
from companion.table.view_models import Seen
from companion.web import seat_cookies
from companion.web.language import Language, language, speaker, speaking
from companion.web.live import Live
from companion.web.page_variables import of_page
from companion.web.play.layout import Layout, lay_out
from companion.web.play.screen import screen_view
from companion.web.play.turn import spoken
from companion.web.problems import Wrong
from companion.web.state import app_state

FRAGMENTS = "companion-fragments"
MOST_PARTS = 4096
"""Parts in memory, a few kilobytes each: all that a dozen busy tables show in two languages."""
MOST_FRAGMENTS = 512
"""Fragments in memory: a table of four phones in two languages has eight."""
MOST_BYTES = 16 * 1024 * 1024
"""Bytes of either in memory: a fragment of a large map has more than a hundred kilobytes, its parts fifty and more."""
MOST_LAYOUTS = 64
"""What seats see, in memory, two hundred kilobytes each: it is rendered once more at most, in the other language."""

RETRY_AFTER = 1.0
"""Seconds until a table is told again whose change could not be told."""

GONE = b"event: gone\ndata: gone\n\n"
"""Tells a phone that its seat is not its own any more, or its table is no more: load the page again."""

K = TypeVar("K")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """What was used last, up to ``most`` things and ``room`` bytes of them; for any number of threads."""

    def __init__(self, most: int, room: int = 0) -> None:
        self.most = most
        self.room = room
        self.size = 0
        self._things: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._things)

    def get(self, key: K) -> V | None:
        """Return a thing, None when it is not there (any more)."""
        with self._lock:
            if key not in self._things:
                return None
            self._things.move_to_end(key)
            return self._things[key][0]

    def put(self, key: K, thing: V, size: int = 0) -> None:
        """Keep a thing of so many bytes, and forget what was used longest ago."""
        with self._lock:
            self.size += size - self._things.pop(key, (thing, 0))[1]
            self._things[key] = thing, size
            while len(self._things) > self.most or self.size > self.room:
                self.size -= self._things.popitem(last=False)[1][1]


class Parts(LruCache[bytes, Markup]):
    """Rendered parts of pages by everything that they show: their kind, data, language and the game's words."""

    def cached(self, kind: str, *shown: Any, caller: Callable[[], Markup]) -> Markup:
        """Render what a ``{% call %}`` holds, unless it was already: ``shown`` is all that its words depend on."""
        game = of_page("game")
        key = msgspec.msgpack.encode((kind, language(), game.slug if game else "", shown))
        part = self.get(key)
        if part is None:
            part = caller()
            self.put(key, part, sys.getsizeof(key) + sys.getsizeof(part))
        return part


class Fragment(NamedTuple):
    """What a seat sees as HTML, at one version of its table; ``awaited`` when the table waits for that seat.

    ``headline`` says whose turn it is. ``left`` are the seconds that the table still waits for an answer, None where
    it waits for good.
    """

    version: int
    html: str
    awaited: bool
    headline: str
    left: float | None = None


class Channel(NamedTuple):
    """The name of a live stream: its kind, table, seat, language, and the digest of the token it was opened with."""

    kind: str
    table: str
    seat: str
    language: str
    token_digest: str

    def __str__(self) -> str:
        return "/".join(self)


class Fragments:
    """What seats see, rendered once for each version, seat and language."""

    def __init__(self) -> None:
        self._rendering = Lock()
        self.rendered: LruCache[tuple[str, str, str], Fragment] = LruCache(MOST_FRAGMENTS, MOST_BYTES)
        self.layouts: LruCache[tuple[str, str], Layout] = LruCache(MOST_LAYOUTS)

    def get(self, table: str, seat: str, code: str, seen: Seen | None = None) -> Fragment:
        """Return what a seat sees now, in the language of a code; raise Problem when there is no such table or seat.

        ``seen`` is what it saw a moment ago, after what it did: then nothing has to be read.
        """
        key = (table, seat, code)
        version = app_state().tables.version(table) if seen is None else seen.version
        fragment = self.rendered.get(key)
        if fragment is not None and fragment.version >= version and fragment.left is None:
            return fragment
        # Whoever comes second finds what the first one has rendered.
        with self._rendering:
            fragment = self.rendered.get(key)
            # Where the seconds run, what was rendered before tells too many.
            if fragment is None or fragment.version < version or fragment.left is not None:
                if fragment is not None and fragment.version > version:
                    seen = None  # somebody has done something since
                layout = self._layout(table, seat, version, seen)
                with speaking(cast("Language", code)):
                    lines = render(layout).split("\n")
                    headline = spoken(layout.turn, speaker(layout.seen.game))
                html = "\n".join(stripped for line in lines if (stripped := line.strip()))
                fragment = Fragment(layout.seen.version, html, layout.awaited, headline, layout.seen.left)
                self.rendered.put(key, fragment, sys.getsizeof(html))
        return fragment

    def _layout(self, table: str, seat: str, version: int, seen: Seen | None) -> Layout:
        layout = self.layouts.get((table, seat))
        if seen is not None or layout is None or layout.seen.version < version or layout.seen.left is not None:
            layout = lay_out(seen or app_state().tables.seen(table, seat))
            self.layouts.put((table, seat), layout)
        return layout


def install(app: Flask) -> None:
    """Let what the seats of an app see, and the parts of its pages, be rendered once for all who see the same."""
    app.extensions[FRAGMENTS] = Fragments()
    app.jinja_env.globals["cached"] = Parts(MOST_PARTS, MOST_BYTES).cached


def fragments() -> Fragments:
    """Return what is rendered of the running app's tables."""
    return cast("Fragments", current_app.extensions[FRAGMENTS])


def render(layout: Layout, wrong: Wrong | None = None, refused: str = "") -> str:
    """Render what a seat sees; with something wrong, its sentence stands where the next tap would be.

    ``refused`` is the action that it is wrong with, as a query string.
    """
    game = app_state().games[layout.seen.game]
    shown: dict[str, Any] = {"shown": layout, "seen": layout.seen, "game": game, "problem": wrong, "refused": refused}
    if layout.seen.seat == SCREEN:
        return render_template("play/_screen.html", view=screen_view(layout), **shown)
    return render_template("play/_table.html", **shown)


def event(fragment: Fragment) -> bytes:
    """Write a fragment as a server-sent event that carries the full state."""
    lines = "\ndata: ".join(fragment.html.split("\n"))
    return f"id: {fragment.version}\ndata: {lines}\n\n".encode()


class Publisher:
    """One thread that tells all live phones of a table what changed: each channel rendered once, the newest state only.

    ``renderers`` maps a kind of channel to what makes its event; it may raise Problem, which ends the stream, unless it
    is a passing one: then the table is told again after ``retry_after`` seconds.
    """

    def __init__(self, app: Flask, live: Live) -> None:
        self.app = app
        self.live = live
        self.retry_after = RETRY_AFTER
        self.renderers: dict[str, Callable[[Channel], bytes]] = {
            "play": lambda channel: event(fragments().get(channel.table, channel.seat, channel.language))
        }
        self._waiting: dict[str, None] = {}
        self._wake = Condition()
        self._thread: Thread | None = None

    def changed(self, table: str) -> None:
        """Remember that a table changed; changes that come faster than they are told are told together."""
        with self._wake:
            self._waiting[table] = None
            if self._thread is None:
                self._thread = Thread(target=self._tell, name="publisher", daemon=True)
                self._thread.start()
            self._wake.notify()

    def _tell(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting)
                table = next(iter(self._waiting))
                del self._waiting[table]
            if not self.tell(table):
                again = Timer(self.retry_after, self.changed, (table,))
                again.daemon = True
                again.start()

    def tell(self, table: str) -> bool:
        """Tell every live phone of a table what it sees now; False where that has to be done again."""
        whole = True
        for name in self.live.channels():
            channel = Channel(*name.split("/"))
            if channel.table == table:
                try:
                    with self.app.test_request_context():
                        event = self._event(channel)
                except Problem:
                    whole = False
                    continue
                if event is not None:
                    self.live.publish(name, event)
        return whole

    def _event(self, channel: Channel) -> bytes | None:
        """Render what a channel is told; None where that can not be, and the phones keep what they see.

        Raises Problem where it can not be now (a busy disk).
        """
        table, seat, tables = channel.table, channel.seat, app_state().tables
        try:
            with tables.moment():
                if seat == SCREEN or seat_cookies.digest(tables.private_link(table, seat)) == channel.token_digest:
                    return self.renderers[channel.kind](channel)
        except Problem as wrong:
            if wrong.passing:
                raise
        except Exception:
            if tables.damage(table) is None:
                self.app.logger.exception("what %s sees could not be told", channel)
                return None
        return GONE  # the page that the phone loads says what is wrong
