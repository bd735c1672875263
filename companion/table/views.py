"""What a seat may see of its table is put together here, and nothing else is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from companion.kit.asking import Choose, Together
from companion.kit.correction import Tracked
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.offer import Offer
from companion.kit.panels import View
from companion.kit.ruling import Reason
from companion.kit.text import Text, say, speak
from companion.table.problem import Unsound
from companion.table.records import Entry
from companion.table.seat_view import Asked, Consent, Done, Knock, Line, Person, Seen, Summary, TakeBack, Waiting
from companion.table.session import Session
from companion.table.undo import consenting, needs_consent, newest

LOG_SHOWN = 20
"""Lines of the log that are shown without asking for more."""
FOR = "for"
"""The field of an action that names the free seat the rulekeeper does it for."""
UNREADABLE = (LookupError, TypeError, ValueError, msgspec.MsgspecError)
"""What is raised where something stored is read that can not be what was written."""


def readable(reasons: Iterable[Reason], seat: str) -> tuple[Reason, ...]:
    """Leave out the reasons that are for other seats, at every depth."""
    return tuple(
        msgspec.structs.replace(reason, terms=readable(reason.terms, seat)) if reason.terms else reason
        for reason in reasons
        if reason.seat is None or reason.seat == seat
    )


def line(whole: Line, seat: str) -> Line:
    """Return a line of the log as a seat may read it."""
    return msgspec.structs.replace(whole, reasons=readable(whole.reasons, seat))


def lines(session: Session, seat: str, before: int, limit: int) -> tuple[Line, ...]:
    """Return lines of the log as a seat may read them, newest first."""
    return tuple(line(whole, seat) for whole in session.lines(before, limit))


def report(session: Session, seat: str) -> tuple[Line, ...]:
    """Return the whole log as a seat may read it, oldest first."""
    undone: set[int] = set()
    found = []
    for one in session.log():
        if one.undoes is not None:
            undone.add(one.undoes)
        told = readable(one.reasons, seat)
        found.append(Line(one.seq, one.at, one.kind, one.seat, one.who, one.headline, told, typed=one.typed))
    return tuple(msgspec.structs.replace(one, undone=True) if one.seq in undone else one for one in found)


def asked(session: Session, seat: str) -> Asked | None:
    """Return the question that a seat must answer now; the rulekeeper answers for seats that nobody took."""
    held = session.row.held
    if held is None or seat == SCREEN:
        return None
    dice = session.row.dice
    for other, question in held.unanswered:
        if session.stands_in(seat, other):
            left = held.left(question, session.now)
            return Asked(question, readable(held.reasons, seat), dice != "typed", dice != "app", other, left)
    return None


def waiting(session: Session) -> tuple[Waiting, ...]:
    """List whose answers the table waits for, and about what."""
    held = session.row.held
    if held is None:
        return ()
    # The parts of a together-question may say to one seat what the others must not know.
    whole = held.question.why if isinstance(held.question, Together) else None
    return tuple(
        Waiting(
            seat,
            whole or question.why,
            question.patience if isinstance(question, Choose) else 0,
            held.left(question, session.now),
        )
        for seat, question in held.unanswered
    )


def done(session: Session, seat: str, entry: Entry | None = None) -> Done:
    """Say what was done, as the seat that did it may read it; call it when everything is saved."""
    version = session.row.version
    if entry is not None:
        return Done(version, entry.seq, entry.headline, readable(entry.reasons, seat))
    held = session.row.held
    reasons = readable(held.reasons, seat) if held else ()
    return Done(version, reasons=reasons, asked=asked(session, seat), waiting=waiting(session))


def people(session: Session) -> tuple[Person, ...]:
    """List the seats in turn order, then the rulekeeper."""
    roles = {role.id: role for role in session.roles}
    places, keeper = session.places, session.places.get(RULEKEEPER)
    found = [
        Person(role.id, role.name, place.name, place.token is not None, role.note, role.alike, role.colour)
        for role in roles.values()
        if (place := places.get(role.id))
    ]
    if keeper:
        found.append(Person(RULEKEEPER, session.role(RULEKEEPER), keeper.name, session.taken(RULEKEEPER)))
    return tuple(found)


def summary(session: Session) -> Summary:
    """Describe the table to somebody without a seat."""
    row = session.row
    over = row.ended or session.over is True
    playable = session.over is not None
    return Summary(row.id, row.game, row.title, row.version, people(session), row.updated, over, playable)


def seat_view(session: Session, seat: str) -> Seen:
    """Return everything one seat may see."""
    row, held = session.row, session.row.held
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
        offers=() if held or row.paused or row.ended else offers(session, seat, view),
        asked=None if row.paused or row.ended else asked(session, seat),
        waiting=waiting(session),
        story=readable(held.reasons, SCREEN) if held else (),
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
    free = _free(session, view) if seat == RULEKEEPER else ()
    if len(free) != 1:
        return view
    other = session.game.view(state, free[0])
    headline = say("{seat}: {what}", seat=session.role(free[0]), what=other.headline)
    return msgspec.structs.replace(view, headline=headline, advice=other.advice)


def _free(session: Session, view: View) -> tuple[str, ...]:
    """List the seats to move that nobody took."""
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
    free = _free(session, view)
    stood_in = tuple(
        msgspec.structs.replace(
            offer,
            label=say("{seat}: {what}", seat=session.role(other), what=offer.label) if len(free) > 1 else offer.label,
            given={**offer.given, FOR: other},
        )
        for other in free
        for offer in session.game.offers(session.state, other)
    )
    return (*own, *stood_in)


def _last(session: Session, seat: str, log: tuple[Line, ...]) -> Line | None:
    seq = session.head.ruling
    shown = next((one for one in log if one.seq == seq), None)
    if shown is not None or seq == 0:
        return shown
    return lines(session, seat, seq + 1, 1)[0]


def _take_back(session: Session, seat: str) -> TakeBack | None:
    step = newest(session)
    if step is None or seat == SCREEN or session.row.paused or session.row.ended:
        return None
    return TakeBack(step.seq, step.headline, needs_consent(seat, step))


def _consent(session: Session, seat: str) -> Consent | None:
    wish = session.row.wish
    if wish is None:
        return None
    return Consent(wish.by, wish.seq, wish.headline, seat in consenting(session, wish.by))


def _knocks(session: Session) -> tuple[Knock, ...]:
    waiting_ones = (knock for knock in session.db.knocks(session.row.id) if knock.answer is None)
    return tuple(Knock(knock.id, knock.seat, knock.name) for knock in waiting_ones)


def tracked(session: Session, seat: str) -> tuple[Tracked, ...]:
    """List the values that can be corrected by hand, without the ones that are another seat's secret."""
    return tuple(
        one
        if one.secret_of in {None, seat}
        else msgspec.structs.replace(one, field=msgspec.structs.replace(one.field, value=None))
        for one in session.game.tracked(session.state)
        if one.only in {None, seat}
    )


def check(session: Session) -> None:
    """Look at everything that is stored of a table as its seats would; raise Unsound where that can not be done."""
    try:
        for entry in session.log():
            msgspec.json.decode(entry.state or "null")
            for text in _texts(entry):
                speak(text, str)
        for seat in (*session.places, SCREEN):
            for text in _texts((seat_view(session, seat), tracked(session, seat))):
                speak(text, str)
    except (*UNREADABLE, ArithmeticError, AttributeError, RecursionError) as wrong:
        raise Unsound(session.row.id) from wrong


def _texts(inside: Any) -> Iterator[Text]:
    match inside:
        case Text():
            yield inside
        case msgspec.Struct():
            for name in inside.__struct_fields__:
                yield from _texts(getattr(inside, name))
        case tuple() | list():
            for part in inside:
                yield from _texts(part)
        case dict():
            for part in inside.values():
                yield from _texts(part)
