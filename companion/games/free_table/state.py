"""The position of a free table: who plays, and what is kept track of, in the order of the table."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from companion.games.free_table.clocks import Timer
from companion.games.free_table.counters import Counter
from companion.games.free_table.deck_piles import Deck
from companion.games.free_table.flags import Flags
from companion.games.free_table.initiative import Order
from companion.games.free_table.notes import Notes
from companion.games.free_table.phases import Steps
from companion.games.free_table.pools import Pool
from companion.games.free_table.tray import Tray
from companion.kit.frozen import Frozen
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    pass

Tracker = Counter | Pool | Flags | Steps | Deck | Tray | Notes | Order | Timer

MOST_TRACKERS = 40


@cache
def roles(seats: int) -> tuple[str, ...]:
    """Name so many seats."""
    return tuple(f"player_{number}" for number in range(1, seats + 1))


class State(Frozen, frozen=True, omit_defaults=True):
    """Hold the seats, who sits on them by name, the trackers, and how many there have been."""

    seats: int
    people: dict[str, str] = {}
    trackers: tuple[Tracker, ...] = ()
    made: int = 0
    keeper_composes: bool = False
    over: bool = False

    @property
    def roles(self) -> tuple[str, ...]:
        """List the seats of the players."""
        return roles(self.seats)

    @property
    def players(self) -> tuple[str, ...]:
        """List the seats that somebody took, in their order; while nobody sits there, all."""
        return tuple(seat for seat in self.roles if seat in self.people) or self.roles

    def called(self, seat: str) -> Text:
        """Return the name of whoever sits there, else what the seat is called; of two of a name both tell where."""
        name = self.people.get(seat)
        if not name:
            return Text(seat)
        alike = [one for one, other in self.people.items() if other.casefold() == name.casefold()]
        if len(alike) > 1:
            return say("{name} ({seat})", name=name, seat=Text(seat))
        return say("{words}", words=name)

    def tracker(self, name: str) -> Tracker:
        """Find a tracker by its identifier; raise Refusal when there is none any more."""
        found = next((tracker for tracker in self.trackers if tracker.id == name), None)
        if found is None:
            raise Refusal(say("That is not on the table any more."), field="tracker")
        return found

    def put(self, tracker: Tracker) -> State:
        """Put a tracker in the place of the one with its identifier."""
        return self.but(trackers=tuple(tracker if one.id == tracker.id else one for one in self.trackers))
