"""Corrections: every tracked value can be set by hand, and is declared with what sets it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

import msgspec

from companion.kit.action import Field
from companion.kit.asking import Ask
from companion.kit.questions import Option
from companion.kit.text import Text, say

S = TypeVar("S")
T = TypeVar("T", bound=str)
OFF = "off"
OFF_BOARD = Option(OFF, say("off the board"))


class Tracked(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value that can be corrected by hand: where it is, what it is called, what it is now.

    ``part`` is the heading that its group stands under, such as the units of a side.
    ``secret_of`` is the seat that alone may read it; then others may set it but are shown neither old nor new.
    ``reveals`` says that setting it may show somebody what was hidden, so that it is not taken back without a yes.
    Where already what it could be is a secret, such as the cards of a deck, ``only`` is the seat that alone is shown
    it and may set it.
    """

    path: str
    group: Text
    field: Field
    secret_of: str | None = None
    reveals: bool = False
    part: Text | None = None
    only: str | None = None


@dataclass(frozen=True)
class Correction(Generic[S]):
    """A tracked value with what sets it.

    ``put`` has the new value as it was sent, which fits the field (a number in digits, a tick as ``true`` or ``false``,
    several choices separated by commas), and returns the state with it, or raises Refusal where it can not be that.
    Only chance may be asked: what a correction does is said by the table, in the same words whatever was hidden.
    It is not asked to set what is there already, but where that is ``rough``: the field shows less than there is (a
    clock that runs, hits up to those that a unit can have), and setting what it shows may change something.
    """

    tracked: Tracked
    put: Callable[[str, Ask], S]
    rough: bool = False


class Group(NamedTuple):
    """The heading of some tracked values; each of its methods declares one of them with what sets it.

    The path of a value is that of the group (``game.``) and its ``name``.
    """

    path: str
    title: Text
    part: Text | None = None
    rough: bool = False

    def number(
        self, name: str, label: Text, value: int, put: Callable[[int], S], *, low: int = 0, high: int
    ) -> Correction[S]:
        """Declare a whole number."""
        field = Field("value", label, "number", value=value, low=low, high=high)
        return self.value(name, field, lambda sent, _: put(int(sent)))

    def yes_no(self, name: str, label: Text, put: Callable[[bool], S], *, value: bool) -> Correction[S]:
        """Declare what holds or does not."""
        field = Field("value", label, "yes_no", value=value)
        return self.value(name, field, lambda sent, _: put(sent == "true"))

    def one_of(
        self, name: str, label: Text, values: Mapping[T, Text], value: T, put: Callable[[T], S]
    ) -> Correction[S]:
        """Declare one of several values, which are named by what they are called."""
        options = [Option(key, text) for key, text in values.items()]
        known: dict[str, T] = {key: key for key in values}
        return self.choice(name, label, options, value, lambda sent: put(known[sent]))

    def choice(
        self, name: str, label: Text, options: Sequence[Option], value: str, put: Callable[[str], S]
    ) -> Correction[S]:
        """Declare one of several options."""
        return self.value(name, choice(label, tuple(options), value), lambda sent, _: put(sent))

    def many(
        self,
        name: str,
        label: Text,
        options: Sequence[Option],
        value: Sequence[str],
        put: Callable[[tuple[str, ...]], S],
    ) -> Correction[S]:
        """Declare any of several options; they come as they were sent, each once."""
        field = Field("value", label, "many", tuple(options), value=tuple(value))
        return self.value(name, field, lambda sent, _: put(several(sent)))

    def value(
        self,
        name: str,
        field: Field,
        put: Callable[[str, Ask], S],
        *,
        secret_of: str | None = None,
        reveals: bool = False,
        only: str | None = None,
    ) -> Correction[S]:
        """Declare any other value by its field, and one that somebody may not see; the rest is as in ``Tracked``."""
        tracked = Tracked(f"{self.path}{name}", self.title, field, secret_of, reveals, self.part, only)
        return Correction(tracked, put, self.rough)


def written(field: Field) -> str:
    """Write the value of a field as a correction sends it."""
    match field.value:
        case bool(ticked):
            return "true" if ticked else "false"
        case tuple(chosen):
            return ",".join(chosen)
        case value:
            return str(value)


def several(sent: str) -> tuple[str, ...]:
    """Read several choices as a correction sends them, each once."""
    return tuple(dict.fromkeys(choice for choice in sent.split(",") if choice))


def choice(label: Text, options: tuple[Option, ...], value: str) -> Field:
    """Make the field of a value that is one of several."""
    return Field("value", label, "choice", options, value=value)
