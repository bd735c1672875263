"""What a clock is: how long each line has left, whose clock it is, and since when it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec
from msgspec import Meta

from companion.games.free_table.look import Base, typed
from companion.kit.panels import Clock

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask
    from companion.kit.text import Text

How = Literal["turn", "chess", "countdown", "stopwatch"]
Each = Literal["player", "name"]

SECOND = 1000
LONGEST = 99 * 3600 + 59 * 60 + 59
"""Seconds that a clock can show; one that was forgotten counts no further."""
MOST_MINUTES = 600
MOST_ADDED = 3600
ALL = "all"
Seconds = Annotated[int, Meta(ge=0, le=MOST_MINUTES * 60 + 59)]
Added = Annotated[int, Meta(ge=0, le=MOST_ADDED)]


class Timer(Base, frozen=True, tag="timer"):
    """Hold how much time each line has: a seat, the place of a name, or ``all``.

    ``left`` are the milliseconds of lines that have not all of it any more; ``line`` is whose clock it is (empty: the
    first one's), and ``since`` when it was started, None while it stands. In a chess clock ``increment`` is added after
    each move, and each begins with ``delay`` seconds that cost nothing: ``free`` milliseconds of it are left.
    """

    how: How = "turn"
    each: Each = "player"
    names: tuple[str, ...] = ()
    seconds: Seconds = 60
    increment: Added = 0
    delay: Added = 0
    left: Mapping[str, int] = {}
    line: str = ""
    free: int | None = None
    since: int | None = None


def fresh(tracker: Timer) -> Timer:
    """Return it as at the start of a game."""
    return msgspec.structs.replace(tracker, left={}, line="", free=None, since=None)


def lines(state: State, tracker: Timer) -> dict[str, Text]:
    """Name the lines of a clock, by their key; whose clock runs stays among them."""
    if tracker.how in {"countdown", "stopwatch"}:
        return {ALL: tracker.title}
    if tracker.each == "name":
        return {str(at): typed(name) for at, name in enumerate(tracker.names)}
    left_running = (tracker.line,) if tracker.since is not None and tracker.line in state.roles else ()
    return {seat: state.called(seat) for seat in dict.fromkeys((*state.players, *left_running))}


def turn(state: State, tracker: Timer) -> str:
    """Return the line whose clock it is; empty where there is no line."""
    names = lines(state, tracker)
    return tracker.line if tracker.line in names else next(iter(names), "")


def time(tracker: Timer, line: str) -> int:
    """Return the milliseconds that a line had left when its clock last began or ceased to run."""
    return tracker.left.get(line, 0 if tracker.how == "stopwatch" else tracker.seconds * SECOND)


def free(tracker: Timer) -> int:
    """Return the milliseconds of this move that still cost nothing."""
    if tracker.how != "chess":
        return 0
    return tracker.delay * SECOND if tracker.free is None else tracker.free


def clock(tracker: Timer, line: str, *, runs: bool) -> Clock:
    """Show a line's clock: what costs nothing has gone by before it begins to run."""
    since = tracker.since + free(tracker) if runs and tracker.since is not None else None
    return Clock(time(tracker, line), since, tracker.how == "stopwatch")


def stopped(tracker: Timer, line: str, now: int) -> Timer:
    """Return the clock as it stands at a moment; a moment before it was started takes nothing away."""
    if tracker.since is None:
        return tracker
    gone = max(now - tracker.since, 0)
    costs = max(gone - free(tracker), 0)
    left = max(time(tracker, line) - costs, -LONGEST * SECOND)
    return msgspec.structs.replace(
        tracker, left={**tracker.left, line: left}, line=line, free=max(free(tracker) - gone, 0), since=None
    )


def all_stopped(state: State, ask: Ask) -> State:
    """Stop the clocks that run: a game that is over takes nobody's time."""
    if not any(isinstance(tracker, Timer) and tracker.since is not None for tracker in state.trackers):
        return state
    now = ask.now("end")
    return state.but(
        trackers=tuple(
            stopped(tracker, turn(state, tracker), now) if isinstance(tracker, Timer) else tracker
            for tracker in state.trackers
        )
    )
