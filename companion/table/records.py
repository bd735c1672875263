"""What is stored of a table: its row, its seats, the entries of its log, and what waits between two requests."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

import msgspec

from companion.kit.questions import Answer, Choice, Choose, Faces, Throw, Together
from companion.kit.ruling import Reason
from companion.kit.text import Text, say
from companion.table.view_models import DiceMode

Kind = Literal["start", "action", "undo", "correction", "setting"]
"""Kinds of entries. Start, action and correction change the state; a setting may, but it is no step to take back."""
Setting = Literal["paused", "resumed", "ended", "reopened"]
"""Settings that say whether anybody may play."""
WishAbout = Literal["swap", "rulekeeper"]
"""What people wish with seats: that two of them change places, or that somebody else keeps the rules."""
DeletedBy = Literal["rulekeeper", "host", "nobody", "for good"]
"""Who deleted a table: its rulekeeper, the laptop, nobody (an empty one goes by itself); then its rows go for good."""
RULINGS = frozenset({"action", "correction"})
"""Kinds of entries that are shown large when they are the newest of their kinds."""


class ActionBegun(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An action under way: for which seat, by which one (whose phone it came from), and how far it is.

    ``sealed`` are the answers to a together-question that are in, ``silent`` the seats that did not answer in time.
    ``spare`` are answers to what is not asked any more since somebody came or went: they count when it is asked again.
    """

    seat: str
    by: str
    action: dict[str, Any]
    answers: tuple[Answer, ...] = ()
    sealed: dict[str, Faces | Choice] = {}
    silent: tuple[str, ...] = ()
    spare: tuple[Answer, ...] = ()


class ActionWaiting(ActionBegun, frozen=True, omit_defaults=True, kw_only=True):
    """An action that waits for an answer.

    ``since`` is the version of the table at which the question was put: an answer from an older page is for
    another question. ``put`` is when that was. ``reasons`` are the story so far, ``progress`` is the state that the
    rule has come to by now, as an entry holds it (empty: that before the action).
    """

    question: Throw | Choose | Together
    since: int
    reasons: tuple[Reason, ...] = ()
    put: datetime | None = None
    progress: str = ""

    @property
    def unanswered(self) -> tuple[tuple[str, Throw | Choose], ...]:
        """List the seats whose answer is missing, each with its question."""
        match self.question:
            case Throw():
                return ((self.question.by, self.question),)
            case Choose():
                return ((self.question.seat, self.question),)
            case Together():
                parts = self.question.questions.items()
                return tuple((seat, part) for seat, part in parts if seat not in self.sealed)

    def left(self, part: Throw | Choose, now: datetime) -> float | None:
        """Return the seconds that a part of the question still waits; None where it waits for good."""
        if isinstance(part, Throw) or not part.patience or self.put is None:
            return None
        elapsed = (now - self.put).total_seconds()
        # A clock that was set back must not keep the table waiting.
        return round(max(part.patience - elapsed, 0), 3) if elapsed >= 0 else 0


class UndoRequest(msgspec.Struct, frozen=True):
    """A wish to take back entry ``seq`` that waits for somebody's yes.

    ``ended`` says to whoever made it why nothing comes of it: it was refused, or somebody else has played on.
    """

    by: str
    seq: int
    headline: Text
    since: int
    ended: Text | None = None

    def lapsed(self, by: str, who: Text | str) -> UndoRequest | None:
        """Return what is left of it once a seat, called ``who``, plays on: nothing where that is whoever made it."""
        if by == self.by:
            return None
        said = self.ended or say("{who} has played on: the undo is off", who=who)
        return msgspec.structs.replace(self, ended=said)


class EndRequest(msgspec.Struct, frozen=True):
    """The rulekeeper's wish to end the table, which waits for another player's yes.

    ``held`` are the tokens on the phone that asked: wherever they sit by now, none of their seats can agree.
    """

    held: tuple[str, ...] = ()


class Awaited(msgspec.Struct, frozen=True, omit_defaults=True):
    """Say what a table waits for a seat for, and the version by which it is called: 0 where its own doing led there."""

    why: tuple[str, ...] = ()
    call: int = 0


