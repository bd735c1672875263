"""Stat cards and terrain tiles as people write them into files (PT-02 to PT-10, PT-80, ledger 2.3 and 2.4)."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta

from companion.games.pocket_tactics.comparing import Value
from companion.games.pocket_tactics.doing import Pool, Skill, Slot
from companion.games.pocket_tactics.terrain import known_as
from companion.kit.decks.samples import Brought
from companion.kit.decks.written import Called, Words, differ
from companion.kit.rosters import ONCE
from companion.kit.rulebook import Strict
from companion.kit.ruling import Refusal
from companion.kit.text import say

ThirdKind = Literal["arcane", "tech", "magetech"]
Timing = Literal["any", "assault", "move", "deploy", "test"]
Side = Literal["n", "ne", "se", "s", "sw", "nw"]
SIDES: tuple[Side, ...] = ("n", "ne", "se", "s", "sw", "nw")
"""Sides of a tile in the order of their numbers, from 1 (ledger 2.6)."""
Short = Annotated[str, Meta(min_length=1, max_length=30)]
Stat = Annotated[
    str,
    Meta(
        pattern=r"^[0-9](\([0-6]\))?[/|][0-9](\([0-6]\))?\Z",
        description="dice of offence and defence, a kicker up to 6 in brackets, such as 2/1 or 2(4)/2.",
    ),
]
"""A skill as it is printed: offence and defence, each a number of dice with or without a kicker (PT-09, PT-93, PT-94).

With ``|`` between them a spreadsheet takes them for no day.
"""
MOST_KINDS = 40
MOST_COPIES = 30
MOST_ABILITIES = 4
MOST_UNITS = 100
"""Units of an army: the rules know no limit, but a table can not remember any number of units that cost nothing."""
MOST_TILES = 40
"""Tiles of a map: as many as its picture has room for."""


class AbilityText(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a special ability (PT-05): what it says is done by the players; its re-rolls are asked for (PT-48).

    ``rerolls`` are those that it gives in an assault, ``pool`` the dice that they may touch. ``movement_effect`` says
    in words what changes when the unit moves (PT-29).
    """

    name: Called
    text: Words = ""
    timing: Timing = "any"
    rerolls: Annotated[int, Meta(ge=0, le=4)] = 0
    pool: Literal["any", "offence", "defence"] = "any"
    movement_effect: Words = ""


