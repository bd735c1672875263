"""What seats see, rendered once for a version of their table, a seat and a language, and kept for all who ask."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, cast

from flask import Flask, current_app, render_template

from companion.kit.game import SCREEN
from companion.kit.text import mentions
from companion.table.pictures import on_cards
from companion.table.problem import Problem
from companion.table.unshowable import logged
from companion.table.view_models import Seen
from companion.table.views import Look
from companion.web.language import Language, speaker, speaking
from companion.web.lru_cache import LruCache
from companion.web.parts import BYTES_EACH, SIGNS, PageOf, Part, Parts, take_apart
from companion.web.play.ending import lines, result_words
from companion.web.play.layout import Layout, lay_out
from companion.web.play.listed import named
from companion.web.play.report import repeats
from companion.web.play.screen import screen_view
from companion.web.play.sorted_offers import SharedSorting
from companion.web.play.turn import spoken, spoken_name, uncounted
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
        self._coming: dict[tuple[str, str, str], tuple[Seen, Fragment]] = {}
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
                coming = self._coming.get(key)
                if coming is not None and coming[0] == seen:
                    fragment = coming[1]
                else:
                    layout = self._layout(table, seat, version, seen)
                    with speaking(cast("Language", code)):
                        fragment = render(layout)
                self.rendered.put(key, fragment, fragment.bytes)
        return fragment

    def seen_before(self, table: str, seat: str, code: str, shown: str) -> Fragment | None:
        """Return what a seat saw last in the language of a code, where that is what its phone says it has ``shown``.

        A phone says so by the version, the language, and the build of the page. Where seconds run it may show others.
        """
        fragment = self.rendered.get((table, seat, code))
        if fragment is None or fragment.left is not None:
            return None
        return fragment if f"{fragment.version} {code} {app_state().build}" == shown else None

    def sees_photo(self, table: str, seat: str, digest: str) -> bool:
        """Tell whether a seat sees a picture now, or may print it; raise Problem when there is no such seat."""
        tables = app_state().tables
        layout = self._layout(table, seat, tables.version(table), None)
        if digest in layout.photos:
            return True
        printed = (tables.printed(table, seat, tracker).cards for tracker in layout.printing if seat != SCREEN)
        return any(digest in on_cards(card for card, _ in cards) for cards in printed)

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
        # Whoever asks for one seat alone is told of a problem.
        with logged("what seats see of table %s can not be laid out", table), suppress(Problem):
            version = app_state().tables.version(table)
            known = {seat: self.layouts.get((table, seat)) for seat in seats}
            old = [seat for seat, layout in known.items() if layout is None or layout.seen.version < version]
            for layout in _laid_out(app_state().tables.seen_all(table, old) if old else {}):
                self.layouts.put((table, layout.seen.seat), layout)

    def make_ready(self, look: Look, channels: Iterable[Channel]) -> list[tuple[Layout, str, Fragment]]:
        """Render what channels will be told, for nobody but the caller as yet; what can not be shown is left out."""
        ready = []
        told = dict.fromkeys((channel.seat, channel.language) for channel in channels)
        seens = look.seen_all(dict.fromkeys(seat for seat, _ in told))
        # How a game ended is told when that is kept for good.
        layouts = {
            layout.seen.seat: layout
            for layout in _laid_out({seat: seen for seat, seen in seens.items() if not seen.over})
        }
        for seat, code in told:
            layout = layouts.get(seat)
            if layout is None or layout.seen.left is not None:
                continue  # it is rendered when it is told: what went wrong is told then, or how many seconds are left
            key = (layout.seen.table, seat, code)
            unready = logged("what %s sees of table %s can not be made ready", seat, layout.seen.table)
            with unready, self._rendering, speaking(cast("Language", code)):
                fragment = self.rendered.get(key)  # whoever did it may have asked for it first
                if fragment is None or fragment.version != layout.seen.version:
                    fragment = render(layout)
                self._coming[key] = layout.seen, fragment
                ready.append((layout, code, fragment))
        return ready

    def drop(self, ready: Iterable[tuple[Layout, str, Fragment]]) -> None:
        """Forget what was made ready."""
        for _, code, fragment in ready:
            self._coming.pop((fragment.table, fragment.seat, code), None)

    def keep(self, ready: Collection[tuple[Layout, str, Fragment]]) -> None:
        """Keep what was made ready, unless something newer is known."""
        self.drop(ready)
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
            layout = laid_out(seen or app_state().tables.seen(table, seat))
            self.layouts.put((table, seat), layout)
        return layout


def _laid_out(seens: Mapping[str, Seen]) -> Iterator[Layout]:
    """Lay out what seats see; what can not be is left to whoever asks for that seat alone, and is told why."""
    sorting = SharedSorting()
    for seen in seens.values():
        with logged("what %s sees of table %s can not be laid out", seen.seat, seen.table):
            yield laid_out(seen, sorting)


def laid_out(seen: Seen, sorting: SharedSorting | None = None) -> Layout:
    """Lay out what a seat sees; how a game ended is read of the table as it is kept."""
    return lay_out(seen, app_state().tables.ending(seen.table) if seen.over else None, sorting)


def install(app: Flask) -> None:
    """Let what the seats of an app see, and the parts of its pages, be rendered once for all who see the same."""
    app.extensions[FRAGMENTS] = Fragments()
    parts = Parts(MOST_PARTS, MOST_BYTES)
    filters = app.jinja_env.filters
    speak = filters["say"]
    filters.update(result_words=lambda ending, roles: result_words(ending, speak, roles))
    filters.update(repeats=lambda reason, headline: repeats(reason, headline, speak))
    filters.update(round_name=lambda name: spoken_name(uncounted(name), speak))
    filters.update(course_lines=lines, mentions=mentions, named=named)
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
