"""A list of records as people keep it: what is written reads back the same."""

from __future__ import annotations

from typing import Any

import msgspec
import tomli_w

from companion.kit.rosters.shapes import Part, parts


def write(roster: msgspec.Struct) -> str:
    """Write a list of records as TOML; what is as it would be anyway is left out."""
    return tomli_w.dumps(_plain(roster))


def _plain(record: msgspec.Struct) -> dict[str, Any]:
    values = ((part, getattr(record, part.attribute)) for part in parts(type(record)).values())
    return {part.name: _written(part, value) for part, value in values if part.needed or value != part.default}


def _written(part: Part, value: Any) -> Any:
    if part.record is None:
        return list(value) if part.several else value
    return [_plain(one) for one in value] if part.several else _plain(value)
