"""The forms of a deck's editor: what is asked, filled in with what it is now."""

from __future__ import annotations

from collections.abc import Iterable

from companion.kit.asking import Option
from companion.kit.decks.entries import LONGEST_FILE, MOST_COPIES
from companion.kit.offer import Field
from companion.kit.text import Text, say

TRANSLATED = say("Names of the sample set are said in everybody's language.")
FILES = say("TOML, JSON or CSV. Choose a file, or save what stands here as one.")


def number(name: str, label: Text, value: int | None, low: int, high: int, hint: Text | None = None) -> Field:
    """Ask for a number; None: it may be left blank."""
    return Field(name, label, "number", value=value, low=low, high=high, hint=hint)


def words(name: str, label: Text, value: str, high: int = 300, hint: Text | None = None) -> Field:
    """Ask for words."""
    return Field(name, label, "text", value=value, high=high, hint=hint)


def called(value: str = "") -> Field:
    """Ask for a name."""
    return words("name", say("Name"), value, 40, TRANSLATED)


def choice(name: str, label: Text, values: Iterable[str], value: str) -> Field:
    """Ask for one of some words of the game."""
    return Field(name, label, "choice", _options(values), value)


def many(name: str, label: Text, values: Iterable[str], value: tuple[str, ...], hint: Text | None = None) -> Field:
    """Ask for any of some words of the game."""
    return Field(name, label, "many", _options(values), value, hint=hint)


def copies(value: int = 1) -> Field:
    """Ask how many copies of a card there are."""
    return number("count", say("Copies in the deck"), value, 0, MOST_COPIES)


def file(value: str) -> Field:
    """Ask for a file; the text that is filled in can be saved as one."""
    return Field("text", say("The file"), "file", value=value, high=LONGEST_FILE, hint=FILES)


def _options(values: Iterable[str]) -> tuple[Option, ...]:
    return tuple(Option(value, Text(value)) for value in values)
