"""What a seat sees is rendered once for a version of its table, and told to all phones that see the same."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import Condition, Lock, Thread, Timer
from typing import NamedTuple, cast

from flask import Flask, current_app, render_template

from companion.kit.game import SCREEN
from companion.table.problem import Problem
from companion.table.seat_view import Seen
from companion.web import seat_cookies
from companion.web.fragment_cache import LruCache
from companion.web.language import Language, speaking
from companion.web.live import Live
from companion.web.play.layout import Shown, show
from companion.web.state import app_state

FRAGMENTS = "companion-fragments"
KEPT = 512
"""Fragments in memory: a table of four phones in two languages has eight."""
ROOM = 16 * 1024 * 1024
"""Bytes of fragments in memory: one of a large map has more than a hundred kilobytes."""
SHOWN = 64
"""What seats see, in memory, two hundred kilobytes each: it is rendered once more at most, in the other language."""

MOMENT = 1.0
"""Seconds until a table is told again whose change could not be told."""

GONE = b"event: gone\ndata: gone\n\n"
"""Tells a phone that its seat is not its own any more, or its table is no more: load the page again."""


class Fragment(NamedTuple):
    """Hold what a seat sees as HTML, at one version of its table; ``mine`` when the table waits for that seat.

    ``left`` are the seconds that the table still waits for an answer, None where it waits for good.
    """

    version: int
    html: str
    mine: bool
    left: float | None = None


class Channel(NamedTuple):
    """Name a live stream: one kind of it, table, seat, language, and the token it was opened with (digested)."""

    kind: str
    table: str
    seat: str
    tongue: str
    mark: str

    def __str__(self) -> str:
        return "/".join(self)


class Fragments:
    """Render what seats see, once for each version, seat and language."""

    def __init__(self) -> None:
        self._rendering = Lock()
        self.kept: LruCache[tuple[str, str, str], Fragment] = LruCache()
        self.shown: LruCache[tuple[str, str], Shown] = LruCache()

    def of(self, table: str, seat: str, tongue: str, seen: Seen | None = None) -> Fragment:
        """Return what a seat sees now; raise Problem when there is no such table or seat.

        ``seen`` is what it saw a moment ago, after what it did: then nothing has to be read.
        """
        place = (table, seat, tongue)
        version = app_state().tables.version(table) if seen is None else seen.version
        kept = self.kept.get(place)
        if kept is not None and kept.version >= version and kept.left is None:
            return kept
        # Whoever comes second finds what the first one has rendered.
        with self._rendering:
            kept = self.kept.get(place)
            # Where the seconds run, what was rendered before tells too many.
            if kept is None or kept.version < version or kept.left is not None:
                if kept is not None and kept.version > version:
                    seen = None  # somebody has done something since
                kept = self._rendered(self._shown(table, seat, version, seen), tongue)
                self.kept.put(place, kept, sys.getsizeof(kept.html), most=KEPT, room=ROOM)
        return kept

    def _shown(self, table: str, seat: str, version: int, seen: Seen | None) -> Shown:
        shown = self.shown.get((table, seat))
        if seen is not None or shown is None or shown.seen.version < version or shown.seen.left is not None:
            shown = show(seen or app_state().tables.seen(table, seat))
            self.shown.put((table, seat), shown, 0, most=SHOWN, room=0)
        return shown

    @staticmethod
    def _rendered(shown: Shown, tongue: str) -> Fragment:
        with speaking(cast("Language", tongue)):
            html = render_template(
                "play/_table.html",
                shown=shown,
                seen=shown.seen,
                game=app_state().games[shown.seen.game],
                problem=None,
                refused="",
            )
        lines = "\n".join(line for gap in html.split("\n") if (line := gap.strip()))
        return Fragment(shown.seen.version, lines, shown.mine, shown.seen.left)


def fragments() -> Fragments:
    """Return what is rendered of the running app's tables."""
    return cast("Fragments", current_app.extensions[FRAGMENTS])


def event(fragment: Fragment) -> bytes:
    """Write a fragment as a server-sent event that carries the full state."""
    lines = "\ndata: ".join(fragment.html.split("\n"))
    return f"id: {fragment.version}\ndata: {lines}\n\n".encode()


class Publisher:
    """Tell all live phones of a table what changed: one thread, each channel rendered once, the newest state only.

    ``renderers`` maps a kind of channel to what makes its event; it may raise Problem, which ends the stream, unless it
    is a passing one: then the table is told again after ``moment`` seconds.
    """

    def __init__(self, app: Flask, live: Live, moment: float = MOMENT) -> None:
        self.app = app
        self.live = live
        self.moment = moment
        self.renderers: dict[str, Callable[[Channel], bytes]] = {}
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
                while not self._waiting:
                    self._wake.wait()
                table = next(iter(self._waiting))
                del self._waiting[table]
            if not self.tell(table):
                again = Timer(self.moment, self.changed, (table,))
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
        try:
            with app_state().tables.moment():
                if channel.seat != SCREEN:
                    token = app_state().tables.private_link(channel.table, channel.seat)
                    if seat_cookies.digest(token) != channel.mark:
                        return GONE
                return self.renderers[channel.kind](channel)
        except Problem as wrong:
            if wrong.passing:
                raise
            return GONE
        except Exception:
            if app_state().tables.damage(channel.table) is not None:
                return GONE  # the page that the phone loads says what is wrong
            self.app.logger.exception("what %s sees could not be told", channel)
            return None
