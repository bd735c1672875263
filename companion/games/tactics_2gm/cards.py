"""Cards as people write them into a roster file: units, support, terrain, headquarters, generals (G2-12 to G2-22)."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta, field

from companion.games.tactics_2gm.options import Side
from companion.kit.decks.samples import Brought
from companion.kit.decks.written import MOST_KINDS, Called, Copies, Much, Shift, Words, differ
from companion.kit.rosters import ONCE
from companion.kit.rulebook import Strict
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

Family = Literal["infantry", "tank", "transport", "artillery", "aircraft"]
Subtype = Literal[
    "light_infantry", "heavy_infantry", "special_unit", "command_group",
    "light", "medium", "heavy", "semi_armoured", "reconnaissance", "self_propelled", "rocket_launching",
    "armoured", "half_track", "truck", "jeep", "motorcycle",
    "anti_aircraft", "anti_tank", "howitzer", "fighter", "bomber",
]  # fmt: skip
SUBTYPES: dict[Family, tuple[Subtype, ...]] = {
    "infantry": ("light_infantry", "heavy_infantry", "special_unit", "command_group"),
    "tank": ("light", "medium", "heavy", "semi_armoured", "reconnaissance", "self_propelled", "rocket_launching"),
    "transport": ("armoured", "half_track", "truck", "jeep", "motorcycle"),
    "artillery": ("anti_aircraft", "anti_tank", "howitzer"),
    "aircraft": ("fighter", "bomber"),
}
"""Which subtypes a family has (G2-13 to G2-17)."""
CLAUSES: dict[Family, str] = {
    "infantry": "G2-13",
    "tank": "G2-15",
    "transport": "G2-16",
    "artillery": "G2-14",
    "aircraft": "G2-17",
}
Class = Literal["normal", "difficult", "impassable"]
Feature = Literal["forest", "hedge", "river", "sea"]

Slot = Annotated[
    str,
    Meta(pattern=r"^[a-z][a-z0-9_]{0,19}\Z", description="small letters without accents, figures and _, 20 at most."),
]
Cost = Annotated[int, Meta(ge=0, le=30)]
Level = Annotated[int, Meta(ge=0, le=20)]
Face = Annotated[int, Meta(ge=1, le=10)]
Modifier = tuple[Shift, Shift]
"""What is added to the hit number and to the critical number."""


class Weapon(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """Hold what a weapon does (G2-59 to G2-65); ``flips`` is the turning arrow (G2-71). Aircraft need no range."""

    name: Annotated[Called, ONCE]
    range: Level = 0
    hit: Face
    crit: Face
    penetration: Level
    damage: Much
    flips: bool = False


class Equipment(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """Hold an equipment option at the foot of a unit card (G2-67, G2-92, G2-93).

    ``weapon`` is what an offensive one fires. ``cover`` is added to the numbers of those who shoot at the unit: always,
    or, where the token ``flips``, from its use until the player's next start phase. ``pins``: it keeps infantry from
    moving while it is set up (G2-121). ``text`` is what else the card says.
    """

    slot_id: Annotated[Slot, ONCE]
    cost: Cost
    kind: Literal["offensive", "defensive"]
    flips: bool = False
    pins: bool = False
    cover: Modifier = (0, 0)
    weapon: Weapon | None = None
    text: Words = ""

    def __post_init__(self) -> None:
        """Raise Refusal for a slot that is called like the weapons of a card (``w0``)."""
        if re.fullmatch(r"w\d+", self.slot_id):
            text = say(
                "“{slot}” is what Companion calls the weapons of a card: choose another word.", slot=self.slot_id
            )
            raise Refusal(text, field="slot_id")


class UnitCard(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a unit card (G2-12 to G2-17, G2-57 to G2-67).

    ``command`` is what a command group adds in the headquarters phase (G2-80). ``moves_at_once`` when the card lets it
    move on the turn of its deployment (G2-95). ``capabilities`` are in words, as the card says (G2-164).
    """

    name: Annotated[Called, ONCE]
    family: Family
    subtype: Subtype | None = None
    cost: Cost
    movement: Level = 0
    armour: Level = 0
    wounds: Much
    command: Level = 0
    paratrooper: bool = False
    moves_at_once: bool = False
    capabilities: Words = ""
    weapon: Annotated[tuple[Weapon, ...], Meta(max_length=6)] = ()
    option: Annotated[tuple[Equipment, ...], Meta(max_length=8)] = ()
    count: Copies = 1

    def __post_init__(self) -> None:
        """Raise Refusal for what can not be of its family, a weapon without a range, and what is there twice."""
        known = SUBTYPES[self.family]
        if self.subtype not in known and (self.subtype or self.family == "aircraft"):
            text = say("{family} can not be this: “{subtype}”.", family=Text(self.family), subtype=self.subtype or "–")
            raise Refusal(text, CLAUSES[self.family], "subtype")
        if self.paratrooper and self.family == "aircraft":
            raise Refusal(say("An aircraft is no paratrooper."), "G2-144", "paratrooper")
        tokens = [option.weapon for option in self.option if option.weapon is not None]
        for weapon in (*self.weapon, *tokens):
            if not weapon.range and self.family != "aircraft":
                raise Refusal(say("The weapon “{name}” needs a range.", name=weapon.name), "G2-59", "range")
        differ((weapon.name for weapon in self.weapon), "name")
        differ((option.slot_id for option in self.option), "slot_id")


