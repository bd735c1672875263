"""Clocks: so long for a turn, so long for each player, so long for the table, or how long it took."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

from companion.games.free_table.clocks import (
    LONGEST,
    MOST_ADDED,
    MOST_MINUTES,
    SECOND,
    Added,
    Each,
    How,
    Timer,
    clock,
    fresh,
    lines,
    stopped,
    time,
    turn,
)
from companion.games.free_table.look import (
    LONGEST_NAMES,
    Deed,
    Setting,
    choice,
    followed,
    listed,
    look_fields,
    number,
    text,
    written,
)
from companion.kit.asking import Option
from companion.kit.correction import Tracked
from companion.kit.offer import Field, Offer
from companion.kit.panels import Clock, Panel, Row, Tracker
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask

__all__ = ["Action", "SetTimer", "correct", "fields", "fresh", "offers", "panels", "rule", "tracked"]


class SetTimer(Setting, frozen=True, tag="set_timer"):
    """Add a clock, or change one."""

    how: How = "turn"
    minutes: Annotated[int, Meta(ge=0, le=MOST_MINUTES)] = 1
    seconds: Annotated[int, Meta(ge=0, le=59)] = 0
    increment: Added = 0
    delay: Added = 0
    each: Each = "player"
    names: Annotated[str, Meta(max_length=LONGEST_NAMES)] = ""

    def made(self, old: Timer | None) -> Timer:
        """Make the clock; as long as it is of the same kind, whoever still has one keeps what is left."""
        seconds, names = self.minutes * 60 + self.seconds, listed(self.names, "names")
        if self.how != "stopwatch" and seconds == 0:
            raise Refusal(say("A clock needs some time."), field="minutes")
        if self.how in {"turn", "chess"} and self.each == "name" and not names:
            raise Refusal(say("Say whose clocks they are: at least one name."), field="names")
        made = Timer(
            **self.look(old),
            how=self.how,
            each=self.each,
            names=names,
            seconds=seconds,
            increment=self.increment,
            delay=self.delay,
        )
        if old is None or (old.how, old.each) != (made.how, made.each):
            return made
        made = msgspec.structs.replace(made, left=old.left, line=old.line, free=old.free, since=old.since)
        return _followed(made, old.names) if self.how in {"turn", "chess"} and self.each == "name" else made


def _followed(made: Timer, before: tuple[str, ...]) -> Timer:
    """Let what names have left follow them; the clock of one who is gone stands, it is nobody else's time."""
    left = followed(made.left, before, made.names)
    running = followed({made.line: True}, before, made.names)
    if not running:
        return msgspec.structs.replace(made, left=left, line="", free=None, since=None)
    return msgspec.structs.replace(made, left=left, line=next(iter(running)))


class Run(Deed, frozen=True, tag="run_clock"):
    """Let a clock run."""


class Stop(Deed, frozen=True, tag="stop_clock"):
    """Let a clock stand."""


class Press(Deed, frozen=True, tag="press_clock"):
    """End the turn of a line; the clock of another goes on from there."""

    line: str
    to: str


class Restart(Deed, frozen=True, tag="restart_clock"):
    """Give everybody all the time again; the clock stands then."""


Action = Run | Stop | Press | Restart


