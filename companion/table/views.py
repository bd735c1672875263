"""What a seat may see of its table is put together here, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import MsgspecError

from companion.kit.action import Offer
from companion.kit.asking import Choose, Together
from companion.kit.correction import Tracked
from companion.kit.game import RULEKEEPER, SCREEN, Role
from companion.kit.panels import View
from companion.kit.ruling import Reason
from companion.kit.text import Text, say, speak
from companion.table.problem import Unsound
from companion.table.records import Entry
from companion.table.session import UNFIT, Session
from companion.table.undo import may_consent, needs_consent, newest_step
from companion.table.view_models import Asked, Consent, Done, Knock, Line, Person, Seen, Summary, TakeBack, Waiting

LOG_SHOWN = 20
"""Lines of the log that are shown without asking for more."""
FOR = "for"
"""The field of an action that names the free seat the rulekeeper does it for."""
UNSHOWABLE = (*UNFIT, ArithmeticError, AttributeError, RecursionError, MsgspecError, Unsound)
"""What is raised where a position is shown that can not be, or a log that is damaged."""


def readable(reasons: Iterable[Reason], seat: str) -> tuple[Reason, ...]:
    """Leave out the reasons that are for other seats, at every depth."""
    return tuple(
        msgspec.structs.replace(reason, terms=readable(reason.terms, seat)) if reason.terms else reason
        for reason in reasons
        if reason.seat is None or reason.seat == seat
    )


def lines(session: Session, seat: str, before: int, limit: int) -> tuple[Line, ...]:
    """Return lines of the log as a seat may read them, newest first."""
    return tuple(
        msgspec.structs.replace(line, reasons=readable(line.reasons, seat)) for line in session.lines(before, limit)
    )


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
    row = session.row
    over = row.ended or session.over is True
    playable = session.over is not None
    return Summary(row.id, row.game, row.title, row.version, people(session), row.updated, over, playable)


def seen_by(session: Session, seat: str) -> Seen:
    """Return everything one seat may see."""
    row, pending = session.row, session.row.held
    stopped = row.paused or row.ended
    view = _view(session, seat)
    log = lines(session, seat, row.last + 1, LOG_SHOWN + 1)
    return Seen(
        table=row.id,
        game=row.game,
        title=row.title,
        version=row.version,
        seat=seat,
        dice=row.dice,
        paused=row.paused,
        ended=row.ended,
        people=people(session),
        view=view,
        offers=() if pending or stopped else offers(session, seat, view),
        asked=None if stopped else asked(session, seat),
        waiting=waiting(session),
        story=readable(pending.reasons, SCREEN) if pending else (),
        last=_last(session, seat, log),
        log=log[:LOG_SHOWN],
        more_log=len(log) > LOG_SHOWN,
        take_back=_take_back(session, seat),
        consent=_consent(session, seat),
        knocks=_knocks(session) if seat == RULEKEEPER else (),
    )


def _view(session: Session, seat: str) -> View:
    """Return what a seat sees; the rulekeeper who acts for one free seat is told what to do as that seat is."""
    state = session.shown
    view = session.game.view(state, seat)
    free = _free_to_move(session, view) if seat == RULEKEEPER else ()
    if len(free) != 1:
        return view
    other = session.game.view(state, free[0])
    headline = say("{seat}: {what}", seat=session.role(free[0]), what=other.headline)
    return msgspec.structs.replace(view, headline=headline, advice=other.advice)


def _free_to_move(session: Session, view: View) -> tuple[str, ...]:
    return tuple(other for other in view.to_move if session.plays(other) and not session.taken(other))


def offers(session: Session, seat: str, view: View) -> tuple[Offer, ...]:
    """List what a seat may do now: its own, and the rulekeeper for the seats to move that nobody took.

    An offer says for whom where there is more than one such seat; else the headline does.
    """
    if seat == SCREEN:
        return ()
    own = tuple(session.game.offers(session.state, seat))
    if seat != RULEKEEPER:
        return own
    free = _free_to_move(session, view)
    for_free_seats = (
        msgspec.structs.replace(
            offer,
            label=say("{seat}: {what}", seat=session.role(other), what=offer.label) if len(free) > 1 else offer.label,
            given={**offer.given, FOR: other},
        )
        for other in free
        for offer in session.game.offers(session.state, other)
    )
    return (*own, *for_free_seats)


def _last(session: Session, seat: str, log: tuple[Line, ...]) -> Line | None:
    seq = session.head.ruling
    last = next((line for line in log if line.seq == seq), None)
    return lines(session, seat, seq + 1, 1)[0] if last is None and seq else last


def _take_back(session: Session, seat: str) -> TakeBack | None:
    step = newest_step(session)
    if step is None or seat == SCREEN or session.row.paused or session.row.ended:
        return None
    return TakeBack(step.seq, step.headline, needs_consent(seat, step))


def _consent(session: Session, seat: str) -> Consent | None:
    request = session.row.wish
    if request is None:
        return None
    return Consent(request.by, request.seq, request.headline, seat in may_consent(session, request.by))


def _knocks(session: Session) -> tuple[Knock, ...]:
    knocks = session.db.knocks(session.row.id)
    return tuple(Knock(knock.id, knock.seat, knock.name) for knock in knocks if knock.answer is None)


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
        for seat in (*session.places, SCREEN):
            _speak((seen_by(session, seat), tracked(session, seat)))
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
