"""What all trackers share: a name, a look, and how names that people type are read."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args

import msgspec
from msgspec import Meta

from companion.kit.asking import Option
from companion.kit.offer import Field
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say, tidied

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

V = TypeVar("V")

Colour = Literal["", "red", "amber", "green", "blue", "violet", "grey"]
Glyph = Literal[
    "", "piece", "flag", "shield", "skull", "fight", "bolt", "bow", "wing", "plague", "cards", "die", "clock", "king",
    "pawn", "rook", "forest", "hill", "log", "hint",
]  # fmt: skip

LONGEST_NAME = 40
LONGEST_TEXT = 600
LONGEST_REMINDER = 80
MOST_NAMES = 60
LONGEST_NAMES = MOST_NAMES * (LONGEST_NAME + LONGEST_REMINDER + len("99: , "))
"""Letters of a list: it holds so many names, each with a reminder, a bonus or what it is worth, and what parts them."""
MOST = 9999


class Base(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, tag_field="kind"):
    """Be a tracker: ``called`` names it in both languages as long as nobody has typed a ``name``."""

    id: str = ""
    name: str = ""
    called: str = ""
    colour: Colour = ""
    glyph: Glyph = ""

    @property
    def title(self) -> Text:
        """Return what it is called."""
        return typed(self.name) if self.name else Text(self.called or str(self.__struct_config__.tag))


class Deed(msgspec.Struct, frozen=True, tag_field="action", forbid_unknown_fields=True):
    """Do something with a tracker."""

    tracker: str


class Setting(msgspec.Struct, frozen=True, kw_only=True, tag_field="action", forbid_unknown_fields=True):
    """Add a tracker, or change the one that is named; each kind says what else it is made of."""

    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    colour: Colour = ""
    glyph: Glyph = ""
    tracker: str | None = None

    def look(self, old: Base | None) -> dict[str, Any]:
        """Return the name and the look of the tracker that it makes."""
        called = old.called if old else ""
        return {"name": tidy(self.name), "called": called, "colour": self.colour, "glyph": self.glyph}


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
    if len(names) > MOST_NAMES:
        raise Refusal(say("{count} names at most, please.", count=MOST_NAMES), field=field)
    return names


def fitting(name: str, field: str, longest: int = LONGEST_NAME) -> str:
    """Return a name; raise Refusal when it is too long."""
    if len(name) > longest:
        text = say("“{name}…” is too long: {count} letters at most, please.", name=name[:20], count=longest)
        raise Refusal(text, field=field)
    return name


def written(names: Iterable[str]) -> str:
    """Write names as they are typed."""
    return ", ".join(names)


def followed(values: Mapping[str, V], before: Iterable[str], after: Iterable[str]) -> dict[str, V]:
    """Let what belongs to the places of names follow them to where they stand now; what nobody has any more goes."""
    now = _places(after)
    moved = {at: now[name] for name, at in _places(before).items() if name in now}
    return {moved[at]: value for at, value in values.items() if at in moved}


def _places(names: Iterable[str]) -> dict[tuple[str, int], str]:
    """Say where each name stands: of equal ones the first, the second and so on."""
    met: Counter[str] = Counter()
    found = {}
    for at, name in enumerate(names):
        found[name, met[name]] = str(at)
        met[name] += 1
    return found


def choice(name: str, label: Text, values: Iterable[str], value: str, said: dict[str, str] | None = None) -> Field:
    """Ask for one of some values, which are words of the game unless ``said`` has others."""
    labels = said or {}
    return Field(name, label, "choice", _options(tuple(values), tuple(labels.items())), value)


@lru_cache(maxsize=1024)
def _options(values: tuple[str, ...], said: tuple[tuple[str, str], ...]) -> tuple[Option, ...]:
    labels = dict(said)
    return tuple(Option(one, Text(labels.get(one, one))) for one in values)


def number(name: str, label: Text, value: int | None, low: int, high: int) -> Field:
    """Ask for a number."""
    return Field(name, label, "number", value=value, low=low, high=high)


def text(name: str, label: Text, value: str = "", high: int = LONGEST_NAME, hint: Text | None = None) -> Field:
    """Ask for words."""
    return Field(name, label, "text", value=value, high=high, hint=hint)


def look_fields(tracker: Base | None) -> tuple[Field, ...]:
    """Ask for the name and the look of a tracker."""
    shown: dict[str, Any] = {} if tracker is None else msgspec.structs.asdict(tracker)
    return (
        text("name", say("Name"), shown.get("name", "")),
        choice("colour", say("Colour"), ("", *COLOURS), shown.get("colour", ""), {"": "none"}),
        choice("glyph", say("Picture"), ("", *GLYPHS), shown.get("glyph", ""), {"": "none"}),
    )


COLOURS = tuple(one for one in get_args(Colour) if one)
GLYPHS = tuple(one for one in get_args(Glyph) if one)
