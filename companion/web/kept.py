"""Parts of pages that were rendered before: whoever sees the same part gets the same bytes, rendered once."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any

import jinja2
import msgspec

from companion.web.words import language

if TYPE_CHECKING:
    from collections.abc import Callable

    from markupsafe import Markup

MOST = 4096
"""Parts in memory, a few kilobytes each: all that a dozen busy tables show in two languages."""


class Kept:
    """Keep rendered parts by everything that they show: their kind, their data, the language and the game's words."""

    def __init__(self) -> None:
        self._parts: OrderedDict[bytes, Markup] = OrderedDict()
        self._lock = Lock()

    @jinja2.pass_context
    def once(self, context: jinja2.runtime.Context, /, kind: str, *shown: Any, caller: Callable[[], Markup]) -> Markup:
        """Render what a ``{% call %}`` holds, unless it was already: ``shown`` is all that its words depend on."""
        game = context.get("game")
        key = msgspec.msgpack.encode((kind, language(), game.slug if game else "", shown))
        with self._lock:
            part = self._parts.get(key)
            if part is not None:
                self._parts.move_to_end(key)
                return part
        part = caller()
        with self._lock:
            self._parts[key] = part
            while len(self._parts) > MOST:
                self._parts.popitem(last=False)
        return part
