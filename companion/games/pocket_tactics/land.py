"""What lies around a tile, for whoever slides or is lost: the mirrored map, the players or a script tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from companion.kit.asking import Ask
    from companion.kit.text import Text

Edge = Literal["void", "own_base", "enemy_base", "wall"]
"""What is no tile to land on: a gap, a base, a side of a tunnel without a groove (PT-85, PT-87, PT-A32)."""


class Spot(NamedTuple):
    """Hold a tile as a moving unit meets it: its terrain, who stands there, and its name on the mirrored map.

    ``unit`` is the id of who stands there, where it is known.
    """

    terrain: str
    held_by: Literal["ally", "enemy"] | None = None
    at: str = ""
    unit: str = ""


class Land(Protocol):
    """Tell what lies where, for one unit that moves."""

    def beyond(self, spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        """Tell what lies beyond a side of a tile; walls are told even where they do not matter (``opt``)."""

    def past_wall(self, spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        """Tell the same as if there were no walls (``opt.random_move_walls``)."""

    def leads(self, spot: Spot, direction: int, /) -> Text | None:
        """Name what a slide in a direction would meet, where that is known without asking anybody."""

    def chosen(self, spot: Spot, ask: Ask, /) -> Spot | None:
        """Ask the opponent where a unit goes that is lost in a labyrinth; None: no tile is unoccupied (PT-77)."""

    def leaves(self, spot: Spot, ask: Ask, /) -> Literal["mover", "resident"]:
        """Ask the owner which of two friends on one tile goes to reserve (PT-86)."""

    def without(self, spot: Spot, /) -> Land:
        """Return the land without the friend who stood on a tile."""
