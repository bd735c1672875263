"""The kinds of trackers: which chapter keeps which, and which action is whose."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, get_args

from companion.games.free_table import counters, decks, flags, notes, order, phases, pools, timers, tray
from companion.games.free_table.state import Tracker
from companion.kit.ruling import Refusal, Ruling
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.free_table.state import State
    from companion.kit.asking import Ask
    from companion.kit.correction import Tracked
    from companion.kit.offer import Field, Offer
    from companion.kit.panels import Panel


class Chapter(Protocol):
    """Be a chapter: what one kind of tracker shows, offers and does."""

    Action: Any

    def fields(self, old: Any, /) -> tuple[Field, ...]:
        """Ask for what makes such a tracker; None: for a new one."""

    def fresh(self, tracker: Any, /) -> Tracker:
        """Return it as at the start of a game."""

    def panels(self, state: State, tracker: Any, seat: str, /) -> tuple[Panel, ...]:
        """Show it to a seat."""

    def offers(self, state: State, tracker: Any, seat: str, /) -> tuple[Offer, ...]:
        """Offer what a seat may do with it."""

    def rule(self, state: State, tracker: Any, seat: str, action: Any, ask: Ask, /) -> Ruling[Any]:
        """Rule on an action; the outcome is the tracker after it."""

    def tracked(self, state: State, tracker: Any, /) -> tuple[Tracked, ...]:
        """List what can be corrected, under the tracker's identifier and a dot."""

    def correct(self, state: State, tracker: Any, part: str, value: str, ask: Ask, /) -> Any:
        """Set one of these values."""


CHAPTERS: dict[str, Chapter] = {
    "counter": counters,
    "pool": pools,
    "flags": flags,
    "phases": phases,
    "order": order,
    "timer": timers,
    "deck": decks,
    "tray": tray,
    "notes": notes,
}
"""By the tag of their trackers, in the order in which they are offered."""

Set = (
    counters.SetCounter
    | pools.SetPool
    | flags.SetFlags
    | phases.SetPhases
    | decks.SetDeck
    | tray.SetTray
    | notes.SetNotes
    | order.SetOrder
    | timers.SetTimer
)
Doing = (
    counters.Action
    | pools.Action
    | flags.Action
    | phases.Action
    | decks.Action
    | tray.Action
    | notes.Action
    | order.Action
    | timers.Action
)


@cache
def blank(name: str) -> tuple[Field, ...]:
    """Ask for what makes a new tracker of a kind."""
    return CHAPTERS[name].fields(None)


def kind(tracker: Tracker) -> str:
    """Return the kind of a tracker."""
    return str(tracker.__struct_config__.tag)


def chapter(tracker: Tracker) -> Chapter:
    """Return the chapter that keeps a tracker."""
    return CHAPTERS[kind(tracker)]


def rule(state: State, tracker: Tracker, seat: str, action: Doing, ask: Ask) -> Ruling[Any]:
    """Let a tracker's chapter rule; raise Refusal when the action is for another kind."""
    found = chapter(tracker)
    if not isinstance(action, get_args(found.Action) or (found.Action,)):
        raise Refusal(say("That is another kind of tracker."), field="tracker")
    return found.rule(state, tracker, seat, action, ask)
