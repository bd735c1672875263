"""What a seat sees is rendered once for a version of its table, and told to all phones that see the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from threading import Condition, Lock, Thread, Timer
from typing import Any, NamedTuple, cast

from flask import Flask, current_app, render_template

from companion.kit.game import SCREEN
from companion.table.problem import Problem
from companion.table.view_models import Seen
from companion.table.views import Look
from companion.web import seat_cookies
from companion.web.language import Language, speaker, speaking
from companion.web.live import Live, Told
from companion.web.lru_cache import LruCache
from companion.web.part_changes import compare, written
from companion.web.parts import BYTES_EACH, SIGNS, PageOf, Part, Parts, take_apart
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
MOST_BYTES = 32 * 1024 * 1024
"""Bytes of either in memory: a fragment of a large map has more than a hundred kilobytes, its parts fifty and more."""
MOST_LAYOUTS = 128
"""What seats see, in memory, two hundred kilobytes each: all of the largest table, looked up before they are told."""

SHARED = 8
"""So many fragments share a part that is kept: one of a seat in a language with those before it, and of other seats."""

RETRY_AFTER = 1.0
"""Seconds until a table is told again whose change could not be told."""

GONE = Told(b"event: gone\ndata: gone\n\n")
"""Tells a phone that its seat is not its own any more, or its table is no more: load the page again."""


class Fragment(NamedTuple):
    """What a seat sees as HTML, at one version of its table; ``awaited`` when the table waits for that seat.

    ``headline`` says whose turn it is. ``left`` are the seconds that the table still waits for an answer, None where
    it waits for good.
    """

    version: int
    table: str
    seat: str
    page: Part
    awaited: bool
    headline: str
    left: float | None = None

    @property
    def of(self) -> PageOf:
        """Whose page it is."""
        return PageOf(self.version, self.table, self.seat)

    @property
    def html(self) -> str:
        """What the seat sees, as HTML."""
        return self.page.html(self.of)

    @property
    def bytes(self) -> int:
        """What it takes in memory, about."""
        return BYTES_EACH * (self.page.own + (self.page.size - self.page.own) // SHARED)


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
        self._telling = Lock()
        self._told: LruCache[Channel, Fragment] = LruCache(MOST_FRAGMENTS, MOST_BYTES)
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
                    fragment = render(layout)
                self.rendered.put(key, fragment, fragment.bytes)
        return fragment

    def listened(self, channel: Channel, now: Fragment) -> None:
        """Remember what whoever begins to listen was shown, unless others listen, and were told something already."""
        with self._telling:
            if self._told.get(channel) is None:
                self._told.put(channel, now, now.bytes)

    def tell(self, channel: Channel, now: Fragment) -> Fragment | None:
        """Remember what is told on a channel, and return what was told before, None where nobody knows any more."""
        with self._telling:
            before = self._told.get(channel)
            if before is None or before.version <= now.version:
                self._told.put(channel, now, now.bytes)
        return before

    def forget_told(self, table: str, listening: Collection[Channel]) -> None:
        """Forget what was told last on channels of a table to which nobody listens any more."""
        for channel in self._told.all_keys():
            if channel.table == table and channel not in listening:
                self._told.drop(channel)

    def look(self, table: str, seats: Collection[str]) -> None:
        """Lay out what several seats see of a table, all by one look; the others are left to whoever asks for them."""
        with suppress(Exception):  # as for one seat alone, where it is told what went wrong
            version = app_state().tables.version(table)
            known = {seat: self.layouts.get((table, seat)) for seat in seats}
            old = [seat for seat, layout in known.items() if layout is None or layout.seen.version < version]
            for layout in _laid_out(app_state().tables.seen_all(table, old) if old else {}):
                self.layouts.put((table, layout.seen.seat), layout)

    def make_ready(self, look: Look, channels: Iterable[Channel]) -> list[tuple[Layout, str, Fragment]]:
        """Render what channels will be told, for nobody but the caller as yet; what can not be shown is left out."""
        ready = []
        told = dict.fromkeys((channel.seat, channel.language) for channel in channels)
        layouts = {
            layout.seen.seat: layout for layout in _laid_out(look.seen_all(dict.fromkeys(seat for seat, _ in told)))
        }
        for seat, code in told:
            layout = layouts.get(seat)
            if layout is None or layout.seen.left is not None:
                continue  # it is rendered when it is told: what went wrong is told then, or how many seconds are left
            with suppress(Exception), self._rendering, speaking(cast("Language", code)):
                ready.append((layout, code, render(layout)))
        return ready

    def keep(self, ready: Iterable[tuple[Layout, str, Fragment]]) -> None:
        """Keep what was made ready, unless something newer is known."""
        for layout, code, fragment in ready:
            seat, key = (fragment.table, fragment.seat), (fragment.table, fragment.seat, code)
            with self._rendering:
                known, rendered = self.layouts.get(seat), self.rendered.get(key)
                if known is None or known.seen.version < fragment.version:
                    self.layouts.put(seat, layout)
                if rendered is None or rendered.version < fragment.version:
                    self.rendered.put(key, fragment, fragment.bytes)

    def _layout(self, table: str, seat: str, version: int, seen: Seen | None) -> Layout:
        layout = self.layouts.get((table, seat))
        if seen is not None or layout is None or layout.seen.version < version or layout.seen.left is not None:
            layout = lay_out(seen or app_state().tables.seen(table, seat))
            self.layouts.put((table, seat), layout)
        return layout


def _laid_out(seens: Mapping[str, Seen]) -> Iterator[Layout]:
    """Lay out what seats see; what can not be is left to whoever asks for that seat alone, and is told why."""
    for seen in seens.values():
        with suppress(Exception):
            yield lay_out(seen)


def install(app: Flask) -> None:
    """Let what the seats of an app see, and the parts of its pages, be rendered once for all who see the same."""
    app.extensions[FRAGMENTS] = Fragments()
    parts = Parts(MOST_PARTS, MOST_BYTES)
    app.jinja_env.globals.update(cached=parts.cached, each=parts.each, part=parts.part)


def fragments() -> Fragments:
    """Return what is rendered of the running app's tables."""
    return cast("Fragments", current_app.extensions[FRAGMENTS])


