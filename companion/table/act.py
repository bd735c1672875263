"""Acting: an action is ruled on, or waits for an answer; an answer lets it go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from math import ceil
from typing import Any

import msgspec

from companion.kit.asking import Pending
from companion.kit.game import RULEKEEPER
from companion.kit.questions import Choose, Draw, Moment
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say
from companion.table.problem import Problem, Settled
from companion.table.records import ActionBegun, ActionWaiting, Entry, StateChange
from companion.table.rule_run import Chance, RuleRun, revealing, unused
from companion.table.session import UNFIT, Session, encoded
from companion.table.validation import plain, to_struct
from companion.table.views import FOR


def act(session: Session, seat: str, action: Any, answers: Sequence[Mapping[str, Any]] = ()) -> Entry | None:
    """Do an action for a seat; returns its entry, None when the rule waits for an answer.

    ``answers`` are given ahead, for questions that are the seat's own. Raises Refusal or Problem.
    """
    session.check_playing()
    if session.row.held is not None:
        raise Problem(409, say("{who} has to answer first.", who=session.who(session.row.held.unanswered[0][0])))
    decoded_action, actor = decode_action(session, seat, action)
    begun = ActionBegun(seat=actor, by=seat, action=msgspec.to_builtins(decoded_action))
    return _run(session, begun, answers, lambda other: session.stands_in(seat, other), decoded_action)


def answer(session: Session, seat: str, sent: Mapping[str, Any], version: int | None) -> Entry | None:
    """Answer the question that waits for a seat; returns the action's entry, None when the rule waits on.

    ``version`` is that of the page that the answer comes from. Raises Refusal or Problem.
    """
    session.check_playing()
    pending = session.row.held
    if pending is None:
        raise Problem(409, say("Nothing is asked at the moment."))
    if version is not None and version < pending.since:
        raise Problem(409, say("The table has moved on: another question is asked now."))
    seats = [other for other, _ in pending.unanswered]
    if not any(session.stands_in(seat, other) for other in seats):
        raise Problem(403, say("{who} has to answer that.", who=session.who(seats[0])))
    return _run(session, pending, [sent], lambda other: session.stands_in(seat, other))


def silence(session: Session, version: int) -> Entry | None:
    """Go on without the answers that did not come in time; returns the action's entry, None when the rule waits on.

    ``version`` is that of the page on which the time ran out. Raises Settled when that question is answered, and
    Problem (409) when nothing is to be answered in a hurry or there is time left.
    """
    session.check_playing()
    pending = session.row.held
    if pending is None or version < pending.since:
        raise Settled
    choices = {seat: part for seat, part in pending.unanswered if isinstance(part, Choose)}
    left = {seat: time for seat, part in choices.items() if (time := pending.left(part, session.now)) is not None}
    late = [seat for seat, time in left.items() if time == 0]
    if not late:
        if left:
            next_late = min(left, key=left.__getitem__)
            text = say("{who} may answer for {count} s more.", who=session.who(next_late), count=ceil(left[next_late]))
        elif pending.silent:
            raise Settled
        else:
            text = say("The table waits for {who}, however long it takes.", who=session.who(pending.unanswered[0][0]))
        raise Problem(409, text)
    answers = [{"seat": seat, "value": choices[seat].silence} for seat in late]
    begun = msgspec.structs.replace(pending, silent=(*pending.silent, *late))
    return _run(session, begun, answers, lambda other: other in late)


def rerun_pending(session: Session) -> None:
    """Run the action that waits for an answer again, since the table has changed under it.

    What was answered counts where it is asked again. What the rules do not allow any more ends, and the log says why.
    """
    pending = session.row.held
    if pending is None:
        return
    spare = (*pending.answers, *pending.sealed.values(), *pending.spare)
    try:
        _run(session, msgspec.structs.replace(pending, answers=(), sealed={}, spare=spare), (), lambda _: False)
    except (Problem, *UNFIT) as error:
        why = error.text if isinstance(error, Problem | Refusal) else say("the rules do not allow it any more.")
        session.row.held = session.row.wish = None
        session.row.moved = session.row.version + 1
        session.append(
            "undo",
            pending.seat,
            say("The action under way ends: {why}", why=why),
            (*pending.reasons, *unused(pending.spare, session.who)),
            by=pending.by,
            change=StateChange(pending.action, pending.answers),
        )


def decode_action(session: Session, seat: str, sent: Any) -> tuple[Any, str]:
    """Read an action and whose it is; raise Problem when it can not be read or is not for this seat to do."""
    fields = dict(sent) if isinstance(sent, dict) else sent
    actor = seat
    if seat == RULEKEEPER and isinstance(fields, dict) and FOR in fields:
        actor = fields.pop(FOR)
        if not isinstance(actor, str) or not session.plays(actor):
            raise Problem(400, say("The rulekeeper acts for a seat of the game."), FOR)
        if session.taken(actor):
            raise Problem(403, say("{who} acts for that seat.", who=session.who(actor)), FOR)
    action = to_struct(session.game.actions, fields, lambda field: _label(session, actor, fields, field))
    seated = session.game.seated
    if seated and any(type(action) is type(seated(role.id, None)) for role in session.roles):
        raise Problem(403, say("Take a seat to sit down: the table itself tells who sits where."), "action")
    return action, actor


def _label(session: Session, seat: str, sent: Mapping[str, Any], field: str) -> Text:
    """Return what a field is called where the seat is offered this action; else its name, which the game may know."""
    offered = (offer for offer in session.game.offers(session.state, seat) if offer.action == sent.get("action"))
    labels = {asked.name: asked.label for offer in offered for asked in (offer.among, *offer.fields) if asked}
    return labels.get(field) or (say("What to do") if field == "action" else Text(plain(field)))


def _run(
    session: Session, begun: ActionBegun, sent: Any, may_answer: Callable[[str], bool], decoded: Any = None
) -> Entry | None:
    """Run the rule of an action; one that waited is ``decoded`` from what was stored of it."""
    game, action = session.game, decoded or to_struct(session.game.actions, begun.action)
    chance = Chance(session.db, session.row.id, session.head.path, session.luck)
    run = RuleRun(chance, session.row.dice, begun, now=session.now)
    if not isinstance(sent, list | tuple) or not all(isinstance(answer, dict) for answer in sent):
        raise Problem(400, say("Answers are a list of objects."), "answers")
    run.sent, run.may_answer = list(sent), may_answer
    result = run.run(lambda ask: game.rule(session.state, begun.seat, action, ask))
    if isinstance(result, Pending):
        _wait(session, begun, run, result)
        return None
    answers = tuple(run.answers)
    late = (Reason(say("{who} did not answer in time.", who=session.who(seat))) for seat in begun.silent)
    session.row.held = None
    return session.append(
        "setting" if result.quiet else "action",
        begun.seat,
        result.headline,
        (*result.reasons, *late, *unused(run.spare, session.who)),
        by=begun.by,
        change=StateChange(begun.action, answers, result.outcome, result.reveals or revealing(answers, begun.seat)),
    )


def _wait(session: Session, begun: ActionBegun, run: RuleRun, asking: Pending) -> None:
    question, before, answers = asking.question, session.row.held, tuple(run.answers)
    assert not isinstance(question, Draw | Moment), "chance and the clock answer at once"
    since = session.row.version + 1
    put: datetime | None = session.now
    if before is None:
        # Another step begins, and a wish to take back the one before it lapses.
        wish = session.row.wish
        session.row.wish = wish and wish.lapsed(begun.by, session.who(begun.by))
    elif before.question == question and before.answers == answers:
        since, put = before.since, before.put
    if before is None or since != before.since or before.sealed != run.sealed:
        session.row.moved = session.row.version + 1
    session.row.held = ActionWaiting(
        seat=begun.seat,
        by=begun.by,
        action=begun.action,
        answers=answers,
        sealed=run.sealed,
        silent=begun.silent,
        spare=tuple(run.spare),
        question=question,
        since=since,
        reasons=asking.reasons,
        put=put,
        progress="" if asking.progress is None else encoded(asking.progress),
    )
