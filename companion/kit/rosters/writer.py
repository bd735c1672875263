"""A list of records as people keep it: what is written reads back the same."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import tomli_w

from companion.kit.rosters.csv_parser import WITHIN
from companion.kit.rosters.schema import KIND, ROOT, Part, parts, tree

_NUMBERS = re.compile(r"\[\n +(-?\d+(?:,\n +-?\d+)*),\n *\]")
"""A list of numbers as ``tomli_w`` writes it: one in a line. A string holds no end of line there."""


class _Lines(list[str]):
    """The lines that ``csv`` writes."""

    def write(self, line: str) -> int:
        """Add a line."""
        self.append(line)
        return len(line)


def write(roster: msgspec.Struct) -> str:
    """Write a list of records as TOML; what is as it would be anyway is left out."""
    return _NUMBERS.sub(lambda numbers: f"[{' '.join(numbers[1].split())}]", tomli_w.dumps(_plain(roster)))


def write_table(roster: msgspec.Struct) -> str:
    """Write a list of records as CSV, for a spreadsheet: what is blank there is as it would be anyway."""
    known = list(tree(type(roster)))
    columns = dict.fromkeys(part.name for _, part in known if part.record is None)
    holders: dict[str, set[str]] = {}
    for holder, part in known:
        holders.setdefault(part.name, set()).add(holder)
    table = _Lines()
    writer = csv.DictWriter(table, [KIND, *columns])
    writer.writeheader()
    for holder, name, record in _rows("", ROOT, roster):
        called = f"{holder}.{name}" if len(holders.get(name, ())) > 1 else name
        written = {part.name: _cell(part, getattr(record, part.attribute)) for part in parts(type(record)).values()}
        writer.writerow({KIND: called} | {name: cell for name, cell in written.items() if cell})
    return "".join(table)


def _plain(record: msgspec.Struct) -> dict[str, Any]:
    values = ((part, getattr(record, part.attribute)) for part in parts(type(record)).values())
    return {part.name: _written(part, value) for part, value in values if part.needed or value != part.default}


def _written(part: Part, value: Any) -> Any:
    if part.record is None:
        return list(value) if part.several else value
    return [_plain(record) for record in value] if part.several else _plain(value)


def _rows(holder: str, name: str, record: msgspec.Struct) -> Iterator[tuple[str, str, msgspec.Struct]]:
    yield holder, name, record
    for part in parts(type(record)).values():
        value = getattr(record, part.attribute) if part.record is not None else None
        for inner in () if value is None else value if part.several else (value,):
            yield from _rows(name, part.name, inner)


def _cell(part: Part, value: Any) -> str:
    if part.record is not None or value is None or (value == part.default and not part.needed):
        return ""
    if not part.several:
        return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    cell = _Lines()
    csv.writer(cell, delimiter=WITHIN, lineterminator="").writerow(value)
    return "".join(cell)
