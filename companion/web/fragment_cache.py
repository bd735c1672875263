"""Parts of pages that were rendered before: whoever sees the same part gets the same bytes, rendered once."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

import jinja2
import msgspec
from markupsafe import Markup

from companion.web.language import language

MOST_PARTS = 4096
"""Parts in memory, a few kilobytes each: all that a dozen busy tables show in two languages."""
MOST_BYTES = 16 * 1024 * 1024
"""Bytes of parts in memory: those of a large map are fifty kilobytes and more."""

K = TypeVar("K")
V = TypeVar("V")


class LruCache(Generic[K, V]):
    """What was used last, up to so many things and so many bytes of them; for any number of threads."""

    def __init__(self) -> None:
        self._things: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = Lock()
        self.size = 0

    def __len__(self) -> int:
        return len(self._things)

    def get(self, key: K) -> V | None:
        """Return a thing, None when it is not there (any more)."""
        with self._lock:
            if key not in self._things:
                return None
            self._things.move_to_end(key)
            return self._things[key][0]

    def put(self, key: K, thing: V, size: int, *, most: int, room: int) -> None:
        """Keep a thing of so many bytes, and forget what was used longest ago."""
        with self._lock:
            self.size += size - self._things.pop(key, (thing, 0))[1]
            self._things[key] = thing, size
            while len(self._things) > most or self.size > room:
                self.size -= self._things.popitem(last=False)[1][1]


class FragmentCache:
    """Rendered parts by everything that they show: their kind, their data, the language and the game's words."""

    def __init__(self) -> None:
        self.parts: LruCache[bytes, Markup] = LruCache()

    @jinja2.pass_context
    def cached(
        self, context: jinja2.runtime.Context, /, kind: str, *shown: Any, caller: Callable[[], Markup]
    ) -> Markup:
        """Render what a ``{% call %}`` holds, unless it was already: ``shown`` is all that its words depend on."""
        game = context.get("game")
        key = msgspec.msgpack.encode((kind, language(), game.slug if game else "", shown))
        part = self.parts.get(key)
        if part is None:
            part = caller()
            self.parts.put(key, part, sys.getsizeof(key) + sys.getsizeof(part), most=MOST_PARTS, room=MOST_BYTES)
        return part