class TableRecord(msgspec.Struct):
    """A table: ``head`` is the entry its state rests on, ``last`` the newest entry, ``version`` counts commits.

    ``moved`` is the version at which the newest step was done or changed: an older wish to take back means another one.
    ``archived`` and ``deleted`` are when it was put away, None where it was not; ``deleted_by`` says who deleted it,
    and stays when it was brought back.
    ``awaited`` are the seats that it waits for, None where nobody has looked yet.
    """

    id: str
    game: str
    title: str
    options: dict[str, Any]
    dice: DiceMode
    created: str
    updated: str
    version: int = 1
    moved: int = 1
    head: int = 1
    last: int = 1
    held: ActionWaiting | None = None
    wish: UndoRequest | None = None
    paused: bool = False
    ended: bool = False
    closing: EndRequest | None = None
    archived: str | None = None
    deleted: str | None = None
    deleted_by: DeletedBy | None = None
    awaited: dict[str, Awaited] | None = None

    @property
    def asks(self) -> UndoRequest | None:
        """Return the wish to take something back that waits for a yes."""
        return None if self.wish is None or self.wish.ended else self.wish


class SeatRecord(msgspec.Struct, frozen=True):
    """A seat: who sits there and the token that opens it; None when nobody does."""

    seat: str
    name: str
    token: str | None


class SeatRequest(msgspec.Struct, frozen=True):
    """A wish for a taken seat; ``answer`` is None while it waits, ``no``, or the token of the seat."""

    id: str
    seat: str
    name: str
    token: str
    answer: str | None


class HandOver(msgspec.Struct, frozen=True, tag="hand_over"):
    """A seat that its holder hands over: whoever opens the ``secret`` before ``until`` gets it, once.

    ``held`` is the token that the seat had then: nobody is given the seat of somebody who sits there later. ``by`` is
    what its holder is called on another seat, where this one has no name: whoever made the table often keeps the rules.
    """

    seat: str
    held: str
    secret: str
    until: str
    taken: bool = False
    by: str = ""


class SeatWish(msgspec.Struct, frozen=True, tag="seat_wish"):
    """A wish about seats: that two people swap theirs, or that somebody else keeps the rules.

    ``held`` and ``other_held`` are the tokens of both seats: it is void when somebody else sits there. ``by`` is empty
    where whoever runs Companion wants it. ``agreed``: the rulekeeper's seat may be taken.
    """

    id: str
    about: WishAbout
    by: str
    held: str
    other: str
    other_held: str
    agreed: bool = False


class TablePin(msgspec.Struct, frozen=True, tag="pin"):
    """What is kept of the PIN of a table: its salted digest, and what a phone shows that has typed it."""

    salt: str
    digest: str
    admission: str


class NoRealBoard(msgspec.Struct, frozen=True, tag="no_real_board"):
    """Noted where nothing lies beside Companion that people would keep as it is kept here."""


class RematchSeat(msgspec.Struct, frozen=True):
    """Where somebody of a table sits in its rematch: the new table, the seat, and the token that it began with.

    ``held`` is the token of his seat at the old table: nobody else is taken along who sits there later.
    """

    seat: str
    held: str
    next_table: str
    next_seat: str
    token: str


class Entry(msgspec.Struct, frozen=True):
    """An entry of the log.

    ``base`` is the entry whose state it was done on, ``undoes`` the entry it takes back, ``ruling`` the newest action
    or correction on its line of play. ``state`` is the game's JSON after it, None where the state is that of ``base``.
    ``path`` is the digest of everything that led here. ``revealing`` says that somebody learnt something, so that
    others are asked before it is taken back. ``setting`` says that play stopped here, or went on.
    """

    seq: int
    base: int
    ruling: int
    at: str
    kind: Kind
    seat: str
    by: str
    who: str
    headline: Text
    path: str
    undoes: int | None = None
    reasons: tuple[Reason, ...] = ()
    revealing: bool = False
    typed: bool = False
    action: dict[str, Any] | None = None
    answers: tuple[Answer, ...] = ()
    state: str | None = None
    setting: Setting | None = None


class StateChange(msgspec.Struct, frozen=True):
    """What was done to the state: the action or correction, its answers, the state after it, whether it revealed."""

    action: dict[str, Any]
    answers: tuple[Answer, ...] = ()
    state: Any = None
    revealing: bool = False


SETTINGS_SAID: dict[str, Setting] = {
    say("The table is paused.").say: "paused",
    say("The table goes on.").say: "resumed",
    say("The table ends here.").say: "ended",
    say("The table is open again.").say: "reopened",
}
"""The sentences by which entries without a ``setting`` told it."""
