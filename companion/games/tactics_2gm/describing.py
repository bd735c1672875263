"""What cards are in a line: the numbers that people read off them (G2-57 to G2-67)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.tactics_2gm.cards import UnitCard
from companion.games.tactics_2gm.sample import SUPPORT
from companion.games.tactics_2gm.speech import called, does
from companion.kit.counts import signed
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.cards import Equipment, Modifier, SupportCard, TerrainCard, Weapon

NOTHING = say("nothing more")


def card(one: UnitCard | SupportCard) -> Text:
    """Say what stands on a card."""
    return unit(one) if isinstance(one, UnitCard) else support(one)


def weapon(one: Weapon) -> Text:
    """Say what a weapon does."""
    values: dict[str, Text | int] = {
        "weapon": called(one.name),
        "hit": one.hit,
        "crit": one.crit,
        "penetration": one.penetration,
        "damage": one.damage,
    }
    if one.range:
        return say(
            "{weapon} range {range}, {hit}+/{crit}, penetration {penetration}, damage {damage}",
            range=one.range,
            **values,
        )
    return say("{weapon} {hit}+/{crit}, penetration {penetration}, damage {damage}", **values)


def unit(one: UnitCard) -> Text:
    """Say the values of a unit card, its weapons and what it may be equipped with."""
    parts = [say("armour {armour}", armour=one.armour), say("wounds {wounds}", wounds=one.wounds)]
    if one.movement:
        parts.insert(0, say("moves {movement}", movement=one.movement))
    parts += [weapon(each) for each in one.weapon]
    if one.command:
        parts.append(say("+{count} AP each turn", count=one.command))
    if one.paratrooper:
        parts.append(say("paratroopers"))
    if one.capabilities:
        parts.append(does(one.capabilities))
    if one.option:
        parts.append(say("equipment: {list}", list=listed([equipment(each) for each in one.option], NOTHING)))
    return listed(parts, NOTHING)


def equipment(one: Equipment) -> Text:
    """Name an equipment option and what it costs."""
    return say("{slot} +{cost}", slot=called(one.slot_id), cost=one.cost)


def modifier(one: Modifier) -> Text:
    """Say what is added to the hit number and to the critical number."""
    return say("{hit}/{crit}", hit=signed(one[0]) if one[0] else "+0", crit=signed(one[1]) if one[1] else "+0")


def support(one: SupportCard) -> Text:
    """Say what a support card does: its text, and what Companion works out of it where that may say something else."""
    parts = [does(one.text)] if one.text else []
    told = replace(one, count=0) in SUPPORT
    parts += [
        say(sentence, count=count)
        for sentence, count in (
            ("gives {count} AP", one.ap),
            ("draws {count} card|draws {count} cards", one.draw),
            ("heals {count}", one.heal),
            ("does {count} harm", one.harm),
            ("armour +{count}", one.armour),
            ("movement +{count}", one.movement),
        )
        if count and not told
    ]
    if one.aim != (0, 0):
        parts.append(say("its own numbers {modifier}", modifier=modifier(one.aim)))
    if one.cover != (0, 0):
        parts.append(say("against it {modifier}", modifier=modifier(one.cover)))
    return listed(parts, Text(one.kind))


def terrain(one: TerrainCard) -> Text:
    """Say what a terrain card does to those inside (G2-107, G2-131 to G2-133)."""
    parts = [say("cover {modifier}", modifier=modifier(one.cover)), Text(f"terrain.{one.class_}")]
    if one.building:
        parts.append(
            say(
                "building with {pi} impact points, armour {armour}, +{bonus} armour inside",
                pi=one.pi,
                armour=one.armour,
                bonus=one.armour_bonus,
            )
        )
    return listed(parts, NOTHING)
