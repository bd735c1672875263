"""What the JSON API takes and answers, declared once: validation, JSON and the JSON Schema come from here."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from companion.kit.correction import Tracked
from companion.kit.dice.notation import MOST_SIDES
from companion.kit.dice.parser import LONGEST
from companion.kit.dice.roll import MOST_THROWN, Thrown
from companion.kit.odds import Chart
from companion.kit.pictures import MOST_PICTURES
from companion.kit.questions import Choose, Throw
from companion.kit.ruling import Reason
from companion.kit.text import Text
from companion.table.correct import LONGEST_SENT
from companion.table.stock_take import MOST_DIFFERENCES
from companion.table.view_models import DiceMode, Line

Key = Annotated[str, Meta(min_length=1, max_length=120, description="Any text of yours; the same key acts only once.")]
Once = Annotated[
    str,
    Meta(
        min_length=16,
        max_length=120,
        description="A long random text of yours: the same key makes one table, and gives its tokens again.",
    ),
]
Version = Annotated[int, Meta(ge=0, le=2**53, description="The version of the table that you saw.")]
Words = Annotated[str, Meta(max_length=200)]
Faces = Annotated[list[Annotated[int, Meta(ge=1, le=1000)]], Meta(max_length=200, description="Faces, as thrown.")]

Notation = Annotated[str, Meta(max_length=LONGEST, description="Dice, such as 4d6kh3, 3d10>=7 or 2d6+1d8-1.")]
DiceFaces = Annotated[
    list[Annotated[int, Meta(ge=1, le=MOST_SIDES)]], Meta(max_length=MOST_THROWN, description="Faces, as thrown.")
]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a request brings; unknown names are refused."""


class Consult(Body, frozen=True):
    """Ask for a ruling. Without ``dice`` Companion rolls; ``roll`` true lets it add to the dice given."""

    facts: dict[str, Any]
    choices: dict[str, str] = {}
    dice: Faces | None = None
    roll: bool | None = None


class Foresee(Body, frozen=True):
    """Ask for exact odds."""

    facts: dict[str, Any]


class Compare(Body, frozen=True):
    """Ask for the exact odds of two fact sets; what ``b`` leaves out is as in ``a``."""

    a: dict[str, Any]
    b: dict[str, Any]


class ThrowDice(Body, frozen=True):
    """Throw dice. Without ``dice`` Companion rolls; ``roll`` true lets it add to the dice given."""

    notation: Notation
    dice: DiceFaces | None = None
    roll: bool | None = None


class ForeseeDice(Body, frozen=True):
    """Ask for the exact odds of dice."""

    notation: Notation


class NewTable(Body, frozen=True):
    """Make a table; ``seats`` are taken at once for the names given (seat to name)."""

    game: Words
    title: Words = ""
    seats: dict[str, Words] = {}
    options: dict[str, Any] = {}
    dice: DiceMode = "app"
    key: Once | None = None


class Act(Body, frozen=True):
    """Do an action: ``action`` says which, beside its fields. ``answers`` may be given ahead.

    ``pictures`` are those that the action names by their SHA-256.
    """

    action: dict[str, Any]
    key: Key
    answers: Annotated[list[dict[str, Any]], Meta(max_length=200)] | None = None
    seen: Version | None = None
    pictures: Annotated[list[bytes], Meta(max_length=MOST_PICTURES, description="PNG, JPEG or WebP, in base64.")] = []


class Reply(Body, frozen=True):
    """Answer the pending question: ``{"faces": [...]}``, ``{"roll": true}`` or ``{"value": "..."}``."""

    answer: dict[str, Any]
    key: Key
    seen: Version | None = None


class Silence(Body, frozen=True):
    """Go on without an answer that did not come in time; ``seen`` is a version at which the question was open.

    While there is time left it is answered with 409. Where that question is answered already, nothing is done.
    """

    seen: Version
    key: Key


class Undo(Body, frozen=True):
    """Take the newest action back, or (with ``consent``) say yes or no to somebody who wants to."""

    key: Key
    consent: bool | None = None
    seen: Version | None = None


class ChangeSeats(Body, frozen=True):
    """Take the free seat ``other``, or ask whoever sits there to swap; the caller's token opens that seat then."""

    other: str
    key: Key


class AnswerProposal(Body, frozen=True):
    """Agree to one of the ``proposals`` of the view, by its id, or end it."""

    wish: str
    yes: bool
    key: Key


class Leave(Body, frozen=True):
    """Get up: the caller's token opens nothing any more."""

    key: Key