class UnitCard(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a stat card (ledger 2.3). ``reach_with`` is the skill that its reach holds for, None: every ranged one."""

    name: Annotated[Called, ONCE]
    faction: Annotated[str, Meta(max_length=40)] = ""
    types: Annotated[tuple[Short, ...], Meta(max_length=3)] = ()
    affinities: Annotated[tuple[Short, ...], Meta(min_length=1, max_length=6)]
    cost: Annotated[int, Meta(ge=0, le=500)]
    copies: Annotated[int, Meta(ge=1, le=MOST_COPIES)] = 1
    melee: Stat = "0/0"
    ballistic: Stat = "0/0"
    third: ThirdKind | None = None
    third_skill: Stat = "0/0"
    reach: Annotated[int, Meta(ge=1, le=20)] = 1
    reach_with: Literal["ballistic", "third"] | None = None
    ability: Annotated[tuple[AbilityText, ...], Meta(max_length=MOST_ABILITIES)] = ()

    def __post_init__(self) -> None:
        """Raise Refusal for what no card can say (PT-03, PT-04, PT-10)."""
        differ(self.types, "types", "PT-03")
        differ(self.affinities, "affinities", "PT-04", meant=map(known_as, self.affinities))
        for one in self.affinities:
            _check_terrain(one, "affinities")
        if self.third is None and (self.third_skill != "0/0" or self.reach_with == "third"):
            raise Refusal(say("Its third skill has no kind: arcane, tech or magetech."), "PT-10", "third")

    def value(self, slot: Slot, pool: Pool) -> Value:
        """Return a value of a skill; one that the card does not have is nothing (PT-A07)."""
        if slot == "third" and self.third is None:
            return Value()
        written = {"melee": self.melee, "ballistic": self.ballistic, "third": self.third_skill}[slot]
        return stat(written)[0 if pool == "offence" else 1]

    def reaches(self, slot: Slot) -> int:
        """Return how far the unit reaches with a skill (PT-59); melee only reaches the next tile."""
        if slot == "melee":
            return 1
        return self.reach if self.reach_with in (None, slot) else 1

    def declares(self, slot: Slot) -> tuple[Skill, ...]:
        """List what a skill can be declared as: mage-tech as arcane or as tech (PT-35)."""
        if slot == "third":
            return {"arcane": ("arcane",), "tech": ("tech",), "magetech": ("arcane", "tech"), None: ()}[self.third]
        return (slot,)


@lru_cache(maxsize=256)
def stat(written: str) -> tuple[Value, Value]:
    """Read a skill as it is printed; returns offence and defence."""
    offence, defence = (_value(part) for part in written.replace("|", "/").split("/"))
    return offence, defence


def _value(part: str) -> Value:
    dice, _, kicker = part.rstrip(")").partition("(")
    return Value(int(dice), int(kicker or 0))


def slot_of(skill: Skill) -> Slot:
    """Return the skill of a card that an assault of this kind is fought with, on both sides (PT-37, PT-38, PT-A07)."""
    slots: dict[Skill, Slot] = {"melee": "melee", "ballistic": "ballistic", "arcane": "third", "tech": "third"}
    return slots[skill]


class Faction(Brought, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a faction: the kinds of units of an army, each with its number of copies (PT-06)."""

    unit: Annotated[tuple[UnitCard, ...], Meta(max_length=MOST_KINDS)] = ()

    def __post_init__(self) -> None:
        """Raise Refusal for two kinds of one name."""
        differ((card.name for card in self.unit), "name")

    @property
    def cost(self) -> int:
        """Add up what the units are worth (PT-06)."""
        return sum(card.cost * card.copies for card in self.unit)

    @property
    def size(self) -> int:
        """Count the units."""
        return sum(card.copies for card in self.unit)


class TileCard(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a kind of terrain tile; ``grooves`` are the open sides of a tunnel tile, None: it is none (PT-80)."""

    terrain: Short
    count: Annotated[int, Meta(ge=0, le=MOST_TILES)] = 1
    grooves: Annotated[tuple[Side, ...], Meta(max_length=6)] | None = None

    def __post_init__(self) -> None:
        """Raise Refusal for what is no terrain, and for a tunnel that leads nowhere (PT-80)."""
        _check_terrain(self.terrain, "terrain")
        if self.grooves is not None:
            differ(self.grooves, "grooves", "PT-80")
            if not self.grooves:
                raise Refusal(say("A tunnel tile is open on one side at least."), "PT-80", "grooves")

    @property
    def kind(self) -> str:
        """Return what it is told apart by: its terrain and its grooves."""
        return "+".join((known_as(self.terrain), *sorted(self.grooves or ())))


def _check_terrain(name: str, field: str) -> None:
    """Refuse a terrain that is called as what is none: whoever moves to the ``base`` goes home (PT-30, PT-A10)."""
    if known_as(name) == "base":
        raise Refusal(say("A base is no terrain: call it something else."), "PT-A10", field)


class Bag(Brought, frozen=True, omit_defaults=True, kw_only=True):
    """Hold the terrain tiles that are in the bag (PT-13)."""

    tile: Annotated[tuple[TileCard, ...], Meta(max_length=MOST_KINDS)] = ()

    def __post_init__(self) -> None:
        """Raise Refusal for two kinds that differ in nothing."""
        kinds = [tile.kind for tile in self.tile]
        differ((tile.terrain for tile in self.tile), "terrain", "PT-13", meant=kinds)

    @property
    def size(self) -> int:
        """Count the tiles."""
        return sum(tile.count for tile in self.tile)
