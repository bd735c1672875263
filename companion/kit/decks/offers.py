"""What may be done with a deck before it is played: take one, bring one, change its lines and take them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from companion.kit.asking import Option
from companion.kit.decks import fields
from companion.kit.decks.samples import Brought, written
from companion.kit.decks.written import MOST_COPIES
from companion.kit.game import Field, Offer
from companion.kit.text import Text, say

DECK = "deck"
"""The tracker that shows the own deck; its lines are called as the cards are."""


def samples(names: Iterable[str], clause: str, *, main: bool) -> list[Offer]:
    """Offer the sample decks: as what is done first (``main``), or in the menu of a deck that they would replace."""
    return [
        Offer("use_sample", say("Take the sample deck: {name}", name=Text(name)), {"sample": name}, on=DECK, main=main,
              aside=not main, grave=not main, clause=clause)
        for name in names
    ]  # fmt: skip


def load(deck: Brought, clause: str, *, aside: bool) -> Offer:
    """Offer to bring a deck as a file; that of ``deck`` is filled in."""
    return Offer("load_deck", say("Deck from a file"), fields=(fields.file(written(deck)),), on=DECK, loose=True,
                 aside=aside, clause=clause, button=say("Use this deck"))  # fmt: skip


def menu(action: str, label: Text, asked: tuple[Field, ...]) -> Offer:
    """Offer something with the whole deck that is not often wanted."""
    return Offer(action, label, fields=asked, on=DECK, loose=True, aside=True)


def rename(deck: Brought) -> Offer:
    """Offer to give a deck another name."""
    return menu("name_deck", say("Name the deck"), (fields.called(deck.name),))


def take_out(field: str, parts: tuple[Option, ...]) -> list[Offer]:
    """Offer to take something out of a deck, where there is anything in it."""
    if not parts:
        return []
    asked = Field(field, say("What"), "choice", parts, parts[0].value)
    return [menu("remove_card", say("Take out of the deck"), (asked,))]


def counts(on: str, given: Mapping[str, Any], count: int, *, full: bool = False) -> list[Offer]:
    """Offer one copy less of a card and one more; of a ``full`` deck cards are only taken out."""
    found = []
    if count:
        found.append(Offer("set_count", say("−1"), {**given, "count": count - 1}, on=on))
    if count < MOST_COPIES and not full:
        found.append(Offer("set_count", say("+1"), {**given, "count": count + 1}, on=on))
    return found


def change(name: Text) -> Text:
    """Say that a card is changed."""
    return say("Change: {card}", card=name)