class Copy(Body, frozen=True):
    """Take a copy of the whole table; until the game is over everybody reads in the log that it was taken.

    The same key gives the same copy again, and 409 where the table has moved on since.
    """

    key: Key


class End(Body, frozen=True):
    """End the table, or (with ``on`` false) open it again; for the rulekeeper. Giving up is an action of the game.

    While the game goes on another player is asked (``end_wish`` in the view), who says yes or no with ``consent``.
    """

    key: Key
    on: bool = True
    consent: bool | None = None


class PlayAgain(Body, frozen=True):
    """Ask for the rematch of a table whose game is over; with ``swap`` two players change places there.

    A table has one rematch: the first request sets it up, and whatever its ``key``, each later one is given the same.
    """

    key: Key
    swap: bool = False


class Correct(Body, frozen=True):
    """Set a tracked value by hand; ``GET /api/tables/{table}/corrections`` lists them."""

    path: Words
    value: Annotated[str, Meta(max_length=LONGEST_SENT)]
    key: Key
    seen: Version | None = None


class OneOfSeveral(Body, frozen=True):
    """A value that is set together with others, as ``Correct`` does."""

    path: Words
    value: Annotated[str, Meta(max_length=LONGEST_SENT)]


class StockTake(Body, frozen=True):
    """Set several values of what lies on the table at once, as one entry: all of them or none; no turn, no hand."""

    corrections: Annotated[tuple[OneOfSeveral, ...], Meta(min_length=1, max_length=MOST_DIFFERENCES)]
    key: Key
    seen: Version | None = None


class Ruled(msgspec.Struct, frozen=True, kw_only=True):
    """A lookup's ruling, or the ``question`` it waits for: ask again with the answer and the ``faces``.

    ``unused`` names choices that were given and not asked for.
    """

    headline: Text | None
    outcome: Any
    reasons: tuple[Reason, ...]
    faces: tuple[int, ...]
    question: Throw | Choose | None
    unused: tuple[str, ...]


class Charts(msgspec.Struct, frozen=True, kw_only=True):
    """The exact odds, a chart for each thing that may be wanted; empty where nothing is thrown."""

    charts: tuple[Chart, ...]


class Differing(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that two fact sets have different values of."""

    field: str
    label: Text
    a: Any
    b: Any


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """The exact odds of two fact sets, and what differs between them."""

    a: Charts
    b: Charts
    differing: tuple[Differing, ...]


class DiceThrown(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a throw, and its ``faces`` in the order thrown."""

    outcome: Thrown
    faces: tuple[int, ...]


class DiceOdds(msgspec.Struct, frozen=True, kw_only=True):
    """The exact odds of dice: as charts, and the chance of each total (of points, or of successes)."""

    charts: tuple[Chart, ...]
    totals: dict[str, Fraction]


class GameSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A game: its options, its actions and the seats that people take (with every option at its default)."""

    game: str
    name: Text
    summary: Text
    seats: dict[str, Text]
    options: dict[str, Any]
    actions: dict[str, Any]


class Games(msgspec.Struct, frozen=True, kw_only=True):
    """The games."""

    games: tuple[GameSummary, ...]


class LookupSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A lookup with the JSON Schema of its facts."""

    lookup: str
    title: Text
    note: Text | None
    facts: dict[str, Any]
    odds: bool


class Lookups(msgspec.Struct, frozen=True, kw_only=True):
    """The lookups of a game."""

    lookups: tuple[LookupSummary, ...]


class Seat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat taken: its token (a Bearer token) and the private link that brings it to a phone."""

    seat: str
    token: str
    link: str


class Created(msgspec.Struct, frozen=True, kw_only=True):
    """A table made: its code, the address to join it, and the seats taken."""

    table: str
    join: str
    seats: tuple[Seat, ...]


class SeatThere(msgspec.Struct, frozen=True, kw_only=True):
    """The caller's seat at the rematch of a table: the code of that, the address to join it, and the seat."""

    table: str
    join: str
    seat: Seat


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong (RFC 9457), naming the field or the clause where there is one."""

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None
    clause: str | None = None


class Log(msgspec.Struct, frozen=True, kw_only=True):
    """Entries of the log as the caller may read them, newest first."""

    lines: tuple[Line, ...]


class Corrections(msgspec.Struct, frozen=True, kw_only=True):
    """The values that can be corrected by hand; what the caller may not read is null."""

    values: tuple[Tracked, ...]
