"""What stands on a stat card, part by part (PT-02 to PT-10): its skills, its cost, its affinities, its abilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics import speech
from companion.games.pocket_tactics.comparing import Value
from companion.games.pocket_tactics.sample import ABILITIES
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.cards import AbilityText, UnitCard
    from companion.games.pocket_tactics.doing import Slot
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.state import State

NOTHING = say("–")
SLOTS: tuple[Slot, ...] = ("melee", "ballistic", "third")


def value(one: Value) -> str:
    """Write a value as it is printed: dice, and a kicker in brackets (PT-93)."""
    return f"{one.dice}({one.kicker})" if one.kicker else str(one.dice)


def skill_name(card: UnitCard, slot: Slot) -> Text:
    """Name a skill of a card: the third by its kind (PT-10)."""
    return Text(card.third or "third") if slot == "third" else Text(slot)


def skills(card: UnitCard) -> tuple[tuple[Slot, Value, Value], ...]:
    """List the skills that a card has, with offence and defence as printed."""
    found = ((slot, card.value(slot, "offence"), card.value(slot, "defence")) for slot in SLOTS)
    return tuple((slot, offence, defence) for slot, offence, defence in found if not (offence.none and defence.none))


def skills_now(state: State, unit: Unit) -> tuple[tuple[Slot, Value, Value], ...]:
    """List the skills that a unit has now, kickers after all changes (PT-98)."""
    found = ((slot, state.value(unit, slot, "offence"), state.value(unit, slot, "defence")) for slot in SLOTS)
    return tuple((slot, offence, defence) for slot, offence, defence in found if not (offence.none and defence.none))


def written(card: UnitCard, one: tuple[Slot, Value, Value]) -> Text:
    """Say one skill: ``melee 2/2(4)``."""
    slot, offence, defence = one
    return say("{what} {count}", what=skill_name(card, slot), count=f"{value(offence)}/{value(defence)}")


def reach(card: UnitCard) -> list[Text]:
    """Say how far a unit reaches, where that is further than the next tile (PT-59)."""
    if card.reach == 1:
        return []
    if card.reach_with is None:
        return [say("reach {count}", count=card.reach)]
    return [say("reach {count} with {skill}", count=card.reach, skill=skill_name(card, card.reach_with))]


def whole(card: UnitCard) -> Text:
    """Say all that stands on a card but its name."""
    types = [speech.called(kind) for kind in card.types]
    affine = say("affinity: {terrains}", terrains=listed([speech.terrain(one) for one in card.affinities], NOTHING))
    fighting = [written(card, one) for one in skills(card)]
    from_elsewhere = [say("mercenary: {faction}", faction=card.faction)] if card.faction else []
    return listed([*types, *fighting, *reach(card), affine, *from_elsewhere, *map(ability, card.ability)], NOTHING)


def ability(one: AbilityText) -> Text:
    """Say a special ability: its name, what it says, and the re-rolls that it gives (PT-05, PT-48).

    The text of one of the sample says them itself.
    """
    parts = [speech.does(one.text)] if one.text else []
    if one.movement_effect:
        parts.append(speech.does(one.movement_effect))
    if one.rerolls and not (one.text and one in ABILITIES):
        parts.append(say("{count} re-roll|{count} re-rolls", count=one.rerolls))
    if not parts:
        return speech.called(one.name)
    return say("{name}: {text}", name=speech.called(one.name), text=listed(parts, NOTHING))
