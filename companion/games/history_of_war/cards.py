"""Cards as people write them into a roster file: territories, units, and the rest of the depot (HW-02 to HW-15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from companion.kit.decks.samples import Brought
from companion.kit.decks.written import MOST_KINDS, Called, Copies, Much, Shift, Words, differ
from companion.kit.rosters import ONCE
from companion.kit.rulebook import Strict
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import say

Category = Literal["ground", "air", "naval"]
CATEGORIES: tuple[Category, ...] = ("ground", "air", "naval")
Kind = Literal["territory", "base_expansion", "upgrade", "action", "development", "unit"]
Ability = Literal["base_attack", "entrenchment"]

Short = Annotated[str, Meta(max_length=40)]
Level = Annotated[int, Meta(ge=0, le=30)]
MOST_TERRITORIES = 20
"""Kinds of territory cards in a roster: any two of them may be chosen, so there are ten times as many choices."""
START_POINTS = 8
"""Victory points that the two territories of a player are worth together at least (HW-22)."""


class Card(Strict, frozen=True, omit_defaults=True, kw_only=True):
    """Hold what every card shows (HW-02); the ``year`` has no effect (HW-03). ``count`` is how many of it there are."""

    name: Annotated[Called, ONCE]
    text: Words = ""
    insignia: Short = ""
    year: Short = ""
    count: Copies = 1


class TerritoryCard(Card, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a territory: the flags that conquer it and the points it is worth (HW-06, HW-90)."""

    flags: Level
    victory_points: Much


class LaidInDepot(Card, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a card that is no territory: those never belong in the depot (HW-05)."""

    elsewhere: ClassVar[Mapping[str, Reason]] = {
        "victory_points": Reason(say("territories have that, and are kept apart from the depot."), "HW-05")
    }


class BaseCard(LaidInDepot, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a base expansion: the TA that it yields (HW-07, HW-08); ``dv`` where one is printed (HW-A24)."""

    ta_provided: Level = 0
    dv: Much | None = None


class UpgradeCard(LaidInDepot, frozen=True, omit_defaults=True, kw_only=True):
    """Hold an upgrade (HW-09): what it adds to the values of its unit, and abilities it gives; the rest in ``text``."""

    ta_cost: Level = 0
    av_ground: Shift = 0
    av_air: Shift = 0
    av_naval: Shift = 0
    dv: Shift = 0
    flags: Shift = 0
    abilities: tuple[Ability, ...] = ()


class ActionCard(LaidInDepot, frozen=True, omit_defaults=True, kw_only=True):
    """Hold an action card (HW-13): its effect is its text, and done by hand (HW-A09)."""

    ta_cost: Level = 0


class Fielded(LaidInDepot, frozen=True, omit_defaults=True, kw_only=True):
    """Hold what a card that lies in a territory has: cost, flags, attack values (None: "-", cannot harm that)."""

    ta_cost: Level = 0
    flags: Level = 0
    av_ground: Level | None = None
    av_air: Level | None = None
    av_naval: Level | None = None
    ta_provided: Level = 0
    abilities: tuple[Ability, ...] = ()


class DevelopmentCard(Fielded, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a development (HW-14). ``category`` is the value it is struck with, ground unless its card says otherwise.

    Without ``dv`` it can not be struck (HW-A23).
    """

    category: Category = "ground"
    dv: Much | None = None


class UnitCard(Fielded, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a unit (HW-15); ``may_also_block`` are categories beside its own (HW-56, HW-64)."""

    category: Category
    subtype: Short = ""
    dv: Much
    may_also_block: tuple[Category, ...] = ()
    may_also_attack: tuple[Category, ...] = ()


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


def kind_of(card: Card) -> Kind:
    """Return the kind of a card (ledger 2.1)."""
    kinds: dict[type[Card], Kind] = {
        TerritoryCard: "territory",
        BaseCard: "base_expansion",
        UpgradeCard: "upgrade",
        ActionCard: "action",
        DevelopmentCard: "development",
        UnitCard: "unit",
    }
    return kinds[type(card)]


class Roster(Brought, frozen=True, omit_defaults=True, kw_only=True):
    """Hold a roster file: territories apart (HW-05, HW-20), and the cards of the depot.

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
        """Raise Refusal for two cards of one name, by which they are told apart, and a territory in the depot."""
        lands = {card.name.casefold() for card in self.territory}
        for card in self.cards:
            if card.name.casefold() in lands:
                text = say("“{name}” is a territory: those are kept apart from the depot.", name=card.name)
                raise Refusal(text, "HW-05", "name")
        differ((card.name for card in (*self.territory, *self.cards)), "name")

    @property
    def cards(self) -> tuple[DepotCard, ...]:
        """List the kinds of cards of the depot."""
        return (*self.unit, *self.development, *self.base_expansion, *self.upgrade, *self.action)

    @property
    def numbered(self) -> dict[str, DepotCard]:
        """Return the kinds of cards of the depot by what they are called: ``u0``, ``u1``, ``d0`` ..."""
        lists: dict[str, tuple[DepotCard, ...]] = {
            "u": self.unit,
            "d": self.development,
            "b": self.base_expansion,
            "g": self.upgrade,
            "a": self.action,
        }
        return {f"{letter}{at}": card for letter, cards in lists.items() for at, card in enumerate(cards)}

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
