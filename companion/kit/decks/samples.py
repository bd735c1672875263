"""A sample set of a game's own: what stands on its cards is said in every language, what is changed is no sample."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from companion.kit import rosters
from companion.kit.action import Action
from companion.kit.decks.entries import LONGEST_FILE, Called
from companion.kit.files import GameFile
from companion.kit.rulebook import Strict
from companion.kit.text import Text, say

OWN = "own_deck"
"""What a deck is called that somebody began to build: a word of the game."""


class Brought(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """What comes from a file, such as a deck; ``sample`` marks what is Companion's own."""

    name: Called
    sample: bool = False


B = TypeVar("B", bound=Brought)


class Said(NamedTuple):
    """The names and texts of a sample set, which are words of the game; others are as people wrote them."""

    names: frozenset[str]
    texts: frozenset[str]

    def called(self, name: str) -> Text:
        """Name a card: those of the sample set in every language, those of people as they wrote them."""
        return Text(name) if name in self.names else say("{name}", name=name)

    def does(self, text: str) -> Text:
        """Say what a card's text says: that of the sample set in every language, that of people as they wrote it."""
        return Text(text) if text in self.texts else say("{text}", text=text)


def brought(text: str, kind: type[B], samples: Collection[B]) -> B:
    """Read a file, marked as a sample only where it is one; raise Refusal naming its row and field."""
    roster = rosters.read(text, kind, most=LONGEST_FILE, field="text")
    return replace(roster, sample=replace(roster, sample=True) in samples)


def sheet(deck: Brought | None, samples: Collection[str]) -> str | None:
    """Name the player aid of a deck that is one of the ``samples``."""
    return deck.name if deck is not None and deck.sample and deck.name in samples else None


def owned(deck: B, samples: Collection[str]) -> B:
    """Make a deck one's own, with a name that is not of the ``samples``: what somebody has changed is none any more."""
    return replace(deck, sample=False, name=OWN if deck.name in samples else deck.name)


def shares(copies: Sequence[int], costs: Sequence[int], limit: int) -> list[int]:
    """Return how many copies of each card cost no more than a limit together, as they are among each other."""
    whole = sum(count * cost for count, cost in zip(copies, costs, strict=True))
    if whole <= limit:
        return list(copies)
    counts = [count * limit // whole for count in copies]
    left = limit - sum(count * cost for count, cost in zip(counts, costs, strict=True))
    for at in sorted(range(len(counts)), key=lambda at: -(copies[at] * limit % whole)):
        if counts[at] < copies[at] and costs[at] <= left:
            counts[at] += 1
            left -= costs[at]
    return counts


def files(action: type[Action], called: Callable[[str], Text], *what: Brought | None) -> Iterator[GameFile]:
    """Write what people have brought or changed as files that an action takes; a sample is found everywhere."""
    tag = str(action.__struct_config__.tag)
    for one in what:
        if one is not None and not one.sample:
            yield GameFile(tag, called(one.name), written(one))


@lru_cache(maxsize=64)
def written(what: msgspec.Struct) -> str:
    """Write a deck as the text of a file."""
    return rosters.write(what)
