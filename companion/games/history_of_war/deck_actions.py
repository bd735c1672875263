"""What a seat may do with its deck: take one, bring one, write one card by card."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.games.history_of_war.cards import Ability, Category, Level, Short
from companion.kit.action import Action
from companion.kit.decks.actions import LoadDeck, NameDeck, UseSample
from companion.kit.decks.written import Called, Copies, Much, Shift, Words

Number = Annotated[str, Meta(pattern=r"^[tudbga][0-9]{1,2}\Z")]
"""Which card of the roster: ``u0`` is the first unit (``cards.LISTS``)."""


class SetCount(Action, frozen=True, tag="set_count"):
    """Say how many copies of a card your deck has."""

    card: Number
    count: Copies


class RemoveCard(Action, frozen=True, tag="remove_card"):
    """Take a card out of your deck."""

    card: Number


class Editing(Action, frozen=True, kw_only=True):
    """Write a card, or (without ``card``) a new one; what every card shows (HW-02)."""

    card: Number | None = None
    name: Called
    text: Words = ""
    insignia: Short = ""
    year: Short = ""
    count: Copies = 1


class EditTerritory(Editing, frozen=True, kw_only=True, tag="edit_territory"):
    """Write a territory card."""

    flags: Level
    victory_points: Much


class EditBase(Editing, frozen=True, kw_only=True, tag="edit_base"):
    """Write a base expansion."""

    ta_provided: Level = 0
    dv: Much | None = None


class EditUpgrade(Editing, frozen=True, kw_only=True, tag="edit_upgrade"):
    """Write an upgrade."""

    ta_cost: Level = 0
    av_ground: Shift = 0
    av_air: Shift = 0
    av_naval: Shift = 0
    dv: Shift = 0
    flags: Shift = 0
    abilities: tuple[Ability, ...] = ()


class EditAction(Editing, frozen=True, kw_only=True, tag="edit_action"):
    """Write an action card."""

    ta_cost: Level = 0


class EditDevelopment(Editing, frozen=True, kw_only=True, tag="edit_development"):
    """Write a development."""

    ta_cost: Level = 0
    flags: Level = 0
    av_ground: Level | None = None
    av_air: Level | None = None
    av_naval: Level | None = None
    dv: Much | None = None
    category: Category = "ground"
    ta_provided: Level = 0
    abilities: tuple[Ability, ...] = ()


class EditUnit(Editing, frozen=True, kw_only=True, tag="edit_unit"):
    """Write a unit."""

    category: Category
    subtype: Short = ""
    ta_cost: Level = 0
    flags: Level = 0
    av_ground: Level | None = None
    av_air: Level | None = None
    av_naval: Level | None = None
    dv: Much
    ta_provided: Level = 0
    abilities: tuple[Ability, ...] = ()
    may_also_block: tuple[Category, ...] = ()
    may_also_attack: tuple[Category, ...] = ()


Written = EditTerritory | EditBase | EditUpgrade | EditAction | EditDevelopment | EditUnit
Preparing = UseSample | LoadDeck | NameDeck | SetCount | RemoveCard | Written
