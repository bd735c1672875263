"""Cards, each declared once: what stands in a file, in the deck's forms, on the card itself; and the sample set.

G2-12 to G2-22, G2-57 to G2-67 and ledger 2.5.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from typing import Annotated, Literal, get_args

from msgspec import Meta, field
from msgspec.structs import replace

from companion.games.tactics_2gm.options import Side
from companion.kit.decks.entries import MOST_KINDS, Called, Copies, InDeck, Much, Shift, Words, differ
from companion.kit.decks.samples import OWN, Brought
from companion.kit.pictures import Photo, Sign, check_room
from companion.kit.rosters import ONCE
from companion.kit.rulebook import Strict, load
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

PACKAGE = "companion.games.tactics_2gm"
Family = Literal["infantry", "tank", "transport", "artillery", "aircraft"]
Infantry = Literal["light_infantry", "heavy_infantry", "special_unit", "command_group"]
Tank = Literal["light", "medium", "heavy", "semi_armoured", "reconnaissance", "self_propelled", "rocket_launching"]
Transport = Literal["armoured", "half_track", "truck", "jeep", "motorcycle"]
Artillery = Literal["anti_aircraft", "anti_tank", "howitzer"]
Aircraft = Literal["fighter", "bomber"]
Subtype = Literal[Infantry, Tank, Transport, Artillery, Aircraft]
SUBTYPES: dict[Family, tuple[Subtype, ...]] = {
    "infantry": get_args(Infantry),
    "tank": get_args(Tank),
    "transport": get_args(Transport),
    "artillery": get_args(Artillery),
    "aircraft": get_args(Aircraft),
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


def slot_of(name: str) -> str:
    """Make the slot of an equipment option out of its name."""
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    slot = "_".join("".join(letter if letter.isalnum() else " " for letter in plain).split())[:20].strip("_")
    return slot if slot[:1].isalpha() and not re.fullmatch(r"w\d+", slot) else f"e_{slot}"[:20]


Level = Annotated[int, Meta(ge=0, le=20)]
Face = Annotated[int, Meta(ge=1, le=10)]
Modifier = tuple[Shift, Shift]
"""What is added to the hit number and to the critical number."""
# What a card has, with what a form calls it.
Cost = Annotated[int, Meta(title="Cost in AP", ge=0, le=30)]
Range = Annotated[Level, Meta(title="Range")]
Critical = Annotated[Face, Meta(title="Critical on")]
Penetration = Annotated[Level, Meta(title="Penetration")]
Damage = Annotated[Much, Meta(title="Damage")]
Flips = Annotated[bool, Meta(title="Is flipped after use")]
Pins = Annotated[bool, Meta(title="Infantry does not move while it is set up")]
Kind = Annotated[Literal["offensive", "defensive"], Meta(title="Kind")]
More = Annotated[Words, Meta(title="What else the card says")]
Says = Annotated[Words, Meta(title="What the card says")]
Armour = Annotated[Level, Meta(title="Armour")]
Impact = Annotated[int, Meta(title="Impact points", ge=1, le=99)]
MoreArmour = Annotated[Level, Meta(title="Armour it adds")]
MoreMovement = Annotated[Level, Meta(title="Movement it adds")]
Ap = Annotated[Level, Meta(title="AP it gives")]
Draw = Annotated[Level, Meta(title="Cards it draws")]
Heal = Annotated[Level, Meta(title="Wounds it heals")]
HarmDone = Annotated[Level, Meta(title="Harm it does to an enemy unit")]
Only = Annotated[tuple[Family, ...], Meta(title="Only on", description="None: on any unit.", max_length=5)]
TakesGeneral = Annotated[bool, Meta(title="Takes a general")]
MOST_WEAPONS, MOST_OPTIONS, MOST_GENERALS = 6, 8, 20
"""How many kinds of each there may be."""


class Weapon(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """What a weapon does (G2-59 to G2-65); ``flips`` is the turning arrow (G2-71). Aircraft need no range."""

    name: Annotated[Called, ONCE]
    range: Range = 0
    hit: Annotated[Face, Meta(title="Hits on")]
    crit: Critical
    penetration: Penetration
    damage: Damage
    flips: Flips = False


class Equipment(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """An equipment option at the foot of a unit card (G2-67, G2-92, G2-93).

    ``weapon`` is what an offensive one fires. ``cover`` is added to the numbers of those who shoot at the unit: always,
    or, where the token ``flips``, from its use until the player's next start phase. ``pins``: it keeps infantry from
    moving while it is set up (G2-121). ``text`` is what else the card says.
    """

    slot_id: Annotated[Slot, ONCE]
    cost: Cost
    kind: Kind
    flips: Flips = False
    pins: Pins = False
    cover: Modifier = (0, 0)
    weapon: Weapon | None = None
    text: More = ""

    def __post_init__(self) -> None:
        """Raise Refusal for a slot that is called like the weapons of a card (``w0``)."""
        if re.fullmatch(r"w\d+", self.slot_id):
            text = "“{slot}” is what Companion calls the weapons of a card: choose another word."
            raise Refusal(say(text, slot=self.slot_id), field="slot_id")


class UnitValues(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """What is printed on a unit card beside its weapons and equipment (G2-12 to G2-17, G2-57 to G2-67).

    ``command`` is what a command group adds in the headquarters phase (G2-80). ``moves_at_once`` when the card lets it
    move on the turn of its deployment (G2-95). ``capabilities`` are in words, as the card says (G2-164).
    """

    name: Annotated[Called, ONCE]
    family: Family
    subtype: Subtype | Literal["none"] | None = None
    cost: Cost
    movement: Annotated[Level, Meta(title="Movement")] = 0
    armour: Armour = 0
    wounds: Annotated[Much, Meta(title="Wounds")]
    command: Annotated[Level, Meta(title="AP that it adds each turn")] = 0
    paratrooper: Annotated[bool, Meta(title="Paratroopers")] = False
    moves_at_once: Annotated[bool, Meta(title="May move on the turn of its deployment")] = False
    capabilities: More = ""
    glyph: Sign = ""
    picture: Photo = ""


class UnitCard(UnitValues, frozen=True, kw_only=True):
    """A unit card."""

    subtype: Subtype | None = None
    weapon: Annotated[tuple[Weapon, ...], Meta(max_length=MOST_WEAPONS)] = ()
    option: Annotated[tuple[Equipment, ...], Meta(max_length=MOST_OPTIONS)] = ()
    count: InDeck = 1

    def __post_init__(self) -> None:
        """Raise Refusal for what can not be of its family, a weapon without a range, and what is there twice."""
        if self.subtype not in SUBTYPES[self.family] and (self.subtype or self.family == "aircraft"):
            text = say("{family} cannot be this: “{subtype}”.", family=Text(self.family), subtype=self.subtype or "–")
            raise Refusal(text, CLAUSES[self.family], "subtype")
        if self.paratrooper and self.family == "aircraft":
            raise Refusal(say("An aircraft is no paratrooper."), "G2-144", "paratrooper")
        tokens = [option.weapon for option in self.option if option.weapon is not None]
        for weapon in (*self.weapon, *tokens):
            if not weapon.range and self.family != "aircraft":
                raise Refusal(say("The weapon “{name}” needs a range.", name=weapon.name), "G2-59", "range")
        differ((weapon.name for weapon in self.weapon), "name")
        differ((option.slot_id for option in self.option), "slot_id")


class SupportText(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """What is printed on a support card: when it is played, how long it lasts, and what it does (G2-18 to G2-21)."""

    name: Annotated[Called, ONCE]
    kind: Annotated[Literal["supplies", "promotion", "equipment_card"], Meta(title="Kind")]
    cost: Cost
    duration: Annotated[Literal["immediate", "one_turn", "permanent"], Meta(title="How long it lasts")] = "immediate"
    any_phase: Annotated[bool, Meta(title="May be played in any phase")] = False
    text: Says = ""
    glyph: Sign = ""
    picture: Photo = ""


class SupportCard(SupportText, frozen=True, kw_only=True):
    """A support card: its text, and what Companion can work out of it.

    While it lies on a unit: ``aim`` is added to that unit's numbers, ``cover`` to those of who shoots at it, ``armour``
    and ``movement`` to its own. At once: ``ap`` for the player, ``draw`` cards, ``heal`` wounds of the unit, or
    ``harm`` an enemy unit. ``general`` takes a general (G2-35). ``only`` are the families it may be played on.
    """

    aim: Modifier = (0, 0)
    cover: Modifier = (0, 0)
    armour: MoreArmour = 0
    movement: MoreMovement = 0
    ap: Ap = 0
    draw: Draw = 0
    heal: Heal = 0
    harm: HarmDone = 0
    general: TakesGeneral = False
    only: tuple[Family, ...] = ()
    count: InDeck = 1

    @property
    def lasts(self) -> bool:
        """Tell whether it stays on the table (G2-18, G2-20, G2-21)."""
        return self.duration != "immediate"


class TerrainCard(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """A terrain card (G2-22, G2-124 to G2-137), with a building's values where it is one."""

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


