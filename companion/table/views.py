"""What a seat may see of its table is put together here, and nothing else is."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import Any

import msgspec

from companion.kit.action import Offer
from companion.kit.correction import Tracked
from companion.kit.game import RULEKEEPER, SCREEN, Role
from companion.kit.panels import Tracker, View
from companion.kit.questions import Choose, Throw, Together
from companion.kit.ruling import Reason
from companion.kit.text import Text, say, speak
from companion.table.calls import since
from companion.table.problem import Problem, Unsound
from companion.table.records import Entry, SeatWish
from companion.table.seat_wishes import proposals, standing
from companion.table.session import Session
from companion.table.settings import end_wish
from companion.table.undo import UndoableStep, may_consent, needs_consent, newest_step
from companion.table.unshowable import UNSHOWABLE, logged
from companion.table.view_models import (
    Asked,
    Consent,
    Done,
    Knock,
    Line,
    Person,
    Printed,
    Seen,
    Summary,
    TakeBack,
    Waiting,
)

LOG_SHOWN = 20
"""Lines of the log that are shown without asking for more."""
FOR = "for"
"""The field of an action that names the free seat the rulekeeper does it for."""


def readable(reasons: Iterable[Reason], seat: str) -> tuple[Reason, ...]:
    """Leave out the reasons that are for other seats, at every depth."""
    return tuple(
        msgspec.structs.replace(reason, terms=readable(reason.terms, seat)) if reason.terms else reason
        for reason in reasons
        if reason.seat is None or reason.seat == seat
    )


def addressed(reasons: Iterable[Reason]) -> bool:
    """Tell whether one of the reasons, at any depth, is for a single seat."""
    return any(reason.seat is not None or addressed(reason.terms) for reason in reasons)


def lines(session: Session, seat: str, before: int, limit: int) -> tuple[Line, ...]:
    """Return lines of the log as a seat may read them, newest first."""
    return tuple(_line(line, seat) for line in session.lines(before, limit))


def _line(line: Line, seat: str) -> Line:
    return msgspec.structs.replace(line, reasons=readable(line.reasons, seat))


def report(session: Session, seat: str) -> tuple[Line, ...]:
    """Return the whole log as a seat may read it, oldest first."""
    undone: set[int | None] = set()
    log = []
    for entry in session.log():
        undone.add(entry.undoes)
        fields = (entry.seq, entry.at, entry.kind, entry.seat, entry.who, entry.headline)
        log.append(Line(*fields, readable(entry.reasons, seat), typed=entry.typed))
    return tuple(msgspec.structs.replace(line, undone=True) if line.seq in undone else line for line in log)


def asked(session: Session, seat: str) -> Asked | None:
    """Return the question that a seat must answer now; the rulekeeper answers for seats that nobody took."""
    pending = session.row.held
    if pending is None or seat == SCREEN:
        return None
    dice = session.row.dice
    for other, question in pending.unanswered:
        if session.stands_in(seat, other):
            left = pending.left(question, session.now)
            return Asked(question, readable(pending.reasons, seat), dice != "typed", dice != "app", other, left)
    return None


def waiting(session: Session) -> tuple[Waiting, ...]:
    """List whose answers the table waits for, and about what."""
    pending = session.row.held
    if pending is None:
        return ()
    # The parts of a together-question may say to one seat what the others must not know.
    together = pending.question.why if isinstance(pending.question, Together) else None
    return tuple(
        Waiting(
            seat,
            together or question.why,
            question.patience if isinstance(question, Choose) else 0,
            pending.left(question, session.now),
            question if isinstance(question, Throw) and not together else None,
        )
        for seat, question in pending.unanswered
    )


def done(session: Session, seat: str, entry: Entry | None = None) -> Done:
    """Say what was done, as the seat that did it may read it; call it when everything is saved."""
    version = session.row.version
    if entry is not None:
        return Done(version, entry.seq, entry.headline, readable(entry.reasons, seat))
    pending = session.row.held
    reasons = readable(pending.reasons, seat) if pending else ()
    return Done(version, reasons=reasons, asked=asked(session, seat), waiting=waiting(session))


def people(session: Session) -> tuple[Person, ...]:
    """List the seats in turn order, then the rulekeeper."""
    roles = (*session.roles, Role(RULEKEEPER, session.role(RULEKEEPER)))
    return tuple(
        Person(role.id, role.name, place.name, place.token is not None, role.note, role.alike, role.colour)
        for role in roles
        if (place := session.places.get(role.id))
    )


def summary(session: Session) -> Summary:
    """Describe the table to somebody without a seat."""
    row, screen = session.row, session.screen
    over = session.finished
    waits_for: tuple[str, ...] = ()
    if not (over or row.paused) and screen is not None:
        waits_for = tuple(dict.fromkeys(one.seat for one in waiting(session))) if row.held else screen.to_move
    return Summary(
        row.id,
        row.game,
        row.title,
        row.version,
        people(session),
        row.updated,
        over,
        playable=screen is not None,
        kind=None if screen is None else _kind(session),
        waits_for=waits_for,
        answering=row.held is not None,
        paused=row.paused,
        archived=row.archived is not None,
    )


def _kind(session: Session) -> Text:
    """Say what is played: by the way in which the table was set, where the first page offers that, else the game."""
    game, options = session.game, session.options
    return next((start.name for start in game.starts if game.options(**start.options) == options), game.name)


class Look:
    """A look at a table from any of its seats: what is the same for all of them is read and worked out once.

    It holds as long as nothing is changed in its session. Seats share only what is frozen and hides nothing.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._views: dict[str, View] = {}
        self._offered: dict[str, tuple[Offer, ...]] = {}

    def seen(self, seat: str) -> Seen:
        """Return everything one seat may see."""
        session, row = self._session, self._session.row
        stopped = row.paused or row.ended
        view = self._view(seat)
        log = self._log(seat)
        return Seen(
            table=row.id,
            game=row.game,
            title=row.title,
            version=row.version,
            seat=seat,
            dice=row.dice,
            paused=row.paused,
            ended=row.ended,
            people=self._people,
            view=view,
            offers=() if row.held or stopped else self._offers(seat, view),
            asked=None if stopped else asked(session, seat),
            waiting=self._waiting,
            story=self._story,
            last=self._last(seat, log),
            log=log[:LOG_SHOWN],
            more_log=len(log) > LOG_SHOWN,
            take_back=self._take_back(seat),
            consent=self._consent(seat),
            undo_ended=row.wish.ended if row.wish and row.wish.by == seat else None,
            knocks=self._knocks if seat == RULEKEEPER else (),
            proposals=proposals(self._session, self._wishes, seat),
            end_wish=end_wish(self._session, seat),
            archived=row.archived is not None,
            call=whom.call if (whom := (row.awaited or {}).get(seat)) else 0,
            since=since(self._session, self._lines) if row.held or view.to_move else "",
        )

    def seen_all(self, seats: Collection[str]) -> dict[str, Seen]:
        """Return everything that each of some seats may see, without those to which that can not be shown."""
        seen = {}
        for seat in seats:
            # Whatever goes wrong for one seat, the others are shown theirs; who asks for it alone is told what it was.
            with logged("what %s sees of table %s can not be shown", seat, self._session.row.id):
                self._session.check_seat(seat, screen=True)
                seen[seat] = self.seen(seat)
        return seen

    def read(self) -> None:
        """Read now whatever a seat's view needs of the file: it may be asked for outside the transaction then."""
        for name in ("_people", "_waiting", "_lines", "_ruling", "_step", "_consenting", "_knocks", "_wishes"):
            getattr(self, name)

    @cached_property
    def _state(self) -> Any:
        # An action under way is decoded anew each time that it is asked for.
        return self._session.shown

    @cached_property
    def _people(self) -> tuple[Person, ...]:
        return people(self._session)

    @cached_property
    def _waiting(self) -> tuple[Waiting, ...]:
        return waiting(self._session)

    @cached_property
    def _story(self) -> tuple[Reason, ...]:
        pending = self._session.row.held
        return readable(pending.reasons, SCREEN) if pending else ()

    @cached_property
    def _lines(self) -> tuple[Line, ...]:
        return tuple(self._session.lines(self._session.row.last + 1, LOG_SHOWN + 1))

    @cached_property
    def _ruling(self) -> Line | None:
        """The newest ruling; None before the first."""
        seq = self._session.head.ruling
        known = next((line for line in self._lines if line.seq == seq), None)
        return self._session.lines(seq + 1, 1)[0] if known is None and seq else known

    @cached_property
    def _addressed(self) -> frozenset[int]:
        """The lines of which not every seat may read everything."""
        ruling = () if self._ruling is None else (self._ruling,)
        return frozenset(line.seq for line in (*self._lines, *ruling) if addressed(line.reasons))

    @cached_property
    def _step(self) -> UndoableStep | None:
        return newest_step(self._session)

    @cached_property
    def _knocks(self) -> tuple[Knock, ...]:
        knocks = self._session.db.knocks(self._session.row.id)
        return tuple(Knock(knock.id, knock.seat, knock.name) for knock in knocks if knock.answer is None)

    @cached_property
    def _wishes(self) -> tuple[SeatWish, ...]:
        return standing(self._session)

    @cached_property
    def _consenting(self) -> tuple[str, ...]:
        request = self._session.row.asks
        return () if request is None else may_consent(self._session, request.by)

    def _as_read(self, line: Line, seat: str) -> Line:
        return _line(line, seat) if line.seq in self._addressed else line

    def _log(self, seat: str) -> tuple[Line, ...]:
        return tuple(self._as_read(line, seat) for line in self._lines) if self._addressed else self._lines

    def _last(self, seat: str, log: tuple[Line, ...]) -> Line | None:
        ruling = self._ruling
        if ruling is None:
            return None
        return next((line for line in log if line.seq == ruling.seq), None) or self._as_read(ruling, seat)

    def plain_view(self, seat: str) -> View:
        """Return what the game shows to a seat."""
        if seat not in self._views:
            self._views[seat] = self._session.game.view(self._state, seat)
        return self._views[seat]

    def _view(self, seat: str) -> View:
        """Return what a seat sees; the rulekeeper who acts for one free seat is told what to do as that seat is."""
        view = self.plain_view(seat)
        free = self._free_to_move(view) if seat == RULEKEEPER else ()
        if len(free) != 1:
            return view
        other = self.plain_view(free[0])
        headline = say("{seat}: {what}", seat=self._session.role(free[0]), what=other.headline)
        return msgspec.structs.replace(view, headline=headline, advice=other.advice)

    def _free_to_move(self, view: View) -> tuple[str, ...]:
        return tuple(one for one in view.to_move if self._session.plays(one) and not self._session.taken(one))

    def _own_offers(self, seat: str) -> tuple[Offer, ...]:
        if seat not in self._offered:
            self._offered[seat] = tuple(self._session.game.offers(self._session.state, seat))
        return self._offered[seat]

    def _offers(self, seat: str, view: View) -> tuple[Offer, ...]:
        """List what a seat may do now: its own, and the rulekeeper for the seats to move that nobody took.

        An offer says for whom where there is more than one such seat; else the headline does.
        """
        if seat == SCREEN:
            return ()
        own = self._own_offers(seat)
        if seat != RULEKEEPER:
            return own
        free = self._free_to_move(view)
        for_free_seats = (
            msgspec.structs.replace(
                offer,
                label=say("{seat}: {what}", seat=self._session.role(other), what=offer.label)
                if len(free) > 1
                else offer.label,
                given={**offer.given, FOR: other},
            )
            for other in free
            for offer in self._own_offers(other)
        )
        return (*own, *for_free_seats)

    def _take_back(self, seat: str) -> TakeBack | None:
        step, row = self._step, self._session.row
        if step is None or seat == SCREEN or row.paused or row.ended:
            return None
        return TakeBack(step.seq, step.headline, needs_consent(seat, step))

    def _consent(self, seat: str) -> Consent | None:
        request = self._session.row.asks
        if request is None:
            return None
        return Consent(request.by, request.seq, request.headline, seat in self._consenting)


