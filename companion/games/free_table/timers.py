"""Clocks: so long for a turn, so long for each player, so long for the table, or how long it took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta

from companion.games.free_table.kinds import ALL, NO_LINE, Deed, Kind, Setting, Table, Tracker
from companion.games.free_table.names import Names, followed, listed
from companion.kit.action import Field, Offer, number_field
from companion.kit.asking import Ask
from companion.kit.correction import Correction
from companion.kit.panels import Clock, Panel, Row
from companion.kit.questions import Option
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import Text, say

How = Literal["turn", "chess", "countdown", "stopwatch"]
Each = Literal["player", "name"]

SECOND = 1000
LONGEST = 99 * 3600 + 59 * 60 + 59
"""Seconds that a clock can show; one that was forgotten counts no further."""
MOST_MINUTES = 600
MOST_ADDED = 3600
KINDS = {
    "turn": "so long for each turn",
    "chess": "a chess clock",
    "countdown": "a countdown for the table",
    "stopwatch": "a stopwatch",
}


class Lines(NamedTuple):
    """The lines of a clock by their key, and whose clock it is (empty where there is no line)."""

    names: dict[str, Text]
    now: str


class Timer(Tracker, frozen=True, tag="timer"):
    """How much time each line has: a seat, the place of a name, or ``all``.

    ``left`` are the milliseconds of lines that have not all of it any more; ``line`` is whose clock it is (empty: the
    first one's), and ``since`` when it was started, None while it stands. In a chess clock ``increment`` is added after
    each move, and each begins with ``delay`` seconds that cost nothing: ``free`` milliseconds of it are left.
    """

    how: How = "turn"
    each: Each = "player"
    names: tuple[str, ...] = ()
    seconds: Annotated[int, Meta(ge=0, le=MOST_MINUTES * 60 + 59)] = 60
    increment: Annotated[int, Meta(ge=0, le=MOST_ADDED)] = 0
    delay: Annotated[int, Meta(ge=0, le=MOST_ADDED)] = 0
    left: Mapping[str, int] = {}
    line: str = ""
    free: int | None = None
    since: int | None = None

    @property
    def upward(self) -> bool:
        """Tell whether it shows how long it took."""
        return self.how == "stopwatch"

    @property
    def named(self) -> bool:
        """Tell whether its lines are those of names."""
        return self.how in {"turn", "chess"} and self.each == "name"

    @property
    def costs_nothing(self) -> int:
        """Return the milliseconds of this move that still cost nothing."""
        if self.how != "chess":
            return 0
        return self.delay * SECOND if self.free is None else self.free

    def lines(self, table: Table) -> Lines:
        """Name the lines of a clock; whose clock runs stays among them."""
        if self.how in {"countdown", "stopwatch"}:
            return Lines({ALL: self.title}, ALL)
        names = table.lines(self.each, self.title, self.names)
        if self.each == "player" and self.since is not None and self.line in table.roles:
            names = {**names, self.line: table.called(self.line)}
        return Lines(names, self.line if self.line in names else next(iter(names), ""))

    def time(self, line: str) -> int:
        """Return the milliseconds that a line had left when its clock last began or ceased to run."""
        return self.left.get(line, 0 if self.upward else self.seconds * SECOND)

    def out_of_time(self, line: str) -> bool:
        """Tell whether a line has no time left: that ends nothing by itself."""
        return not self.upward and self.time(line) <= 0

    def clock(self, line: str, *, runs: bool) -> Clock:
        """Show a line's clock: what costs nothing has gone by before it begins to run."""
        since = self.since + self.costs_nothing if runs and self.since is not None else None
        return Clock(self.time(line), since, self.upward)

    def stopped(self, line: str, now: int) -> Timer:
        """Return the clock as it stands at a moment; a moment before it was started takes nothing away."""
        if self.since is None:
            return self
        gone = max(now - self.since, 0)
        free = self.costs_nothing
        left = max(self.time(line) - max(gone - free, 0), -LONGEST * SECOND)
        return self.but(left={**self.left, line: left}, line=line, free=max(free - gone, 0), since=None)


class SetTimer(Setting[Timer], frozen=True, tag="set_timer"):
    """Add a clock, or change one."""

    how: Annotated[How, Meta(title="Kind", extra={"labels": KINDS})] = "turn"
    minutes: Annotated[int, Meta(title="Minutes", ge=0, le=MOST_MINUTES)] = 1
    seconds: Annotated[int, Meta(title="Seconds", ge=0, le=59)] = 0
    increment: Annotated[int, Meta(title="Seconds added after each move (chess clock)", ge=0, le=MOST_ADDED)] = 0
    delay: Annotated[int, Meta(title="Free seconds in each move (chess clock)", ge=0, le=MOST_ADDED)] = 0
    each: Annotated[Each, Meta(title="One for")] = "player"
    names: Names = ""

    def made(self, old: Timer) -> Timer:
        """Make the clock; as long as it is of the same kind, whoever still has one keeps what is left."""
        names = listed(self.names, "names")
        made = self.onto(old, names=names, seconds=self.minutes * 60 + self.seconds)
        if not made.upward and made.seconds == 0:
            raise Refusal(say("A clock needs some time."), field="minutes")
        if made.named and not names:
            raise Refusal(say("Say whose clocks they are: at least one name."), field="names")
        if (old.how, old.each) != (made.how, made.each):
            return timers.fresh(made)
        return _followed(made, old.names) if made.named else made


def _followed(made: Timer, before: tuple[str, ...]) -> Timer:
    """Let what names have left follow them; the clock of one who is gone stands, it is nobody else's time."""
    after = timers.fresh(made).but(left=followed(made.left, before, made.names))
    running = followed({made.line: True}, before, made.names)
    return after.but(line=next(iter(running)), free=made.free, since=made.since) if running else after


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


timers = Kind(
    Timer,
    SetTimer,
    fresh=lambda timer: timer.but(left={}, line="", free=None, since=None),
    typed=lambda timer: {
        "minutes": timer.seconds // 60,
        "seconds": timer.seconds % 60,
        "names": ", ".join(timer.names),
    },
)


@timers.panels_for_all
def panels(table: Table, timer: Timer) -> Iterator[Panel]:
    """Show the clocks: of a clock for turns only the one whose turn it is."""
    names, now = timer.lines(table)
    rows = (
        Row(
            f"{timer.id}.{line}",
            name,
            side=line if line in table.roles else "",
            note=say("out of time") if timer.out_of_time(line) else None,
            clock=None if timer.how == "turn" and line != now else timer.clock(line, runs=line == now),
            current=line == now and len(names) > 1,
        )
        for line, name in names.items()
    )
    yield timer.panel(rows, "clock", _note(timer))


def _note(timer: Timer) -> Text | None:
    if timer.upward:
        return None
    each = Clock(timer.seconds * SECOND).says
    if timer.how != "chess":
        return say("{time}", time=each)
    if timer.increment:
        return say("{time} each, +{seconds} s after each move", time=each, seconds=timer.increment)
    if timer.delay:
        return say("{time} each, {seconds} s of each move free", time=each, seconds=timer.delay)
    return say("{time} each", time=each)


@timers.offers_to_all
def offers(table: Table, timer: Timer) -> Iterator[Offer]:
    """Offer to let it run or stand, to pass it on, and to begin again."""
    (names, now), on = timer.lines(table), timer.id
    if not now:
        return
    touched = timers.fresh(timer) != timer
    if len(names) > 1 or timer.how == "turn":
        order = tuple(names)
        after = order[(order.index(now) + 1) % len(order)]
        label, runs = say("Next: {what}", what=names[after]), timer.since is not None
        yield Press.offer(label, on=on, main=runs, ends=True, tracker=timer.id, line=now, to=after)
        for line in names:
            if line not in {now, after}:
                yield Press.offer(say("To them"), on=f"{on}.{line}", ends=True, tracker=timer.id, line=now, to=line)
    if timer.since is not None:
        yield Stop.offer(say("Pause"), on=on, tracker=timer.id)
    else:
        yield Run.offer(say("Go on") if touched else say("Start the clock"), on=on, main=True, tracker=timer.id)
    if touched:
        grave = timer.how == "chess"
        asks = say("Set all clocks back to the start?") if grave else None
        yield Restart.offer(say("Back to the start"), on=on, grave=grave, aside=grave, asks=asks, tracker=timer.id)


def _with_lines(table: Table, timer: Timer) -> Lines:
    """Name the lines of a clock; raise Refusal where there is none."""
    known = timer.lines(table)
    if not known.now:
        raise Refusal(NO_LINE, field="tracker")
    return known


def _left(timer: Timer, line: str) -> str:
    return timer.clock(line, runs=False).says


@timers.rule(Run)
def run(table: Table, timer: Timer, _seat: str, _action: Run, ask: Ask) -> Ruling[Timer]:
    """Let it run; raise Refusal where it does already."""
    names, now = _with_lines(table, timer)
    if timer.since is not None:
        raise Refusal(say("The clock runs already."))
    after = timer.but(line=now, since=ask.now("clock"))
    return Ruling(after, say("{what}: running, {time}", what=names[now], time=_left(after, now)))


@timers.rule(Stop)
def stop(table: Table, timer: Timer, _seat: str, _action: Stop, ask: Ask) -> Ruling[Timer]:
    """Let it stand; raise Refusal where it does already."""
    names, now = _with_lines(table, timer)
    if timer.since is None:
        raise Refusal(say("The clock stands already."))
    after = timer.stopped(now, ask.now("clock"))
    _tell(after, now, names, ask)
    return Ruling(after, say("{what}: stopped, {time}", what=names[now], time=_left(after, now)))


def _tell(after: Timer, line: str, names: dict[str, Text], ask: Ask) -> None:
    if after.out_of_time(line):
        ask.tell(say("{who} is out of time", who=names[line]))


@timers.rule(Press)
def press(table: Table, timer: Timer, _seat: str, action: Press, ask: Ask) -> Ruling[Timer]:
    """Pass it on; raise Refusal where somebody has done so already."""
    names, now = _with_lines(table, timer)
    if action.line != now:
        raise Refusal(say("The clock is already with {who}.", who=names[now]), field="line")
    if action.to not in names or (action.to == now and len(names) > 1):
        raise Refusal(NO_LINE, field="to")
    stood, since = _until_now(timer, now, ask)
    left = dict(stood.left)
    if since is not None:
        _tell(stood, now, names, ask)
        if timer.how == "chess" and left[now] > 0:
            left[now] += timer.increment * SECOND
    if timer.how == "turn":
        left.pop(now, None)
    passed = timer.but(left=left, line=action.to, free=None, since=since)
    return Ruling(passed, say("{who}: {time}", who=names[action.to], time=_left(passed, action.to)))


@timers.rule(Restart)
def restart(table: Table, timer: Timer, _seat: str, _action: Restart, _ask: Ask) -> Ruling[Timer]:
    """Begin again."""
    _with_lines(table, timer)
    return Ruling(timers.fresh(timer), say("{what}: back to the start", what=timer.title))


@timers.corrections
def corrections(table: Table, timer: Timer) -> Iterator[Correction[Timer]]:
    """List whose clock it is, and the seconds of each; of one that runs those that it was started with."""
    names, now = timer.lines(table)
    low = 0 if timer.upward else -LONGEST
    if len(names) > 1:
        field = Field("value", say("Turn"), "choice", tuple(map(Option, names, names.values())), now)
        yield timer.corrections.value("line", field, partial(_passed, timer, now))
    for line, name in names.items():
        runs = line == now and timer.since is not None
        label = say("{who}: seconds, when it was started", who=name) if runs else say("{who}: seconds", who=name)
        left = timer.time(line)
        seconds = -(-abs(left) // SECOND) * (1 if timer.upward or left >= 0 else -1)
        field = number_field("value", label, min(seconds, LONGEST), low, LONGEST)
        yield timer.corrections.value(f"of.{line}", field, partial(_timed, timer, now, line))


def _until_now(timer: Timer, now: str, ask: Ask) -> tuple[Timer, int | None]:
    """Return the clock as it stands, and the moment from which one that runs goes on."""
    if timer.since is None:
        return timer, None
    moment = ask.now("clock")
    return timer.stopped(now, moment), moment


def _passed(timer: Timer, now: str, line: str, ask: Ask) -> Timer:
    after, since = _until_now(timer, now, ask)
    return after.but(line=line, free=None, since=since)


def _timed(timer: Timer, now: str, line: str, seconds: str, ask: Ask) -> Timer:
    after, since = _until_now(timer, now, ask)
    left = int(seconds) * SECOND * (-1 if timer.upward else 1)
    return after.but(left={**after.left, line: left}, since=since)
