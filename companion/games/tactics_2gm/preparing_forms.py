"""The forms of the deck editor: what is asked of a card, filled in with what it is now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm.cards import SUBTYPES
from companion.kit.decks.fields import called, choice, copies, many, number, tick, words
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import (
        Equipment,
        Family,
        GeneralCard,
        HeadquartersCard,
        SupportCard,
        UnitCard,
        Weapon,
    )
    from companion.kit.offer import Field
    from companion.kit.text import Text

SHIFT = 9
LEVEL = 20


def level(name: str, label: Text, value: int) -> Field:
    """Ask for a number that is not less than nothing."""
    return number(name, label, value, 0, LEVEL)


def shifts(name: str, label: Text, also: Text, value: tuple[int, int]) -> tuple[Field, Field]:
    """Ask what is added to a hit number and to a critical number."""
    return (
        number(f"{name}_hit", label, value[0], -SHIFT, SHIFT),
        number(f"{name}_crit", also, value[1], -SHIFT, SHIFT),
    )


def unit(family: Family, card: UnitCard | None = None) -> tuple[Field, ...]:
    """Ask for the values of a unit card of a family (G2-12 to G2-17, G2-57 to G2-67)."""
    flies = family == "aircraft"
    kinds = SUBTYPES[family] if flies else ("none", *SUBTYPES[family])
    dropped = tick("paratrooper", say("Paratroopers"), value=bool(card and card.paratrooper))
    return (
        called(card.name if card else ""),
        choice("subtype", say("Kind"), kinds, card.subtype or "none" if card else SUBTYPES[family][0]),
        number("cost", say("Cost in AP"), card.cost if card else 1, 0, 30),
        number("wounds", say("Wounds"), card.wounds if card else 3, 1, 30),
        level("movement", say("Movement"), card.movement if card else 1),
        level("armour", say("Armour"), card.armour if card else 1),
        copies(card.count if card else 1),
        level("command", say("AP that it adds each turn"), card.command if card else 0),
        *(() if flies else (dropped,)),
        tick("moves_at_once", say("May move on the turn of its deployment"), value=bool(card and card.moves_at_once)),
        words("capabilities", say("What else the card says"), card.capabilities if card else ""),
    )


def weapon(one: Weapon | None = None) -> tuple[Field, ...]:
    """Ask for the values of a weapon (G2-59 to G2-65)."""
    return (
        called(one.name if one else ""),
        level("range", say("Range"), one.range if one else 2),
        number("hit", say("Hits on"), one.hit if one else 5, 1, 10),
        number("crit", say("Critical on"), one.crit if one else 10, 1, 10),
        level("penetration", say("Penetration"), one.penetration if one else 2),
        number("damage", say("Damage"), one.damage if one else 1, 1, 30),
        tick("flips", say("Is flipped after use"), value=bool(one and one.flips)),
    )


def equipment(one: Equipment | None = None) -> tuple[Field, ...]:
    """Ask for the values of an equipment option, and of what it fires (G2-67, G2-92)."""
    fires = one.weapon if one else None
    return (
        called(one.slot_id if one else ""),
        number("cost", say("Cost in AP"), one.cost if one else 1, 0, 30),
        choice("kind", say("Kind"), ("offensive", "defensive"), one.kind if one else "offensive"),
        tick("flips", say("Is flipped after use"), value=bool(one and one.flips)),
        tick("pins", say("Infantry does not move while it is set up"), value=bool(one and one.pins)),
        *shifts("cover", say("Cover it gives: to hit"), say("Cover it gives: critical"), one.cover if one else (0, 0)),
        number("hit", say("Hits on (0: it fires nothing)"), fires.hit if fires else 0, 0, 10),
        number("crit", say("Critical on"), fires.crit if fires else 10, 1, 10),
        level("range", say("Range"), fires.range if fires else 1),
        level("penetration", say("Penetration"), fires.penetration if fires else 2),
        number("damage", say("Damage"), fires.damage if fires else 1, 1, 30),
        words("text", say("What else the card says"), one.text if one else ""),
    )


def support(card: SupportCard | None = None) -> tuple[Field, ...]:
    """Ask for the values of a support card (G2-18 to G2-21)."""
    kinds, durations = ("supplies", "promotion", "equipment_card"), ("immediate", "one_turn", "permanent")
    return (
        called(card.name if card else ""),
        choice("kind", say("Kind"), kinds, card.kind if card else "supplies"),
        number("cost", say("Cost in AP"), card.cost if card else 1, 0, 30),
        choice("duration", say("How long it lasts"), durations, card.duration if card else "immediate"),
        tick("any_phase", say("May be played in any phase"), value=bool(card and card.any_phase)),
        copies(card.count if card else 1),
        words("text", say("What the card says"), card.text if card else ""),
        *shifts(
            "aim",
            say("The unit's own shots: to hit"),
            say("The unit's own shots: critical"),
            card.aim if card else (0, 0),
        ),
        *shifts(
            "cover",
            say("Shots at the unit: to hit"),
            say("Shots at the unit: critical"),
            card.cover if card else (0, 0),
        ),
        level("armour", say("Armour it adds"), card.armour if card else 0),
        level("movement", say("Movement it adds"), card.movement if card else 0),
        level("ap", say("AP it gives"), card.ap if card else 0),
        level("draw", say("Cards it draws"), card.draw if card else 0),
        level("heal", say("Wounds it heals"), card.heal if card else 0),
        level("harm", say("Harm it does to an enemy unit"), card.harm if card else 0),
        tick("general", say("Takes a general"), value=bool(card and card.general)),
        many("only", say("Only on"), SUBTYPES, card.only if card else (), say("None: on any unit.")),
    )


def headquarters(card: HeadquartersCard) -> tuple[Field, ...]:
    """Ask for the values of a headquarters card (G2-28, G2-31, G2-34)."""
    return (
        number("pi", say("Impact points"), card.pi, 1, 99),
        level("income", say("AP each turn"), card.income),
        number("ap_cap", say("Most AP it may keep"), card.ap_cap, 1, 99),
        level("armour", say("Armour"), card.armour),
    )


def general(card: GeneralCard | None = None) -> tuple[Field, ...]:
    """Ask for the bonus of a general (G2-35, G2-36)."""
    return (
        called(card.name if card else ""),
        words("text", say("What the card says"), card.text if card else ""),
        level("income", say("AP that it adds each turn"), card.income if card else 0),
        level("ap_cap", say("What it adds to the most AP"), card.ap_cap if card else 0),
    )