def fields(old: Timer | None) -> tuple[Field, ...]:
    """Ask for what makes a clock."""
    shown = old or Timer()
    name, colour, glyph = look_fields(old)
    of_names = say("For one each: separated by commas.")
    return (
        name,
        choice("how", say("Kind"), ("turn", "chess", "countdown", "stopwatch"), shown.how, KINDS),
        number("minutes", say("Minutes"), shown.seconds // 60, 0, MOST_MINUTES),
        number("seconds", say("Seconds"), shown.seconds % 60, 0, 59),
        number("increment", say("Seconds added after each move (chess clock)"), shown.increment, 0, MOST_ADDED),
        number("delay", say("Free seconds in each move (chess clock)"), shown.delay, 0, MOST_ADDED),
        choice("each", say("One for"), ("player", "name"), shown.each),
        text("names", say("Names"), written(shown.names), LONGEST_NAMES, of_names),
        colour,
        glyph,
    )


KINDS = {
    "turn": "so long for each turn",
    "chess": "a chess clock",
    "countdown": "a countdown for the table",
    "stopwatch": "a stopwatch",
}


def panels(state: State, tracker: Timer, _seat: str) -> tuple[Panel, ...]:
    """Show the clocks: of a clock for turns only the one whose turn it is."""
    names, now = lines(state, tracker), turn(state, tracker)
    rows = tuple(
        Row(
            f"{tracker.id}.{line}",
            name,
            side=line if line in state.roles else "",
            note=say("out of time") if tracker.how != "stopwatch" and time(tracker, line) <= 0 else None,
            clock=None if tracker.how == "turn" and line != now else clock(tracker, line, runs=line == now),
            current=line == now and len(names) > 1,
        )
        for line, name in names.items()
    )
    return (Tracker(tracker.id, tracker.title, rows, tracker.colour, tracker.glyph or "clock", _note(tracker)),)


def _note(tracker: Timer) -> Text | None:
    if tracker.how == "stopwatch":
        return None
    each = Clock(tracker.seconds * SECOND).says
    if tracker.how == "chess" and tracker.increment:
        return say("{time} each, +{seconds} s after each move", time=each, seconds=tracker.increment)
    if tracker.how == "chess" and tracker.delay:
        return say("{time} each, {seconds} s of each move free", time=each, seconds=tracker.delay)
    if tracker.how == "chess":
        return say("{time} each", time=each)
    return say("{time}", time=each)


def offers(state: State, tracker: Timer, _seat: str) -> tuple[Offer, ...]:
    """Offer to let it run or stand, to pass it on, and to begin again."""
    names, now = lines(state, tracker), turn(state, tracker)
    if not now:
        return ()
    given, on = {"tracker": tracker.id}, tracker.id
    touched = fresh(tracker) != tracker
    found = []
    if len(names) > 1 or tracker.how == "turn":
        order = tuple(names)
        after = order[(order.index(now) + 1) % len(order)]
        press = {**given, "line": now, "to": after}
        label = say("Next: {what}", what=names[after])
        found.append(Offer("press_clock", label, press, on=on, main=tracker.since is not None))
        found += [
            Offer("press_clock", say("To them"), {**given, "line": now, "to": line}, on=f"{on}.{line}")
            for line in names
            if line not in {now, after}
        ]
    if tracker.since is not None:
        found.append(Offer("stop_clock", say("Pause"), given, on=on))
    else:
        found.append(Offer("run_clock", say("Go on") if touched else say("Start the clock"), given, on=on, main=True))
    if touched:
        grave = tracker.how == "chess"
        found.append(
            Offer(
                "restart_clock",
                say("Back to the start"),
                given,
                on=on,
                grave=grave,
                aside=grave,
                asks=say("Set all clocks back to the start?") if grave else None,
            )
        )
    return tuple(found)


def rule(state: State, tracker: Timer, _seat: str, action: Action, ask: Ask) -> Ruling[Timer]:
    """Let it run or stand, pass it on, begin again; raise Refusal where that is so already."""
    names, now = lines(state, tracker), turn(state, tracker)
    if not now:
        raise Refusal(say("There is no such line any more."), field="tracker")
    match action:
        case Restart():
            return Ruling(fresh(tracker), say("{what}: back to the start", what=tracker.title))
        case Run():
            if tracker.since is not None:
                raise Refusal(say("The clock runs already."))
            after = msgspec.structs.replace(tracker, line=now, since=ask.now("clock"))
            return Ruling(after, say("{what}: running, {time}", what=names[now], time=_left(after, now)))
        case Stop():
            if tracker.since is None:
                raise Refusal(say("The clock stands already."))
            after = stopped(tracker, now, ask.now("clock"))
            _tell(after, now, names, ask)
            return Ruling(after, say("{what}: stopped, {time}", what=names[now], time=_left(after, now)))
        case Press():
            return _pressed(tracker, now, names, action, ask)


def _left(after: Timer, line: str) -> str:
    return clock(after, line, runs=False).says


def _tell(after: Timer, line: str, names: dict[str, Text], ask: Ask) -> None:
    """Tell who has no time left: that ends nothing by itself."""
    if after.how != "stopwatch" and time(after, line) <= 0:
        ask.tell(say("{who} is out of time", who=names[line]))


def _pressed(tracker: Timer, now: str, names: dict[str, Text], action: Press, ask: Ask) -> Ruling[Timer]:
    if action.line != now:
        raise Refusal(say("The clock is already with {who}.", who=names[now]), field="line")
    if action.to not in names or (action.to == now and len(names) > 1):
        raise Refusal(say("There is no such line any more."), field="to")
    left, since = dict(tracker.left), None
    if tracker.since is not None:
        since = ask.now("clock")
        after = stopped(tracker, now, since)
        _tell(after, now, names, ask)
        left[now] = time(after, now)
        if tracker.how == "chess" and left[now] > 0:
            left[now] += tracker.increment * SECOND
    if tracker.how == "turn":
        left.pop(now, None)
    passed = msgspec.structs.replace(tracker, left=left, line=action.to, free=None, since=since)
    return Ruling(passed, say("{who}: {time}", who=names[action.to], time=_left(passed, action.to)))


def tracked(state: State, tracker: Timer) -> tuple[Tracked, ...]:
    """List whose clock it is, and the seconds of each; of one that runs those that it was started with."""
    names, now = lines(state, tracker), turn(state, tracker)
    found = []
    if len(names) > 1:
        options = tuple(Option(line, name) for line, name in names.items())
        found.append(Tracked(f"{tracker.id}.line", tracker.title, Field("value", say("Turn"), "choice", options, now)))
    for line, name in names.items():
        runs = line == now and tracker.since is not None
        label = say("{who}: seconds, when it was started", who=name) if runs else say("{who}: seconds", who=name)
        up = tracker.how == "stopwatch"
        seconds = -(-abs(time(tracker, line)) // SECOND) * (1 if up or time(tracker, line) >= 0 else -1)
        low = 0 if up else -LONGEST
        field = number("value", label, min(seconds, LONGEST), low, LONGEST)
        found.append(Tracked(f"{tracker.id}.of.{line}", tracker.title, field))
    return tuple(found)


def correct(state: State, tracker: Timer, part: str, value: str, ask: Ask) -> Timer:
    """Set whose clock it is, or what one has left: one that runs goes on from there."""
    now = turn(state, tracker)
    moment = None if tracker.since is None else ask.now("clock")
    after = tracker if moment is None else stopped(tracker, now, moment)
    if part == "line":
        return msgspec.structs.replace(after, line=value, free=None, since=moment)
    left = int(value) * SECOND * (-1 if tracker.how == "stopwatch" else 1)
    set_ = {**after.left, part.removeprefix("of."): left}
    return msgspec.structs.replace(after, left=set_, since=moment)
