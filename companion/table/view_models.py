"""What a seat sees of a table, and what its requests give back: all that pages, events and the API are made from."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from companion.kit.action import Offer
from companion.kit.panels import Card, View
from companion.kit.questions import Choose, Throw
from companion.kit.ruling import Reason
from companion.kit.text import Text

DiceMode = Literal["app", "typed", "ask"]
"""``app``: Companion rolls. ``typed``: we roll and type the faces. ``ask``: asked at each throw."""


class Printed(msgspec.Struct, frozen=True):
    """Name what is printed, with its cards and how many there are of each."""

    title: Text
    cards: tuple[tuple[Card, int], ...]


class Person(msgspec.Struct, frozen=True):
    """Show a seat: what it is called in the game, who sits there by name, and whether somebody has taken it.

    ``note`` is what to know before one sits down there; ``alike`` seats differ in nothing; ``colour`` is the role's.
    """

    seat: str
    role: Text
    name: str
    taken: bool
    note: Text | None = None
    alike: bool = False
    colour: str = ""


class Knock(msgspec.Struct, frozen=True):
    """Show somebody who asks for a seat that is taken; only the rulekeeper sees it."""

    id: str
    seat: str
    name: str


class Proposal(msgspec.Struct, frozen=True):
    """Show a wish about seats to a seat that may say something to it.

    ``about``: ``swap`` (``by`` and ``other`` change places) or ``rulekeeper`` (``other`` keeps the rules; ``by`` is
    empty where whoever runs Companion wants it). ``may``: answer, withdraw, refuse (the rulekeeper is there), take.
    """

    id: str
    about: str
    by: str
    other: str
    may: str


class HandedOver(msgspec.Struct, frozen=True):
    """Show to the holder of a seat how it is handed over: what its link ends with, and until when it opens it."""

    secret: str
    until: datetime


class Offered(msgspec.Struct, frozen=True):
    """Show a seat to whoever is handed it: what it is called, and who hands it over."""

    seat: str
    role: Text
    name: str


class Line(msgspec.Struct, frozen=True):
    """Show one entry of the log as this seat may read it.

    ``kind``: start, action, undo, correction, setting. ``undone`` is true when it was taken back later. ``typed``
    is true when its dice were thrown on the real table. ``at`` is ISO 8601, UTC.
    """

    seq: int
    at: str
    kind: str
    seat: str
    who: str
    headline: Text
    reasons: tuple[Reason, ...]
    undone: bool = False
    typed: bool = False


class Asked(msgspec.Struct, frozen=True):
    """Show the pending question to who must answer it: the question, the story so far, the seat it is for.

    ``seat`` is another one where the rulekeeper answers for it. ``may_roll`` and ``may_type`` say how a throw may be
    answered at this table. ``left`` are the seconds that it still waits, None where it waits for good.
    """

    question: Throw | Choose
    reasons: tuple[Reason, ...]
    may_roll: bool = False
    may_type: bool = False
    seat: str = ""
    left: float | None = None


class Waiting(msgspec.Struct, frozen=True):
    """Tell everybody whose answer the table waits for, and about what (never the choices' secrets).

    ``left`` are the seconds that it still waits, None where it waits for good; of ``patience`` in all. ``throw`` are
    the dice that everybody waits for.
    """

    seat: str
    why: Text
    patience: int = 0
    left: float | None = None
    throw: Throw | None = None


class TakeBack(msgspec.Struct, frozen=True):
    """Show the undo on offer: the entry that would be taken back and whether it needs somebody's yes."""

    seq: int
    headline: Text
    needs_consent: bool


class Consent(msgspec.Struct, frozen=True):
    """Show a wish to take something back that waits for a yes; ``mine_to_give`` when this seat may say it."""

    by: str
    seq: int
    headline: Text
    mine_to_give: bool


class EndWish(msgspec.Struct, frozen=True):
    """Show the rulekeeper's wish to end the table, which waits for another player's yes.

    ``mine_to_give`` when this seat may say it, ``mine`` when it is on the phone that asks.
    """

    mine_to_give: bool
    mine: bool


class Seen(msgspec.Struct, frozen=True):
    """Hold everything one seat may see, at one version of the table.

    ``story`` are the public reasons of a pending action so far; ``last`` is the newest ruling, None before the first.
    ``log`` is the newest entries first, ``more_log`` whether older ones exist. ``call`` is the version by which the
    table began to wait for this seat, 0 where it does not, or the seat's own doing led there; ``since`` is when it
    began to wait for whom it waits for, ISO 8601, UTC, empty where it waits for nobody. ``undo_ended`` says why nothing
    came of the undo that this seat asked for, until it does something or says that it has read it.
    """

    table: str
    game: str
    title: str
    version: int
    seat: str
    dice: DiceMode
    paused: bool
    ended: bool
    people: tuple[Person, ...]
    view: View
    offers: tuple[Offer, ...]
    asked: Asked | None
    waiting: tuple[Waiting, ...]
    story: tuple[Reason, ...]
    last: Line | None
    log: tuple[Line, ...]
    more_log: bool
    take_back: TakeBack | None
    consent: Consent | None
    knocks: tuple[Knock, ...]
    proposals: tuple[Proposal, ...] = ()
    end_wish: EndWish | None = None
    undo_ended: Text | None = None
    archived: bool = False
    call: int = 0
    since: str = ""

    @property
    def over(self) -> bool:
        """Tell whether the game is over, or the table was ended."""
        return self.view.over or self.ended

    @property
    def stopped(self) -> bool:
        """Tell whether nobody may go on: the table is paused, or was ended."""
        return self.paused or self.ended

    @property
    def under_way(self) -> bool:
        """Tell whether an action waits for somebody who may answer now."""
        return bool(self.waiting) and not self.stopped

    @property
    def left(self) -> float | None:
        """Return the seconds until the table goes on without an answer; None where it waits for good."""
        if self.stopped:
            return None
        return min((waited.left for waited in self.waiting if waited.left is not None), default=None)


class Done(msgspec.Struct, frozen=True, omit_defaults=True):
    """Say what a request did, as the seat that sent it may read it.

    ``version`` is the table's after it and ``seq`` the entry it wrote. While the rule waits for answers there
    is no ``headline`` yet, ``reasons`` are the story so far, ``waiting`` says for whom, and ``asked`` is set
    when it is the sender. ``repeated``: it had been done before under the same key, and was not done again.
    """

    version: int
    seq: int | None = None
    headline: Text | None = None
    reasons: tuple[Reason, ...] = ()
    asked: Asked | None = None
    waiting: tuple[Waiting, ...] = ()
    repeated: bool = False


class Created(msgspec.Struct, frozen=True):
    """Hand over a new table and the tokens of the seats that are taken from the start: the rulekeeper's."""

    table: str
    tokens: dict[str, str]


class Summary(msgspec.Struct, frozen=True):
    """A table as it is listed for somebody who has no seat at it.

    ``people`` are the seats in turn order and the rulekeeper; ``over`` is true when the game has ended or was ended,
    ``archived`` when it was put into the archive, ``playable`` false when the game of today can not read the table any
    more. ``updated_at`` is ISO 8601, UTC. ``kind`` says what is played there; ``waits_for`` are the seats whose turn it
    is, or that have to answer (``answering``).
    """

    table: str
    game: str
    title: str
    version: int
    people: tuple[Person, ...]
    updated_at: str
    over: bool
    playable: bool = True
    kind: Text | None = None
    waits_for: tuple[str, ...] = ()
    answering: bool = False
    paused: bool = False
    archived: bool = False

    @property
    def roles(self) -> dict[str, Text]:
        """Return what each seat is called."""
        return {person.seat: person.role for person in self.people}
