"""Stat cards and terrain tiles: what stands on them, in files and in words; the sample set (ledger 2.3, 2.4, 2.7)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta
from msgspec.structs import replace

from companion.games.pocket_tactics.dice import POOLS, Pool, Touches, Value
from companion.games.pocket_tactics.terrain import KNOWN, known_as
from companion.kit.decks import samples
from companion.kit.decks.entries import TRANSLATED, Called, Words, differ
from companion.kit.decks.samples import Brought
from companion.kit.pictures import Photo, Sign
from companion.kit.rosters import ONCE
from companion.kit.rulebook import Strict, load
from companion.kit.ruling import Refusal
from companion.kit.text import Text, listed, say

PACKAGE = "companion.games.pocket_tactics"
Skill = Literal["melee", "ballistic", "arcane", "tech"]
"""What an assault is fought with; a mage-tech unit declares one of the last two (PT-35)."""
Slot = Literal["melee", "ballistic", "third"]
"""A skill of a stat card (PT-08, PT-10)."""
SLOTS: tuple[Slot, ...] = ("melee", "ballistic", "third")

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

MOST_AFFINITIES, MOST_TYPES = 6, 3
"""Terrains and types of a unit (PT-03, PT-04)."""
Named = Annotated[Called, Meta(title="Name", description=TRANSLATED.say)]
Cost = Annotated[int, Meta(title="Cost in points", ge=0, le=500)]
Copies = Annotated[int, Meta(title="How many", ge=1, le=MOST_COPIES)]
Reach = Annotated[int, Meta(title="Reach", ge=1, le=20)]
Origin = Annotated[str, Meta(title="Mercenary of", max_length=40)]
NOTHING = say("–")
_YOURSELF = "You do what it says: Companion tells it, and asks for its re-rolls."


class AbilityText(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """A special ability (PT-05): what it says is done by the players; its re-rolls are asked for (PT-48).

    ``rerolls`` are those that it gives in an assault, ``pool`` the dice that they may touch. ``movement_effect`` says
    in words what changes when the unit moves (PT-29).
    """

    name: Named
    text: Annotated[Words, Meta(title="What the card says", description=_YOURSELF)] = ""
    timing: Annotated[Timing, Meta(title="When it counts")] = "any"
    rerolls: Annotated[int, Meta(title="Re-rolls in an assault", ge=0, le=4)] = 0
    pool: Annotated[Touches, Meta(title="Of which dice")] = "any"
    movement_effect: Annotated[Words, Meta(title="How it moves otherwise")] = ""

    def said(self) -> Text:
        """Say its name, what it says, and the re-rolls that it gives, if a sample's text does not (PT-05, PT-48)."""
        parts = [does(text) for text in (self.text, self.movement_effect) if text]
        if self.rerolls and not (self.text and self in ABILITIES):
            parts.append(say("{count} re-roll|{count} re-rolls", count=self.rerolls))
        if not parts:
            return called(self.name)
        return say("{name}: {text}", name=called(self.name), text=listed(parts, NOTHING))


class Printed(NamedTuple):
    """A skill of a card with its two values."""

    slot: Slot
    offence: Value
    defence: Value

    @property
    def stat(self) -> str:
        """Write it as on a card: ``2/2(4)``."""
        return f"{self.offence.printed}/{self.defence.printed}"


