"""How names and other words that people type are read, and how long they may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, TypeVar

from msgspec import Meta

from companion.kit.action import Field
from companion.kit.dice.notation import Throw
from companion.kit.dice.parser import read
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say, tidied

V = TypeVar("V")

LONGEST_NAME = 40
LONGEST_TEXT = 600
LONGEST_REMINDER = 80
MOST_NAMES = 60
LONGEST_NAMES = MOST_NAMES * (LONGEST_NAME + LONGEST_REMINDER + len("99: , "))
"""Letters of a list: it holds so many names, each with a reminder, a bonus or what it is worth, and what parts them."""
Listed = Annotated[str, Meta(max_length=LONGEST_NAMES)]
"""What ``listed`` reads."""
Names = Annotated[
    Listed,
    Meta(title="Names", description="For one each: separated by commas.", extra={"when": ("each", ("name",))}),
]
MOST = 9999
"""The highest number that people may count to."""


def typed(words: str) -> Text:
    """Make a text out of words that somebody typed: nothing in them is translated or filled in."""
    return say("{words}", words=words)


def tidy(sent: str, longest: int = LONGEST_NAME) -> str:
    """Take line ends, doubled blanks and what can not be seen out of typed words, and cut what is too long."""
    return tidied(sent)[:longest]


def listed(sent: str, field: str, longest: int = LONGEST_NAME) -> tuple[str, ...]:
    """Read names that are separated by commas or stand on lines of their own.

    Raises Refusal for too many, or one that is too long.
    """
    parts = sent.replace("\n", ",").split(",")
    names = tuple(fitting(name, field, longest) for part in parts if (name := tidy(part, LONGEST_TEXT)))
    check_count(len(names), field)
    return names


def read_dice(sent: str) -> Throw:
    """Read dice; raise Refusal at their field for those that can not be read."""
    try:
        return read(sent)
    except Refusal as wrong:
        raise Refusal(wrong.text, field="dice") from wrong


def check_count(count: int, field: str) -> None:
    """Raise Refusal for more names than a list holds."""
    if count > MOST_NAMES:
        raise Refusal(say("{count} names at most, please.", count=MOST_NAMES), field=field)


def fitting(name: str, field: str, longest: int = LONGEST_NAME) -> str:
    """Return a name; raise Refusal when it is too long."""
    if len(name) > longest:
        text = say("“{name}…” is too long: {count} letters at most, please.", name=name[:20], count=longest)
        raise Refusal(text, field=field)
    return name


def followed(values: Mapping[str, V], before: Iterable[str], after: Iterable[str]) -> dict[str, V]:
    """Let what belongs to the places of names follow them to where they stand now; what nobody has any more goes."""
    now = _places(after)
    moved = {at: now[name] for name, at in _places(before).items() if name in now}
    return {moved[at]: value for at, value in values.items() if at in moved}


def _places(names: Iterable[str]) -> dict[tuple[str, int], str]:
    """Say where each name stands: of equal ones the first, the second and so on."""
    met: Counter[str] = Counter()
    places = {}
    for at, name in enumerate(names):
        places[name, met[name]] = str(at)
        met[name] += 1
    return places


def text(name: str, label: Text, value: str = "", high: int = LONGEST_NAME, hint: Text | None = None) -> Field:
    """Ask for words."""
    return Field(name, label, "text", value=value, high=high, hint=hint)