def render(layout: Layout, wrong: Wrong | None = None, refused: str = "") -> Fragment:
    """Render what a seat sees; with something wrong, its sentence stands where the next tap would be.

    ``refused`` is the action that it is wrong with, as a query string.
    """
    seen = layout.seen
    game = app_state().games[seen.game]
    shown: dict[str, Any] = {"shown": layout, "seen": seen, "game": game, "problem": wrong, "refused": refused}
    shown["of"] = SIGNS
    template = "play/_table.html"
    if seen.seat == SCREEN:
        template, shown["view"] = "play/_screen.html", screen_view(layout)
    page = take_apart(partial(render_template, template, **shown))
    headline = spoken(layout.turn, speaker(seen.game))
    return Fragment(seen.version, seen.table, seen.seat, page, layout.awaited, headline, seen.left)


def event(fragment: Fragment) -> bytes:
    """Write a fragment as a server-sent event that carries the full state."""
    return _event(fragment.html, fragment.version)


def event_since(old: Fragment, new: Fragment) -> bytes:
    """Write what changed between two versions as a server-sent event for phones that show the old one.

    It is the full state where the page itself changed, or more than half of it.
    """
    changes = compare(old.page, new.page)
    if changes is None:
        return event(new)
    html = written(changes, old.version, new.of)
    return _event(html, new.version) if 2 * len(html) < new.page.size else event(new)


def changes(channel: Channel) -> Told | None:
    """Make the event that carries what changed since the last one told on a channel; None where nothing did."""
    now = fragments().get(channel.table, channel.seat, channel.language)
    before = fragments().tell(channel, now)
    if before is None:
        return Told(event(now))
    if before.version > now.version or (before.version, before.page) == (now.version, now.page):
        return None
    return Told(event_since(before, now), partial(event, now))


