"""The land of a look-up: whoever asks says what lies where, tile by tile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.games.pocket_tactics import asked, choosing, sliding, speech
from companion.games.pocket_tactics.land import Edge, Spot
from companion.games.pocket_tactics.terrain import HAZARDS
from companion.kit.asking import Option
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.hazards import Mover
    from companion.kit.asking import Ask

HARMLESS = "harmless"
GROUNDS = (HARMLESS, *HAZARDS)
OPPONENT = "opponent"


class Described:
    """Be the land around a unit of which nothing is known; questions are numbered, so that each has its own answer."""

    def __init__(self, mover: Mover) -> None:
        self.mover = mover
        self.questions = 0

    def beyond(self, _spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        """Ask what lies beyond a side of a tile."""
        empty, friend = Option("empty", say("An empty tile")), Option("friend", say("A tile with a friend"))
        options = (empty, friend, Option("enemy", say("A tile with an enemy")), *asked.edges(self.mover.options))
        why = say(
            "{unit} slides: {direction}. What lies there?", unit=self.mover.name, direction=sliding.towards(direction)
        )
        found = ask.choose(self.mover.seat, options, self._key("beyond"), why, clause="PT-83")
        edge = next((edge for edge in asked.EDGES if edge == found), None)
        if edge is not None:
            return edge
        if found == "enemy":
            return Spot("", "enemy")
        terrain = ask.choose(
            self.mover.seat, _terrains(), self._key("terrain"), say("Which terrain is that tile?"), clause="PT-84"
        )
        return Spot(terrain, "ally" if found == "friend" else None)

    def past_wall(self, spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        """Ask the same: a wall that does not matter is never named."""
        return self.beyond(spot, direction, ask)

    def leads(self, _spot: Spot, _direction: int, /) -> None:
        """Tell nothing: nobody has been asked yet."""

    def chosen(self, _spot: Spot, ask: Ask, /) -> Spot | None:
        """Ask the opponent for the terrain of an unoccupied tile (PT-77)."""
        return Spot(choosing.destination(self.mover, OPPONENT, _terrains(), GROUNDS, ask))

    def leaves(self, _spot: Spot, ask: Ask, /) -> Literal["mover", "resident"]:
        """Ask the owner which of two friends goes to reserve (PT-86)."""
        return choosing.leaves(self.mover.seat, self.mover.name, say("the friend"), ask)

    def without(self, _spot: Spot, /) -> Described:
        """Return the land without the friend who stood on a tile: nothing more is known of it."""
        return self

    def _key(self, name: str) -> str:
        self.questions += 1
        return f"{name}_{self.questions}"


def _terrains() -> tuple[Option, ...]:
    return tuple(Option(name, speech.terrain(name)) for name in GROUNDS)
