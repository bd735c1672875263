"""Our scripts are ES modules: what one imports comes inside it, so that a page asks once, and without idle space."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

SHARED = "companion.js"
"""The module that every page brings: it alone is imported by its address, since it must not run twice."""
_IMPORT = re.compile(rb'(?m)^import (?:\{ (\w+(?:, \w+)*) \} from )?"\./([\w-]+\.js)";\n')
"""How a module imports from another: a line of its own, and the other one beside it."""
_TEXT_OR_CODE = re.compile(rb"""("[^"\\\n]*"|["'`/\\].*)|[^"'`/\\\n]+""")
"""A text in plain quotes, or the rest of a line from any other one on; else no text. None goes over two lines."""
_SPACED = re.compile(rb" ?([=!]==?|=>|[<>+-]=|&&|\|\||\?\?|[=?:;,{}()<>*[\]]) ?")
"""Signs with space around them that means nothing."""
_LINE_END = re.compile(rb"(?<=[;,{([])\n|\n(?=[)}\]])")
"""Ends of lines beside signs after or before which a statement goes on, or has ended."""
_EXPORT = re.compile(rb"(?m)^export (?=const (\w+) )")


def imported(source: bytes) -> list[str]:
    """Name the modules that one imports from, in order."""
    return [name.decode() for _, name in _IMPORT.findall(source)]


def joined(name: str, sources: Mapping[str, bytes], shared: str = "") -> bytes:
    """Return a module with what it imports inside it, in the order in which they run; ``shared`` is that one's address.

    What they do not export is their own, as in a file of its own, and each is there once, however many import from it.
    What they export all that comes together may name: no two of them, nor the module itself, may call anything alike.
    """
    asked: dict[bytes, None] = {}

    def body(module: str) -> bytes:
        for names, other in _IMPORT.findall(sources[module]):
            if other.decode() == SHARED:
                asked.update(dict.fromkeys(names.split(b", ")))
        return _IMPORT.sub(b"", sources[module])

    parts = [_part(body(module)) for module in _within(name, sources, set())]
    parts.append(body(name))
    if asked:
        parts.insert(0, b'import { %b } from "%b";\n' % (b", ".join(asked), shared.encode()))
    return _tight(b"".join(parts))


def _within(name: str, sources: Mapping[str, bytes], met: set[str]) -> Iterator[str]:
    for module in imported(sources[name]):
        if module != SHARED and module not in met:
            met.add(module)
            yield from _within(module, sources, met)
            yield module


@cache
def _tight(source: bytes) -> bytes:
    """Leave out space that means nothing: texts, and what may be one, stay as they are; once for all apps."""
    return _LINE_END.sub(b"", _TEXT_OR_CODE.sub(lambda found: found[1] or _SPACED.sub(rb"\1", found[0]), source))


def _part(body: bytes) -> bytes:
    exported = b", ".join(_EXPORT.findall(body))
    if not exported:
        return b"(() => {\n%b})();\n" % body
    return b"const { %b } = (() => {\n%breturn { %b };\n})();\n" % (exported, _EXPORT.sub(b"", body), exported)