class SupportCard(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a support card (G2-18 to G2-21): what it does is its ``text``, and what Companion can work out of it.

    While it lies on a unit: ``aim`` is added to that unit's numbers, ``cover`` to those of who shoots at it, ``armour``
    and ``movement`` to its own. At once: ``ap`` for the player, ``draw`` cards, ``heal`` wounds of the unit, or
    ``harm`` an enemy unit. ``general`` takes a general (G2-35). ``only`` are the families it may be played on.
    """

    name: Annotated[Called, ONCE]
    kind: Literal["supplies", "promotion", "equipment_card"]
    cost: Cost
    duration: Literal["immediate", "one_turn", "permanent"] = "immediate"
    any_phase: bool = False
    text: Words = ""
    aim: Modifier = (0, 0)
    cover: Modifier = (0, 0)
    armour: Level = 0
    movement: Level = 0
    ap: Level = 0
    draw: Level = 0
    heal: Level = 0
    harm: Level = 0
    general: bool = False
    only: tuple[Family, ...] = ()
    count: Copies = 1

    @property
    def lasts(self) -> bool:
        """Tell whether it stays on the table (G2-18, G2-20, G2-21)."""
        return self.duration != "immediate"


class TerrainCard(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a terrain card (G2-22, G2-124 to G2-137), the building's values where it is one."""

    name: Annotated[Called, ONCE]
    cost: Cost
    cover: Modifier = (0, 0)
    class_: Class = field(default="normal", name="class")
    building: bool = False
    armour_bonus: Level = 0
    pi: Annotated[int, Meta(ge=0, le=99)] = 0
    armour: Level = 0
    ruin_cover: Modifier = (0, 0)
    count: Copies = 1

    def __post_init__(self) -> None:
        """Raise Refusal for a building without impact points."""
        if self.building and not self.pi:
            raise Refusal(say("A building needs impact points."), "G2-133", "pi")


class HeadquartersCard(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a headquarters card (G2-28, G2-31, G2-34)."""

    pi: Annotated[int, Meta(ge=1, le=99)] = 10
    income: Level = 3
    ap_cap: Annotated[int, Meta(ge=1, le=99)] = 8
    armour: Level = 0


class GeneralCard(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a general (G2-35, G2-36): a bonus in words, and ``income`` and ``ap_cap`` that Companion adds."""

    name: Annotated[Called, ONCE]
    text: Words = ""
    income: Level = 0
    ap_cap: Level = 0


class Roster(Brought, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a roster file: the cards of a player's deck, his headquarters and generals.

    The order of ``unit`` and then ``support`` numbers the cards.
    """

    side: Side | None = None
    unit: Annotated[tuple[UnitCard, ...], Meta(max_length=MOST_KINDS)] = ()
    support: Annotated[tuple[SupportCard, ...], Meta(max_length=MOST_KINDS)] = ()
    headquarters: HeadquartersCard | None = None
    general: Annotated[tuple[GeneralCard, ...], Meta(max_length=20)] = ()

    def __post_init__(self) -> None:
        """Raise Refusal for two cards of one name: cards are told apart by it (G2-96, G2-A19)."""
        differ((card.name for card in self.cards), "name")
        differ((general.name for general in self.general), "name")

    @property
    def cards(self) -> tuple[UnitCard | SupportCard, ...]:
        """List the cards in the order that numbers them."""
        return (*self.unit, *self.support)

    @property
    def points(self) -> int:
        """Add up what the deck costs: cards only, no equipment (G2-10, G2-A18)."""
        return sum(card.cost * card.count for card in self.cards)

    @property
    def size(self) -> int:
        """Count the cards of the deck."""
        return sum(card.count for card in self.cards)


class TerrainDeck(Brought, frozen=True, omit_defaults=True, kw_only=True):
    """Hold the terrain deck of the table (G2-05, G2-124)."""

    terrain: Annotated[tuple[TerrainCard, ...], Meta(max_length=40)] = ()


class Goal(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a goal of a scenario (G2-24): Companion counts what it can, ``told`` is for the players to say."""

    side: Side
    kind: Literal["destroy_hq", "destroy_units", "survive", "told"]
    count: Annotated[int, Meta(ge=1, le=99)] = 1
    text: Words = ""


class Scenario(Brought, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a scenario (G2-09, G2-24, G2-37, G2-51, G2-55): its rules of start, its turns and its goals.

    A side wins when all of its goals are reached; ``survive`` is when ``turns`` of each side have passed. ``bid`` is
    whether players bid for the start; without it ``first`` begins with ``start_ap``.
    """

    text: Annotated[str, Meta(max_length=1500)] = ""
    limit: Annotated[int, Meta(ge=10, le=500)] | None = None
    start_ap: Level = 5
    bid: bool = True
    first: Side = "allies"
    hand: Annotated[int, Meta(ge=1, le=10)] = 5
    turns: Annotated[int, Meta(ge=0, le=99)] = 0
    terrain_in_play: bool = False
    generals: bool = False
    goal: Annotated[tuple[Goal, ...], Meta(max_length=12)] = ()

    def __post_init__(self) -> None:
        """Raise Refusal for a goal that is reached after so many turns where there is no end to them."""
        if not self.turns and any(goal.kind == "survive" for goal in self.goal):
            raise Refusal(say("To survive is a goal only where the turns are counted."), "G2-24", "turns")
