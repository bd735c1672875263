"""Counters: a number for the table, for each player, or for each of some names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Literal

from msgspec import Meta

from companion.games.free_table.kinds import ALL, Deed, Kind, Setting, Table, Tracker, name_of
from companion.games.free_table.names import MOST, Names, followed, listed
from companion.kit.action import Offer, number_field
from companion.kit.asking import Ask
from companion.kit.correction import Correction
from companion.kit.panels import Panel, Row
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

Each = Literal["table", "player", "name"]
Change = Annotated[int, Meta(ge=-2 * MOST, le=2 * MOST)]
LONGEST_BAR = 100
"""The most values that a counter has between its bounds and is drawn as a bar."""


class Counter(Tracker, frozen=True, tag="counter"):
    """A number that goes up and down; ``values`` by line: ``all``, a seat, or the place of a name."""

    each: Each = "table"
    names: tuple[str, ...] = ()
    start: int = 0
    low: int = 0
    high: int = MOST
    values: Mapping[str, int] = {}

    def lines(self, table: Table) -> dict[str, Text]:
        """Name the lines of a counter, by their key."""
        return table.lines(self.each, self.title, self.names)

    def value(self, line: str) -> int:
        """Return what a line stands at."""
        return self.values.get(line, self.start)

    def counted(self, line: str, to: int) -> Counter:
        """Set a line."""
        return self.but(values={**self.values, line: to})


class SetCounter(Setting[Counter], frozen=True, tag="set_counter"):
    """Add a counter, or change one."""

    each: Annotated[Each, Meta(title="One for")] = "table"
    names: Names = ""
    start: Annotated[int, Meta(title="Start", ge=-MOST, le=MOST)] = 0
    low: Annotated[int, Meta(title="Lowest", ge=-MOST, le=MOST)] = 0
    high: Annotated[int, Meta(title="Highest", ge=-MOST, le=MOST)] = MOST

    def made(self, old: Counter) -> Counter:
        """Make the counter; raise Refusal when its bounds do not fit."""
        if not self.low <= self.start <= self.high:
            raise Refusal(say("The start lies between the lowest and the highest value."), field="start")
        names = listed(self.names, "names")
        if self.each == "name" and not names:
            raise Refusal(say("Say what is counted: at least one name."), field="names")
        values = old.values if old.each == self.each else {}
        if self.each == "name":
            values = followed(values, old.names, names)
        values = {line: min(max(value, self.low), self.high) for line, value in values.items()}
        return self.onto(old, names=names, values=values)


class Count(Deed, frozen=True, tag="count"):
    """Count a line up or down."""

    line: str
    by: Change


class Reset(Deed, frozen=True, tag="reset"):
    """Put every line of a counter back to its start."""


counters = Kind(
    Counter,
    SetCounter,
    fresh=lambda counter: counter.but(values={}),
    typed=lambda counter: {"names": ", ".join(counter.names)},
)


DOWN, UP = say("−1"), say("+1")


def beyond(counter: Counter) -> Text:
    """Say what the bounds of a counter are."""
    return say("It goes from {low} to {high}.", low=counter.low, high=counter.high)


@counters.panels_for_all
def panels(table: Table, counter: Counter) -> Iterator[Panel]:
    """Show the counter."""
    bounded = 0 < counter.high - counter.low <= LONGEST_BAR
    yield counter.panel(
        Row(
            f"{counter.id}.{line}",
            name,
            say("{count}", count=counter.value(line)),
            side=line if counter.each == "player" else "",
            level=counter.value(line) - counter.low if bounded else 0,
            most=counter.high - counter.low if bounded else 0,
            spent=bounded and counter.value(line) == counter.low,
            steps=((DOWN, beyond(counter)), (UP, beyond(counter))),
        )
        for line, name in counter.lines(table).items()
    )


@counters.offers_to_all
def offers(table: Table, counter: Counter) -> Iterator[Offer]:
    """Offer to count each line down and up, and to set all back."""
    for line in counter.lines(table):
        now, on = counter.value(line), f"{counter.id}.{line}"
        if now > counter.low:
            yield Count.offer(DOWN, on=on, tracker=counter.id, line=line, by=-1)
        if now < counter.high:
            yield Count.offer(UP, on=on, tracker=counter.id, line=line, by=1)
        by = number_field("by", say("Change by"), None, counter.low - now, counter.high - now)
        yield Count.offer(say("±…"), by, on=on, tracker=counter.id, line=line)
    if counter.values:
        asks = say("Set every line back to its start?")
        yield Reset.offer(
            say("Back to the start"), on=counter.id, grave=True, aside=True, asks=asks, tracker=counter.id
        )


@counters.rule(Count)
def count(table: Table, counter: Counter, _seat: str, action: Count, _ask: Ask) -> Ruling[Counter]:
    """Count; raise Refusal beyond the bounds."""
    whose, before = name_of(counter.lines(table), action.line), counter.value(action.line)
    after = before + action.by
    if not counter.low <= after <= counter.high:
        raise Refusal(beyond(counter), field="by")
    return Ruling(counter.counted(action.line, after), changed(counter, action.line, whose, before, after))


def changed(tracker: Tracker, line: str, whose: Text, before: int, after: int) -> Text:
    """Say how a line has changed, and whose it is unless it is the only one."""
    if line == ALL:
        return say("{what}: {before} → {after}", what=tracker.title, before=before, after=after)
    return say("{what}, {whose}: {before} → {after}", what=tracker.title, whose=whose, before=before, after=after)


@counters.rule(Reset)
def reset(_table: Table, counter: Counter, _seat: str, _action: Reset, _ask: Ask) -> Ruling[Counter]:
    """Put every line back."""
    return Ruling(counters.fresh(counter), say("{what}: back to the start", what=counter.title))


@counters.corrections
def corrections(table: Table, counter: Counter) -> Iterator[Correction[Counter]]:
    """List the lines."""
    for line, name in counter.lines(table).items():
        put = partial(counter.counted, line)
        yield counter.corrections.number(line, name, counter.value(line), put, low=counter.low, high=counter.high)
