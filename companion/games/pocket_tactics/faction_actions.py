"""What a seat may do before the game: take a faction, bring one, write one unit by unit, and fill the bag."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.games.pocket_tactics.cards import MOST_TILES, Short, Side, Stat, ThirdKind, Timing
from companion.kit.decks.actions import LoadDeck, NameDeck, UseSample
from companion.kit.decks.written import Called, File, Words
from companion.kit.doing import Doing

Number = Annotated[int, Meta(ge=0, le=39)]
"""Which kind of unit, ability or tile in its list, from 0."""


class EditUnit(Doing, frozen=True, kw_only=True, tag="edit_unit"):
    """Write a stat card, or (without ``card``) a new one; its abilities stay as they are (PT-02 to PT-10)."""

    card: Number | None = None
    name: Called
    faction: Annotated[str, Meta(max_length=40)] = ""
    types: Annotated[str, Meta(max_length=100)] = ""
    """Up to three, separated by commas."""
    affinities: Annotated[str, Meta(min_length=1, max_length=200)]
    """One or more, separated by commas."""
    cost: Annotated[int, Meta(ge=0, le=500)]
    copies: Annotated[int, Meta(ge=1, le=30)] = 1
    melee: Stat = "0/0"
    ballistic: Stat = "0/0"
    third: ThirdKind | Literal["none"] = "none"
    third_skill: Stat = "0/0"
    reach: Annotated[int, Meta(ge=1, le=20)] = 1
    reach_with: Literal["any", "ballistic", "third"] = "any"


class RemoveUnit(Doing, frozen=True, tag="remove_unit"):
    """Take a kind of unit out of your faction."""

    card: Number


class EditAbility(Doing, frozen=True, kw_only=True, tag="edit_ability"):
    """Write a special ability of a unit, or (without ``ability``) a new one (PT-05)."""

    card: Number
    ability: Number | None = None
    name: Called
    text: Words = ""
    timing: Timing = "any"
    rerolls: Annotated[int, Meta(ge=0, le=4)] = 0
    pool: Literal["any", "offence", "defence"] = "any"
    movement_effect: Words = ""


class RemoveAbility(Doing, frozen=True, tag="remove_ability"):
    """Take a special ability off a unit."""

    card: Number
    ability: Number


class UseBag(Doing, frozen=True, tag="use_bag"):
    """Fill the bag with the sample tiles."""


class LoadBag(Doing, frozen=True, tag="load_bag"):
    """Fill the bag with the tiles of a file."""

    text: File


class SetTile(Doing, frozen=True, kw_only=True, tag="set_tile"):
    """Say how many tiles of a terrain are in the bag; without ``tile`` a new kind."""

    tile: Number | None = None
    terrain: Short
    count: Annotated[int, Meta(ge=0, le=MOST_TILES)]
    tunnel: bool = False
    grooves: tuple[Side, ...] = ()


Written = EditUnit | RemoveUnit | EditAbility | RemoveAbility
Bagging = UseBag | LoadBag | SetTile
Preparing = UseSample | LoadDeck | NameDeck | Written | Bagging
