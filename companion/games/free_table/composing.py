"""Composing: trackers are added, changed, ordered and taken away."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.games.free_table.actions import Arrange, Composing, Remove, Renew, Shift
from companion.games.free_table.kinds import CHAPTERS, Set, blank, chapter, kind
from companion.games.free_table.state import MOST_TRACKERS, State, Tracker
from companion.kit.asking import NO, YES, Option
from companion.kit.game import RULEKEEPER
from companion.kit.offer import Field, Offer
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, say


def may_compose(state: State, seat: str) -> bool:
    """Tell whether a seat may change what is kept track of."""
    return seat == RULEKEEPER or (seat in state.roles and not state.keeper_composes)


def add(state: State, tracker: Tracker) -> State:
    """Put a new tracker at the end; raise Refusal when there are too many."""
    if len(state.trackers) == MOST_TRACKERS:
        raise Refusal(say("{count} trackers at most, please.", count=MOST_TRACKERS))
    made = state.made + 1
    return state.but(trackers=(*state.trackers, msgspec.structs.replace(tracker, id=f"t{made}")), made=made)


def compose(state: State, action: Composing) -> Ruling[State]:
    """Change what is kept track of."""
    match action:
        case Remove():
            gone = state.tracker(action.tracker)
            left = tuple(tracker for tracker in state.trackers if tracker.id != gone.id)
            return Ruling(state.but(trackers=left), say("Taken away: {what}", what=gone.title))
        case Shift():
            moved = state.tracker(action.tracker)
            at = state.trackers.index(moved)
            to = at + (1 if action.way == "down" else -1)
            if not 0 <= to < len(state.trackers):
                raise Refusal(say("It is there already."), field="way")
            order = [tracker.id for tracker in state.trackers]
            order[at], order[to] = order[to], order[at]
            return Ruling(_ordered(state, tuple(order)), say("Moved: {what}", what=moved.title), quiet=True)
        case Arrange():
            for name in action.order:
                state.tracker(name)
            return Ruling(_ordered(state, action.order), say("The trackers are in another order"), quiet=True)
        case Renew():
            fresh = tuple(chapter(tracker).fresh(tracker) for tracker in state.trackers)
            return Ruling(state.but(trackers=fresh, over=False), say("A new game begins"))
        case _:
            return _set(state, action)


def _ordered(state: State, order: tuple[str, ...]) -> State:
    first = {name: at for at, name in enumerate(dict.fromkeys(order))}
    return state.but(trackers=tuple(sorted(state.trackers, key=lambda one: first.get(one.id, len(first)))))


def _set(state: State, action: Set) -> Ruling[State]:
    old: Any = None if action.tracker is None else state.tracker(action.tracker)
    if old is not None and f"set_{kind(old)}" != action.__struct_config__.tag:
        raise Refusal(say("That is another kind of tracker."), field="tracker")
    made: Tracker = action.made(old)
    if old is None:
        return Ruling(add(state, made), say("Added: {what}", what=made.title))
    after = state.put(msgspec.structs.replace(made, id=old.id))
    changes = _changes(old, made)
    if len(changes) == 1:
        return Ruling(after, say("{what} · {change}", what=made.title, change=changes[0].text), changes)
    return Ruling(after, say("Changed: {what}", what=made.title), changes)


def _changes(old: Tracker, made: Tracker) -> tuple[Reason, ...]:
    """Say what is another than before: everybody at the table has a say in it."""
    before = {field.name: field for field in chapter(old).fields(old)}
    return tuple(
        Reason(say("{what}: {before} → {after}", what=now.label, before=_shown(before[now.name]), after=_shown(now)))
        for now in chapter(made).fields(made)
        if now.value != before[now.name].value
    )


def _shown(field: Field) -> Text | str | int:
    match field.value:
        case bool(ticked):
            return YES if ticked else NO
        case int(number):
            return number
        case _:
            value = str(field.value or "")
            return next((option.label for option in field.options if option.value == value), value or "–")


def offers(state: State, seat: str) -> tuple[Offer, ...]:
    """Offer to add trackers, and to change, move and take away those there are."""
    if not may_compose(state, seat):
        return ()
    found, begun = [], bool(state.trackers)
    if len(state.trackers) < MOST_TRACKERS:
        found += [
            Offer(f"set_{name}", say("Add: {what}", what=Text(name)), fields=blank(name), loose=True, aside=begun)
            for name in CHAPTERS
        ]
    for at, tracker in enumerate(state.trackers):
        given = {"tracker": tracker.id}
        fields = chapter(tracker).fields(tracker)
        found.append(Offer(f"set_{kind(tracker)}", say("Change"), given, fields, on=tracker.id, loose=True, aside=True))
        if at:
            found.append(Offer("shift", say("Up"), {**given, "way": "up"}, on=tracker.id, aside=True))
        if at + 1 < len(state.trackers):
            found.append(Offer("shift", say("Down"), {**given, "way": "down"}, on=tracker.id, aside=True))
        found.append(
            Offer(
                "remove",
                say("Take away: {what}", what=tracker.title),
                given,
                on=tracker.id,
                grave=True,
                aside=True,
                asks=say("Take this away, with all that it counts?"),
            )
        )
    if len(state.trackers) > 1:
        order = Field("order", say("Order"), "order", tuple(Option(one.id, one.title) for one in state.trackers))
        found.append(Offer("arrange", say("Put in another order"), fields=(order,), aside=True))
    if state.trackers:
        found.append(
            Offer(
                "renew",
                say("Begin again with the same trackers"),
                grave=True,
                asks=say("Begin again? What is counted now goes back to the start."),
            )
        )
    return tuple(found)