class UnitCard(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """A stat card (ledger 2.3). ``reach_with`` is the skill that its reach holds for, None: every ranged one."""

    name: Annotated[Called, ONCE]
    faction: Origin = ""
    types: Annotated[tuple[Short, ...], Meta(max_length=MOST_TYPES)] = ()
    affinities: Annotated[tuple[Short, ...], Meta(min_length=1, max_length=MOST_AFFINITIES)]
    cost: Cost
    copies: Copies = 1
    melee: Stat = "0/0"
    ballistic: Stat = "0/0"
    third: ThirdKind | None = None
    third_skill: Stat = "0/0"
    reach: Reach = 1
    reach_with: Literal["ballistic", "third"] | None = None
    glyph: Sign = ""
    picture: Photo = ""
    ability: Annotated[tuple[AbilityText, ...], Meta(max_length=MOST_ABILITIES)] = ()

    def __post_init__(self) -> None:
        """Raise Refusal for what no card can say (PT-03, PT-04, PT-10)."""
        differ(self.types, "types", "PT-03")
        differ(self.affinities, "affinities", "PT-04", meant=map(known_as, self.affinities))
        for terrain in self.affinities:
            _check_terrain(terrain, "affinities")
        if self.third is None and (self.third_skill != "0/0" or self.reach_with == "third"):
            raise Refusal(say("Its third skill has no kind: arcane, tech or magetech."), "PT-10", "third")

    def value(self, slot: Slot, pool: Pool) -> Value:
        """Return a value of a skill; one that the card does not have is nothing (PT-A07)."""
        if slot == "third" and self.third is None:
            return Value()
        written = {"melee": self.melee, "ballistic": self.ballistic, "third": self.third_skill}[slot]
        return stat(written)[POOLS.index(pool)]

    def skill(self, slot: Slot) -> Printed:
        """Return a skill as it is printed."""
        return Printed(slot, self.value(slot, "offence"), self.value(slot, "defence"))

    @property
    def skills(self) -> tuple[Printed, ...]:
        """List the skills that the card has."""
        return had(map(self.skill, SLOTS))

    def reaches(self, slot: Slot) -> int:
        """Return how far the unit reaches with a skill (PT-59); melee only reaches the next tile."""
        return self.reach if slot != "melee" and self.reach_with in (None, slot) else 1

    def declares(self, slot: Slot) -> tuple[Skill, ...]:
        """List what a skill can be declared as: mage-tech as arcane or as tech (PT-35)."""
        if slot == "third":
            return {"arcane": ("arcane",), "tech": ("tech",), "magetech": ("arcane", "tech"), None: ()}[self.third]
        return (slot,)

    def skill_name(self, slot: Slot) -> Text:
        """Name a skill: the third by its kind (PT-10)."""
        return Text(self.third or "third") if slot == "third" else Text(slot)

    def said_skill(self, skill: Printed) -> Text:
        """Say one skill: ``melee 2/2(4)``."""
        return say("{what} {count}", what=self.skill_name(skill.slot), count=skill.stat)

    def said_reach(self) -> list[Text]:
        """Say how far the unit reaches, where that is further than the next tile (PT-59)."""
        if self.reach == 1:
            return []
        if self.reach_with is None:
            return [say("reach {count}", count=self.reach)]
        return [say("reach {count} with {skill}", count=self.reach, skill=self.skill_name(self.reach_with))]

    def said_affinities(self) -> Text:
        """Say which terrains favour the unit (PT-04)."""
        return say("affinity: {terrains}", terrains=listed([*map(terrain_name, self.affinities)], NOTHING))

    def said(self) -> Text:
        """Say all that stands on the card but its name."""
        from_elsewhere = [say("mercenary: {faction}", faction=self.faction)] if self.faction else []
        parts = (
            *map(called, self.types),
            *map(self.said_skill, self.skills),
            *self.said_reach(),
            self.said_affinities(),
            *from_elsewhere,
            *map(AbilityText.said, self.ability),
        )
        return listed(parts, NOTHING)


def had(skills: Iterable[Printed]) -> tuple[Printed, ...]:
    """Leave out the skills in which there is nothing to roll."""
    return tuple(skill for skill in skills if not (skill.offence.none and skill.defence.none))


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
    """A faction: the kinds of units of an army, each with its number of copies (PT-06)."""

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
    """A kind of terrain tile; ``grooves`` are the open sides of a tunnel tile, None: it is none (PT-80)."""

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

    @property
    def open_sides(self) -> Text:
        """Name the open sides of a tunnel tile."""
        return listed([Text(side) for side in SIDES if side in (self.grooves or ())], NOTHING)


def _check_terrain(name: str, field: str) -> None:
    """Refuse a terrain that is called as what is none: whoever moves to the ``base`` goes home (PT-30, PT-A10)."""
    if known_as(name) == "base":
        raise Refusal(say("A base is no terrain: call it something else."), "PT-A10", field)


class Bag(Brought, frozen=True, omit_defaults=True, kw_only=True):
    """The terrain tiles that are in the bag (PT-13)."""

    tile: Annotated[tuple[TileCard, ...], Meta(max_length=MOST_KINDS)] = ()

    def __post_init__(self) -> None:
        """Raise Refusal for two kinds that differ in nothing."""
        kinds = [tile.kind for tile in self.tile]
        differ((tile.terrain for tile in self.tile), "terrain", "PT-13", meant=kinds)

    @property
    def size(self) -> int:
        """Count the tiles."""
        return sum(tile.count for tile in self.tile)

    def grooves(self, number: int, turned: int = 0) -> tuple[int, ...] | None:
        """Return the open directions of a kind of tile, turned clockwise by so many sides; None: it is no tunnel."""
        sides = self.tile[number].grooves
        return None if sides is None else tuple(sorted((SIDES.index(side) + turned) % 6 + 1 for side in sides))


OWN_BAG = "own_bag"
"""What a bag is called that somebody has changed: a word of the game."""


class Sample(Strict, frozen=True, kw_only=True):
    """The sample set: factions by their id (``bannermen_sample``, ``wildkin_sample``), and a bag."""

    faction: dict[str, Faction]
    bag: Bag


_SET = load(PACKAGE, "sample.toml", Sample)
FACTIONS = _SET.faction
BAG = _SET.bag
_CARDS = [card for faction in FACTIONS.values() for card in faction.unit]

ABILITIES = frozenset(ability for card in _CARDS for ability in card.ability)
"""Abilities of the sample set, as long as nobody changes them: those that have a text say all in it."""
NAMES = frozenset(
    (
        *(card.name for card in _CARDS),
        *(ability.name for ability in ABILITIES),
        *(kind for card in _CARDS for kind in card.types),
        *FACTIONS,
        *KNOWN,
        BAG.name,
        samples.OWN,
        OWN_BAG,
    )
)
"""Names of the sample set that are said in every language; other names are as people wrote them."""

TEXTS = frozenset(ability.text for ability in ABILITIES) - {""}
"""What abilities of the sample set say, said in every language too."""

_SAID = samples.Said(NAMES, TEXTS)
called, does = _SAID.called, _SAID.does


def terrain_name(name: str) -> Text:
    """Name a terrain: those that Companion knows in every language, others as they were written."""
    return called(known_as(name))


def place_name(terrain: str, at: str = "") -> Text:
    """Name a tile: its square, if it has one, and its terrain."""
    name = terrain_name(terrain)
    return say("{square}, {terrain}", square=at, terrain=name) if at else name


def faction_file(text: str) -> Faction:
    """Read a faction; raise Refusal naming its row and field. It may cost too much: that is seen to later (PT-A46)."""
    return known(samples.brought(text, Faction, FACTIONS.values()))


def bag_file(text: str) -> Bag:
    """Read what is in the bag, kinds of which there is a tile; raise Refusal naming its row and field (PT-13)."""
    bag = samples.brought(text, Bag, (BAG,))
    return replace(bag, tile=tuple(replace(tile, terrain=known_as(tile.terrain)) for tile in bag.tile if tile.count))


def known(faction: Faction) -> Faction:
    """Call terrains as Companion knows them; a unit of the faction itself is no mercenary (PT-07)."""
    return replace(faction, unit=tuple(_known(card, faction.name) for card in faction.unit))


def _known(card: UnitCard, army: str) -> UnitCard:
    return replace(
        card,
        faction="" if card.faction.casefold() == army.casefold() else card.faction,
        affinities=tuple(map(known_as, card.affinities)),
        melee=card.melee.replace("|", "/"),
        ballistic=card.ballistic.replace("|", "/"),
        third_skill=card.third_skill.replace("|", "/"),
    )


@lru_cache(maxsize=64)
def within(faction: Faction, limit: int) -> Faction:
    """Take so many units of each kind that they cost no more than a limit, as they are among each other (PT-A46)."""
    counts = samples.shares([card.copies for card in faction.unit], [card.cost for card in faction.unit], limit)
    units = zip(faction.unit, counts, strict=True)
    return replace(faction, unit=tuple(replace(card, copies=count) for card, count in units if count))
