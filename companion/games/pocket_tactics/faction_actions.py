"""What a seat may do before the game: take a faction, bring one, write one unit by unit, and fill the bag."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.games.pocket_tactics.cards import MOST_COPIES, MOST_TILES, Short, Side, ThirdKind, Timing
from companion.kit.action import Action
from companion.kit.decks.actions import LoadDeck, NameDeck, UseSample
from companion.kit.decks.written import Called, File, Words

Number = Annotated[int, Meta(ge=0, le=39)]
"""Which kind of unit, ability or tile in its list, from 0."""
Typed = Annotated[str, Meta(max_length=200)]
"""Several words, separated by commas."""
Skill = Annotated[str, Meta(max_length=20)]
"""A skill as it is printed, such as ``2(4)/2``; nothing or a dash: there is none."""


class EditUnit(Action, frozen=True, kw_only=True, tag="edit_unit"):
    """Write a stat card, or (without ``card``) a new one; its abilities stay as they are (PT-02 to PT-10).

    ``affinities`` are terrains that were offered, ``more_affinities`` others in words. ``faction`` is where a mercenary
    comes from (PT-07).
    """

    card: Number | None = None
    name: Called
    faction: Annotated[str, Meta(max_length=40)] = ""
    types: Typed = ""
    affinities: Annotated[tuple[Short, ...], Meta(max_length=60)] = ()
    more_affinities: Typed = ""
    cost: Annotated[int, Meta(ge=0, le=500)]
    copies: Annotated[int, Meta(ge=1, le=MOST_COPIES)] = 1
    melee: Skill = ""
    ballistic: Skill = ""
    third: ThirdKind | Literal["none"] = "none"
    third_skill: Skill = ""
    reach: Annotated[int, Meta(ge=1, le=20)] = 1
    reach_with: Literal["any", "ballistic", "third"] = "any"


class SetCopies(Action, frozen=True, tag="set_copies"):
    """Say how many of a unit your faction has."""

    card: Number
    count: Annotated[int, Meta(ge=1, le=MOST_COPIES)]


class EditAbility(Action, frozen=True, kw_only=True, tag="edit_ability"):
    """Write a special ability of a unit (PT-05); the number after the last is a new one."""

    card: Number
    ability: Number
    name: Called
    text: Words = ""
    timing: Timing = "any"
    rerolls: Annotated[int, Meta(ge=0, le=4)] = 0
    pool: Literal["any", "offence", "defence"] = "any"
    movement_effect: Words = ""


class RemoveCard(Action, frozen=True, tag="remove_card"):
    """Take a unit (``3``) out of your faction, or an ability off it (``3.0``)."""

    part: Annotated[str, Meta(pattern=r"^[0-9]{1,2}(\.[0-9])?\Z")]


class UseBag(Action, frozen=True, tag="use_bag"):
    """Fill the bag with the sample tiles; ``own``: to change them then."""

    own: bool = False


class LoadBag(Action, frozen=True, tag="load_bag"):
    """Fill the bag with the tiles of a file."""

    text: File


class SetTile(Action, frozen=True, kw_only=True, tag="set_tile"):
    """Say how many tiles of a terrain are in the bag, none: they go; without ``tile`` a new kind.

    ``grooves`` are the open sides of a tunnel tile; none of them: it is no tunnel (PT-80).
    """

    tile: Number | None = None
    terrain: Short
    count: Annotated[int, Meta(ge=0, le=MOST_TILES)]
    grooves: tuple[Side, ...] = ()


Written = EditUnit | SetCopies | EditAbility | RemoveCard
Bagging = UseBag | LoadBag | SetTile
Preparing = UseSample | LoadDeck | NameDeck | Written | Bagging
