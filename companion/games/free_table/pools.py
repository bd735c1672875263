"""Pools: points that come in each turn, up to a cap, and are spent; for the table or for each player."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.free_table.look import MOST, Base, Deed, Setting, choice, look_fields, number
from companion.kit.correction import Tracked
from companion.kit.offer import Field, Offer
from companion.kit.panels import Panel, Row, Tracker
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask

Each = Literal["table", "player"]
Points = Annotated[int, Meta(ge=0, le=MOST)]


class Pool(Base, frozen=True, tag="pool"):
    """Hold points; ``cap`` 0 is none, ``fresh`` income replaces what is left; ``values`` by seat, or ``all``."""

    each: Each = "player"
    start: int = 0
    income: int = 0
    cap: int = 0
    fresh: bool = False
    values: Mapping[str, int] = {}


class SetPool(Setting, frozen=True, tag="set_pool"):
    """Add a pool, or change one."""

    each: Each = "player"
    start: Points = 0
    income: Points = 0
    cap: Points = 0
    fresh: bool = False

    def made(self, old: Pool | None) -> Pool:
        """Make the pool; raise Refusal when it begins with more than it holds."""
        if self.cap and self.start > self.cap:
            raise Refusal(say("It can not begin with more than it holds."), field="start")
        kept = {} if old is None or old.each != self.each else old.values
        most = self.cap or MOST
        return Pool(
            **self.look(old),
            each=self.each,
            start=self.start,
            income=self.income,
            cap=self.cap,
            fresh=self.fresh,
            values={line: min(value, most) for line, value in kept.items()},
        )


class Spend(Deed, frozen=True, tag="spend"):
    """Spend points."""

    line: str
    points: Points


class Gain(Deed, frozen=True, tag="gain"):
    """Gain points."""

    line: str
    points: Points


class Income(Deed, frozen=True, tag="income"):
    """Bring in what a turn brings: for one line, or for all."""

    line: str | None = None


Action = Spend | Gain | Income


def fields(old: Pool | None) -> tuple[Field, ...]:
    """Ask for what makes a pool."""
    shown = old or Pool()
    name, colour, glyph = look_fields(old)
    return (
        name,
        choice("each", say("One for"), ("player", "table"), shown.each),
        number("start", say("Start"), shown.start, 0, MOST),
        number("income", say("Income"), shown.income, 0, MOST),
        number("cap", say("Holds at most (0: no limit)"), shown.cap, 0, MOST),
        Field("fresh", say("What is left is lost when income comes"), "yes_no", value=shown.fresh),
        colour,
        glyph,
    )


def fresh(tracker: Pool) -> Pool:
    """Return it as at the start of a game."""
    return msgspec.structs.replace(tracker, values={})


def lines(state: State, tracker: Pool) -> dict[str, Text]:
    """Name the lines of a pool, by their key."""
    if tracker.each == "table":
        return {"all": tracker.title}
    return {seat: state.called(seat) for seat in state.players}


def value(tracker: Pool, line: str) -> int:
    """Return the points of a line."""
    return tracker.values.get(line, tracker.start)


def most(tracker: Pool) -> int:
    """Return how many points a line can hold."""
    return tracker.cap or MOST


def panels(state: State, tracker: Pool, _seat: str) -> tuple[Panel, ...]:
    """Show the pool."""
    rows = tuple(
        Row(
            f"{tracker.id}.{line}",
            name,
            say("{count}", count=value(tracker, line)),
            side="" if line == "all" else line,
            level=value(tracker, line) if tracker.cap else 0,
            most=tracker.cap,
            spent=value(tracker, line) == 0,
        )
        for line, name in lines(state, tracker).items()
    )
    note = say("Income {count}", count=tracker.income) if tracker.income else None
    return (Tracker(tracker.id, tracker.title, rows, tracker.colour, tracker.glyph, note),)


def offers(state: State, tracker: Pool, _seat: str) -> tuple[Offer, ...]:
    """Offer to spend, gain and bring in."""
    found = []
    for line in lines(state, tracker):
        now, on = value(tracker, line), f"{tracker.id}.{line}"
        given, room = {"tracker": tracker.id, "line": line}, most(tracker) - now
        if now:
            found.append(Offer("spend", say("−1"), {**given, "points": 1}, on=on))
        if room:
            found.append(Offer("gain", say("+1"), {**given, "points": 1}, on=on))
        if now > 1:
            found.append(Offer("spend", say("Spend"), given, (number("points", say("Points"), None, 1, now),), on=on))
        if room > 1:
            found.append(Offer("gain", say("Gain"), given, (number("points", say("Points"), None, 1, room),), on=on))
        if tracker.income and tracker.each == "player":
            found.append(Offer("income", say("Income"), given, on=on))
    if tracker.income:
        label = say("Income for all") if tracker.each == "player" else say("Income")
        found.append(Offer("income", label, {"tracker": tracker.id}, on=tracker.id))
    return tuple(found)


def rule(state: State, tracker: Pool, _seat: str, action: Action, _ask: Ask) -> Ruling[Pool]:
    """Spend, gain or bring in; raise Refusal for points that are not there, or have no room."""
    names = lines(state, tracker)
    if action.line is not None and action.line not in names:
        raise Refusal(say("There is no such line any more."), field="line")
    match action:
        case Income():
            after = tracker
            for line in names if action.line is None else (action.line,):
                after = _brought_in(after, line)
            if action.line is not None:
                return _said(after, tracker, action.line, names)
            return Ruling(after, say("{what}: income {count}", what=tracker.title, count=tracker.income))
        case Spend(line=line):
            if action.points > value(tracker, line):
                raise Refusal(
                    say("Only {count} is left.|Only {count} are left.", count=value(tracker, line)), field="points"
                )
            return _said(_set(tracker, line, value(tracker, line) - action.points), tracker, line, names)
        case Gain(line=line):
            if value(tracker, line) + action.points > most(tracker):
                raise Refusal(say("It holds {most} at most.", most=most(tracker)), field="points")
            return _said(_set(tracker, line, value(tracker, line) + action.points), tracker, line, names)


def _brought_in(tracker: Pool, line: str) -> Pool:
    left = 0 if tracker.fresh else value(tracker, line)
    return _set(tracker, line, min(left + tracker.income, most(tracker)))


def _set(tracker: Pool, line: str, points: int) -> Pool:
    return msgspec.structs.replace(tracker, values={**tracker.values, line: points})


def _said(after: Pool, before: Pool, line: str, names: dict[str, Text]) -> Ruling[Pool]:
    said: dict[str, Text | int] = {"what": after.title, "before": value(before, line), "after": value(after, line)}
    if after.each == "table":
        return Ruling(after, say("{what}: {before} → {after}", **said))
    return Ruling(after, say("{what}, {whose}: {before} → {after}", whose=names[line], **said))


def tracked(state: State, tracker: Pool) -> tuple[Tracked, ...]:
    """List the lines."""
    return tuple(
        Tracked(
            f"{tracker.id}.{line}",
            tracker.title,
            Field("value", name, "number", value=value(tracker, line), high=most(tracker)),
        )
        for line, name in lines(state, tracker).items()
    )


def correct(_state: State, tracker: Pool, part: str, value: str, _ask: Ask) -> Pool:
    """Set a line."""
    return _set(tracker, part, int(value))
