"""Corrections by hand: the people at the table outrank the app."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.kit.action import Field
from companion.kit.asking import Pending
from companion.kit.correction import Tracked, written
from companion.kit.ruling import Reason, refuse
from companion.kit.text import Text, say
from companion.table.problem import Problem
from companion.table.records import Entry, StateChange
from companion.table.rule_run import Chance, RuleRun
from companion.table.session import Session, decoded, encoded
from companion.table.validation import NO, YES, plain, tidy_name

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
    if session.row.ended:
        raise Problem(409, say("This table has ended."))
    if session.row.held is not None:
        raise Problem(409, say("An action waits for an answer: finish it or withdraw it before you correct something."))
    before = _find(session.game.tracked(session.state), path)
    if before is None or before.only not in {None, seat}:
        raise Problem(400, say("There is nothing called “{path}” to correct.", path=plain(path)), "path")
    if version is not None and version < session.row.moved:
        _check_unchanged(session, seat, before, version)
    field = before.field
    # As it was set: what the game makes of it may be called otherwise then.
    after = msgspec.structs.replace(field, value=_parse(field, sent))
    chance = Chance(session.db, session.row.id, session.head.path, session.luck)
    run = RuleRun(chance, session.row.dice, now=session.now)
    try:
        state = run.run(lambda ask: session.game.correct(session.state, path, written(after), ask))
    except msgspec.ValidationError as error:
        raise _unfit(field) from error
    if isinstance(state, Pending):
        raise TypeError("a correction asks nobody but chance") from state
    # Somebody who may not read the value must not learn by a refusal that it was right.
    if before.secret_of in {None, seat} and encoded(state) == encoded(session.state):
        raise Problem(409, say("{what} is that already.", what=field.label), "value")
    return session.append(
        "correction",
        seat,
        _headline(session.who(seat), before, after),
        _reasons(before, after),
        # Whether chance was asked may depend on what is hidden: what it answered is not kept.
        change=StateChange({"path": path, "value": sent}, state=state, revealing=before.reveals),
    )


def _check_unchanged(session: Session, seat: str, current: Tracked, version: int) -> None:
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


def _heading(tracked: Tracked) -> Text:
    return say("{part} · {group}", part=tracked.part, group=tracked.group) if tracked.part else tracked.group


def _headline(who: Text | str, before: Tracked, after: Field) -> Text:
    """Say large what was corrected; what is hidden is not said, and what is long is read below."""
    field, group = before.field, _heading(before)
    if before.secret_of is not None or field.kind in {"many", "text", "file"}:
        return say("{who} corrects: {group} · {what}", who=who, group=group, what=field.label)
    change = {"before": _shown(field), "after": _shown(after)}
    return say("{who} corrects: {group} · {what}: {before} → {after}", who=who, group=group, what=field.label, **change)


def _reasons(before: Tracked, after: Field) -> tuple[Reason, ...]:
    field, group = before.field, _heading(before)
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
            digits = sent.strip()
            is_number = digits.isascii() and digits.removeprefix("-").isdecimal()
            if is_number and field.low <= int(digits) <= field.high:
                return int(digits)
        case "yes_no":
            if sent.lower() in YES | NO:
                return sent.lower() in YES
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
    if field.kind == "number":
        text = say("{field}: a whole number from {low} to {high}.", field=field.label, low=field.low, high=field.high)
    else:
        text = say("{field}: this is not what belongs here.", field=field.label)
    return Problem(400, text, "value")
