"""How cards, units and squares are called in a sentence, and what stands on cards (G2-57 to G2-67, ledger 2.5)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.tactics_2gm.cards import (
    DECKS,
    NAMES,
    SUPPORT,
    TERRAIN,
    TEXTS,
    Equipment,
    Modifier,
    Roster,
    SupportCard,
    TerrainCard,
    UnitCard,
    Weapon,
)
from companion.games.tactics_2gm.state import Ground, Headquarters, State, Unit
from companion.kit.asking import Option
from companion.kit.counts import number, signed
from companion.kit.decks.samples import Said
from companion.kit.rulebook import Line, Listing, Sheet
from companion.kit.ruling import Fighter, Harm
from companion.kit.text import Text, listed, say

SAID = Said(NAMES, TEXTS)
called, does = SAID.called, SAID.does

NOTHING = say("nothing more")


def card(state: State, unit: Unit) -> Text:
    """Name a unit by its card alone."""
    return called(state.card(unit).name)


def unit(state: State, one: Unit) -> Text:
    """Name a unit so that nobody takes it for another: by its square, or by its side and number."""
    if one.square is not None:
        return say("{unit} {square}", unit=card(state, one), square=one.square)
    alike = any(
        other.id != one.id and other.side == one.side and state.card(other).name == state.card(one).name
        for other in state.units
    )
    if alike:
        return say("{unit} {number} ({side})", unit=card(state, one), number=one.id[1:], side=Text(one.side))
    return say("{unit} ({side})", unit=card(state, one), side=Text(one.side))


def ground(state: State, one: Ground) -> Text:
    """Name a terrain card on the battlefield."""
    name = Text("ruin") if one.ruin else called(state.terrain(one).name)
    if one.square is not None:
        return say("{unit} {square}", unit=name, square=one.square)
    return say("{unit} {number} ({side})", unit=name, number=one.id[1:], side=Text(one.owner))


def hq(state: State, one: Headquarters) -> Text:
    """Name a headquarters, by its number where a side has two."""
    if state.options.two_copies:
        return say("headquarters {number} ({side})", number=str(one.board + 1), side=Text(one.side))
    return say("headquarters ({side})", side=Text(one.side))


def named(state: State, name: str) -> Text:
    """Name a unit, a headquarters or a terrain card by its id."""
    if (there := state.find(name)) is not None:
        return unit(state, there)
    if (quarters := state.hq(name)) is not None:
        return hq(state, quarters)
    lying = state.ground(name)
    return say("nobody") if lying is None else ground(state, lying)


def squares(places: Iterable[str]) -> tuple[Option, ...]:
    """List squares to choose from, so that they can be tapped on the board."""
    return tuple(Option(place, say("{square}", square=place), place=place) for place in places)


def fighter(state: State, one: Unit) -> Fighter:
    """Name a unit for the statistics."""
    if one.square is not None:
        return Fighter(one.id, one.seat, card(state, one), one.square)
    return Fighter(one.id, one.seat, unit(state, one))


def gone(state: State, one: Unit, by: Unit | None = None, hits: int = 0) -> Harm:
    """Say for the statistics that a unit is out of the game."""
    return Harm(fighter(state, one), hits, "gone", fighter(state, by) if by else None)


def describe(one: UnitCard | SupportCard) -> Text:
    """Say what stands on a card."""
    return describe_unit(one) if isinstance(one, UnitCard) else describe_support(one)


def describe_weapon(one: Weapon) -> Text:
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


def describe_unit(one: UnitCard) -> Text:
    """Say the values of a unit card, its weapons and what it may be equipped with."""
    parts = [say("armour {armour}", armour=one.armour), say("wounds {wounds}", wounds=one.wounds)]
    if one.movement:
        parts.insert(0, say("moves {movement}", movement=one.movement))
    parts += [describe_weapon(each) for each in one.weapon]
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


def describe_support(one: SupportCard) -> Text:
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


def describe_terrain(one: TerrainCard) -> Text:
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


UNIT_COLUMNS = (say("Unit"), say("Cost"), say("Moves"), say("Armour"), say("Wounds"), say("Copies"))
CARD_COLUMNS = (say("Card"), say("Cost"), say("Copies"))


def sheets() -> tuple[Sheet, ...]:
    """Make the sheet of each sample deck, and that of the terrain deck."""
    return (*(_deck_sheet(name, deck) for name, deck in DECKS.items()), _terrain_sheet())


def _deck_sheet(name: str, deck: Roster) -> Sheet:
    units = tuple(
        Line(
            (
                called(card.name),
                number(card.cost),
                number(card.movement),
                number(card.armour),
                number(card.wounds),
                number(card.count),
            ),
            more=_unit_weapons(card),
        )
        for card in deck.unit
    )
    support = tuple(
        Line((called(card.name), number(card.cost), number(card.count)), more=describe_support(card))
        for card in deck.support
    )
    listings = (
        Listing(say("Units"), UNIT_COLUMNS, units, clause="G2-57"),
        Listing(say("Support cards"), CARD_COLUMNS, support, clause="G2-18"),
    )
    return Sheet(name, Text(name), listings, say("Sample cards of Companion's own, not official."))


def _unit_weapons(card: UnitCard) -> Text:
    """Say what a unit fires, and its equipment with what that fires or covers."""
    parts = [describe_weapon(weapon) for weapon in card.weapon]
    for one in card.option:
        what = describe_weapon(one.weapon) if one.weapon is not None else called(one.slot_id)
        parts.append(say("+{cost} {what}", cost=one.cost, what=what))
        if one.cover != (0, 0):
            parts.append(say("against it {modifier}", modifier=modifier(one.cover)))
    return listed(parts, NOTHING)


def _terrain_sheet() -> Sheet:
    lines = tuple(
        Line((called(card.name), number(card.cost), number(card.count)), more=describe_terrain(card))
        for card in TERRAIN.terrain
    )
    listing = Listing(say("Terrain"), CARD_COLUMNS, lines, clause="G2-47")
    return Sheet(TERRAIN.name, Text(TERRAIN.name), (listing,), say("Sample cards of Companion's own, not official."))
