"""What people write on cards: the forms that ask for it, how much of it, and how a list of it is changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from companion.kit.action import Field, number_field
from companion.kit.questions import Option
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say, tidied

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
T = TypeVar("T")
C = TypeVar("C", bound=msgspec.Struct)


def differ(names: Iterable[str], field: str, clause: str | None = None, *, meant: Iterable[str] | None = None) -> None:
    """Refuse what is called like another of its list, or (``meant``) stands for the same."""
    called, met = tuple(names), set[str]()
    for name, known in zip(called, called if meant is None else meant, strict=True):
        if known.casefold() in met:
            raise Refusal(say("“{name}” is there twice.", name=name), clause, field)
        met.add(known.casefold())


def made(kind: type[C], values: msgspec.Struct, /, **changes: Any) -> C:
    """Make a card of a kind out of what a form has of the same names, and the other way round, with ``changes``."""
    names = (name for name in kind.__struct_fields__ if name not in changes and name in values.__struct_fields__)
    return kind(**{name: getattr(values, name) for name in names}, **changes)


def tidy(words: str, field: str = "name") -> str:
    """Return typed words without what can not be seen; raise Refusal for a name of nothing else."""
    clean = tidied(words)
    if not clean and field == "name":
        raise Refusal(say("It needs a name."), field=field)
    return clean


def put(entries: tuple[T, ...], at: int | None, entry: T, most: int) -> tuple[T, ...]:
    """Put an entry in the place of another, or (None) behind all; raise Refusal when there are ``most`` already."""
    if at is not None:
        return (*entries[:at], entry, *entries[at + 1 :])
    if len(entries) >= most:
        raise Refusal(say("There may be {most} of these, no more.", most=most), field="name")
    return (*entries, entry)


def but(entries: tuple[T, ...], at: int) -> tuple[T, ...]:
    """Take one entry out."""
    return (*entries[:at], *entries[at + 1 :])


TRANSLATED = say("Names of the sample set are said in everybody's language.")
FILES = say("TOML, JSON or CSV. Choose a file, or save what stands here as one.")


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
    return number_field("count", say("Copies in the deck"), value, 0, MOST_COPIES)


def file(value: str) -> Field:
    """Ask for a file; the text that is filled in can be saved as one."""
    return Field("text", say("The file"), "file", value=value, high=LONGEST_FILE, hint=FILES)


def _options(values: Iterable[str]) -> tuple[Option, ...]:
    return tuple(Option(value, Text(value)) for value in values)
