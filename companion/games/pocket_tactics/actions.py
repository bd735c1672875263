"""What a seat may do."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.games.pocket_tactics.doing import At, Few, Kind, Place, Skill, UnitId
from companion.games.pocket_tactics.faction_actions import (
    Bagging,
    EditAbility,
    EditUnit,
    LoadBag,
    Preparing,
    RemoveCard,
    SetCopies,
    SetTile,
    UseBag,
    Written,
)
from companion.kit.action import Action as Doing
from companion.kit.decks.actions import LoadDeck, NameDeck, UseSample

__all__ = [
    "Bagging",
    "EditAbility",
    "EditUnit",
    "LoadBag",
    "LoadDeck",
    "NameDeck",
    "Preparing",
    "RemoveCard",
    "SetCopies",
    "SetTile",
    "UseBag",
    "UseSample",
    "Written",
]
"""What is done before the game has a module of its own."""

Target = Annotated[str, Meta(pattern=r"^(base|[br][0-9]{1,2}\.[0-9]{1,2})\Z")]
"""What is assaulted: an enemy unit, or the enemy base (PT-66)."""


class Ready(Doing, frozen=True, tag="ready"):
    """Say that your faction is as you want it (``on`` false: not yet after all)."""

    on: bool = True


class PlaceTile(Doing, frozen=True, tag="place_tile"):
    """Place the tile that you have drawn, turned clockwise by so many sides (PT-14 to PT-18, PT-82)."""

    at: At
    turned: Annotated[int, Meta(ge=0, le=5)] = 0


class PlaceBase(Doing, frozen=True, tag="place_base"):
    """Place the second base (PT-19, PT-20)."""

    at: At


class SetOut(Doing, frozen=True, tag="set_out"):
    """Put one of your starting units on the map (PT-21, PT-22)."""

    unit: UnitId
    to: Place


class TakeBack(Doing, frozen=True, tag="take_back"):
    """Take a starting unit of yours back, to set another one out."""

    unit: UnitId


class Move(Doing, frozen=True, tag="move"):
    """Move a unit to an empty tile beside it, over a friend to one beside him, or (``base``) home (PT-27 to PT-30)."""

    unit: UnitId
    to: Place


class Deploy(Doing, frozen=True, tag="deploy"):
    """Put a unit of the reserve on an empty tile beside your base (PT-62)."""

    unit: UnitId
    to: Place


class Pass(Doing, frozen=True, tag="pass"):
    """Do nothing this turn (PT-A42)."""


class Assault(Doing, frozen=True, kw_only=True, tag="assault"):
    """Assault an enemy unit or the enemy base with a declared skill (PT-31 to PT-35, PT-54).

    Where the map lies on the table the players say how far away the target is, and who stands beside (PT-53, PT-59).
    """

    unit: UnitId
    target: Target
    kind: Kind
    skill: Skill
    distance: Annotated[int, Meta(ge=1, le=20)] = 1
    attacker_assists: Few = 0
    defender_assists: Few = 0


Mapping = PlaceTile | PlaceBase
Setting = SetOut | TakeBack
Moving = Move | Deploy | Pass
Action = Preparing | Ready | Mapping | Setting | Moving | Assault
