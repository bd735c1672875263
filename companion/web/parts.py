"""The parts that a page is made of: elements with an id, each rendered once for all who see the same of it.

A template marks its parts (``{% call part("row-1", row) %}``); a page is rendered with a sign in the place of each, and
``take_apart`` puts the parts in. What it says of the version that it shows, and of its table and seat, is written last:
a part in which nothing else changed is the same, and so is that of another seat which sees the same.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from functools import lru_cache, partial
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from markupsafe import Markup

from companion.web.language import language
from companion.web.lru_cache import LruCache
from companion.web.page_variables import PageVariable, of_page

P = TypeVar("P")

_SECRET = secrets.token_hex(4)
"""Makes the signs below nothing that anybody could have typed."""


class PageOf(NamedTuple):
    """Tell whose page it is, and at which version of its table."""

    version: int | str
    table: str
    seat: str


SIGNS = PageOf(*(f"\x02{_SECRET}{sign}" for sign in "#@$"))
"""Stand in a part where a page says whose it is: signs beyond Latin would make each text with one a wide one."""
_SIGN = re.compile(f"\x02{_SECRET}=(\\d+);")

BYTES_EACH = 2
"""What a character of a part costs in memory at the most, but for emoji: an arrow makes a text a wide one."""

_placed: ContextVar[list[Part] | None] = ContextVar("placed", default=None)
"""The parts of the page that is being rendered by the number of their sign; None where it is not taken apart."""


def _itself(thing: Any) -> Any:
    """Return what a page's variable stands for, to a macro file that names it."""
    if type(thing) is PageVariable:
        return thing._get_current_object()  # noqa: SLF001 Werkzeug documents it, and has no other way
    raise TypeError(type(thing))


_encode = msgspec.msgpack.Encoder(enc_hook=_itself).encode


def _encoded(thing: Any) -> bytes:
    """Pack a thing; what is long is told by its digest, after a byte that nothing packed begins with."""
    packed = _encode(thing)
    return packed if len(packed) <= LONG else b"\xc1" + blake2b(packed, digest_size=DIGEST).digest()


LONG, DIGEST = 64, 20
"""Bytes of a key that are kept as they are, and bytes of the digest of longer ones."""

MOST_PACKED = 2048
"""Things that are remembered packed: all that a table of eight phones shows, packed once for all its languages."""

_size, _own = attrgetter("size"), attrgetter("own")


class Part(NamedTuple):
    """An element of a page, or all of it: what is its own, and the parts that lie between.

    ``texts`` are one more than ``parts``; ``id`` is that of the element, empty for the whole page, and for several
    elements side by side. ``size`` is how many characters all of it has, ``own`` how many of them were rendered for
    this page alone.
    """

    id: str
    texts: tuple[str, ...]
    parts: tuple[Part, ...]
    size: int
    own: int

    @classmethod
    def of(cls, id_: str, texts: Iterable[str], parts: Iterable[Part]) -> Part:
        """Put a part together."""
        texts, parts = tuple(texts), tuple(parts)
        own = sum(map(len, texts))
        return cls(id_, texts, parts, own + sum(map(_size, parts)), own + sum(map(_own, parts)))

    def html(self, of: PageOf) -> str:
        """Return it as HTML in somebody's page."""
        html = "".join(_texts(self))
        for sign, is_ in zip(SIGNS, of, strict=True):
            html = html.replace(str(sign), str(is_))
        return html


class Parts(LruCache[bytes, Part]):
    """Rendered parts of pages by everything that they show: their name, data, language and the game's words.

    What is no page that is taken apart is rendered each time.
    """

    def part(self, id_: str, *shown: Any, caller: Callable[[], Markup]) -> Markup:
        """Make a part of what a ``{% call %}`` holds, the element with that id.

        ``shown`` is all that it depends on: a part that shows the same was rendered already. With nothing named it is
        rendered each time.
        """
        if _placed.get() is None:
            return caller()
        return _place(self._rendered(_about(f"#{id_}", shown), id_, caller) if shown else _taken(id_, caller()))

    def cached(self, kind: str, *shown: Any, words: bool = True, caller: Callable[[], Markup]) -> Markup:
        """Render what a ``{% call %}`` holds, elements side by side, unless it was already.

        ``shown`` is all that it depends on; what is drawn without ``words`` is the same in every language.
        """
        if _placed.get() is None:
            return caller()
        return _place(self._rendered(_about(kind, shown, words=words), "", caller))

    def each(
        self, kind: str, things: Iterable[Any], *shown: Any, words: bool = True, caller: Callable[[Any], Markup]
    ) -> Markup:
        """Render what a ``{% call(thing) %}`` holds for each of several things, unless it was already."""
        if _placed.get() is None:
            return Markup("").join(map(caller, things))
        about = _about(kind, shown, words=words)
        things = things if isinstance(things, tuple) else list(things)
        pairs = zip(things, _each_packed(things), strict=True)
        return _place(_row([self._rendered(about + key, "", partial(caller, thing)) for thing, key in pairs]))

    def _rendered(self, key: bytes, id_: str, caller: Callable[[], Markup]) -> Part:
        part = self.get(key)
        if part is None:
            part = _taken(id_, caller())._replace(own=0)
            self.put(key, part, len(key) + BYTES_EACH * part.size)
        return part


