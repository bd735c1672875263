"""From a text to a struct: any text is one, or is refused in a sentence that says where it is wrong."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from companion.kit.rosters.fitting import fit, root
from companion.kit.rosters.parsing import parse
from companion.kit.rosters.shapes import parts
from companion.kit.ruling import Refusal
from companion.kit.text import say

T = TypeVar("T", bound=msgspec.Struct)


def read(text: str, kind: type[T], *, most: int, field: str = "roster") -> T:
    """Read a list of records that somebody wrote as TOML, JSON or CSV; which of them it is shows by itself.

    ``kind`` says everything else: fields that hold structs are records, ``[[unit]]`` and ``[[unit.weapon]]`` in TOML;
    in CSV a column ``record`` says what a row is, and a row belongs to the last one that can hold it. ``ONCE`` marks
    what has to differ. A record's ``__post_init__`` may raise a Refusal of its own: the place is put before it. Raises
    Refusal for ``field``, naming the line or the record, for every text that is no such list or has more than ``most``
    letters.
    """
    written = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if len(written) > most:
        raise Refusal(say("This has more than {most} letters.", most=most), field=field)
    if not written.strip() and any(part.needed for part in parts(kind).values()):
        raise Refusal(say("There is nothing here yet."), field=field)
    try:
        raw = parse(written, kind)
        return fit(raw, kind, root(raw, kind))
    except RecursionError:
        raise Refusal(say("Too much stands inside one another here."), field=field) from None
    except Refusal as refusal:
        raise Refusal(refusal.text, refusal.clause, field) from None