def seen_by(session: Session, seat: str) -> Seen:
    """Return everything one seat may see."""
    return Look(session).seen(seat)


def printed(session: Session, seat: str, tracker: str) -> Printed:
    """Return the cards of a tracker that a seat has before it; raise Problem (404) where it sees none to print."""
    game, state = session.game, session.shown
    for panel in game.view(state, seat).panels:
        if isinstance(panel, Tracker) and panel.prints and panel.id == tracker:
            return Printed(panel.title, game.cards(state, seat, tracker))
    raise Problem(404, say("There are no cards to print here."))


def tracked(session: Session, seat: str) -> tuple[Tracked, ...]:
    """List the values that can be corrected by hand, without the ones that are another seat's secret."""
    return tuple(
        value
        if value.secret_of in {None, seat}
        else msgspec.structs.replace(value, field=msgspec.structs.replace(value.field, value=None))
        for value in session.game.tracked(session.state)
        if value.only in {None, seat}
    )


def check(session: Session) -> None:
    """Look at everything that is stored of a table as its seats would; raise Unsound where that can not be done."""
    try:
        for entry in session.log():
            msgspec.json.decode(entry.state or "null")
            _speak(entry)
        look = Look(session)
        for seat in (*session.places, SCREEN):
            _speak((look.seen(seat), tracked(session, seat)))
    except UNSHOWABLE as error:
        raise Unsound(session.row.id) from error


def _speak(value: Any) -> None:
    """Speak every text in a value."""
    match value:
        case Text():
            speak(value, str)
        case msgspec.Struct():
            _speak(msgspec.structs.astuple(value))
        case tuple() | list():
            for part in value:
                _speak(part)
        case dict():
            _speak([*value.values()])
