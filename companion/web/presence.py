"""Who is away: seats whose phone has followed their table and follows it no more, for the screen and the rulekeeper."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Protocol

import msgspec

from companion.kit.game import RULEKEEPER, SCREEN

HELD = "X-Live-Held"
"""A live response names in this header the seats that its phone holds, each with the digest of its token, as JSON."""

AWAY_AFTER = 10.0
"""Seconds without a stream after which a phone is away: a page that is loaded again has one sooner."""

NOBODY_FOR = 15.0
"""Seconds after the start in which nobody is away: phones come back by themselves from a restart."""

MOST_TABLES = 1000
"""Tables of which is remembered who is away: at one that was left longest ago nobody is, until a phone comes back."""

MOST_PHONES = 200
"""Phones of a table of which is remembered that they are away: more than sit there, with those that gave a seat up."""

_HELD = msgspec.json.Decoder(dict[str, str])


def held_seats(header: str | None) -> dict[str, str] | None:
    """Read the seats of a live response's header, with the digests of their tokens; None where it has none."""
    return None if header is None else _HELD.decode(header)


class Watcher(Protocol):
    """A stream that can be told something beside its channel."""

    def aside(self, event: bytes) -> None:
        """Take an event that neither replaces what waits, nor is replaced by it."""


class Presence:
    """Which seats have a phone that follows their table, from all streams; whoever watches is told which have none.

    A phone is there for all seats that it holds, as long as their tokens are its own: one that still follows the table
    from another seat is not there for what it has given away. A seat whose phone was never here is not away: it may be
    played without a page. Streams are told of on the event loop; ``changed`` is told of a table where somebody left or
    came back, and sees to it that ``tell`` says so.
    """

    def __init__(self, away_after: float = AWAY_AFTER, nobody_for: float = NOBODY_FOR) -> None:
        self.away_after = away_after
        self.changed: Callable[[str], object] = lambda _: None
        self._nobody_until = monotonic() + nobody_for
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._streams: Counter[tuple[str, str, str]] = Counter()
        self._leaving: dict[tuple[str, str, str], asyncio.TimerHandle] = {}
        self._gone: dict[str, dict[tuple[str, str], None]] = {}
        self._away: dict[str, frozenset[str]] = {}
        self._watchers: dict[str, set[Watcher]] = {}

    @contextmanager
    def following(self, channel: str, held: Mapping[str, str] | None, stream: Watcher) -> Iterator[None]:
        """Count a stream for the seats that its phone holds, by the digests of their tokens, while this lasts.

        The shared screen, and whatever the phone of a rulekeeper shows, is told who is away; None counts for nobody.
        """
        if held is None:
            yield
            return
        _, table, seat, *_ = channel.split("/")
        self._loop = asyncio.get_running_loop()
        watches = seat == SCREEN or RULEKEEPER in held
        self._come(table, held)
        if watches:
            self._watch(table, stream)
        try:
            yield
        finally:
            if watches:
                self._watch_no_more(table, stream)
            self._leave(table, held)

    def gone(self, table: str) -> tuple[tuple[str, str], ...]:
        """Return the seats of a table whose phone is away, each with the digest of the token that it showed."""
        with self._lock:
            return tuple(self._gone.get(table, ()))

    def tell(self, table: str, seats: Iterable[str]) -> None:
        """Tell whoever watches a table who is away, where that is news; call it from any thread."""
        away = frozenset(seats)
        with self._lock:
            if away == self._away.get(table, frozenset()):
                return
            if away:
                self._away[table] = away
            else:
                del self._away[table]
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._deliver, table)

    def _come(self, table: str, held: Mapping[str, str]) -> None:
        back = False
        for one in held.items():
            self._streams[table, *one] += 1
            if (leaving := self._leaving.pop((table, *one), None)) is not None:
                leaving.cancel()
            with self._lock:
                gone = self._gone.get(table, {})
                if one in gone:
                    back = True
                    del gone[one]
                if not gone:
                    self._gone.pop(table, None)
        if back:
            self.changed(table)

    def _leave(self, table: str, held: Mapping[str, str]) -> None:
        loop = asyncio.get_running_loop()
        patience = max(self.away_after, self._nobody_until - monotonic())
        for seat, token_digest in held.items():
            phone = (table, seat, token_digest)
            self._streams[phone] -= 1
            if self._streams[phone] == 0:
                del self._streams[phone]
                self._leaving[phone] = loop.call_later(patience, self._miss, *phone)

    def _miss(self, table: str, seat: str, token_digest: str) -> None:
        del self._leaving[table, seat, token_digest]
        with self._lock:
            gone = self._gone.pop(table, {})
            self._gone[table] = gone | {(seat, token_digest): None}
            if len(self._gone[table]) > MOST_PHONES:
                del self._gone[table][next(iter(gone))]
            if len(self._gone) > MOST_TABLES:
                del self._gone[next(iter(self._gone))]
        self.changed(table)

    def _watch(self, table: str, stream: Watcher) -> None:
        self._watchers.setdefault(table, set()).add(stream)
        with self._lock:
            away = self._away.get(table, frozenset())
            known = table in self._gone
        stream.aside(_event(away))
        # Where nobody watched it is not known who of them sits there by now.
        if known:
            self.changed(table)

    def _watch_no_more(self, table: str, stream: Watcher) -> None:
        watchers = self._watchers[table]
        watchers.discard(stream)
        if not watchers:
            del self._watchers[table]
            with self._lock:
                self._away.pop(table, None)

    def _deliver(self, table: str) -> None:
        with self._lock:
            told = _event(self._away.get(table, frozenset()))
        for stream in tuple(self._watchers.get(table, ())):
            stream.aside(told)


def _event(away: frozenset[str]) -> bytes:
    """Write who is away as a server-sent event."""
    return b"event: away\ndata: " + msgspec.json.encode(sorted(away)) + b"\n\n"
