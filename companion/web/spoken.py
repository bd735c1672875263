"""Speak whole values: every text in a struct becomes words in the reader's language, ready for JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from companion.kit.text import Text

Speak = Callable[[Text], str]

_PLAIN = frozenset({str, int, bool, float, type(None)})


def spoken(value: Any, speak: Speak) -> Any:
    """Turn a value into plain JSON values: texts spoken, fractions exact (``1/3``), tagged structs tagged."""
    if type(value) in _PLAIN:
        return value
    match value:
        case Text():
            return speak(value)
        case msgspec.Struct():
            names, tag = _shape(type(value))
            return tag | {name: spoken(getattr(value, name), speak) for name in names}
        case tuple() | list():
            return [spoken(part, speak) for part in value]
        case set() | frozenset():
            return sorted((spoken(part, speak) for part in value), key=repr)
        case Fraction():
            return str(value)
        case Mapping():
            return {str(name): spoken(part, speak) for name, part in value.items()}
        case Enum():
            return spoken(value.value, speak)
        case _:
            return value


@cache
def _shape(kind: type[msgspec.Struct]) -> tuple[tuple[str, ...], dict[str, Any]]:
    config = kind.__struct_config__
    tag = {config.tag_field: config.tag} if config.tag_field else {}
    return kind.__struct_fields__, tag
