"""Land written as in the worked examples of Pocket-Tactics: direction -> void, own_base, enemy_base, wall or a tile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from companion.games.pocket_tactics.terrain import Edge, Spot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.kit.asking import Ask

Written = Any
"""``void``, or ``{"terrain": "ice", "occupied_by": "ally", "neighbours": {"1": "void"}}``."""


class Script(NamedTuple):
    """Be a land that was written down: the neighbours of each tile by its name, and what both players choose.

    The tile in direction 3 of ``to`` is called ``to.3``. What is not written is a gap.
    """

    neighbours: Mapping[str, Mapping[str, Written]] = {}
    opponent: Spot | None = None
    owner: Literal["mover", "resident"] = "mover"
    left: tuple[str, ...] = ()

    def beyond(self, spot: Spot, direction: int, _ask: Ask, /) -> Edge | Spot:
        name, way = f"{spot.at}.{direction}", self._around(spot.at).get(str(direction), "void")
        if isinstance(way, str):
            edge: Edge = way
            return edge
        held_by = None if name in self.left else way.get("occupied_by")
        return Spot(way["terrain"], held_by, name, name if held_by else "")

    def past_wall(self, spot: Spot, direction: int, ask: Ask, /) -> Edge | Spot:
        beyond = self._around(spot.at).get(f"{direction} past", "void")
        assert beyond != "wall"
        return Script({spot.at: {str(direction): beyond}}, left=self.left).beyond(spot, direction, ask)

    def leads(self, _spot: Spot, _direction: int, /) -> None:
        """Nothing is known before it is met."""

    def chosen(self, spot: Spot, _ask: Ask, /) -> Spot | None:
        return self.opponent

    def leaves(self, _spot: Spot, _ask: Ask, /) -> Literal["mover", "resident"]:
        return self.owner

    def without(self, spot: Spot, /) -> Script:
        return self._replace(left=(*self.left, spot.at))

    def _around(self, name: str) -> Mapping[str, Written]:
        first, *onward = name.split(".")
        found: Mapping[str, Written] = self.neighbours.get(first, {})
        for direction in onward:
            found = found[direction].get("neighbours", {})
        return found