def _event(html: str, version: int) -> bytes:
    lines = "\ndata: ".join(html.split("\n"))
    return f"id: {version}\ndata: {lines}\n\n".encode()


@contextmanager
def _one_moment() -> Iterator[None]:
    """Read all inside at one moment of the file, where it can be read; else whoever reads meets what is wrong."""
    moment = ExitStack()
    with suppress(Problem):
        moment.enter_context(app_state().tables.moment())
    try:
        yield
    finally:
        with suppress(Problem):
            moment.close()


class Publisher:
    """One thread that tells all live phones of a table what changed: each channel rendered once, the newest state only.

    ``renderers`` maps a kind of channel to what makes its event; it may raise Problem, which ends the stream, unless it
    is a passing one: then the table is told again after ``retry_after`` seconds.
    """

    def __init__(self, app: Flask, live: Live) -> None:
        self.app = app
        self.live = live
        self.retry_after = RETRY_AFTER
        self.renderers: dict[str, Callable[[Channel], Told | None]] = {"play": changes}
        self._waiting: dict[str, tuple[Look, Future[bool]] | None] = {}
        self._ready: dict[str, list[tuple[Layout, str, Fragment]]] = {}
        self._wake = Condition()
        self._thread: Thread | None = None

    def changed(self, table: str) -> None:
        """Remember that a table changed; changes that come faster than they are told are told together."""
        self._wait_with(table)

    def changing(self, table: str, look: Look, committed: Future[bool]) -> bool:
        """Have what phones will see of a change rendered while the disk writes it, and tell it when that has ended.

        False where nobody listens: then there is nothing to be told either.
        """
        if not self._listening(table):
            return False
        look.read()
        self._wait_with(table, (look, committed))
        return True

    def _wait_with(self, table: str, coming: tuple[Look, Future[bool]] | None = None) -> None:
        with self._wake:
            self._waiting[table] = coming or self._waiting.get(table)
            if self._thread is None:
                self._thread = Thread(target=self._tell, name="publisher", daemon=True)
                self._thread.start()
            self._wake.notify()

    def _tell(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._waiting)
                table = next(iter(self._waiting))
                coming = self._waiting.pop(table)
            try:
                if coming is not None:
                    self._make_ready(table, *coming)
                elif not self.tell(table):
                    again = Timer(self.retry_after, self.changed, (table,))
                    again.daemon = True
                    again.start()
            except Exception:  # whatever it is, other tables are told, and this one at its next change
                self.app.logger.exception("what changed at table %s could not be told", table)

    def _listening(self, table: str) -> list[Channel]:
        """List the channels of a table that somebody listens to."""
        return [channel for name in self.live.channels() if (channel := Channel(*name.split("/"))).table == table]

    def _make_ready(self, table: str, look: Look, committed: Future[bool]) -> None:
        """Render a change that is being written; it is told when that has ended, and other tables meanwhile.

        What was not kept for good is seen by nobody.
        """
        ready: list[tuple[Layout, str, Fragment]] = []

        def ended(committed: Future[bool]) -> None:
            if committed.result():
                self._ready[table] = ready
            self._wait_with(table)

        try:
            with self.app.test_request_context():
                ready += fragments().make_ready(look, [one for one in self._listening(table) if one.kind == "play"])
        finally:
            committed.add_done_callback(ended)

    def tell(self, table: str) -> bool:
        """Tell every live phone of a table what it sees now; False where that has to be done again."""
        whole = True
        listening = self._listening(table)
        with self.app.test_request_context():
            fragments().keep(self._ready.pop(table, ()))
            fragments().forget_told(table, listening)
            if not listening:
                return True
            with _one_moment():
                fragments().look(table, {channel.seat for channel in listening if channel.kind == "play"})
                for channel in listening:
                    try:
                        told = self._event(channel)
                    except Problem:
                        whole = False
                        continue
                    if told is not None:
                        self.live.publish(str(channel), told)
        return whole

    def _event(self, channel: Channel) -> Told | None:
        """Render what a channel is told; None where that is nothing or can not be, and the phones keep what they see.

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
