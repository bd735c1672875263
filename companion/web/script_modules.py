"""Our scripts are ES modules: what one imports comes inside it, so that a page asks once for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

SHARED = "companion.js"
"""The module that every page brings: it alone is imported by its address, since it must not run twice."""
_IMPORT = re.compile(rb'(?m)^import (?:\{ ([\w, ]+) \} from )?"\./([\w-]+\.js)";\n')
"""How a module imports from another: a line of its own, and the other one beside it."""
_EXPORT = re.compile(rb"(?m)^export (?=const (\w+) )")


def imported(source: bytes) -> list[str]:
    """Name the modules that one imports from, in order."""
    return [name.decode() for _, name in _IMPORT.findall(source)]


def joined(name: str, sources: Mapping[str, bytes], shared: str = "") -> bytes:
    """Return a module with what it imports inside it, in the order in which they run; ``shared`` is that one's address.

    Each of them has names of its own, as in a file of its own, and is there once, however many import from it.
    """
    asked: dict[bytes, None] = {}

    def body(module: str) -> bytes:
        def given(found: re.Match[bytes]) -> bytes:
            names, other = found[1], found[2]
            if other.decode() == SHARED:
                asked.update(dict.fromkeys(names.split(b", ")))
                return b""
            return b"const { %b } = %b;\n" % (names, _variable(other)) if names else b""

        return _IMPORT.sub(given, sources[module])

    parts = [_part(module, body(module)) for module in _within(name, sources, set())]
    parts.append(body(name))
    if asked:
        parts.insert(0, b'import { %b } from "%b";\n' % (b", ".join(asked), shared.encode()))
    return b"".join(parts)


def _within(name: str, sources: Mapping[str, bytes], met: set[str]) -> Iterator[str]:
    for module in imported(sources[name]):
        if module != SHARED and module not in met:
            met.add(module)
            yield from _within(module, sources, met)
            yield module


def _part(module: str, body: bytes) -> bytes:
    exported = _EXPORT.findall(body)
    if not exported:
        return b"(() => {\n%b})();\n" % body
    given = b", ".join(exported)
    return b"const %b = (() => {\n%breturn { %b };\n})();\n" % (
        _variable(module.encode()),
        _EXPORT.sub(b"", body),
        given,
    )


def _variable(module: bytes) -> bytes:
    return b"$" + module.removesuffix(b".js").replace(b"-", b"_")
