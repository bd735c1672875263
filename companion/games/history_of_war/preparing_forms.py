"""The forms of the deck editor: what is asked of a card, filled in with what it is now (HW-02, ledger 2.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from companion.games.history_of_war.cards import (
    CATEGORIES,
    Ability,
    ActionCard,
    BaseCard,
    DevelopmentCard,
    Fielded,
    TerritoryCard,
    UnitCard,
    UpgradeCard,
)
from companion.kit.decks.fields import called, choice, copies, many, number, words
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.history_of_war.cards import Card, Kind
    from companion.kit.offer import Field
    from companion.kit.text import Text

LEVEL = 30
SHIFT = 9
ABILITIES: tuple[str, ...] = get_args(Ability)
VALUES: dict[str, Text] = {
    "av_ground": say("Attack value against ground"),
    "av_air": say("Attack value against air"),
    "av_naval": say("Attack value against naval"),
}
NO_VALUE = say("Blank: – (it can not harm them).")
FRESH: dict[Kind, Card] = {
    "territory": TerritoryCard(name="?", flags=4, victory_points=5),
    "unit": UnitCard(name="?", category="ground", ta_cost=1, flags=1, av_ground=1, dv=2),
    "development": DevelopmentCard(name="?", ta_cost=1, flags=1, dv=2),
    "base_expansion": BaseCard(name="?", ta_provided=1),
    "upgrade": UpgradeCard(name="?", ta_cost=1),
    "action": ActionCard(name="?", ta_cost=1),
}
"""What the form of a new card begins with."""


def fresh(kind: Kind) -> tuple[Field, ...]:
    """Ask for a new card; its name is still to be written."""
    return (called(), *form(FRESH[kind])[1:])


def form(card: Card) -> tuple[Field, ...]:
    """Ask for the values of a card."""
    return (
        called(card.name),
        *_own(card),
        copies(card.count),
        words("text", say("What the card says"), card.text),
        words("insignia", say("Nationality mark"), card.insignia, 40),
        words("year", say("Year of service"), card.year, 40),
    )


def _own(card: Card) -> tuple[Field, ...]:
    """Ask for what only cards of its sort have."""
    match card:
        case TerritoryCard():
            return (
                _level("flags", say("Flags that conquer it"), card.flags),
                number("victory_points", say("Victory points"), card.victory_points, 1, LEVEL),
            )
        case UnitCard():
            return _unit(card)
        case DevelopmentCard():
            blank = say("Blank: it can not be struck.")
            return (
                *_fielded(card, number("dv", say("Defence value"), card.dv, 1, LEVEL, blank)),
                choice("category", say("Struck with the attack value against"), CATEGORIES, card.category),
            )
        case BaseCard():
            blank = say("Blank: none is printed on it.")
            return (_yields(card.ta_provided), number("dv", say("Defence value"), card.dv, 1, LEVEL, blank))
        case UpgradeCard():
            return _upgrade(card)
        case _:
            return (_level("ta_cost", say("Cost in TA"), getattr(card, "ta_cost", 0)),)


def _unit(card: UnitCard) -> tuple[Field, ...]:
    return (
        choice("category", say("Category"), CATEGORIES, card.category),
        words("subtype", say("Type printed on the card"), card.subtype, 40),
        *_fielded(card, number("dv", say("Defence value"), card.dv, 1, LEVEL)),
        many("may_also_block", say("May also block"), CATEGORIES, card.may_also_block, say("Beside its own category.")),
        many("may_also_attack", say("May also attack"), CATEGORIES, card.may_also_attack),
    )


def _fielded(card: Fielded, dv: Field) -> tuple[Field, ...]:
    return (
        _level("ta_cost", say("Cost in TA"), card.ta_cost),
        _level("flags", say("Victory flags"), card.flags),
        *(number(name, label, getattr(card, name), 0, LEVEL, NO_VALUE) for name, label in VALUES.items()),
        dv,
        _yields(card.ta_provided),
        many("abilities", say("Abilities"), ABILITIES, card.abilities),
    )


def _upgrade(card: UpgradeCard) -> tuple[Field, ...]:
    added = {**VALUES, "dv": say("Defence value"), "flags": say("Victory flags")}
    return (
        _level("ta_cost", say("Cost in TA"), card.ta_cost),
        *(
            number(name, say("What it adds: {value}", value=label), getattr(card, name), -SHIFT, SHIFT)
            for name, label in added.items()
        ),
        many("abilities", say("Abilities that it gives"), ABILITIES, card.abilities),
    )


def _level(name: str, label: Text, value: int) -> Field:
    return number(name, label, value, 0, LEVEL)


def _yields(value: int) -> Field:
    return _level("ta_provided", say("TA that it yields when it is locked"), value)
