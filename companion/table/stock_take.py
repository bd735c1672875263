"""A stock-take: all that lies otherwise on the table than it is kept is set at once, as one correction."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from companion.kit.action import Field
from companion.kit.asking import Ask
from companion.kit.correction import OFF, Tracked, written
from companion.kit.game import SCREEN
from companion.kit.panels import Hand, Phases, Tracker, View
from companion.kit.ruling import Refusal
from companion.kit.stock_take import settable
from companion.kit.text import say
from companion.table import correct
from companion.table.problem import Problem
from companion.table.records import Entry, StateChange
from companion.table.session import Session, encoded
from companion.table.transactions import Transactions
from companion.table.view_models import Done

MOST_DIFFERENCES = 500
"""Values that are set at once: more than there are pieces on the largest table."""
ORDER = ("choice", "yes_no", "number")
"""In which order values that are no places are set, by their kinds."""
NOT_OPEN = say("Only what lies open is set in a stock-take: correct this by itself.")
TURN_OR_HANDS = say("A stock-take leaves turns and hands alone: correct this by itself.")


class Difference(NamedTuple):
    """A value that is another one on the table: its path, and what it is there, as a correction sends it."""

    path: str
    value: str


class _Wanted(NamedTuple):
    """A value as it was, and as it is to be."""

    before: Tracked
    after: Field
    sent: str


def set_right(session: Session, seat: str, differences: Sequence[Difference], version: int | None = None) -> Entry:
    """Set several tracked values by hand as one entry, whatever their order; all of them or none.

    Raises Problem or Refusal where one of them can not be set, is nothing that a stock-take lists, or was changed after
    ``version``; it says which. Neither whose turn it is nor what anybody holds changes by it.
    """
    correct.check_open(session)
    if not 0 < len(differences) <= MOST_DIFFERENCES or len({one.path for one in differences}) < len(differences):
        raise Problem(400, say("Say what to change."), "corrections")
    before = session.state
    values = session.game.tracked(before)
    listed = {value.path for value in settable(session.game.view(before, seat), values, session.game.lying_values)}
    changes = [_wanted(session, values, listed, seat, one, version) for one in differences]
    changes = [one for one in changes if one.after.value != one.before.field.value]
    if not changes:
        raise Problem(409, say("Nothing was changed."), "corrections")
    after = correct.run(session, lambda ask: _all_set(session, changes, ask), changes[0].before.field)
    if encoded(after) == encoded(before):
        raise Problem(409, say("Nothing was changed."), "corrections")
    if _turn_and_hands(session, after) != _turn_and_hands(session, before):
        raise Refusal(TURN_OR_HANDS, field="corrections")
    who = session.who(seat)
    first, *more = changes
    headline = correct.headline(who, first.before, first.after)
    if more:
        headline = say(
            "{who} takes stock: {count} correction|{who} takes stock: {count} corrections", who=who, count=len(changes)
        )
    lines = [line for one in changes for line in correct.reasons(one.before, one.after)]
    return session.append("correction", seat, headline, lines, change=StateChange(_action(changes), state=after))


def _action(changes: Sequence[_Wanted]) -> dict[str, Any]:
    """Return what is stored: a single correction as ever, of several the first one as well as all of them."""
    sent = [{"path": one.before.path, "value": one.sent} for one in changes]
    return {**sent[0]} if len(sent) == 1 else {**sent[0], "corrections": sent}


def _wanted(
    session: Session,
    values: Sequence[Tracked],
    listed: Collection[str],
    seat: str,
    difference: Difference,
    version: int | None,
) -> _Wanted:
    before = correct.find(values, seat, difference.path)
    try:
        correct.check_unchanged(session, seat, before, version)
        after = correct.wanted(before, difference.value)
    except (Problem, Refusal) as wrong:
        raise _named(before, wrong) from wrong
    # Points to spend, who has acted, how many cards are held: nothing of that is found on the table.
    if before.path not in listed:
        raise _named(before, Refusal(NOT_OPEN, field="corrections"))
    return _Wanted(before, after, difference.value)


def _all_set(session: Session, changes: Sequence[_Wanted], ask: Ask) -> Any:
    """Set all values: where things lie before how they lie, and counts last, which may hang on both."""
    state = _all_placed(session, [one for one in changes if _is_place(one)], ask)
    for one in sorted((one for one in changes if not _is_place(one)), key=lambda one: ORDER.index(one.after.kind)):
        try:
            state = _set(session, state, one, written(one.after), ask)
        except Refusal as refusal:
            raise _named(one.before, refusal) from refusal
    return state


def _is_place(one: _Wanted) -> bool:
    return any(option.value == OFF or option.place for option in one.before.field.options)


def _all_placed(session: Session, changes: Sequence[_Wanted], ask: Ask) -> Any:
    """Put everything in its place: that for which there is no room yet after the others.

    Where pieces stand in each other's way, one is moved aside first, or lifted off the table where there is no room.
    """
    state, lifted, fixed = session.state, dict[str, str](), set[str]()
    left = [*changes]
    while left:
        # Where something stands that will go elsewhere, there is no room yet.
        liftable = [one for one in left if one.before.path not in {*lifted, *fixed} and _may_be_lifted(one)]
        standing = {one.before.field.value for one in liftable} - {OFF}
        waiting = list[tuple[_Wanted, Refusal | None]]()
        for one in left:
            if one.after.value in standing:
                waiting.append((one, None))
                continue
            try:
                state = _set(session, state, one, written(one.after), ask, lifted.get(one.before.path))
                standing.discard(one.before.field.value)
            except Refusal as refusal:
                waiting.append((one, refusal))
        if len(waiting) == len(left):
            if not liftable:
                raise next(_named(one.before, refusal) for one, refusal in waiting if refusal is not None)
            free = liftable[0]
            tried = ((to, _lifted(session, state, free, to, ask)) for to in _elsewhere(free, changes))
            where, up = next((one for one in tried if one[1] is not None), (None, None))
            if where is None:
                fixed.add(free.before.path)
            else:
                lifted[free.before.path], state = where, up
        left = [one for one, _ in waiting]
    return state


def _elsewhere(one: _Wanted, changes: Sequence[_Wanted]) -> Iterator[str]:
    """Name where a piece may lie meanwhile: where nothing else comes from or goes to, else off the table.

    What is lifted off may lose what lies on it, and how it lay.
    """
    used = {value for other in changes for value in (other.before.field.value, other.after.value)}
    open_ = [option for option in one.before.field.options if option.barred is None]
    yield from (option.value for option in open_ if option.place and option.value not in used)
    yield from (option.value for option in open_ if option.value == OFF)


def _lifted(session: Session, state: Any, one: _Wanted, to: str, ask: Ask) -> Any:
    """Move a piece out of the way; None where it may not go there, or would be lost for good."""
    try:
        up = _set(session, state, one, to, ask)
    except Refusal:
        return None
    return up if any(value.path == one.before.path for value in session.game.tracked(up)) else None


def _may_be_lifted(one: _Wanted) -> bool:
    return any(option.barred is None and (option.value == OFF or option.place) for option in one.before.field.options)


def _set(session: Session, state: Any, one: _Wanted, sent: str, ask: Ask, value: str | None = None) -> Any:
    """Set a value that is what it was, or ``value`` by now.

    Things that are alike are numbered by where they lie: one that was set may have taken the number of another one.
    """
    path, was = one.before.path, one.before.field.value if value is None else value
    now = {tracked.path: tracked.field.value for tracked in session.game.tracked(state)}
    alike = path.rpartition(".")[0]
    if one.after.kind == "choice" and now.get(path) != was:
        path = next((other for other in now if other.rpartition(".")[0] == alike and now[other] == was), path)
    if path not in now:
        raise Refusal(say("That does not apply where it lies now."), field="corrections")
    return session.game.correct(state, path, sent, ask)


def _named(value: Tracked, wrong: Problem | Refusal) -> Problem | Refusal:
    """Say beside what is wrong with a value which one it is."""
    text = say("{group} · {what}: {why}", group=correct.heading(value), what=value.field.label, why=wrong.text)
    if isinstance(wrong, Problem):
        return Problem(wrong.status, text, "corrections")
    return Refusal(text, wrong.clause, "corrections")


def _turn_and_hands(session: Session, state: Any) -> tuple[Any, ...]:
    """Return whose turn it is, at what, and what everybody holds."""
    views = {seat: session.game.view(state, seat) for seat in (*(role.id for role in session.roles), SCREEN)}
    return (views[SCREEN].to_move, views[SCREEN].over, *(_turn_and_hand(view) for view in views.values()))


def _turn_and_hand(view: View) -> tuple[Any, ...]:
    # What a card of a hand could do just now may change with what lies on the table.
    held = [
        sorted(card.code for card in panel.cards)
        for panel in view.panels
        if isinstance(panel, Hand) and panel.whose == "own"
    ]
    phases = [panel for panel in view.panels if isinstance(panel, Phases)]
    turns = [row.id for panel in view.panels if isinstance(panel, Tracker) for row in panel.rows if row.current]
    return held, phases, turns


class StockTakes(Transactions):
    """What may be asked of a table by whoever takes stock; what it raises is said where it is done."""

    def set_right(
        self, table: str, seat: str, differences: Sequence[Difference], key: str, seen: int | None = None
    ) -> Done:
        """Set several tracked values by hand as one entry; raise Problem (409) where one changed after ``seen``."""
        return self._once(table, seat, key, lambda session: set_right(session, seat, differences, seen), seen)
