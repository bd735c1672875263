"""Cards as people write them into a roster file (HW-02 to HW-15), and the sample set of Companion's own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from companion.kit.decks.entries import MOST_KINDS, Called, Copies, Much, Shift, Words, differ
from companion.kit.decks.samples import OWN, Brought
from companion.kit.pictures import Photo, Sign, check_room
from companion.kit.rosters import ONCE
from companion.kit.rulebook import Strict, load
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say

Category = Literal["ground", "air", "naval"]
CATEGORIES: tuple[Category, ...] = ("ground", "air", "naval")
Kind = Literal["territory", "base_expansion", "upgrade", "action", "development", "unit"]
Ability = Literal["base_attack", "entrenchment"]

Short = Annotated[str, Meta(max_length=40)]
Level = Annotated[int, Meta(ge=0, le=30)]
_NO_VALUE = "Blank: – (it cannot harm them)."
MOST_TERRITORIES = 20
"""Kinds of territory cards in a roster: any two of them may be chosen, so there are ten times as many choices."""
START_POINTS = 8
"""Victory points that the two territories of a player are worth together at least (HW-22)."""


class Card(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """What every card shows (HW-02); the ``year`` has no effect (HW-03). ``count`` is how many of it there are.

    What has a title is asked for by the deck editor's form: what comes ``first``, and the rest as it stands here.
    """

    kind: ClassVar[Kind]
    first: ClassVar[tuple[str, ...]] = ()

    name: Annotated[Called, ONCE]
    text: Annotated[Words, Meta(title="What the card says")] = ""
    insignia: Annotated[Short, Meta(title="Nationality mark")] = ""
    year: Annotated[Short, Meta(title="Year of service")] = ""
    glyph: Sign = ""
    picture: Photo = ""
    count: Copies = 1


class TerritoryCard(Card, frozen=True, omit_defaults=True, kw_only=True):
    """A territory: the flags that conquer it and the points it is worth (HW-06, HW-90)."""

    kind = "territory"

    flags: Annotated[Level, Meta(title="Flags that conquer it")]
    victory_points: Annotated[Much, Meta(title="Victory points")]


class LaidInDepot(Card, frozen=True, omit_defaults=True, kw_only=True):
    """A card that is no territory: those never belong in the depot (HW-05)."""

    elsewhere: ClassVar[Mapping[str, Reason]] = {
        "victory_points": Reason(say("territories have that, and are kept apart from the depot."), "HW-05")
    }


class BaseCard(LaidInDepot, frozen=True, omit_defaults=True, kw_only=True):
    """A base expansion: the TA that it yields (HW-07, HW-08); ``dv`` where one is printed (HW-A24)."""

    kind = "base_expansion"

    ta_provided: Annotated[Level, Meta(title="TA that it yields when it is locked")] = 0
    dv: Annotated[Much | None, Meta(title="Defence value", description="Blank: none is printed on it.")] = None


class UpgradeCard(LaidInDepot, frozen=True, omit_defaults=True, kw_only=True):
    """An upgrade (HW-09): what it adds to the values of its unit, and abilities it gives; the rest in ``text``."""

    kind = "upgrade"

    ta_cost: Annotated[Level, Meta(title="Cost in TA")] = 0
    av_ground: Annotated[Shift, Meta(title="Attack value against ground")] = 0
    av_air: Annotated[Shift, Meta(title="Attack value against air")] = 0
    av_naval: Annotated[Shift, Meta(title="Attack value against naval")] = 0
    dv: Annotated[Shift, Meta(title="Defence value")] = 0
    flags: Annotated[Shift, Meta(title="Victory flags")] = 0
    abilities: Annotated[tuple[Ability, ...], Meta(title="Abilities that it gives")] = ()

    @property
    def av(self) -> dict[Category, int]:
        """Return what it adds to each attack value."""
        return {"ground": self.av_ground, "air": self.av_air, "naval": self.av_naval}

    @property
    def added(self) -> dict[str, int]:
        """Return what it adds to each value, by the name of the field."""
        return {f"av_{category}": value for category, value in self.av.items()} | {"dv": self.dv, "flags": self.flags}


class ActionCard(LaidInDepot, frozen=True, omit_defaults=True, kw_only=True):
    """An action card (HW-13): its effect is its text, and done by hand (HW-A09)."""

    kind = "action"

    ta_cost: Annotated[Level, Meta(title="Cost in TA")] = 0


class Fielded(LaidInDepot, frozen=True, omit_defaults=True, kw_only=True):
    """What a card that lies in a territory has: cost, flags, attack values (None: "-", cannot harm that)."""

    ta_cost: Annotated[Level, Meta(title="Cost in TA")] = 0
    flags: Annotated[Level, Meta(title="Victory flags")] = 0
    av_ground: Annotated[Level | None, Meta(title="Attack value against ground", description=_NO_VALUE)] = None
    av_air: Annotated[Level | None, Meta(title="Attack value against air", description=_NO_VALUE)] = None
    av_naval: Annotated[Level | None, Meta(title="Attack value against naval", description=_NO_VALUE)] = None
    ta_provided: Annotated[Level, Meta(title="TA that it yields when it is locked")] = 0
    abilities: Annotated[tuple[Ability, ...], Meta(title="Abilities")] = ()

    @property
    def av(self) -> dict[Category, int | None]:
        """Return the attack value that is printed against each category."""
        return {"ground": self.av_ground, "air": self.av_air, "naval": self.av_naval}


class DevelopmentCard(Fielded, frozen=True, omit_defaults=True, kw_only=True):
    """A development (HW-14). ``category`` is the value it is struck with, ground unless its card says otherwise.

    Without ``dv`` it can not be struck (HW-A23).
    """

    kind = "development"
    first = ("ta_cost", "flags", "av_ground", "av_air", "av_naval", "dv")

    category: Annotated[Category, Meta(title="Struck with the attack value against")] = "ground"
    dv: Annotated[Much | None, Meta(title="Defence value", description="Blank: it cannot be struck.")] = None


class UnitCard(Fielded, frozen=True, omit_defaults=True, kw_only=True):
    """A unit (HW-15); ``may_also_block`` are categories beside its own (HW-56, HW-64)."""

    kind = "unit"
    first = ("category", "subtype", *DevelopmentCard.first)

    category: Annotated[Category, Meta(title="Category")]
    subtype: Annotated[Short, Meta(title="Type printed on the card")] = ""
    dv: Annotated[Much, Meta(title="Defence value")]
    may_also_block: Annotated[
        tuple[Category, ...], Meta(title="May also block", description="Beside its own category.")
    ] = ()
    may_also_attack: Annotated[tuple[Category, ...], Meta(title="May also attack")] = ()


DepotCard = UnitCard | DevelopmentCard | BaseCard | UpgradeCard | ActionCard
LISTS: dict[str, Kind] = {
    "t": "territory",
    "u": "unit",
    "d": "development",
    "b": "base_expansion",
    "g": "upgrade",
    "a": "action",
}
"""By which letter the cards of a sort are called."""


class Roster(Brought, frozen=True, omit_defaults=True, kw_only=True, dict=True):
    """A roster file: territories apart (HW-05, HW-20), and the cards of the depot.

    A card is called by its sort and its place in that list: ``u0`` is the first unit, ``t1`` the second territory
    (``LISTS``).
    """

    territory: Annotated[tuple[TerritoryCard, ...], Meta(max_length=MOST_TERRITORIES)] = ()
    unit: Annotated[tuple[UnitCard, ...], Meta(max_length=MOST_KINDS)] = ()
    development: Annotated[tuple[DevelopmentCard, ...], Meta(max_length=MOST_KINDS)] = ()
    base_expansion: Annotated[tuple[BaseCard, ...], Meta(max_length=MOST_KINDS)] = ()
    upgrade: Annotated[tuple[UpgradeCard, ...], Meta(max_length=MOST_KINDS)] = ()
    action: Annotated[tuple[ActionCard, ...], Meta(max_length=MOST_KINDS)] = ()

    def __post_init__(self) -> None:
        """Raise Refusal for two cards of one name, by which they are told apart, a territory in the depot, and more
        pictures than a deck has.
        """
        lands = {card.name.casefold() for card in self.territory}
        for card in self.cards:
            if card.name.casefold() in lands:
                text = say("“{name}” is a territory: those are kept apart from the depot.", name=card.name)
                raise Refusal(text, "HW-05", "name")
        differ((card.name for card in (*self.territory, *self.cards)), "name")
        check_room(card.picture for card in (*self.territory, *self.cards))

    @property
    def depot(self) -> dict[Kind, tuple[DepotCard, ...]]:
        """Return the kinds of cards of the depot by their sort, in the order of ``LISTS``."""
        return {
            "unit": self.unit,
            "development": self.development,
            "base_expansion": self.base_expansion,
            "upgrade": self.upgrade,
            "action": self.action,
        }

    @property
    def lists(self) -> dict[Kind, tuple[Card, ...]]:
        """Return all kinds of cards by their sort, in the order of ``LISTS``."""
        return {"territory": self.territory, **self.depot}

    @property
    def cards(self) -> tuple[DepotCard, ...]:
        """List the kinds of cards of the depot."""
        return (*self.unit, *self.development, *self.base_expansion, *self.upgrade, *self.action)

    @cached_property
    def numbered(self) -> dict[str, DepotCard]:
        """Return the kinds of cards of the depot by what they are called: ``u0``, ``u1``, ``d0`` ..."""
        lists = self.depot
        return {f"{letter}{at}": card for letter, kind in LISTS.items() for at, card in enumerate(lists.get(kind, ()))}

    @property
    def size(self) -> int:
        """Count the cards of the depot."""
        return sum(card.count for card in self.cards)

    def find(self, code: str) -> DepotCard | None:
        """Return the card of a code (``u0.1``: its second copy) or a number (``u0``); None when there is none."""
        return self.numbered.get(code.partition(".")[0])

    @property
    def territories(self) -> int:
        """Count the territory cards."""
        return sum(card.count for card in self.territory)

    @property
    def best_pair(self) -> int:
        """Return the victory points of the two territory cards that are worth most together (HW-22)."""
        worth = (card.victory_points for card in self.territory for _ in range(min(card.count, 2)))
        return sum(sorted(worth, reverse=True)[:2])


PACKAGE = "companion.games.history_of_war"


class Sample(Strict, frozen=True, kw_only=True):
    """The sample set: decks by their id (``blue_sample``, ``red_sample``)."""

    deck: dict[str, Roster]


DECKS = load(PACKAGE, "sample.toml", Sample).deck
SAMPLES: list[Card] = [card for deck in DECKS.values() for card in (*deck.territory, *deck.cards)]
NAMES = frozenset((OWN, *(deck.name for deck in DECKS.values()), *(card.name for card in SAMPLES)))
"""Names of the sample set that are said in every language; other names are as people wrote them."""
TEXTS = frozenset(card.text for card in SAMPLES) - {""}
"""What cards of the sample set say, said in every language too."""
