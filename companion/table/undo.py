"""Undo: the newest step is taken back, at once or with another one's consent."""

from __future__ import annotations

import msgspec

from companion.kit.asking import Ask
from companion.kit.game import RULEKEEPER
from companion.kit.questions import Answer
from companion.kit.ruling import Reason
from companion.kit.text import Text, say
from companion.table.hidden import was_opened
from companion.table.problem import Problem
from companion.table.records import Entry, StateChange, UndoRequest
from companion.table.rule_run import revealing, unused
from companion.table.session import UNFIT, Session
from companion.table.validation import to_struct


class UndoableStep(msgspec.Struct, frozen=True):
    """What would be taken back: the newest entry, or (``entry`` is None) the action that waits for an answer."""

    seq: int
    by: str
    headline: Text
    revealing: bool
    entry: Entry | None


def newest_step(session: Session) -> UndoableStep | None:
    """Return what can be taken back next; None when nothing was done yet."""
    pending = session.row.held
    if pending is not None:
        answers: tuple[Answer, ...] = (*pending.answers, *pending.spare)
        reveals = revealing(answers, pending.seat) or bool(pending.sealed.keys() - {pending.seat})
        return UndoableStep(session.row.last + 1, pending.by, say("the action under way"), reveals, None)
    entry = _settings_since(session)[1]
    if entry.kind == "start":
        return None
    # Where the game is over everybody may have looked at everything: one who gave up does not go on alone.
    reveals = entry.revealing or was_opened(session, entry)
    return UndoableStep(entry.seq, entry.by, entry.headline, reveals, entry)


def _settings_since(session: Session) -> tuple[list[Entry], Entry]:
    """Return what seats have set since the newest step, newest first, and that step."""
    settings, entry = [], session.head
    while entry.kind == "setting":
        settings.append(entry)
        entry = session.entry(entry.base)
    return settings, entry


def may_consent(session: Session, by: str) -> tuple[str, ...]:
    """List the seats that may say yes to a wish of seat ``by``: other players who sit there, and the rulekeeper."""
    seats = (*(role.id for role in session.roles), RULEKEEPER)
    return tuple(seat for seat in seats if seat != by and session.taken(seat))


def needs_consent(seat: str, step: UndoableStep) -> bool:
    """Tell whether a seat must ask somebody before it takes this back."""
    return seat != RULEKEEPER and (step.revealing or step.by != seat)


def take_back(session: Session, seat: str, version: int | None) -> Entry | None:
    """Take the newest step back, or ask for it; returns the entry that says so, None when there is none to write.

    ``version`` is that of the page that the wish comes from. Raises Problem (409) when there is nothing to take back,
    something newer was done since, or somebody already waits for a yes.
    """
    session.check_playing()
    step = newest_step(session)
    if version is not None and version < session.row.moved:
        raise Problem(409, say("The table has moved on: something newer would be undone."))
    if step is None:
        raise Problem(409, say("There is nothing to undo."))
    if not needs_consent(seat, step):
        return _undo(session, seat, step, ())
    request = session.row.asks
    if request is not None:
        raise Problem(409, say("{who} already asks for this; it waits for a yes.", who=session.who(request.by)))
    session.row.wish = UndoRequest(seat, step.seq, step.headline, session.row.version + 1)
    return None


def consent(session: Session, seat: str, version: int | None, *, yes: bool) -> Entry | None:
    """Say yes or no to somebody's wish to take something back; returns the entry that says so, if any.

    The one who asked may say no to give it up, or when he has read that nothing came of it. Raises Problem when nobody
    asks (409) or another seat has to say (403).
    """
    session.check_playing()
    wish, request, step = session.row.wish, session.row.asks, newest_step(session)
    if wish and wish.ended and wish.by == seat and not yes:
        session.row.wish = None
        return None
    if request is None or step is None:
        raise Problem(409, say("Nobody asks to take anything back."))
    if version is not None and version < request.since:
        raise Problem(409, say("The table has moved on: something else would be undone."))
    if seat not in may_consent(session, request.by) and (yes or seat != request.by):
        raise Problem(403, say("Somebody else has to agree to that."))
    who = session.who(seat)
    if yes:
        return _undo(session, request.by, step, (Reason(say("{who} agrees.", who=who)),))
    refused = say("{who} refuses to undo: {what}", who=who, what=request.headline)
    # Whoever gives his own wish up need not be told.
    session.row.wish = None if seat == request.by else msgspec.structs.replace(request, ended=refused)
    return session.append("undo", seat, refused)


def withdraw(session: Session, seat: str) -> Entry | None:
    """Give up the action that waits for an answer; returns the entry that says so, None when nothing came of it yet.

    Raises Problem unless the one who acts does it while nothing was thrown or answered by others, or the rulekeeper.
    """
    session.check_playing()
    pending, step = session.row.held, newest_step(session)
    if pending is None or step is None:
        raise Problem(409, say("No action waits for an answer."))
    if seat != RULEKEEPER:
        if seat not in {pending.by, pending.seat}:
            raise Problem(403, say("Only {who} can withdraw that.", who=session.who(pending.by)))
        if step.revealing:
            raise Problem(409, say("Something was rolled or answered already: ask the others to undo it."))
    return _undo(session, seat, step, ())


def _undo(session: Session, seat: str, step: UndoableStep, reasons: tuple[Reason, ...]) -> Entry | None:
    headline = say("{who} undoes: {what}", who=session.who(seat), what=step.headline)
    if step.entry is not None:
        settings, _ = _settings_since(session)
        undo = session.append("undo", seat, headline, reasons, undoes=step.entry)
        for entry in settings[::-1]:
            _set_again(session, entry)
        return undo
    pending = session.row.held
    session.row.held = session.row.wish = None
    session.row.moved = session.row.version + 1
    if pending is None or not step.revealing:
        return None
    reasons = (*pending.reasons, *unused(pending.spare, session.who), *reasons)
    return session.append("undo", seat, headline, reasons, change=StateChange(pending.action, pending.answers))


def _set_again(session: Session, entry: Entry) -> None:
    """Set for a seat what it had set before a step was taken back; where the rules do not allow it there, nothing."""
    game, action = session.game, entry.action or {}
    try:
        ruling = game.rule(session.state, entry.seat, to_struct(game.actions, action), Ask())
    except (Problem, *UNFIT):
        return
    change = StateChange(action, (), ruling.outcome)
    session.append("setting", entry.seat, ruling.headline, ruling.reasons, by=entry.by, change=change)
