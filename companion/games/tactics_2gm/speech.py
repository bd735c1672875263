"""How cards, units and squares are called in a sentence, and what stands on cards (G2-57 to G2-67, ledger 2.5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec.structs import replace

from companion.games.tactics_2gm import cards
from companion.games.tactics_2gm.cards import Modifier, Roster, SupportCard, TerrainCard, UnitCard, Weapon
from companion.games.tactics_2gm.state import Ground, Headquarters, State, Targeted, Unit
from companion.kit.counts import number, signed
from companion.kit.decks.samples import Said
from companion.kit.rulebook import Line, Listing, Sheet
from companion.kit.ruling import Fighter, Harm
from companion.kit.text import Text, listed, say

C = TypeVar("C", SupportCard, TerrainCard)
SAID = Said(cards.NAMES, cards.TEXTS)
called, does = SAID.called, SAID.does
NOTHING = say("nothing more")


def card(state: State, unit: Unit) -> Text:
    """Name a unit by its card alone."""
    return called(state.card(unit).name)


def card_of(state: State, unit: str) -> Text:
    """Name a unit, called by its id, by its card alone."""
    return card(state, state.unit(unit))


def unit(state: State, unit: Unit) -> Text:
    """Name a unit so that nobody takes it for another: by its square, or by its side and number."""
    name, side = card(state, unit), Text(unit.side)
    if unit.square is not None:
        return say("{unit} {square}", unit=name, square=unit.square)
    others = (other for other in state.of(unit.side) if other.id != unit.id)
    if any(state.card(other).name == state.card(unit).name for other in others):
        return say("{unit} {number} ({side})", unit=name, number=unit.id[1:], side=side)
    return say("{unit} ({side})", unit=name, side=side)


def ground(state: State, ground: Ground) -> Text:
    """Name a terrain card on the battlefield."""
    name = Text("ruin") if ground.ruin else called(state.terrain(ground).name)
    if ground.square is not None:
        return say("{unit} {square}", unit=name, square=ground.square)
    return say("{unit} {number} ({side})", unit=name, number=ground.id[1:], side=Text(ground.owner))


def hq(state: State, hq: Headquarters) -> Text:
    """Name a headquarters, by its number where a side has two."""
    if state.options.two_copies:
        return say("headquarters {number} ({side})", number=str(hq.board + 1), side=Text(hq.side))
    return say("headquarters ({side})", side=Text(hq.side))


def piece(state: State, piece: Targeted) -> Text:
    """Name a unit, a headquarters or a terrain card."""
    match piece:
        case Unit():
            return unit(state, piece)
        case Headquarters():
            return hq(state, piece)
        case Ground():
            return ground(state, piece)


def named(state: State, name: str) -> Text:
    """Name a unit, a headquarters or a terrain card by its id."""
    there = state.piece(name)
    return say("nobody") if there is None else piece(state, there)


def wounded(state: State, piece: Unit, wounds: int) -> Text:
    """Say how many wounds a unit has now."""
    most = state.card(piece).wounds
    return say("{enemy}: {wounds} of {most} wounds", enemy=unit(state, piece), wounds=wounds, most=most)


def fighter(state: State, piece: Unit) -> Fighter:
    """Name a unit for the statistics."""
    name = unit(state, piece) if piece.square is None else card(state, piece)
    return Fighter(piece.id, piece.seat, name, piece.square)


def gone(state: State, unit: Unit, by: Unit | None = None, hits: int = 0) -> Harm:
    """Say for the statistics that a unit is out of the game."""
    return Harm(fighter(state, unit), hits, "gone", fighter(state, by) if by else None)


def describe(card: UnitCard | SupportCard) -> Text:
    """Say what stands on a card."""
    return describe_unit(card) if isinstance(card, UnitCard) else describe_support(card)


def describe_weapon(weapon: Weapon) -> Text:
    """Say what a weapon does."""
    values: dict[str, Text | int] = {
        "weapon": called(weapon.name),
        "hit": weapon.hit,
        "crit": weapon.crit,
        "penetration": weapon.penetration,
        "damage": weapon.damage,
    }
    if weapon.range:
        reaching = "{weapon} range {range}, {hit}+/{crit}, penetration {penetration}, damage {damage}"
        return say(reaching, range=weapon.range, **values)
    return say("{weapon} {hit}+/{crit}, penetration {penetration}, damage {damage}", **values)


def describe_unit(card: UnitCard) -> Text:
    """Say the values of a unit card, its weapons and what it may be equipped with."""
    parts = [*_moves(card), say("wounds {wounds}", wounds=card.wounds)]
    parts += [*map(describe_weapon, card.weapon), *_gifts(card)]
    if card.option:
        parts.append(say("equipment: {list}", list=listed([equipment(each) for each in card.option], NOTHING)))
    return listed(parts, NOTHING)


def describe_piece(card: UnitCard) -> Text:
    """Say what a unit in play is and can do, but not its wounds, its weapons and what else it could have had."""
    return listed([*_moves(card), *_gifts(card)], NOTHING)


def _moves(card: UnitCard) -> list[Text]:
    moves = [say("moves {movement}", movement=card.movement)] if card.movement else []
    return [*moves, say("armour {armour}", armour=card.armour)]


def _gifts(card: UnitCard) -> list[Text]:
    parts = []
    if card.command:
        parts.append(say("+{count} AP each turn", count=card.command))
    if card.paratrooper:
        parts.append(say("paratroopers"))
    if card.capabilities:
        parts.append(does(card.capabilities))
    return parts


def equipment(option: cards.Equipment) -> Text:
    """Name an equipment option and what it costs."""
    return say("{slot} +{cost}", slot=called(option.slot_id), cost=option.cost)


def modifier(added: Modifier) -> Text:
    """Say what is added to the hit number and to the critical number."""
    return say("{hit}/{crit}", hit=signed(added[0]) if added[0] else "+0", crit=signed(added[1]) if added[1] else "+0")


def describe_support(card: SupportCard) -> Text:
    """Say what a support card does: its text, and what Companion works out of it where that may say something else."""
    parts = [does(card.text)] if card.text else []
    of_sample = replace(card, count=0, glyph="", picture="") in cards.SUPPORT
    parts += [
        say(sentence, count=count)
        for sentence, count in (
            ("gives {count} AP", card.ap),
            ("draws {count} card|draws {count} cards", card.draw),
            ("heals {count}", card.heal),
            ("does {count} harm", card.harm),
            ("armour +{count}", card.armour),
            ("movement +{count}", card.movement),
        )
        if count and not of_sample
    ]
    if card.aim != (0, 0) and not of_sample:
        parts.append(say("its own numbers {modifier}", modifier=modifier(card.aim)))
    if card.cover != (0, 0) and not of_sample:
        parts.append(say("against it {modifier}", modifier=modifier(card.cover)))
    return listed(parts, Text(card.kind))


def describe_terrain(card: TerrainCard) -> Text:
    """Say what a terrain card does to those inside (G2-107, G2-131 to G2-133)."""
    parts = [say("cover {modifier}", modifier=modifier(card.cover)), Text(f"terrain.{card.class_}")]
    if card.building:
        building = "building with {pi} impact points, armour {armour}, +{bonus} armour inside"
        parts.append(say(building, pi=card.pi, armour=card.armour, bonus=card.armour_bonus))
    return listed(parts, NOTHING)


UNIT_COLUMNS = (say("Unit"), say("Cost"), say("Moves"), say("Armour"), say("Wounds"), say("Copies"))
CARD_COLUMNS = (say("Card"), say("Cost"), say("Copies"))


def sheets() -> tuple[Sheet, ...]:
    """Make the sheet of each sample deck, and that of the terrain deck."""
    terrain = _cards(say("Terrain"), cards.TERRAIN.terrain, describe_terrain, "G2-47")
    listings = {name: _deck(deck) for name, deck in cards.DECKS.items()} | {cards.TERRAIN.name: (terrain,)}
    remark = say("Sample cards of Companion's own, not official.")
    return tuple(Sheet(name, Text(name), listing, remark) for name, listing in listings.items())


def _deck(deck: Roster) -> tuple[Listing, ...]:
    units = tuple(
        Line(
            (called(card.name), *map(number, (card.cost, card.movement, card.armour, card.wounds, card.count))),
            more=_unit_weapons(card),
        )
        for card in deck.unit
    )
    support = _cards(say("Support cards"), deck.support, describe_support, "G2-18")
    return (Listing(say("Units"), UNIT_COLUMNS, units, clause="G2-57"), support)


def _cards(title: Text, printed: tuple[C, ...], describe: Callable[[C], Text], clause: str) -> Listing:
    lines = tuple(
        Line((called(card.name), number(card.cost), number(card.count)), more=describe(card)) for card in printed
    )
    return Listing(title, CARD_COLUMNS, lines, clause=clause)


def _unit_weapons(card: UnitCard) -> Text:
    """Say what a unit fires, and its equipment with what that fires or covers."""
    parts = [describe_weapon(weapon) for weapon in card.weapon]
    for option in card.option:
        what = describe_weapon(option.weapon) if option.weapon is not None else called(option.slot_id)
        parts.append(say("+{cost} {what}", cost=option.cost, what=what))
        if option.cover != (0, 0):
            parts.append(say("against it {modifier}", modifier=modifier(option.cover)))
    return listed(parts, NOTHING)
