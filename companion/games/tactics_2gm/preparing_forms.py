"""The forms of the deck editor: what is asked of a card, filled in with what it is now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm.actions import LONGEST_FILE
from companion.games.tactics_2gm.cards import MOST_COPIES, SUBTYPES
from companion.kit.asking import Option
from companion.kit.game import Field
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.tactics_2gm.cards import (
        Equipment,
        Family,
        GeneralCard,
        HeadquartersCard,
        SupportCard,
        UnitCard,
        Weapon,
    )

TRANSLATED = say("Names of the sample set are said in everybody's language.")
SHIFT = 9
LEVEL = 20


def number(name: str, label: Text, value: int, low: int = 0, high: int = LEVEL) -> Field:
    """Ask for a number."""
    return Field(name, label, "number", value=value, low=low, high=high)


def words(name: str, label: Text, value: str, high: int = 300, hint: Text | None = None) -> Field:
    """Ask for words."""
    return Field(name, label, "text", value=value, high=high, hint=hint)


def called(value: str = "") -> Field:
    """Ask for a name."""
    return words("name", say("Name"), value, 40, TRANSLATED)


def choice(name: str, label: Text, values: Iterable[str], value: str) -> Field:
    """Ask for one of some identifiers."""
    return Field(name, label, "choice", tuple(Option(one, Text(one)) for one in values), value)


def tick(name: str, label: Text, *, value: bool) -> Field:
    """Ask for a yes or a no."""
    return Field(name, label, "yes_no", value=value)


def copies(value: int = 1) -> Field:
    """Ask how many copies of a card there are."""
    return number("count", say("Copies in the deck"), value, 0, MOST_COPIES)


def shifts(name: str, label: Text, also: Text, value: tuple[int, int]) -> tuple[Field, Field]:
    """Ask what is added to a hit number and to a critical number."""
    return (
        number(f"{name}_hit", label, value[0], -SHIFT, SHIFT),
        number(f"{name}_crit", also, value[1], -SHIFT, SHIFT),
    )


def file(value: str, hint: Text) -> Field:
    """Ask for a file; the text that is filled in can be saved as one."""
    return Field("text", say("The file"), "file", value=value, high=LONGEST_FILE, hint=hint)


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
        number("movement", say("Movement"), card.movement if card else 1),
        number("armour", say("Armour"), card.armour if card else 1),
        copies(card.count if card else 1),
        number("command", say("AP that it adds each turn"), card.command if card else 0),
        *(() if flies else (dropped,)),
        tick("moves_at_once", say("May move on the turn of its deployment"), value=bool(card and card.moves_at_once)),
        words("capabilities", say("What else the card says"), card.capabilities if card else ""),
    )


def weapon(one: Weapon | None = None) -> tuple[Field, ...]:
    """Ask for the values of a weapon (G2-59 to G2-65)."""
    return (
        called(one.name if one else ""),
        number("range", say("Range"), one.range if one else 2),
        number("hit", say("Hits on"), one.hit if one else 5, 1, 10),
        number("crit", say("Critical on"), one.crit if one else 10, 1, 10),
        number("penetration", say("Penetration"), one.penetration if one else 2),
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
        number("range", say("Range"), fires.range if fires else 1),
        number("penetration", say("Penetration"), fires.penetration if fires else 2),
        number("damage", say("Damage"), fires.damage if fires else 1, 1, 30),
        words("text", say("What else the card says"), one.text if one else ""),
    )


def support(card: SupportCard | None = None) -> tuple[Field, ...]:
    """Ask for the values of a support card (G2-18 to G2-21)."""
    kinds, durations = ("supplies", "promotion", "equipment_card"), ("immediate", "one_turn", "permanent")
    families = tuple(Option(one, Text(one)) for one in SUBTYPES)
    return (
        called(card.name if card else ""),
        choice("kind", say("Kind"), kinds, card.kind if card else "supplies"),
        number("cost", say("Cost in AP"), card.cost if card else 1, 0, 30),
        choice("duration", say("How long it lasts"), durations, card.duration if card else "immediate"),
        tick("any_phase", say("May be played in any phase"), value=bool(card and card.any_phase)),
        copies(card.count if card else 1),
        words("text", say("What the card says"), card.text if card else ""),
        *shifts("aim", say("The unit's own shots: to hit"), say("The unit's own shots: critical"),
                card.aim if card else (0, 0)),
        *shifts("cover", say("Shots at the unit: to hit"), say("Shots at the unit: critical"),
                card.cover if card else (0, 0)),
        number("armour", say("Armour it adds"), card.armour if card else 0),
        number("movement", say("Movement it adds"), card.movement if card else 0),
        number("ap", say("AP it gives"), card.ap if card else 0),
        number("draw", say("Cards it draws"), card.draw if card else 0),
        number("heal", say("Wounds it heals"), card.heal if card else 0),
        number("harm", say("Harm it does to an enemy unit"), card.harm if card else 0),
        tick("general", say("Takes a general"), value=bool(card and card.general)),
        Field("only", say("Only on"), "many", families, card.only if card else (), hint=say("None: on any unit.")),
    )  # fmt: skip


def headquarters(card: HeadquartersCard) -> tuple[Field, ...]:
    """Ask for the values of a headquarters card (G2-28, G2-31, G2-34)."""
    return (
        number("pi", say("Impact points"), card.pi, 1, 99),
        number("income", say("AP each turn"), card.income),
        number("ap_cap", say("Most AP it may keep"), card.ap_cap, 1, 99),
        number("armour", say("Armour"), card.armour),
    )


def general(card: GeneralCard | None = None) -> tuple[Field, ...]:
    """Ask for the bonus of a general (G2-35, G2-36)."""
    return (
        called(card.name if card else ""),
        words("text", say("What the card says"), card.text if card else ""),
        number("income", say("AP that it adds each turn"), card.income if card else 0),
        number("ap_cap", say("What it adds to the most AP"), card.ap_cap if card else 0),
    )
