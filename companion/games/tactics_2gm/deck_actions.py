"""What a seat may do with the decks before the battle."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from companion.games.tactics_2gm.cards import Cost, Face, Family, Level, Subtype
from companion.games.tactics_2gm.doing import Number, Part
from companion.games.tactics_2gm.sides import Seat
from companion.kit.action import Action
from companion.kit.decks.actions import LoadDeck, NameDeck, UseSample
from companion.kit.decks.written import MOST_COPIES, Called, Copies, File, Much, Shift, Words


class SetMarshal(Action, frozen=True, tag="set_marshal"):
    """Say who of a pair is the field marshal; ``die``: throw for it (G2-150)."""

    marshal: Seat | Literal["die"]


class LoadTerrain(Action, frozen=True, tag="load_terrain"):
    """Take the terrain deck of a file (G2-05)."""

    text: File


class LoadScenario(Action, frozen=True, tag="load_scenario"):
    """Take the scenario of a file (G2-09)."""

    text: File


class SetCount(Action, frozen=True, tag="set_count"):
    """Say how many of a card are in your deck (G2-06)."""

    card: Number
    count: Copies


class EditUnit(Action, frozen=True, tag="edit_unit"):
    """Add a unit card to your roster, or change one; its weapons and equipment stay."""

    name: Called
    family: Family
    cost: Cost
    wounds: Much
    subtype: Subtype | Literal["none"] = "none"
    movement: Level = 0
    armour: Level = 0
    command: Level = 0
    paratrooper: bool = False
    moves_at_once: bool = False
    capabilities: Words = ""
    count: Copies = 1
    card: Number | None = None


class EditWeapon(Action, frozen=True, tag="edit_weapon"):
    """Add a weapon to a unit card (``part`` is the card), or change one (``part`` is the weapon)."""

    part: Part
    name: Called
    hit: Face
    crit: Face
    penetration: Level
    damage: Much
    range: Level = 0
    flips: bool = False


class EditEquipment(Action, frozen=True, tag="edit_equipment"):
    """Add an equipment option to a unit card, or change one (``part``); ``hit`` 0 means that it fires nothing.

    Its slot is made of the ``name``.
    """

    part: Part
    name: Called
    cost: Cost
    kind: Literal["offensive", "defensive"]
    flips: bool = False
    pins: bool = False
    cover_hit: Shift = 0
    cover_crit: Shift = 0
    range: Level = 0
    hit: Annotated[int, Meta(ge=0, le=10)] = 0
    crit: Face = 10
    penetration: Level = 0
    damage: Much = 1
    text: Words = ""


class EditSupport(Action, frozen=True, tag="edit_support"):
    """Add a support card to your roster, or change one."""

    name: Called
    kind: Literal["supplies", "promotion", "equipment_card"]
    cost: Cost
    duration: Literal["immediate", "one_turn", "permanent"] = "immediate"
    any_phase: bool = False
    text: Words = ""
    aim_hit: Shift = 0
    aim_crit: Shift = 0
    cover_hit: Shift = 0
    cover_crit: Shift = 0
    armour: Level = 0
    movement: Level = 0
    ap: Level = 0
    draw: Level = 0
    heal: Level = 0
    harm: Level = 0
    general: bool = False
    only: Annotated[tuple[Family, ...], Meta(max_length=5)] = ()
    count: Copies = 1
    card: Number | None = None


class EditHeadquarters(Action, frozen=True, tag="edit_headquarters"):
    """Change your headquarters card (G2-28, G2-31, G2-34)."""

    pi: Annotated[int, Meta(ge=1, le=99)]
    income: Level
    ap_cap: Annotated[int, Meta(ge=1, le=99)]
    armour: Level = 0


class EditGeneral(Action, frozen=True, tag="edit_general"):
    """Add a general to your roster, or change one (G2-35)."""

    name: Called
    text: Words = ""
    income: Level = 0
    ap_cap: Level = 0
    general: Number | None = None


class RemoveCard(Action, frozen=True, tag="remove_card"):
    """Take a card out of your roster, a weapon or an equipment option off a card, or a general."""

    part: Part


class Share(Action, frozen=True, tag="share"):
    """Hand copies of a card to your partner's deck (G2-149)."""

    card: Number
    count: Annotated[int, Meta(ge=1, le=MOST_COPIES)]


Preparing = (
    SetMarshal
    | UseSample
    | LoadDeck
    | LoadTerrain
    | LoadScenario
    | NameDeck
    | SetCount
    | EditUnit
    | EditWeapon
    | EditEquipment
    | EditSupport
    | EditHeadquarters
    | EditGeneral
    | RemoveCard
    | Share
)
