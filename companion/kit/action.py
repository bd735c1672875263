"""What a seat does, what it is offered to do, and what it is asked for then; an offer is made from its action."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

import msgspec

from companion.kit.questions import Option
from companion.kit.ruling import Reason
from companion.kit.text import Text


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """One field of an action or of a lookup's facts.

    ``kind``: ``choice`` takes one of the options, ``many`` any of them, ``number`` low..high, ``yes_no`` a tick,
    ``text`` free words, ``dice`` a throw (``2d6+1``), ``order`` all of
    the options in an order, ``file`` a text of up to ``high`` letters that may be brought from a file and saved as one
    (``companion.kit.rosters`` reads it), ``picture`` the name of a picture that comes with the form
    (``companion.kit.pictures``). ``value`` is filled in beforehand. ``cost`` is what one of a ``number`` takes of the
    offer's budget. ``when`` names another field and the values of it with which this one counts; None where it always
    does.
    """

    name: str
    label: Text
    kind: Literal["choice", "many", "number", "yes_no", "text", "dice", "order", "file", "picture"]
    options: tuple[Option, ...] = ()
    value: str | int | bool | tuple[str, ...] | None = None
    low: int = 0
    high: int = 0
    hint: Text | None = None
    cost: int = 0
    when: tuple[str, tuple[str, ...]] | None = None


def number_field(name: str, label: Text, value: int | None, low: int, high: int) -> Field:
    """Ask for a number; None: it may be left blank."""
    return Field(name, label, "number", value=value, low=low, high=high)


class Budget(msgspec.Struct, frozen=True):
    """How many points the fields of an offer may cost together; ``label`` names what they are spent on."""

    points: int
    label: Text


class Offer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that a seat may do now, with its choices.

    ``action`` is the action's tag and ``given`` the fields that are settled; ``fields`` are left to choose. ``on`` is
    the piece it starts from, so that a board can show it when that piece is picked. ``main`` marks what most people
    would do next; ``grave`` what should be confirmed; ``chancy`` what has odds to look at first (``Game.foresee``),
    unless it is done ``at_once``: what it needs stands at its targets, and no piece of one's own is at stake;
    ``advice`` is what to know first, whatever is chosen. Every combination of open options is legal: where one choice
    decides what else can be chosen, there is an offer for each of its values, alike in action, piece and label.
    ``among`` is then that choice, the value of this offer (also in ``given``) filled in, so that a page can show one of
    them and change to another.

    With a ``budget`` those combinations are legal that it pays for. ``keeps`` names a kind of list, such as ``army``:
    what is filled in may be kept under a name, chosen again at another table of the game, and shared. ``sheet`` names
    the player aid that explains what is chosen. A ``loose`` one is checked as a whole when it is sent: what does not
    fit together is refused in words. An ``aside`` one is rarely wanted, and kept out of the way. ``button`` is what the
    button below its form says where the label, which stands above it, would not do: ``Use this deck``. What a
    ``grave`` one without fields ``asks`` is a whole question, ``Do you surrender?``, and its button the answer to it.

    One that ``ends`` a phase or a turn, passes or skips is ``main`` only where nothing of use is left to do. What is
    ``left`` the game says, ``2 units could still fire``: then it is no next step. Where the game says neither, a page
    counts the pieces and cards that something can be done with.
    """

    action: str
    label: Text
    given: Mapping[str, Any] = {}
    fields: tuple[Field, ...] = ()
    on: str | None = None
    main: bool = False
    grave: bool = False
    chancy: bool = False
    clause: str | None = None
    advice: tuple[Reason, ...] = ()
    among: Field | None = None
    budget: Budget | None = None
    keeps: str | None = None
    sheet: str | None = None
    loose: bool = False
    aside: bool = False
    button: Text | None = None
    asks: Text | None = None
    ends: bool = False
    left: Text | None = None
    at_once: bool = False

    @property
    def hopeless(self) -> bool:
        """Tell whether nothing that may be chosen can succeed."""
        open_options = ([option for option in field.options if option.barred is None] for field in self.fields)
        return any(options and all(option.hopeless for option in options) for options in open_options)


class Action(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="action"):
    """What a seat does; the field ``action``, the struct's tag, says which it is."""

    @classmethod
    def offer(  # noqa: PLR0913 -- what an Offer has, by name
        cls,
        label: Text,
        *fields: Field,
        on: str | None = None,
        main: bool = False,
        grave: bool = False,
        chancy: bool = False,
        clause: str | None = None,
        advice: tuple[Reason, ...] = (),
        among: Field | None = None,
        budget: Budget | None = None,
        keeps: str | None = None,
        sheet: str | None = None,
        loose: bool = False,
        aside: bool = False,
        button: Text | None = None,
        asks: Text | None = None,
        ends: bool = False,
        left: Text | None = None,
        at_once: bool = False,
        **given: Any,
    ) -> Offer:
        """Offer this action: ``fields`` are asked for, ``given`` are the values that are settled.

        Raises TypeError where the action has no such field, or is left without one that it needs.
        """
        names = _checked(cls, tuple(given), tuple([field.name for field in fields]))
        settled = {names[name]: value for name, value in given.items()} if names else given
        tag = str(cls.__struct_config__.tag)
        what = (tag, label, settled, fields, on, main, grave, chancy, clause, advice)
        return Offer(*what, among, budget, keeps, sheet, loose, aside, button, asks, ends, left, at_once)


@cache
def _checked(kind: type[Action], given: tuple[str, ...], asked: tuple[str, ...]) -> dict[str, str] | None:
    """Check what an offer of an action is made of; returns how fields are stored, None where that is as in Python."""
    fields = msgspec.structs.fields(kind)
    stored = {field.name: field.encode_name for field in fields}
    settled = {stored.get(name, name) for name in given}
    needed = {field.encode_name for field in fields if field.required}
    if wrong := settled.union(asked).difference(stored.values()) | needed.difference(settled, asked):
        raise TypeError(f"an offer of {kind.__name__} and {', '.join(sorted(wrong))}")
    return {name: stored.get(name, name) for name in given} if settled != set(given) else None
