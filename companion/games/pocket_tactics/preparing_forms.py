"""The forms of the faction editor: what is asked of a card, filled in with what it is now (ledger 2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from companion.games.pocket_tactics import describing, speech
from companion.games.pocket_tactics.cards import MOST_COPIES, AbilityText, ThirdKind, Timing, UnitCard
from companion.games.pocket_tactics.terrain import KNOWN
from companion.kit.asking import Option
from companion.kit.decks.fields import TRANSLATED, called, choice, number, words
from companion.kit.offer import Field
from companion.kit.text import say

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.games.pocket_tactics.doing import Slot

THIRD: tuple[str, ...] = ("none", *get_args(ThirdKind))
REACH_WITH: tuple[str, ...] = ("any", "ballistic", "third")
TIMINGS: tuple[str, ...] = get_args(Timing)
POOLS: tuple[str, ...] = ("any", "offence", "defence")
FRESH = UnitCard(name="?", affinities=("forest",), cost=5, melee="1/1", ballistic="0/1")
"""What the form of a new unit begins with."""
PRINTED = say("Offence/defence in dice, a kicker in brackets: 2/1, 2(4)/2. None: –")
DONE_BY_PLAYERS = say("You do what it says: Companion tells it, and asks for its re-rolls.")


def fresh(terrains: Collection[str]) -> tuple[Field, ...]:
    """Ask for a new unit; its name is still to be written."""
    return (called(), *unit(FRESH, terrains)[1:])


def unit(card: UnitCard, terrains: Collection[str]) -> tuple[Field, ...]:
    """Ask for the values of a stat card; ``terrains`` are those of the bag (PT-02 to PT-10, PT-93)."""
    known = dict.fromkeys((*KNOWN, *terrains, *card.affinities))
    options = tuple(Option(one, speech.terrain(one)) for one in known)
    return (
        called(card.name),
        number("cost", say("Cost in points"), card.cost, 0, 500),
        number("copies", say("How many"), card.copies, 1, MOST_COPIES),
        words("melee", say("Melee"), _printed(card, "melee"), 20, PRINTED),
        words("ballistic", say("Ballistic"), _printed(card, "ballistic"), 20),
        choice("third", say("Kind of the third skill"), THIRD, card.third or "none"),
        words("third_skill", say("Third skill"), _printed(card, "third"), 20),
        Field("affinities", say("Affinity terrains"), "many", options, card.affinities),
        words("more_affinities", say("Other affinity terrains"), "", 120, say("With commas between them.")),
        words("types", say("Types"), ", ".join(card.types), 120, say("Up to three, with commas between them.")),
        number("reach", say("Reach"), card.reach, 1, 20, say("1: only the next tile.")),
        choice("reach_with", say("Reach with"), REACH_WITH, card.reach_with or "any"),
        words("faction", say("Mercenary of"), card.faction, 40, say("Blank: it belongs to the faction.")),
    )


def _printed(card: UnitCard, slot: Slot) -> str:
    """Write a skill as it is printed; nothing where the card has none."""
    offence, defence = (card.value(slot, pool) for pool in ("offence", "defence"))
    return "" if offence.none and defence.none else f"{describing.value(offence)}/{describing.value(defence)}"


def ability(one: AbilityText | None = None) -> tuple[Field, ...]:
    """Ask for a special ability (PT-05, PT-29, PT-48)."""
    return (
        words("name", say("Name"), one.name if one else "", 40, TRANSLATED),
        words("text", say("What the card says"), one.text if one else "", 300, DONE_BY_PLAYERS),
        choice("timing", say("When it counts"), TIMINGS, one.timing if one else "any"),
        number("rerolls", say("Re-rolls in an assault"), one.rerolls if one else 0, 0, 4),
        choice("pool", say("Of which dice"), POOLS, one.pool if one else "any"),
        words("movement_effect", say("How it moves otherwise"), one.movement_effect if one else ""),
    )
