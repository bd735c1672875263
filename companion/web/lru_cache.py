"""Things in memory, the newest of them only."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Generic, TypeVar

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
            found = self._things.get(key)
            if found is None:
                return None
            self._things.move_to_end(key)
            return found[0]

    def all_keys(self) -> list[K]:
        """Return the keys of all that is there now."""
        with self._lock:
            return list(self._things)

    def drop(self, key: K) -> None:
        """Forget a thing, if it is there."""
        with self._lock:
            if key in self._things:
                self.size -= self._things.pop(key)[1]

    def put(self, key: K, thing: V, size: int = 0) -> None:
        """Keep a thing of so many bytes, and forget what was used longest ago."""
        with self._lock:
            self.size += size - self._things.pop(key, (thing, 0))[1]
            self._things[key] = thing, size
            while len(self._things) > self.most or self.size > self.room:
                self.size -= self._things.popitem(last=False)[1][1]