HeadquartersIncome = Annotated[Level, Meta(title="AP each turn")]
MostKept = Annotated[int, Meta(title="Most AP it may keep", ge=1, le=99)]


class HeadquartersCard(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """A headquarters card (G2-28, G2-31, G2-34)."""

    pi: Impact = 10
    income: HeadquartersIncome = 3
    ap_cap: MostKept = 8
    armour: Armour = 0


class GeneralCard(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """A general (G2-35, G2-36): a bonus in words, and ``income`` and ``ap_cap`` that Companion adds."""

    name: Annotated[Called, ONCE]
    text: Says = ""
    income: Annotated[Level, Meta(title="AP that it adds each turn")] = 0
    ap_cap: Annotated[Level, Meta(title="What it adds to the most AP")] = 0


class Roster(Brought, frozen=True, omit_defaults=True, kw_only=True, dict=True):
    """A roster file: the cards of a player's deck, his headquarters and generals.

    The order of ``unit`` and then ``support`` numbers the cards.
    """

    side: Side | None = None
    unit: Annotated[tuple[UnitCard, ...], Meta(max_length=MOST_KINDS)] = ()
    support: Annotated[tuple[SupportCard, ...], Meta(max_length=MOST_KINDS)] = ()
    headquarters: HeadquartersCard | None = None
    general: Annotated[tuple[GeneralCard, ...], Meta(max_length=MOST_GENERALS)] = ()

    def __post_init__(self) -> None:
        """Raise Refusal for two cards of one name (G2-96, G2-A19: they are told apart by it), or too many pictures."""
        differ((card.name for card in self.cards), "name")
        check_room(card.picture for card in self.cards)
        differ((general.name for general in self.general), "name")

    @cached_property
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
    """The terrain deck of the table (G2-05, G2-124)."""

    terrain: Annotated[tuple[TerrainCard, ...], Meta(max_length=40)] = ()


class Goal(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """A goal of a scenario (G2-24): Companion counts what it can, ``told`` is for the players to say."""

    side: Side
    kind: Literal["destroy_hq", "destroy_units", "survive", "told"]
    count: Annotated[int, Meta(ge=1, le=99)] = 1
    text: Words = ""


START_AP = 5
"""What a side may spend on the start, or keep (G2-42)."""
HAND = 5
"""Cards of a first hand (G2-52)."""


class Scenario(Brought, frozen=True, omit_defaults=True, kw_only=True):
    """A scenario (G2-09, G2-24, G2-37, G2-51, G2-55): its rules of start, its turns and its goals.

    A side wins when all of its goals are reached; ``survive`` is when ``turns`` of each side have passed. ``bid`` is
    whether players bid for the start; without it ``first`` begins with ``start_ap``.
    """

    text: Annotated[str, Meta(max_length=1500)] = ""
    limit: Annotated[int, Meta(ge=10, le=500)] | None = None
    start_ap: Level = START_AP
    bid: bool = True
    first: Side = "allies"
    hand: Annotated[int, Meta(ge=1, le=10)] = HAND
    turns: Annotated[int, Meta(ge=0, le=99)] = 0
    terrain_in_play: bool = False
    generals: bool = False
    goal: Annotated[tuple[Goal, ...], Meta(max_length=12)] = ()

    def __post_init__(self) -> None:
        """Raise Refusal for a goal that is reached after so many turns where there is no end to them."""
        if not self.turns and any(goal.kind == "survive" for goal in self.goal):
            raise Refusal(say("To survive is a goal only where the turns are counted."), "G2-24", "turns")


class Sample(Strict, frozen=True, kw_only=True):
    """The sample set: decks by their id (``allies_sample`` ...), the terrain deck and scenarios."""

    deck: dict[str, Roster]
    terrain: TerrainDeck
    scenario: dict[str, Scenario]


SAMPLE = load(PACKAGE, "sample.toml", Sample)
DECKS = SAMPLE.deck
TERRAIN = SAMPLE.terrain
SCENARIOS = SAMPLE.scenario
NAMES = frozenset(
    (
        *(card.name for deck in DECKS.values() for card in deck.cards),
        *(weapon.name for deck in DECKS.values() for card in deck.unit for weapon in card.weapon),
        *(part.weapon.name for deck in DECKS.values() for card in deck.unit for part in card.option if part.weapon),
        *(part.slot_id for deck in DECKS.values() for card in deck.unit for part in card.option),
        *(general.name for deck in DECKS.values() for general in deck.general),
        *(card.name for card in TERRAIN.terrain),
        *(deck.name for deck in DECKS.values()),
        *(scenario.name for scenario in SCENARIOS.values()),
        TERRAIN.name,
        OWN,
    )
)
"""Names of the sample set that are said in every language; other names are as people wrote them."""
SUPPORT = frozenset(replace(card, count=0) for deck in DECKS.values() for card in deck.support)
"""Support cards of the sample set, however many there are of them: their texts say all that they do."""
TEXTS = frozenset(
    (
        *(card.text for deck in DECKS.values() for card in deck.support),
        *(card.capabilities for deck in DECKS.values() for card in deck.unit),
        *(general.text for deck in DECKS.values() for general in deck.general),
        *(scenario.text for scenario in SCENARIOS.values()),
    )
) - {""}
"""What cards of the sample set say, said in every language too."""
