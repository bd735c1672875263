"""The contract of a game: everything that the table and the web know about one."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

import msgspec

from companion.kit.asking import Option
from companion.kit.ruling import Reason
from companion.kit.text import Text, Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.kit.asking import Ask
    from companion.kit.panels import View
    from companion.kit.rulebook import Rulebook
    from companion.kit.ruling import Ruling

RULEKEEPER = "rulekeeper"
SCREEN = "screen"
"""Seats that every table has beside the game's own: the rulekeeper, and the shared screen that sees what is public."""


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """Ask for one field of an action or of a lookup's facts.

    ``kind``: ``choice`` takes one of the options, ``many`` any of them, ``number`` low..high, ``yes_no`` a tick,
    ``text`` free words, ``dice`` a throw (``2d6+1``), ``order`` all of
    the options in an order, ``file`` a text of up to ``high`` letters that may be brought from a file and saved as one
    (``companion.kit.rosters`` reads it). ``value`` is filled in beforehand. ``cost`` is what one of a
    ``number`` takes of the offer's budget.
    """

    name: str
    label: Text
    kind: Literal["choice", "many", "number", "yes_no", "text", "dice", "order", "file"]
    options: tuple[Option, ...] = ()
    value: str | int | bool | tuple[str, ...] | None = None
    low: int = 0
    high: int = 0
    hint: Text | None = None
    cost: int = 0


class Budget(msgspec.Struct, frozen=True):
    """Say how many points the fields of an offer may cost together; ``label`` names what they are spent on."""

    points: int
    label: Text


class Bar(msgspec.Struct, frozen=True):
    """Show one bar of a chart of odds; ``place`` is the square of the chart's map that it is the chance of."""

    label: Text
    chance: Fraction
    place: str | None = None


class Map(msgspec.Struct, frozen=True):
    """Lay a chart out as a board: files left to right, ranks bottom to top (``turned``: seen from the other side)."""

    files: tuple[str, ...]
    ranks: tuple[str, ...]
    turned: bool = False


class Chart(msgspec.Struct, frozen=True):
    """Show exact odds: bars in reading order, each a chance; with a ``map``, those with a place are drawn on it.

    ``reasons`` say what they rest on, such as the face that a die needs and why.
    """

    title: Text
    bars: tuple[Bar, ...]
    map: Map | None = None
    reasons: tuple[Reason, ...] = ()


class Offer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Offer a seat something it may do now, with its choices.

    ``action`` is the action's tag and ``given`` the fields that are settled; ``fields`` are left to choose. ``on`` is
    the piece it starts from, so that a board can show it when that piece is picked. ``main`` marks what most people
    would do next; ``grave`` what should be confirmed; ``chancy`` what has odds to look at first (``Game.foresee``);
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

    @property
    def hopeless(self) -> bool:
        """Tell whether nothing that may be chosen can succeed."""
        open_options = ([one for one in field.options if one.barred is None] for field in self.fields)
        return any(options and all(one.hopeless for one in options) for options in open_options)


class Role(msgspec.Struct, frozen=True, omit_defaults=True):
    """Name a seat of the game that a person takes: its identifier and what it is called.

    ``note`` is what to know before one sits down there, such as who plays together. ``alike`` seats differ in nothing:
    whoever comes is given the next free one of them. ``colour`` is one of ``panels.COLOURS``; without it a seat that is
    called by a colour has that one, and others get those that are left.
    """

    id: str
    name: Text
    note: Text | None = None
    alike: bool = False
    colour: str = ""


class Start(msgspec.Struct, frozen=True, omit_defaults=True):
    """Offer a way to set a table of the game at once, from the first page: ``options`` by name, and what it is for.

    ``main`` is what most people look for.
    """

    id: str
    name: Text
    note: Text
    glyph: str
    options: Mapping[str, Any] = {}
    main: bool = False


class Tracked(msgspec.Struct, frozen=True, omit_defaults=True):
    """Name one tracked value that can be corrected by hand: where it is, what it is called, what it is now.

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


class Lookup(msgspec.Struct, frozen=True):
    """Rule on typed-in facts, without a table.

    ``facts`` is the struct that the form and the API fill; ``rule`` answers with an outcome (a struct); ``charts``
    gives the exact odds of the facts, None where nothing is thrown. ``note`` says in a sentence what it answers.
    """

    slug: str
    title: Text
    facts: type[msgspec.Struct]
    rule: Callable[[Any, Ask], Ruling[Any]]
    charts: Callable[[Any], tuple[Chart, ...]] | None = None
    note: Text | None = None


def starts(game: Game[Any]) -> tuple[Start, ...]:
    """List the ways to set a table of a game at once; few games have any (``starts``)."""
    found: tuple[Start, ...] = getattr(game, "starts", ())
    return found


def seated(game: Game[Any], seat: str, name: str | None) -> Any:
    """Return the action that tells a game who sits down on a seat of its own (None: nobody any more).

    None where the game does not want to know: most have no ``seated``.
    """
    tell: Callable[[str, str | None], Any] | None = getattr(game, "seated", None)
    return tell(seat, name) if tell else None


def options_now(game: Game[Any], state: Any) -> Any:
    """Return the options of a new table that is laid out as this one is now; None where a game has no such thing."""
    tell: Callable[[Any], Any] | None = getattr(game, "options_now", None)
    return tell(state) if tell else None


S = TypeVar("S")


class Game(Protocol[S]):
    """Be a game: pure rules over a frozen state, found under ``companion.games`` or by entry point."""

    slug: str
    name: Text
    summary: Text
    words: Words
    rulebook: Rulebook
    options: type[msgspec.Struct]
    state: type[S]
    actions: Any
    """The tagged union of the action structs, for decoding."""
    lookups: Mapping[str, Lookup]

    def roles(self, options: Any) -> tuple[Role, ...]:
        """Name the seats that people take, in turn order."""

    def setup(self, options: Any, ask: Ask) -> Ruling[S]:
        """Set the table up."""

    def offers(self, state: S, seat: str) -> tuple[Offer, ...]:
        """List what a seat may do now."""

    def rule(self, state: S, seat: str, action: Any, ask: Ask) -> Ruling[S]:
        """Rule on an action; raise Refusal or Pending."""

    def view(self, state: S, seat: str) -> View:
        """Show what a seat may see, and nothing else."""

    def foresee(self, state: S, seat: str, action: Any) -> tuple[Chart, ...]:
        """Work out the exact odds of an action before it is done; empty when it throws no dice."""

    def tracked(self, state: S) -> tuple[Tracked, ...]:
        """List every value that can be corrected by hand."""

    def correct(self, state: S, path: str, value: str, ask: Ask) -> S:
        """Set one tracked value; raise Refusal when the value can not be.

        It fits its field: a number comes in digits, a tick as ``true`` or ``false``, several choices separated by
        commas. Only chance may be asked: what a correction does is said by the table, in the same words whatever
        was hidden.
        """
