"""Acting: an action is ruled on, or waits for an answer; an answer lets it go on."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import msgspec

from companion.kit.asking import Choose, Draw, Moment, Pending
from companion.kit.game import RULEKEEPER
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say
from companion.table.problem import Problem, Settled
from companion.table.records import ActionBegun, ActionWaiting, StateChange
from companion.table.rule_run import Chance, RuleRun, revealing, unused
from companion.table.session import UNFIT, encoded
from companion.table.validation import plain, read
from companion.table.views import FOR

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.table.records import Entry
    from companion.table.session import Session


def act(sitting: Session, seat: str, action: Any, brought: Sequence[Mapping[str, Any]] = ()) -> Entry | None:
    """Do an action for a seat; returns its entry, None when the rule waits for an answer.

    ``brought`` are answers given ahead, for questions that are the seat's own. Raises Refusal or Problem.
    """
    sitting.check_playing()
    if sitting.row.held is not None:
        raise Problem(409, say("{who} has to answer first.", who=sitting.who(sitting.row.held.unanswered[0][0])))
    read_action, actor = declared(sitting, seat, action)
    made = msgspec.to_builtins(read_action)
    return _go_on(
        sitting, ActionBegun(seat=actor, by=seat, action=made), brought, lambda other: sitting.stands_in(seat, other)
    )


def answer(sitting: Session, seat: str, sent: Mapping[str, Any], seen: int | None) -> Entry | None:
    """Answer the question that waits for a seat; returns the action's entry, None when the rule waits on.

    ``seen`` is the version of the page that the answer comes from. Raises Refusal or Problem.
    """
    sitting.check_playing()
    held = sitting.row.held
    if held is None:
        raise Problem(409, say("Nothing is asked at the moment."))
    if seen is not None and seen < held.since:
        raise Problem(409, say("The table has moved on: another question is asked now."))
    waited_for = [other for other, _ in held.unanswered]
    if not any(sitting.stands_in(seat, other) for other in waited_for):
        raise Problem(403, say("{who} has to answer that.", who=sitting.who(waited_for[0])))
    return _go_on(sitting, held, [sent], lambda other: sitting.stands_in(seat, other))


def silence(sitting: Session, seen: int) -> Entry | None:
    """Go on without the answers that did not come in time; returns the action's entry, None when the rule waits on.

    ``seen`` is the version of the page that saw the time run out. Raises Settled when that question is answered, and
    Problem (409) when nothing is to be answered in a hurry or there is time left.
    """
    sitting.check_playing()
    held = sitting.row.held
    if held is None or seen < held.since:
        raise Settled
    hurried = {
        other: (left, part.silence)
        for other, part in held.unanswered
        if isinstance(part, Choose) and (left := held.left(part, sitting.now)) is not None
    }
    late = {other: value for other, (left, value) in hurried.items() if left == 0}
    if not late:
        raise _not_yet(sitting, held, {other: left for other, (left, _) in hurried.items()})
    begun = msgspec.structs.replace(held, silent=(*held.silent, *late))
    brought = [{"seat": other, "value": value} for other, value in late.items()]
    return _go_on(sitting, begun, brought, lambda other: other in late)


def _not_yet(sitting: Session, held: ActionWaiting, hurried: Mapping[str, float]) -> Problem | Settled:
    if hurried:
        first = min(hurried, key=hurried.__getitem__)
        text = say("{who} may answer for {count} s more.", who=sitting.who(first), count=ceil(hurried[first]))
    elif held.silent:
        return Settled()
    else:
        text = say("The table waits for {who}, however long it takes.", who=sitting.who(held.unanswered[0][0]))
    return Problem(409, text)


def ask_anew(sitting: Session) -> None:
    """Run the action that waits for an answer again, since the table has changed under it.

    What was answered counts where it is asked again. Where the rules do not allow the action any more it ends, and the
    log says why.
    """
    held = sitting.row.held
    if held is None:
        return
    spare = (*held.answers, *held.sealed.values(), *held.spare)
    try:
        _go_on(sitting, msgspec.structs.replace(held, answers=(), sealed={}, spare=spare), (), lambda _: False)
    except (Problem, *UNFIT) as wrong:
        why = wrong.text if isinstance(wrong, Problem | Refusal) else say("the rules do not allow it any more.")
        sitting.row.held = sitting.row.wish = None
        sitting.row.moved = sitting.row.version + 1
        sitting.append(
            "undo",
            held.seat,
            say("The action under way ends: {why}", why=why),
            (*held.reasons, *unused(held.spare, sitting.who)),
            by=held.by,
            deed=StateChange(held.action, held.answers),
        )


def declared(sitting: Session, seat: str, action: Any) -> tuple[Any, str]:
    """Read an action and whose it is; raise Problem when it can not be read or is not for this seat to do."""
    sent = dict(action) if isinstance(action, dict) else action
    actor = seat
    if seat == RULEKEEPER and isinstance(sent, dict) and FOR in sent:
        actor = _free(sitting, sent.pop(FOR))
    made = read(sitting.game.actions, sent, lambda field: _label(sitting, actor, sent, field))
    seated = sitting.game.seated
    if seated and any(type(made) is type(seated(role.id, None)) for role in sitting.roles):
        raise Problem(403, say("Take a seat to sit down: the table itself tells who sits where."), "action")
    return made, actor


def _label(sitting: Session, seat: str, sent: Mapping[str, Any], field: str) -> Text:
    """Return what a field is called where the seat is offered this action; else its name, which the game may know."""
    offered = (offer for offer in sitting.game.offers(sitting.state, seat) if offer.action == sent.get("action"))
    labels = {asked.name: asked.label for offer in offered for asked in (offer.among, *offer.fields) if asked}
    return labels.get(field) or (say("What to do") if field == "action" else Text(plain(field)))


def _free(sitting: Session, seat: Any) -> str:
    if not isinstance(seat, str) or not sitting.plays(seat):
        raise Problem(400, say("The rulekeeper acts for a seat of the game."), FOR)
    if sitting.taken(seat):
        raise Problem(403, say("{who} acts for that seat.", who=sitting.who(seat)), FOR)
    return seat


def _objects(brought: Any) -> list[Mapping[str, Any]]:
    if not isinstance(brought, list | tuple) or not all(isinstance(one, dict) for one in brought):
        raise Problem(400, say("Answers are a list of objects."), "answers")
    return list(brought)


def _go_on(sitting: Session, begun: ActionBegun, brought: Any, may_answer: Callable[[str], bool]) -> Entry | None:
    game, action = sitting.game, read(sitting.game.actions, begun.action)
    fates = Chance(sitting.books, sitting.row.id, sitting.head.path, sitting.luck)
    conversation = RuleRun(fates, sitting.row.dice, begun.answers, begun.sealed, begun.spare, now=sitting.now)
    conversation.brought = _objects(brought)
    conversation.may_answer = may_answer
    found = conversation.run(lambda ask: game.rule(sitting.state, begun.seat, action, ask))
    answers = tuple(conversation.answers)
    if isinstance(found, Pending):
        _hold(sitting, begun, conversation, found)
        return None
    sitting.row.held = None
    return sitting.append(
        "setting" if found.quiet else "action",
        begun.seat,
        found.headline,
        (
            *found.reasons,
            *(_late(sitting, other) for other in begun.silent),
            *unused(conversation.spare, sitting.who),
        ),
        by=begun.by,
        deed=StateChange(begun.action, answers, found.outcome, found.reveals or revealing(answers, begun.seat)),
    )


def _late(sitting: Session, seat: str) -> Reason:
    return Reason(say("{who} did not answer in time.", who=sitting.who(seat)))


def _hold(sitting: Session, begun: ActionBegun, conversation: RuleRun, found: Pending) -> None:
    question, before = found.question, sitting.row.held
    answers, sealed = tuple(conversation.answers), conversation.sealed
    if isinstance(question, Draw | Moment):
        raise TypeError("chance and the clock answer at once")
    if before is None:
        # Another step begins, and a wish to take back the one before it lapses.
        sitting.row.wish = None
    same = before is not None and before.question == question and before.answers == answers
    if before is None or not same or before.sealed != sealed:
        sitting.row.moved = sitting.row.version + 1
    sitting.row.held = ActionWaiting(
        seat=begun.seat,
        by=begun.by,
        action=begun.action,
        answers=answers,
        sealed=sealed,
        silent=begun.silent,
        spare=tuple(conversation.spare),
        question=question,
        since=before.since if same and before else sitting.row.version + 1,
        reasons=found.reasons,
        put=before.put if same and before else sitting.now,
        progress="" if found.progress is None else encoded(found.progress),
    )
