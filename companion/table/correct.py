"""Corrections by hand: the people at the table outrank the app."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from companion.kit.action import Field
from companion.kit.asking import Ask, Pending
from companion.kit.correction import Tracked, written
from companion.kit.forms import number, tick, what_belongs
from companion.kit.game import RULEKEEPER
from companion.kit.ruling import Reason, refuse
from companion.kit.text import Text, say
from companion.table.hidden import reopens
from companion.table.problem import Problem
from companion.table.records import Entry, StateChange
from companion.table.rule_run import Chance, RuleRun
from companion.table.session import Session, decoded, encoded
from companion.table.validation import plain, tidy_name

S = TypeVar("S")

LONGEST = 200
LONGEST_LIST = 6000
"""Letters of several choices at once, such as the cards of a pile."""
LONGEST_SENT = 200_000
"""Letters of anything that may be sent: a text as long as a file is as long as its field says."""


def correct(session: Session, seat: str, path: str, sent: str, version: int | None = None) -> Entry:
    """Set one tracked value by hand.

    Numbers are decimal, a tick is ``true`` or ``false``, several choices are separated by commas. Raises Problem
    or Refusal when there is no such value, it can not be that, or it was changed after ``version``.
    """
    check_open(session)
    before = find(session.game.tracked(session.state), seat, path)
    check_unchanged(session, seat, before, version)
    after = wanted(before, sent)
    state = run(session, lambda ask: session.game.correct(session.state, path, written(after), ask), before.field)
    if seat != RULEKEEPER and reopens(session, state):
        text = say("The game is over and its secrets are open. To go on, undo the end with another player's yes.")
        raise Problem(409, text, "value")
    # Somebody who may not read the value must not learn by a refusal that it was right.
    if before.secret_of in {None, seat} and encoded(state) == encoded(session.state):
        raise Problem(409, say("{what} is that already.", what=before.field.label), "value")
    return session.append(
        "correction",
        seat,
        headline(session.who(seat), before, after),
        reasons(before, after),
        # Whether chance was asked may depend on what is hidden: what it answered is not kept.
        change=StateChange({"path": path, "value": sent}, state=state, revealing=before.reveals),
    )


def check_open(session: Session) -> None:
    """Raise Problem (409) where nothing can be corrected now: the table has ended, or waits for an answer."""
    if session.row.ended:
        raise Problem(409, say("This table has ended."))
    if session.row.held is not None:
        raise Problem(409, say("An action waits for an answer: finish it or withdraw it before you correct something."))


def find(values: Sequence[Tracked], seat: str, path: str) -> Tracked:
    """Return the value of that path that a seat may correct; raise Problem (400) where it has none."""
    found = _find(values, path)
    if found is None or found.only not in {None, seat}:
        raise Problem(400, say("There is nothing called “{path}” to correct.", path=plain(path)), "path")
    return found


def wanted(before: Tracked, sent: str) -> Field:
    """Return the field of a value as it was set: what the game makes of it may be called otherwise then."""
    return msgspec.structs.replace(before.field, value=_parse(before.field, sent))


def run(session: Session, rule: Callable[[Ask], S], field: Field) -> S:
    """Run what sets values, where only chance may be asked; ``field`` is what does not fit when that is found late."""
    chance = Chance(session.db, session.row.id, session.head.path, session.luck)
    try:
        state = RuleRun(chance, session.row.dice, now=session.now).run(rule)
        if not isinstance(state, Pending):
            # What hangs on a value, such as points on a conquest, may be further than it can be kept.
            msgspec.json.decode(encoded(state), type=session.game.state)
    except msgspec.ValidationError as error:
        raise _unfit(field) from error
    if isinstance(state, Pending):
        raise TypeError("a correction asks nobody but chance") from state
    return state


def check_unchanged(session: Session, seat: str, current: Tracked, version: int | None) -> None:
    """Raise Problem (409) where a value was changed after the version at which somebody saw it; None: he says none."""
    if version is None or version >= session.row.moved:
        return
    label = current.field.label
    if current.secret_of not in {None, seat}:
        # Whether a hidden value changed is hidden too; that somebody corrected it stands in the log.
        if current.path in session.db.corrected(session.row.id, version):
            raise Problem(409, say("{what} was corrected in the meantime. Look again.", what=label), "value")
        return
    state = session.db.state(session.row.id, version)
    earlier = _find(session.game.tracked(decoded(session.game, state)), current.path) if state else None
    if earlier is None or earlier.field.value != current.field.value:
        now = _shown(current.field)
        text = say("{what} was changed in the meantime: now it is {now}. Look again.", what=label, now=now)
        raise Problem(409, text, "value")


def _find(values: Sequence[Tracked], path: str) -> Tracked | None:
    return next((tracked for tracked in values if tracked.path == path), None)


def heading(tracked: Tracked) -> Text:
    """Say what a value belongs to."""
    return say("{part} · {group}", part=tracked.part, group=tracked.group) if tracked.part else tracked.group


def headline(who: Text | str, before: Tracked, after: Field) -> Text:
    """Say large what was corrected; what is hidden is not said, and what is long is read below."""
    field, group = before.field, heading(before)
    if before.secret_of is not None or field.kind in {"many", "text", "file"}:
        return say("{who} corrects: {group} · {what}", who=who, group=group, what=field.label)
    change = {"before": _shown(field), "after": _shown(after)}
    return say("{who} corrects: {group} · {what}: {before} → {after}", who=who, group=group, what=field.label, **change)


def reasons(before: Tracked, after: Field) -> tuple[Reason, ...]:
    """Say what was corrected, before and after; what is hidden only to whom it belongs."""
    field, group = before.field, heading(before)
    if field.kind == "file":
        text = say("{group}, {what}: it is another one now.", group=group, what=field.label)
    else:
        change = {"before": _shown(field), "after": _shown(after)}
        text = say("{group}, {what}: {before} → {after}", group=group, what=field.label, **change)
    if before.secret_of is None:
        return (Reason(text),)
    hidden = say("{group}, {what}: what it was and is now stays hidden.", group=group, what=field.label)
    return (Reason(hidden), Reason(text, seat=before.secret_of))


def _shown(field: Field) -> Text | str | int:
    if field.kind == "file":
        return say("another one")
    labels = {option.value: option.label for option in field.options}
    match field.value:
        case None:
            return say("nothing")
        case bool(ticked):
            return say("yes") if ticked else say("no")
        case int(number):
            return labels.get(str(number), number)
        case str(value):
            return labels.get(value, value)
        case values:
            return _listed([labels.get(value, value) for value in values])


def _listed(labels: Sequence[Text | str]) -> Text | str:
    if not labels:
        return say("nothing")
    return labels[0] if len(labels) == 1 else say("{one}, {more}", one=labels[0], more=_listed(labels[1:]))


def _parse(field: Field, sent: str) -> int | str | tuple[str, ...]:
    """Read the value of a field; raise Problem or Refusal where it can not be that."""
    if len(sent) > {"many": LONGEST_LIST, "file": field.high}.get(field.kind, LONGEST):
        raise _unfit(field)
    match field.kind:
        case "number":
            read = number(sent)
            if read is not None and field.low <= read <= field.high:
                return read
        case "yes_no":
            ticked = tick(sent)
            if ticked is not None:
                return ticked
        case "choice":
            return _open_option(field, sent)
        case "many" | "order":
            chosen = tuple(_open_option(field, value.strip()) for value in sent.split(",") if value.strip())
            return chosen if field.kind == "many" else ",".join(chosen)
        case "file":
            return sent
        case "text" | "dice":
            return tidy_name(sent, field.high or LONGEST, "value")
    raise _unfit(field)


def _open_option(field: Field, value: str) -> str:
    option = next((option for option in field.options if option.value == value), None)
    if option is None:
        raise _unfit(field)
    refuse(option.barred, "value")
    return value


def _unfit(field: Field) -> Problem:
    return Problem(400, what_belongs(field), "value")