def take_apart(render: Callable[[], str]) -> Part:
    """Render a page, and take it apart at its parts, without the space around its lines."""
    before = _placed.set([])
    try:
        return _taken("", render())
    finally:
        _placed.reset(before)


@lru_cache(MOST_PACKED)
def _named(kind: str, spoken: tuple[str, ...]) -> bytes:
    """Return how the key of a part begins, by its name, language and game."""
    return _encoded((kind, spoken))


def _about(kind: str, shown: tuple[Any, ...], *, words: bool = True) -> bytes:
    """Return the key of what shows something."""
    game = of_page("game")
    spoken = (language(), game.slug if game else "") if words else ()
    return b"".join([_named(kind, spoken), *map(_packed, shown)])


PASSING = frozenset({str, int, float, bool, type(None), list, PageVariable})
"""Kinds of things that are packed as often as they are shown: it takes no time, or they are made for one page."""


class _Packer(Generic[P]):
    """Packs things that do not change, each once for all pages that show that very one."""

    def __init__(self, pack: Callable[[Any], P]) -> None:
        self._pack = pack
        self._packed: LruCache[int, tuple[Any, P]] = LruCache(MOST_PACKED)

    def __call__(self, thing: Any) -> P:
        if type(thing) in PASSING:
            return self._pack(thing)
        known = self._packed.get(id(thing))
        if known is None or known[0] is not thing:
            known = thing, self._pack(thing)
            self._packed.put(id(thing), known)
        return known[1]


def _pack(thing: Any) -> bytes:
    """Pack a thing; a row of several as each of them is packed."""
    row = type(thing) is tuple and thing and isinstance(thing[0], msgspec.Struct)
    return _encoded(b"".join(_each_packed(thing)) if row else thing)


_packed: _Packer[bytes] = _Packer(_pack)
_each_packed: _Packer[list[bytes]] = _Packer(
    lambda things: [(_packed if isinstance(thing, msgspec.Struct) else _encoded)(thing) for thing in things]
)


def _row(parts: Iterable[Part]) -> Part:
    """Put what was rendered side by side in a row."""
    texts, within = [""], list[Part]()
    for part in parts:
        texts[-1] += part.texts[0]
        texts += part.texts[1:]
        within += part.parts
    return Part.of("", texts, within)


def _place(part: Part) -> Markup:
    """Return the sign in whose place a part is put."""
    placed = _placed.get()
    assert placed is not None
    placed.append(part)
    return Markup(f"\x02{_SECRET}={len(placed) - 1};")  # noqa: S704 only a number is put in


def _taken(id_: str, rendered: str) -> Part:
    """Take what was rendered apart at the signs in it."""
    placed = _placed.get()
    assert placed is not None
    texts, parts = [""], list[Part]()
    for at, found in enumerate(_SIGN.split(rendered)):
        if at % 2 == 0:
            texts[-1] += _tidy(found)
            continue
        part = placed[int(found)]
        if part.id:
            parts.append(part)
            texts.append("")
        else:
            texts[-1] += part.texts[0]
            parts += part.parts
            texts += part.texts[1:]
    return Part.of(id_, texts, parts)


def _texts(part: Part) -> Iterator[str]:
    yield part.texts[0]
    for within, text in zip(part.parts, part.texts[1:], strict=True):
        yield from _texts(within)
        yield text


def _tidy(text: str) -> str:
    return "\n".join([stripped for line in text.split("\n") if (stripped := line.strip())])
