"""The parts that a page is made of: elements with an id, each rendered once for all who see the same of it.

A template marks its parts (``{% call part("row-1", row) %}``), and ``Part`` is the page taken apart again. What it says
of the version that it shows is written last, so that a part in which nothing else changed is the same.
"""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec
from markupsafe import Markup

from companion.web.language import language
from companion.web.lru_cache import LruCache
from companion.web.page_variables import of_page

_SECRET = secrets.token_hex(4)
"""Makes the marks below nothing that anybody could have typed."""
_BEGIN, _NAMED, _END = (f"\ufdd0{_SECRET}{sign}" for sign in "<:>")
VERSION = f"\ufdd0{_SECRET}#"
"""Stands in a page where the version that it shows will stand."""
_MARK = re.compile(f"\ufdd0{_SECRET}(?:<([^\ufdd0]*)\ufdd0{_SECRET}:|>)")


class Part(NamedTuple):
    """An element of a page, or all of it: what is its own, and the parts that lie between.

    ``texts`` are one more than ``parts``; ``id`` is that of the element, empty for the whole page.
    """

    id: str
    texts: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def size(self) -> int:
        """How many characters it has."""
        return sum(map(len, _texts(self)))

    def html(self, version: int) -> str:
        """Return it as HTML, at a version of its table."""
        return "".join(_texts(self)).replace(VERSION, str(version))


class Parts(LruCache[bytes, Markup]):
    """Rendered parts of pages by everything that they show: their name, data, language and the game's words."""

    def part(self, id_: str, *shown: Any, caller: Callable[[], Markup]) -> Markup:
        """Mark what a ``{% call %}`` holds, the element with that id, as a part.

        ``shown`` is all that its words depend on: a part that shows the same was rendered already. With nothing named
        it is rendered each time.
        """
        if shown:
            return self.cached(id_, *shown, caller=lambda: _mark(id_, caller()))
        return _mark(id_, caller())

    def cached(self, kind: str, *shown: Any, caller: Callable[[], Markup]) -> Markup:
        """Render what a ``{% call %}`` holds, unless it was already: ``shown`` is all that its words depend on."""
        game = of_page("game")
        key = msgspec.msgpack.encode((kind, language(), game.slug if game else "", _marks(), shown))
        rendered = self.get(key)
        if rendered is None:
            rendered = caller()
            self.put(key, rendered, sys.getsizeof(key) + sys.getsizeof(rendered))
        return rendered


def _marks() -> bool:
    """Tell whether the page that is being rendered is taken apart afterwards: no other page has marks."""
    return of_page("version") is not None


def _mark(id_: str, html: Markup) -> Markup:
    if not _marks():
        return html
    return Markup(f"{_BEGIN}{id_}{_NAMED}{html.strip()}{_END}")  # noqa: S704 what comes from a template is escaped


def take_apart(rendered: str) -> Part:
    """Take a rendered page apart at its marks, without the space around its lines."""
    whole: tuple[str, list[str], list[Part]] = ("", [], [])
    open_: list[tuple[str, list[str], list[Part]]] = [whole]
    rendered, at = _tidy(rendered), 0
    for mark in _MARK.finditer(rendered):
        open_[-1][1].append(rendered[at : mark.start()].strip())
        at = mark.end()
        if mark[1] is not None:
            open_.append((mark[1], [], []))
        else:
            id_, texts, parts = open_.pop()
            open_[-1][2].append(Part(id_, tuple(texts), tuple(parts)))
    whole[1].append(rendered[at:].strip())
    return Part("", tuple(whole[1]), tuple(whole[2]))


def _texts(part: Part) -> Iterator[str]:
    yield part.texts[0]
    for within, text in zip(part.parts, part.texts[1:], strict=True):
        yield from _texts(within)
        yield text


def _tidy(text: str) -> str:
    return "\n".join(stripped for line in text.split("\n") if (stripped := line.strip()))
