"""Corrections by hand: the people at the table outrank the app."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.kit.asking import Pending
from companion.kit.correction import Tracked
from companion.kit.offer import Field
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, say
from companion.table.problem import Problem
from companion.table.records import Entry, StateChange
from companion.table.rule_run import Chance, RuleRun
from companion.table.session import Session, decoded, encoded
from companion.table.validation import NO, YES, name, plain

LONGEST = 200
LONGEST_LIST = 6000
"""Letters of several choices at once, such as the cards of a pile."""
LONGEST_SENT = 200_000
"""Letters of anything that may be sent: a text as long as a file is as long as its field says."""


def correct(session: Session, seat: str, path: str, value: str, seen: int | None = None) -> Entry:
    """Set one tracked value by hand.

    Numbers are decimal, a tick is ``true`` or ``false``, several choices are separated by commas. Raises Problem
    or Refusal when there is no such value, it can not be that, or it was changed after version ``seen``.
    """
    if session.row.ended:
        raise Problem(409, say("This table has ended."))
    if session.row.held is not None:
        raise Problem(409, say("An action waits for an answer: finish it or withdraw it before you correct something."))
    before = _find(session.game.tracked(session.state), path)
    if before is None or before.only not in {None, seat}:
        raise Problem(400, say("There is nothing called “{path}” to correct.", path=plain(path)), "path")
    if seen is not None and seen < session.row.moved:
        _check_unchanged(session, seat, before, seen)
    checked = _checked(before.field, value)
    chance = Chance(session.db, session.row.id, session.head.path, session.luck)
    run = RuleRun(chance, session.row.dice, now=session.now)
    try:
        state = run.run(lambda ask: session.game.correct(session.state, path, checked, ask))
    except msgspec.ValidationError as wrong:
        raise _wrong(before.field) from wrong
    if isinstance(state, Pending):
        raise TypeError("a correction asks nobody but chance") from state
    # Somebody who may not read the value must not learn by a refusal that it was right.
    if before.secret_of in {None, seat} and encoded(state) == encoded(session.state):
        raise Problem(409, say("{what} is that already.", what=before.field.label), "value")
    return session.append(
        "correction",
        seat,
        _headline(session.who(seat), before, after := _set(before.field, checked)),
        _reasons(before, after),
        # Whether chance was asked may depend on what is hidden: what it answered is not kept.
        deed=StateChange({"path": path, "value": value}, state=state, revealing=before.reveals),
    )


def _check_unchanged(session: Session, seat: str, now: Tracked, seen: int) -> None:
    if now.secret_of not in {None, seat}:
        # Whether a hidden value changed is hidden too; that somebody corrected it stands in the log.
        if now.path in session.db.corrected(session.row.id, seen):
            raise Problem(409, say("{what} was corrected in the meantime. Look again.", what=now.field.label), "value")
        return
    state = session.db.state(session.row.id, seen)
    then = _find(session.game.tracked(decoded(session.game, state)), now.path) if state else None
    if then is None or then.field.value != now.field.value:
        changed = say(
            "{what} was changed in the meantime: now it is {now}. Look again.",
            what=now.field.label,
            now=_shown(now.field),
        )
        raise Problem(409, changed, "value")


def _find(values: Sequence[Tracked], path: str) -> Tracked | None:
    return next((one for one in values if one.path == path), None)


def _set(field: Field, value: str) -> Field:
    """Return the field with its new value, as it was set: what the game makes of it may be called otherwise then."""
    match field.kind:
        case "number":
            return msgspec.structs.replace(field, value=int(value))
        case "yes_no":
            return msgspec.structs.replace(field, value=value == "true")
        case "many":
            return msgspec.structs.replace(field, value=tuple(one for one in value.split(",") if one))
        case _:
            return msgspec.structs.replace(field, value=value)


def _place(one: Tracked) -> Text:
    return say("{part} · {group}", part=one.part, group=one.group) if one.part else one.group


def _headline(who: Text | str, before: Tracked, after: Field) -> Text:
    """Say large what was corrected; what is hidden is not said, and what is long is read below."""
    if before.secret_of is not None or before.field.kind in {"many", "text", "file"}:
        return say("{who} corrects: {group} · {what}", who=who, group=_place(before), what=before.field.label)
    return say(
        "{who} corrects: {group} · {what}: {before} → {after}",
        who=who,
        group=_place(before),
        what=before.field.label,
        before=_shown(before.field),
        after=_shown(after),
    )


def _reasons(before: Tracked, after: Field) -> tuple[Reason, ...]:
    place, what = _place(before), before.field.label
    change = say(
        "{group}, {what}: {before} → {after}",
        group=place,
        what=what,
        before=_shown(before.field),
        after=_shown(after),
    )
    if before.field.kind == "file":
        change = say("{group}, {what}: it is another one now.", group=place, what=what)
    if before.secret_of is None:
        return (Reason(change),)
    hidden = say("{group}, {what}: what it was and is now stays hidden.", group=place, what=what)
    return (Reason(hidden), Reason(change, seat=before.secret_of))


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
        case chosen:
            return _listed([labels.get(value, value) for value in chosen])


def _listed(labels: Sequence[Text | str]) -> Text | str:
    if not labels:
        return say("nothing")
    return labels[0] if len(labels) == 1 else say("{one}, {more}", one=labels[0], more=_listed(labels[1:]))


def _checked(field: Field, value: str) -> str:
    if len(value) > {"many": LONGEST_LIST, "file": field.high}.get(field.kind, LONGEST):
        raise _wrong(field)
    match field.kind:
        case "number":
            digits = value.strip()
            if not digits.removeprefix("-").isdecimal() or not digits.isascii():
                raise _wrong(field)
            if not field.low <= int(digits) <= field.high:
                raise _wrong(field)
            return str(int(digits))
        case "yes_no":
            if value.lower() not in YES | NO:
                raise _wrong(field)
            return "true" if value.lower() in YES else "false"
        case "choice":
            return _open(field, value)
        case "many" | "order":
            return ",".join(_open(field, one.strip()) for one in value.split(",") if one.strip())
        case "file":
            return value
        case "text" | "dice":
            return name(value, field.high or LONGEST, "value")


def _open(field: Field, value: str) -> str:
    for option in field.options:
        if option.value == value:
            if option.barred is not None:
                raise Refusal(option.barred.text, option.barred.clause, "value")
            return value
    raise _wrong(field)


def _wrong(field: Field) -> Problem:
    if field.kind == "number":
        text = say("{field}: a whole number from {low} to {high}.", field=field.label, low=field.low, high=field.high)
    else:
        text = say("{field}: this is not what belongs here.", field=field.label)
    return Problem(400, text, "value")
