"""What people write on cards, and how much of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from companion.kit.ruling import Refusal
from companion.kit.text import say

Called = Annotated[str, Meta(min_length=1, max_length=40)]
Words = Annotated[str, Meta(max_length=300)]
Much = Annotated[int, Meta(ge=1, le=30)]
Shift = Annotated[int, Meta(ge=-9, le=9)]
MOST_COPIES = 99
"""Copies of a card in a deck: more than anybody owns."""
Copies = Annotated[int, Meta(ge=0, le=MOST_COPIES)]
InDeck = Annotated[Copies, Meta(title="Copies in the deck")]
"""How many copies a form asks for."""
MOST_KINDS = 60
"""Kinds of cards of one sort in a deck."""
MOST_CARDS = 2000
"""Cards of a deck: the rules know no limit, but a table can not remember any number of cards that cost nothing."""
LONGEST_FILE = 60_000
"""Letters of a roster file: far more than a deck of sixty kinds of cards needs."""
File = Annotated[str, Meta(max_length=LONGEST_FILE)]


def differ(names: Iterable[str], field: str, clause: str | None = None, *, meant: Iterable[str] | None = None) -> None:
    """Refuse what is called like another of its list, or (``meant``) stands for the same."""
    called, met = tuple(names), set[str]()
    for name, known in zip(called, called if meant is None else meant, strict=True):
        if known.casefold() in met:
            raise Refusal(say("“{name}” is there twice.", name=name), clause, field)
        met.add(known.casefold())
