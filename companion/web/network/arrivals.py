"""When somebody came last from another device, and at which address of this computer."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic

MOST_NAMES = 32
"""Names by which this computer was reached: more than it has addresses."""


class Arrivals:
    """Who came from another device, by the name in the address that was opened there."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self._lock = Lock()
        self._last: OrderedDict[str, float] = OrderedDict()

    def note(self, name: str) -> None:
        """Note that somebody has come just now."""
        with self._lock:
            self._last[name] = self.clock()
            self._last.move_to_end(name)
            while len(self._last) > MOST_NAMES:
                self._last.popitem(last=False)

    def since(self, name: str | None = None) -> float | None:
        """Return how many seconds ago somebody came last, at any name or at one; None for never."""
        with self._lock:
            last = max(self._last.values(), default=None) if name is None else self._last.get(name)
            return None if last is None else self.clock() - last
