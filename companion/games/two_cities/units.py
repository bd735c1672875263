"""The five kinds of unit and what they are worth (TTC-03)."""

from __future__ import annotations

from typing import Literal

from companion.kit.rulebook import Chessman, Strict, load

Side = Literal["white", "black"]
Kind = Literal["light_infantry", "heavy_infantry", "archers", "light_cavalry", "city"]
Mobile = Literal["light_infantry", "heavy_infantry", "archers", "light_cavalry"]
Shooter = Literal["archers", "light_cavalry"]
Ground = Literal["open", "forest", "hill"]

WHITE: Side = "white"
BLACK: Side = "black"
SIDES: tuple[Side, Side] = (WHITE, BLACK)


class UnitKind(Strict, frozen=True):
    """Hold one row of the table of units; ``range`` 0 cannot shoot."""

    id: Kind
    strength: int
    movement: int
    range: int
    ranged_stationary: int
    ranged_moved: int
    melee: int
    piece: Chessman
    extra_piece: Chessman | None = None


class _Units(Strict, frozen=True):
    unit: tuple[UnitKind, ...]


class Layout(Strict, frozen=True):
    """Hold the starting position that nobody edited (TTC-09): square -> kind."""

    white: dict[str, Kind]
    black: dict[str, Kind]


KINDS: dict[str, UnitKind] = {kind.id: kind for kind in load("companion.games.two_cities", "units.toml", _Units).unit}
LAYOUT = load("companion.games.two_cities", "layout.toml", Layout)


def other(side: Side) -> Side:
    """Return the opponent."""
    return BLACK if side == WHITE else WHITE
