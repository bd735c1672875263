"""Acting: an action is ruled on, or waits for an answer; an answer lets it go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any

import msgspec

from companion.kit.asking import Choose, Draw, Moment, Pending
from companion.kit.game import RULEKEEPER
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say
from companion.table.problem import Problem, Settled
from companion.table.records import ActionBegun, ActionWaiting, Entry, StateChange
from companion.table.rule_run import Chance, RuleRun, revealing, unused
from companion.table.session import UNFIT, Session, encoded
from companion.table.validation import plain, read
from companion.table.views import FOR


def act(session: Session, seat: str, action: Any, brought: Sequence[Mapping[str, Any]] = ()) -> Entry | None:
    """Do an action for a seat; returns its entry, None when the rule waits for an answer.

    ``brought`` are answers given ahead, for questions that are the seat's own. Raises Refusal or Problem.
    """
    session.check_playing()
    if session.row.held is not None:
        raise Problem(409, say("{who} has to answer first.", who=session.who(session.row.held.unanswered[0][0])))
    read_action, actor = declared(session, seat, action)
    made = msgspec.to_builtins(read_action)
    return _go_on(
        session, ActionBegun(seat=actor, by=seat, action=made), brought, lambda other: session.stands_in(seat, other)
    )


def answer(session: Session, seat: str, sent: Mapping[str, Any], seen: int | None) -> Entry | None:
    """Answer the question that waits for a seat; returns the action's entry, None when the rule waits on.

    ``seen`` is the version of the page that the answer comes from. Raises Refusal or Problem.
    """
    session.check_playing()
    held = session.row.held
    if held is None:
        raise Problem(409, say("Nothing is asked at the moment."))
    if seen is not None and seen < held.since:
        raise Problem(409, say("The table has moved on: another question is asked now."))
    waited_for = [other for other, _ in held.unanswered]
    if not any(session.stands_in(seat, other) for other in waited_for):
        raise Problem(403, say("{who} has to answer that.", who=session.who(waited_for[0])))
    return _go_on(session, held, [sent], lambda other: session.stands_in(seat, other))


def silence(session: Session, seen: int) -> Entry | None:
    """Go on without the answers that did not come in time; returns the action's entry, None when the rule waits on.

    ``seen`` is the version of the page that saw the time run out. Raises Settled when that question is answered, and
    Problem (409) when nothing is to be answered in a hurry or there is time left.
    """
    session.check_playing()
    held = session.row.held
    if held is None or seen < held.since:
        raise Settled
    hurried = {
        other: (left, part.silence)
        for other, part in held.unanswered
        if isinstance(part, Choose) and (left := held.left(part, session.now)) is not None
    }
    late = {other: value for other, (left, value) in hurried.items() if left == 0}
    if not late:
        raise _not_yet(session, held, {other: left for other, (left, _) in hurried.items()})
    begun = msgspec.structs.replace(held, silent=(*held.silent, *late))
    brought = [{"seat": other, "value": value} for other, value in late.items()]
    return _go_on(session, begun, brought, lambda other: other in late)


def _not_yet(session: Session, held: ActionWaiting, hurried: Mapping[str, float]) -> Problem | Settled:
    if hurried:
        first = min(hurried, key=hurried.__getitem__)
        text = say("{who} may answer for {count} s more.", who=session.who(first), count=ceil(hurried[first]))
    elif held.silent:
        return Settled()
    else:
        text = say("The table waits for {who}, however long it takes.", who=session.who(held.unanswered[0][0]))
    return Problem(409, text)


def ask_anew(session: Session) -> None:
    """Run the action that waits for an answer again, since the table has changed under it.

    What was answered counts where it is asked again. Where the rules do not allow the action any more it ends, and the
    log says why.
    """
    held = session.row.held
    if held is None:
        return
    spare = (*held.answers, *held.sealed.values(), *held.spare)
    try:
        _go_on(session, msgspec.structs.replace(held, answers=(), sealed={}, spare=spare), (), lambda _: False)
    except (Problem, *UNFIT) as wrong:
        why = wrong.text if isinstance(wrong, Problem | Refusal) else say("the rules do not allow it any more.")
        session.row.held = session.row.wish = None
        session.row.moved = session.row.version + 1
        session.append(
            "undo",
            held.seat,
            say("The action under way ends: {why}", why=why),
            (*held.reasons, *unused(held.spare, session.who)),
            by=held.by,
            deed=StateChange(held.action, held.answers),
        )


def declared(session: Session, seat: str, action: Any) -> tuple[Any, str]:
    """Read an action and whose it is; raise Problem when it can not be read or is not for this seat to do."""
    sent = dict(action) if isinstance(action, dict) else action
    actor = seat
    if seat == RULEKEEPER and isinstance(sent, dict) and FOR in sent:
        actor = _free(session, sent.pop(FOR))
    made = read(session.game.actions, sent, lambda field: _label(session, actor, sent, field))
    seated = session.game.seated
    if seated and any(type(made) is type(seated(role.id, None)) for role in session.roles):
        raise Problem(403, say("Take a seat to sit down: the table itself tells who sits where."), "action")
    return made, actor


def _label(session: Session, seat: str, sent: Mapping[str, Any], field: str) -> Text:
    """Return what a field is called where the seat is offered this action; else its name, which the game may know."""
    offered = (offer for offer in session.game.offers(session.state, seat) if offer.action == sent.get("action"))
    labels = {asked.name: asked.label for offer in offered for asked in (offer.among, *offer.fields) if asked}
    return labels.get(field) or (say("What to do") if field == "action" else Text(plain(field)))


def _free(session: Session, seat: Any) -> str:
    if not isinstance(seat, str) or not session.plays(seat):
        raise Problem(400, say("The rulekeeper acts for a seat of the game."), FOR)
    if session.taken(seat):
        raise Problem(403, say("{who} acts for that seat.", who=session.who(seat)), FOR)
    return seat


def _objects(brought: Any) -> list[Mapping[str, Any]]:
    if not isinstance(brought, list | tuple) or not all(isinstance(one, dict) for one in brought):
        raise Problem(400, say("Answers are a list of objects."), "answers")
    return list(brought)


def _go_on(session: Session, begun: ActionBegun, brought: Any, may_answer: Callable[[str], bool]) -> Entry | None:
    game, action = session.game, read(session.game.actions, begun.action)
    chance = Chance(session.db, session.row.id, session.head.path, session.luck)
    conversation = RuleRun(chance, session.row.dice, begun.answers, begun.sealed, begun.spare, now=session.now)
    conversation.brought = _objects(brought)
    conversation.may_answer = may_answer
    found = conversation.run(lambda ask: game.rule(session.state, begun.seat, action, ask))
    answers = tuple(conversation.answers)
    if isinstance(found, Pending):
        _hold(session, begun, conversation, found)
        return None
    session.row.held = None
    return session.append(
        "setting" if found.quiet else "action",
        begun.seat,
        found.headline,
        (
            *found.reasons,
            *(_late(session, other) for other in begun.silent),
            *unused(conversation.spare, session.who),
        ),
        by=begun.by,
        deed=StateChange(begun.action, answers, found.outcome, found.reveals or revealing(answers, begun.seat)),
    )


def _late(session: Session, seat: str) -> Reason:
    return Reason(say("{who} did not answer in time.", who=session.who(seat)))


def _hold(session: Session, begun: ActionBegun, conversation: RuleRun, found: Pending) -> None:
    question, before = found.question, session.row.held
    answers, sealed = tuple(conversation.answers), conversation.sealed
    if isinstance(question, Draw | Moment):
        raise TypeError("chance and the clock answer at once")
    if before is None:
        # Another step begins, and a wish to take back the one before it lapses.
        session.row.wish = None
    same = before is not None and before.question == question and before.answers == answers
    if before is None or not same or before.sealed != sealed:
        session.row.moved = session.row.version + 1
    session.row.held = ActionWaiting(
        seat=begun.seat,
        by=begun.by,
        action=begun.action,
        answers=answers,
        sealed=sealed,
        silent=begun.silent,
        spare=tuple(conversation.spare),
        question=question,
        since=before.since if same and before else session.row.version + 1,
        reasons=found.reasons,
        put=before.put if same and before else session.now,
        progress="" if found.progress is None else encoded(found.progress),
    )
