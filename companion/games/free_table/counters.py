"""Counters: a number for the table, for each player, or for each of some names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.free_table.look import (
    LONGEST_NAMES,
    MOST,
    Base,
    Deed,
    Setting,
    choice,
    followed,
    listed,
    look_fields,
    number,
    text,
    typed,
    written,
)
from companion.kit.correction import Tracked
from companion.kit.offer import Field, Offer
from companion.kit.panels import Panel, Row, Tracker
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask

Each = Literal["table", "player", "name"]
Value = Annotated[int, Meta(ge=-MOST, le=MOST)]


class Counter(Base, frozen=True, tag="counter"):
    """Count something; ``values`` by line: ``all``, a seat, or the place of a name."""

    each: Each = "table"
    names: tuple[str, ...] = ()
    start: int = 0
    low: int = 0
    high: int = MOST
    values: Mapping[str, int] = {}


class SetCounter(Setting, frozen=True, tag="set_counter"):
    """Add a counter, or change one."""

    each: Each = "table"
    names: Annotated[str, Meta(max_length=LONGEST_NAMES)] = ""
    start: Value = 0
    low: Value = 0
    high: Value = MOST

    def made(self, old: Counter | None) -> Counter:
        """Make the counter; raise Refusal when its bounds do not fit."""
        if not self.low <= self.start <= self.high:
            raise Refusal(say("The start lies between the lowest and the highest value."), field="start")
        names = listed(self.names, "names")
        if self.each == "name" and not names:
            raise Refusal(say("Say what is counted: at least one name."), field="names")
        kept = {} if old is None or old.each != self.each else old.values
        if old is not None and self.each == "name":
            kept = followed(kept, old.names, names)
        values = {line: min(max(value, self.low), self.high) for line, value in kept.items()}
        return Counter(
            **self.look(old), each=self.each, names=names, start=self.start, low=self.low, high=self.high, values=values
        )


class Count(Deed, frozen=True, tag="count"):
    """Count a line up or down."""

    line: str
    by: Annotated[int, Meta(ge=-2 * MOST, le=2 * MOST)]


class Reset(Deed, frozen=True, tag="reset"):
    """Put every line of a counter back to its start."""


Action = Count | Reset


def fields(old: Counter | None) -> tuple[Field, ...]:
    """Ask for what makes a counter."""
    shown = old or Counter()
    name, colour, glyph = look_fields(old)
    return (
        name,
        choice("each", say("One for"), ("table", "player", "name"), shown.each),
        text("names", say("Names"), written(shown.names), LONGEST_NAMES, say("For one each: separated by commas.")),
        number("start", say("Start"), shown.start, -MOST, MOST),
        number("low", say("Lowest"), shown.low, -MOST, MOST),
        number("high", say("Highest"), shown.high, -MOST, MOST),
        colour,
        glyph,
    )


def fresh(tracker: Counter) -> Counter:
    """Return it as at the start of a game."""
    return msgspec.structs.replace(tracker, values={})


def lines(state: State, tracker: Counter) -> dict[str, Text]:
    """Name the lines of a counter, by their key."""
    match tracker.each:
        case "table":
            return {"all": tracker.title}
        case "player":
            return {seat: state.called(seat) for seat in state.players}
        case "name":
            return {str(at): typed(name) for at, name in enumerate(tracker.names)}


def value(tracker: Counter, line: str) -> int:
    """Return what a line stands at."""
    return tracker.values.get(line, tracker.start)


def panels(state: State, tracker: Counter, _seat: str) -> tuple[Panel, ...]:
    """Show the counter."""
    bounded = 0 < tracker.high - tracker.low <= 100
    rows = tuple(
        Row(
            f"{tracker.id}.{line}",
            name,
            say("{count}", count=value(tracker, line)),
            side=line if tracker.each == "player" else "",
            level=value(tracker, line) - tracker.low if bounded else 0,
            most=tracker.high - tracker.low if bounded else 0,
            spent=bounded and value(tracker, line) == tracker.low,
        )
        for line, name in lines(state, tracker).items()
    )
    return (Tracker(tracker.id, tracker.title, rows, tracker.colour, tracker.glyph),)


def offers(state: State, tracker: Counter, _seat: str) -> tuple[Offer, ...]:
    """Offer to count each line down and up, and to set all back."""
    found = []
    for line in lines(state, tracker):
        now, on = value(tracker, line), f"{tracker.id}.{line}"
        given = {"tracker": tracker.id, "line": line}
        if now > tracker.low:
            found.append(Offer("count", say("−1"), {**given, "by": -1}, on=on))
        if now < tracker.high:
            found.append(Offer("count", say("+1"), {**given, "by": 1}, on=on))
        by = number("by", say("Change by"), None, tracker.low - now, tracker.high - now)
        found.append(Offer("count", say("±…"), given, (by,), on=on))
    if tracker.values:
        found.append(
            Offer(
                "reset",
                say("Back to the start"),
                {"tracker": tracker.id},
                on=tracker.id,
                grave=True,
                aside=True,
                asks=say("Set every line back to its start?"),
            )
        )
    return tuple(found)


def rule(state: State, tracker: Counter, _seat: str, action: Action, _ask: Ask) -> Ruling[Counter]:
    """Count; raise Refusal beyond the bounds."""
    if isinstance(action, Reset):
        return Ruling(fresh(tracker), say("{what}: back to the start", what=tracker.title))
    names = lines(state, tracker)
    if action.line not in names:
        raise Refusal(say("There is no such line any more."), field="line")
    before = value(tracker, action.line)
    after = before + action.by
    if not tracker.low <= after <= tracker.high:
        raise Refusal(say("It goes from {low} to {high}.", low=tracker.low, high=tracker.high), field="by")
    made = msgspec.structs.replace(tracker, values={**tracker.values, action.line: after})
    said: dict[str, Text | int] = {"what": tracker.title, "before": before, "after": after}
    if tracker.each == "table":
        return Ruling(made, say("{what}: {before} → {after}", **said))
    return Ruling(made, say("{what}, {whose}: {before} → {after}", whose=names[action.line], **said))


def tracked(state: State, tracker: Counter) -> tuple[Tracked, ...]:
    """List the lines."""
    return tuple(
        Tracked(
            f"{tracker.id}.{line}",
            tracker.title,
            Field("value", name, "number", value=value(tracker, line), low=tracker.low, high=tracker.high),
        )
        for line, name in lines(state, tracker).items()
    )


def correct(_state: State, tracker: Counter, part: str, value: str, _ask: Ask) -> Counter:
    """Set a line."""
    return msgspec.structs.replace(tracker, values={**tracker.values, part: int(value)})
