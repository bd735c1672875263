"""What changed at a table is told to all phones that look at it, once for all of them that see the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from threading import Condition, Thread, Timer
from typing import cast

from flask import Flask

from companion.kit.game import SCREEN
from companion.table.problem import Problem
from companion.table.views import Look
from companion.web import seat_cookies
from companion.web.fragments import FRAGMENTS, Channel, Fragment, Fragments, fragments
from companion.web.live import Live, Told
from companion.web.part_changes import compare, written
from companion.web.play.layout import Layout
from companion.web.state import app_state

RETRY_AFTER = 1.0
"""Seconds until a table is told again whose change could not be told."""

RESTS_AFTER = 5.0
"""Seconds without anything to tell after which the thread ends; the next change begins another one."""

GONE = Told(b"event: gone\ndata: gone\n\n")
"""Tells a phone that its seat is not its own any more, or its table is no more: load the page again."""


def event(fragment: Fragment) -> bytes:
    """Write a fragment as a server-sent event that carries the full state."""
    return _event(fragment.html, fragment.version)


def html_since(old: Fragment, new: Fragment) -> str:
    """Write what changed between two versions as HTML for phones that show the old one.

    It is the full state where the page itself changed, or more than half of it.
    """
    changes = compare(old.page, new.page)
    if changes is None:
        return new.html
    html = written(changes, old.version, new.of)
    return html if 2 * len(html) < new.page.size else new.html


def event_since(old: Fragment, new: Fragment) -> bytes:
    """Write what changed between two versions as a server-sent event for phones that show the old one."""
    return _event(html_since(old, new), new.version)


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

    It ends when nothing happens, so that an app that is not used any more is forgotten with all that it keeps.

    ``renderers`` maps a kind of channel to what makes its event; it may raise Problem, which ends the stream, unless it
    is a passing one: then the table is told again after ``retry_after`` seconds.
    """

    def __init__(self, app: Flask, live: Live) -> None:
        self.app = app
        self.live = live
        self.retry_after = RETRY_AFTER
        self.rests_after = RESTS_AFTER
        self.renderers: dict[str, Callable[[Channel], Told | None]] = {"play": changes}
        self._waiting: dict[str, tuple[Look, Future[bool]] | None] = {}
        self._ready: dict[str, list[tuple[Layout, str, Fragment]]] = {}
        self._wake = Condition()
        self._thread: Thread | None = None
        live.presence.changed = self.changed

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
                if not self._wake.wait_for(lambda: self._waiting, self.rests_after):
                    self._thread = None
                    return
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

    @property
    def _fragments(self) -> Fragments:
        return cast("Fragments", self.app.extensions[FRAGMENTS])

    def _listening(self, table: str) -> list[Channel]:
        """List the channels of a table that somebody listens to."""
        return [channel for name in self.live.channels() if (channel := Channel(*name.split("/"))).table == table]

    def _make_ready(self, table: str, look: Look, committed: Future[bool]) -> None:
        """Render a change that is being written; it is told when that has ended, and other tables meanwhile.

        What was not kept for good is seen by nobody.
        """
        ready: list[tuple[Layout, str, Fragment]] = []
        made = self._fragments

        def ended(committed: Future[bool]) -> None:
            if committed.result():
                self._ready.setdefault(table, []).extend(ready)
            else:
                made.drop(ready)
            self._wait_with(table)

        try:
            with self.app.test_request_context():
                ready += made.make_ready(look, [one for one in self._listening(table) if one.kind == "play"])
        finally:
            committed.add_done_callback(ended)

    def tell(self, table: str) -> bool:
        """Tell every live phone of a table what it sees now; False where that has to be done again."""
        whole = True
        listening, made = self._listening(table), self._fragments
        made.keep(self._ready.pop(table, ()))
        made.forget_told(table, listening)
        if not listening:  # a request's context takes as long as a tenth of an action
            return True
        with self.app.test_request_context(), _one_moment():
            made.look(table, {channel.seat for channel in listening if channel.kind == "play"})
            for channel in listening:
                try:
                    told = self._event(channel)
                except Problem:
                    whole = False
                    continue
                if told is not None:
                    self.live.publish(str(channel), told)
            self._tell_who_is_away(table)
        return whole

    def _tell_who_is_away(self, table: str) -> None:
        """Tell whose phone is away, of those who still sit there, to whoever watches that."""
        presence = self.live.presence
        gone = presence.gone(table)
        presence.tell(table, {seat for seat, token_digest in gone if self._sits(table, seat, token_digest)})

    @staticmethod
    def _sits(table: str, seat: str, token_digest: str) -> bool:
        """Tell whether a seat is still that of a phone; of a table that can not be read nothing is said."""
        with suppress(Problem):
            return seat_cookies.digest(app_state().tables.private_link(table, seat)) == token_digest
        return False

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
