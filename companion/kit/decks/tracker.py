"""How a deck is shown: to its owner line by line, to everybody else only that it is there."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from companion.kit.decks.offers import DECK
from companion.kit.panels import Card, Row, Tracker
from companion.kit.text import Text, listed, say

SAMPLE = say("not official")


def deck(name: Text | None, rows: tuple[Row, ...], *, sample: bool) -> Tracker:
    """Show a deck to its owner; ``name`` is what it is called, None: there is none yet."""
    title = say("Your deck") if name is None else say("Your deck: {name}", name=name)
    return Tracker(DECK, title, rows, glyph="cards", note=SAMPLE if sample else None, prints=name is not None)


def line(on: str, name: Text, count: int, note: Text | None, card: Card | None = None) -> Row:
    """Show a card of a deck, how many there are of it, and what stands on it."""
    return Row(on, name, say("× {count}", count=count), note=note, spent=not count, card=card)


def points(spent: int, limit: int, *notes: Text) -> Row:
    """Show what a deck comes to, of what it may."""
    over = [say("{count} too many", count=spent - limit)] if spent > limit else []
    value = say("{points} / {limit}", points=spent, limit=limit)
    note = listed([*notes, *over], value)
    return Row("points", say("Points"), value, note=note, level=min(spent, limit), most=limit)


def readiness(seats: Iterable[str], ready: Collection[str]) -> list[tuple[Text, Text]]:
    """Show who is ready to play."""
    return [(Text(seat), say("has said ready") if seat in ready else say("still building")) for seat in seats]
