"""What a seat may do."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.games.two_cities.state import Mode
from companion.games.two_cities.units import Ground
from companion.kit.action import Action as Doing

Name = Annotated[str, Meta(min_length=1, max_length=40)]
Square = Annotated[str, Meta(min_length=2, max_length=3)]


class Place(Doing, frozen=True, tag="place"):
    """Put one of your units on a square before the first turn (TTC-09)."""

    unit: Name
    to: Square


class PlaceTerrain(Doing, frozen=True, tag="place_terrain"):
    """Put a forest or a hill on a free square before the first turn; ``leave`` is the square it comes from (TTC-11)."""

    kind: Literal["forest", "hill"]
    to: Square
    leave: Square | None = None


class DrawTerrain(Doing, frozen=True, tag="draw_terrain"):
    """Draw the four terrain squares at random once more (TTC-11)."""


class Ready(Doing, frozen=True, tag="ready"):
    """Agree to the starting position."""


class PlayCard(Doing, frozen=True, tag="play_card"):
    """Play a card (TTC-17); ``remove`` and ``place`` answer a reinforcement's questions ahead (TTC-59, TTC-63)."""

    card: Name
    remove: Name | None = None
    place: Square | None = None


class ThrowAway(Doing, frozen=True, tag="throw_away"):
    """Throw a card away because none can be played (TTC-41)."""

    card: Name


class Activate(Doing, frozen=True, tag="activate"):
    """Name all the units that the card activates at once, instead of one by one as they act (TTC-23)."""

    units: Annotated[tuple[Name, ...], Meta(max_length=32)]


class Move(Doing, frozen=True, tag="move"):
    """Move a unit; ``path`` lists the squares it enters, where the way matters (TTC-71)."""

    unit: Name
    to: Square | None = None
    path: Annotated[tuple[Square, ...], Meta(max_length=32)] | None = None


class Attack(Doing, frozen=True, tag="attack"):
    """Attack with a unit. What only the real board knows comes with it; a mirrored board needs none of that.

    ``distance`` is in squares along the shooting path, ``behind`` counts the free squares behind the target.
    """

    unit: Name
    target: Name
    mode: Mode | None = None
    moved: bool | None = None
    attacker_terrain: Ground | None = None
    target_terrain: Ground | None = None
    distance: Annotated[int, Meta(ge=1, le=14)] | None = None
    neighbour: bool | None = None
    behind: Annotated[int, Meta(ge=0, le=7)] | None = None


class Stand(Doing, frozen=True, tag="stand"):
    """End a unit's activation, or activate it and let it stand (TTC-23)."""

    unit: Name


class EndTurn(Doing, frozen=True, tag="end_turn"):
    """End the turn: discard, draw, and the opponent is next (TTC-17).

    A page names the ``turn`` that it showed, so that an old page never ends a later one.
    """

    turn: Annotated[int, Meta(ge=1)] | None = None


class Surrender(Doing, frozen=True, tag="surrender"):
    """Give up; the opponent wins (TTC-129)."""


Action = (
    Place
    | PlaceTerrain
    | DrawTerrain
    | Ready
    | PlayCard
    | ThrowAway
    | Activate
    | Move
    | Attack
    | Stand
    | EndTurn
    | Surrender
)
