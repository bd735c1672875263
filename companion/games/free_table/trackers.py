"""The trackers of a table: which kinds there are, how they are set up, and what a seat sees; who sits, and the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Annotated, Any, Literal

from msgspec import Meta

from companion.games.free_table.counters import Counter, counters
from companion.games.free_table.deck_piles import Deck
from companion.games.free_table.decks import decks
from companion.games.free_table.flags import Flags, flags
from companion.games.free_table.initiative import Order
from companion.games.free_table.kinds import (
    MOST_TRACKERS,
    OTHER_KIND,
    Deed,
    Kind,
    Setting,
    T,
    Table,
    Tracker,
    check_composer,
    may_compose,
)
from companion.games.free_table.names import LONGEST_NAME, tidy
from companion.games.free_table.notes import Notes, notes
from companion.games.free_table.order import orders
from companion.games.free_table.phases import Steps, phases
from companion.games.free_table.pools import Pool, pools
from companion.games.free_table.timers import Timer, timers
from companion.games.free_table.tray import Tray, tray
from companion.kit.action import Action, Field, Offer
from companion.kit.asking import Ask
from companion.kit.chapter import Chapter
from companion.kit.correction import Correction
from companion.kit.game import RULEKEEPER, SCREEN
from companion.kit.once import once
from companion.kit.panels import View
from companion.kit.questions import NO, YES, Option
from companion.kit.ruling import Reason, Refusal, Ruling
from companion.kit.text import Text, say

STRANGERS = Reason(say("Only players and the rulekeeper act here."))
OVER = say("The game is over.")

KINDS: tuple[Kind[Any], ...] = (counters, pools, flags, phases, orders, timers, decks, tray, notes)
"""In the order in which they are offered; the union below has the tracker of each."""
_KINDS = {kind.tracker: kind for kind in KINDS}
Stored = Counter | Pool | Flags | Steps | Deck | Tray | Notes | Order | Timer


class State(Table, frozen=True, omit_defaults=True):
    """A table as it is stored, with trackers of all kinds that there are."""

    trackers: tuple[Stored, ...] = ()


def kind_of(tracker: Tracker) -> Kind[Any]:
    """Return the kind of a tracker."""
    return _KINDS[type(tracker)]


trackers = Chapter[Table, str]()
"""What is offered with the trackers, in their order; the chapters of their kinds rule on it."""


@trackers.offers
def tracker_offers(table: Table, seat: str) -> Iterator[Offer]:
    """Offer what may be done with each tracker."""
    for tracker in table.trackers:
        yield from kind_of(tracker).offered(table, tracker, seat)


def corrections(table: Table) -> Iterator[Correction[Table]]:
    """List what of each tracker can be corrected."""
    for tracker in table.trackers:
        yield from kind_of(tracker).corrected(table, tracker)


def view(table: Table, seat: str | None) -> View:
    """Show what a seat may see, and nothing else."""
    panels = tuple(
        panel for tracker in table.trackers for panel in kind_of(tracker).shown(table, tracker, seat or SCREEN)
    )
    if table.over:
        return View(OVER, (), panels, over=True)
    words = next((words for steps in table.trackers if isinstance(steps, Steps) for words in steps.reminders), None)
    return View(_headline(table, seat), _to_move(table), panels, note=Reason(words) if words else None)


def _headline(table: Table, seat: str | None) -> Text:
    """Say in which round the table is: by what has gone on, and by its name where several count rounds."""
    steps = (tracker for tracker in table.trackers if isinstance(tracker, Steps))
    begun = (tracker for tracker in table.trackers if isinstance(tracker, Order) and tracker.round)
    told = [(phase.title, phase.here, phases.fresh(phase) != phase) for phase in steps]
    told += [(order.title, order.here(table), True) for order in begun]
    if told:
        what, where, _ = next((rounds for rounds in told if rounds[2]), told[0])
        return where if len(told) == 1 else say("{what}: {where}", what=what, where=where)
    if table.trackers:
        return say("Everyone sees what you change.")
    if table.keeper_composes and seat != RULEKEEPER:
        return say("An empty table: the rulekeeper adds what you keep track of.")
    return say("An empty table: add what you want to keep track of.")


@once
def _to_move(table: Table) -> tuple[str, ...]:
    """List the seats whose turn it is by an order or a clock that runs, of those that somebody took."""
    turns = []
    for tracker in table.trackers:
        if isinstance(tracker, Order) and tracker.round:
            turns.append(tracker.current)
        elif isinstance(tracker, Timer) and tracker.since is not None:
            turns.append(tracker.lines(table).now)
    return tuple(dict.fromkeys(seat for seat in turns if seat in table.people and seat in table.roles))


composing = Chapter[Table, str]()


class Remove(Deed, frozen=True, tag="remove"):
    """Take a tracker off the table."""


class Shift(Deed, frozen=True, tag="shift"):
    """Move a tracker one place up or down."""

    way: Literal["up", "down"]


class Arrange(Action, frozen=True, tag="arrange"):
    """Put the trackers in an order; those that are not named follow."""

    order: Annotated[tuple[str, ...], Meta(max_length=MOST_TRACKERS)]


class Renew(Action, frozen=True, tag="renew"):
    """Begin another game with the same trackers."""


@composing.offers
def offers(table: Table, seat: str) -> Iterator[Offer]:
    """Offer to add trackers, and to change, move and take away those there are."""
    if may_compose(table, seat):
        yield from _composed(table)


@once
def _composed(table: Table) -> tuple[Offer, ...]:
    return tuple(_composing(table))


def _composing(table: Table) -> Iterator[Offer]:
    begun = bool(table.trackers)
    if len(table.trackers) < MOST_TRACKERS:
        for kind in KINDS:
            label = say("Add: {what}", what=Text(kind.name))
            yield kind.setting.offer(label, *_blank(kind), loose=True, aside=begun)
    for at, tracker in enumerate(table.trackers):
        yield from _of_one(tracker, up=at > 0, down=at + 1 < len(table.trackers))
    if len(table.trackers) > 1:
        titles = tuple(Option(tracker.id, tracker.title) for tracker in table.trackers)
        order = Field("order", say("Order"), "order", titles)
        yield Arrange.offer(say("Put in another order"), order, aside=True)
    if begun:
        asks = say("Begin again? What is counted now goes back to the start.")
        yield Renew.offer(say("Begin again with the same trackers"), grave=True, asks=asks)


@cache
def _blank(kind: Kind[Any]) -> tuple[Field, ...]:
    return kind.fields(kind.blank)


def _of_one(tracker: Tracker, *, up: bool, down: bool) -> Iterator[Offer]:
    kind, on = kind_of(tracker), tracker.id
    yield kind.setting.offer(say("Change"), *kind.fields(tracker), on=on, loose=True, aside=True, tracker=on)
    if up:
        yield Shift.offer(say("Up"), on=on, aside=True, tracker=on, way="up")
    if down:
        yield Shift.offer(say("Down"), on=on, aside=True, tracker=on, way="down")
    label, asks = say("Take away: {what}", what=tracker.title), say("Take this away, with all that it counts?")
    yield Remove.offer(label, on=on, grave=True, aside=True, asks=asks, tracker=on)


def _register(kind: Kind[T]) -> None:
    @composing.ruling(kind.setting)
    def set_up(table: Table, seat: str, action: Setting[T], _ask: Ask) -> Ruling[Table]:
        check_composer(table, seat)
        if action.tracker is None:
            made = action.made(kind.blank)
            return Ruling(table.add(made), say("Added: {what}", what=made.title))
        old = table.tracker(action.tracker)
        if not isinstance(old, kind.tracker):
            raise Refusal(OTHER_KIND, field="tracker")
        made = action.made(old)
        changes = _changes(kind.fields(old), kind.fields(made))
        headline = say("Changed: {what}", what=made.title)
        if len(changes) == 1:
            headline = say("{what} · {change}", what=made.title, change=changes[0].text)
        return Ruling(table.put(made), headline, changes)


for each in KINDS:
    _register(each)


def _changes(before: tuple[Field, ...], after: tuple[Field, ...]) -> tuple[Reason, ...]:
    """Say what is another than before: everybody at the table has a say in it."""
    return tuple(
        Reason(say("{what}: {before} → {after}", what=now.label, before=_shown(old), after=_shown(now)))
        for old, now in zip(before, after, strict=True)
        if now.value != old.value
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


@composing.ruling(Remove)
def remove(table: Table, seat: str, action: Remove, _ask: Ask) -> Ruling[Table]:
    """Take a tracker away."""
    check_composer(table, seat)
    gone = table.tracker(action.tracker)
    left = tuple(tracker for tracker in table.trackers if tracker.id != gone.id)
    return Ruling(table.but(trackers=left), say("Taken away: {what}", what=gone.title))


@composing.ruling(Shift)
def shift(table: Table, seat: str, action: Shift, _ask: Ask) -> Ruling[Table]:
    """Move a tracker past the next one; raise Refusal at an end of the table."""
    check_composer(table, seat)
    moved = table.tracker(action.tracker)
    others = [tracker.id for tracker in table.trackers if tracker.id != moved.id]
    to = table.trackers.index(moved) + (1 if action.way == "down" else -1)
    if not 0 <= to < len(table.trackers):
        raise Refusal(say("It is there already."), field="way")
    others.insert(to, moved.id)
    return Ruling(_ordered(table, others), say("Moved: {what}", what=moved.title), quiet=True)


@composing.ruling(Arrange)
def arrange(table: Table, seat: str, action: Arrange, _ask: Ask) -> Ruling[Table]:
    """Put the trackers in an order; raise Refusal for one that is not there."""
    check_composer(table, seat)
    for name in action.order:
        table.tracker(name)
    return Ruling(_ordered(table, action.order), say("The trackers are in another order"), quiet=True)


def _ordered(table: Table, order: Iterable[str]) -> Table:
    first = {name: at for at, name in enumerate(dict.fromkeys(order))}
    trackers = sorted(table.trackers, key=lambda tracker: first.get(tracker.id, len(first)))
    return table.but(trackers=tuple(trackers))


@composing.ruling(Renew)
def renew(table: Table, seat: str, _action: Renew, _ask: Ask) -> Ruling[Table]:
    """Begin another game."""
    check_composer(table, seat)
    return Ruling(renewed(table), say("A new game begins"))


def renewed(table: Table) -> Table:
    """Return the table with its trackers as at the start of a game."""
    return table.but(trackers=tuple(kind_of(tracker).fresh(tracker) for tracker in table.trackers))


sitting = Chapter[Table, str]()


class Sit(Action, frozen=True, tag="sit"):
    """Tell who sits on the seat; the table does it when somebody comes, is renamed or goes (None)."""

    name: Annotated[str, Meta(max_length=LONGEST_NAME)] | None = None


@sitting.ruling(Sit, ended=True)
def sit(table: Table, seat: str, action: Sit, _ask: Ask) -> Ruling[Table]:
    """Note who sits on a seat; raise Refusal for the rulekeeper, who has none."""
    if seat == RULEKEEPER:
        raise Refusal(STRANGERS.text)
    people = {other: name for other, name in table.people.items() if other != seat}
    if action.name is not None:
        people[seat] = tidy(action.name)
    return Ruling(table.but(people=people), say("{who} is here", who=Text(seat)), quiet=True)


ending = Chapter[Table, str]()


class End(Action, frozen=True, tag="end"):
    """End the game."""


@ending.offers
def end_offers(_table: Table, _seat: str) -> Iterator[Offer]:
    """Offer to end the game."""
    yield End.offer(say("End the game"), grave=True, asks=say("Has the game ended?"))


@ending.ruling(End)
def end(table: Table, _seat: str, _action: End, ask: Ask) -> Ruling[Table]:
    """End the game: it takes nobody's time any more."""
    running = [timer for timer in table.trackers if isinstance(timer, Timer) and timer.since is not None]
    if running:
        now = ask.now("end")
        for timer in running:
            table = table.put(timer.stopped(timer.lines(table).now, now))
    return Ruling(table.but(over=True), OVER)


CHAPTERS = (trackers, *(play.chapter for kind in KINDS for play in kind.plays), composing, sitting, ending)
"""What may be done with the trackers, with the table, and by whoever sits at it; in the order of the offers."""
