"""Player aids: a page for each army, and one with everything that is common to all."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import get_args

from msgspec.structs import replace

from companion.games.chesswar import magic, speech
from companion.games.chesswar.armies import ARMIES, INSTANT, PHASE_OF, TEMPORARY, WEAPONS, Army, Spell, UnitType, Weapon
from companion.kit import counts
from companion.kit.rulebook import Line, Listing, Sheet, Tables
from companion.kit.text import Text, say

SPELLS: tuple[Spell, ...] = get_args(Spell)
VALUES = (say("Max."), say("Cost"), say("Move"), say("Save"), say("Com."))
NONE = say("–")


def _rows(table: Listing) -> dict[str, Line]:
    return {line.cells[0].say: line for line in table.line}


def sheets(tables: Tables) -> tuple[Sheet, ...]:
    """Make the player aids."""
    common = (*itemgetter("melee", "bows", "into_melee", "scatter")(tables), _throwers(tables), tables["saves"])
    every = (tables["attributes"], _weapons(tables, WEAPONS), _spells(tables, SPELLS), *common)
    return (
        *(_army(tables, army, common) for army in ARMIES.values()),
        Sheet(id="all", title=say("Tables for every army"), listing=every),
    )


def aid(tables: Tables) -> tuple[Sheet, ...]:
    """Put everything on one sheet of paper: the rules and their tables on the front, the armies on the back."""
    front = (
        *itemgetter("turn", "movement", "charge", "shooting")(tables),
        _arsenal(tables),
        *itemgetter("bows", "into_melee", "scatter", "melee", "saves", "continuation", "attributes", "victory")(tables),
    )
    back = (*map(_army_list, ARMIES.values()), _spells(tables, SPELLS))
    return (
        Sheet(id="front", title=say("Turn, shooting and melee"), listing=front),
        Sheet(id="back", title=say("The seven armies and their spells"), listing=back),
    )


def _army_list(army: Army) -> Listing:
    name, initiative, points = Text(army.id), army.initiative, army.points
    title = say("{army}: initiative {initiative}, {points} points", army=name, initiative=initiative, points=points)
    lines = tuple(
        Line(cells=(Text(kind.id), Text(kind.piece), *_values(kind)), more=_abilities(kind), piece=kind.piece)
        for kind in army.unit
    )
    return Listing(title=title, columns=(say("Unit"), say("Piece"), *VALUES), line=lines, clause="CW-05")


def _arsenal(tables: Tables) -> Listing:
    """List all weapons, with the scatter dice of those that are thrown."""
    rows = _rows(tables["weapons"])
    lines = (
        Line(
            cells=(Text(name), _range(weapon), _some(weapon.scatter), _some(weapon.scatter_indirect)),
            more=rows[name].more,
        )
        for name, weapon in WEAPONS.items()
    )
    return replace(tables["weapons"], line=tuple(lines), remark=tables["throwers"].remark)


def _some(count: int) -> Text:
    return counts.number(count) if count else NONE


def _army(tables: Tables, army: Army, common: tuple[Listing, ...]) -> Sheet:
    attributes, traits = tables["attributes"], [trait for kind in army.unit for trait in speech.traits(kind)]
    weapons = [weapon for weapon in WEAPONS if any(kind.weapon == weapon for kind in army.unit)]
    spells = [spell for spell in SPELLS if any(spell in kind.spells for kind in army.unit)]
    remark = say(
        "Initiative {initiative}. {points} points. The general is free.", initiative=army.initiative, points=army.points
    )
    parts = (
        Listing(title=say("Units"), columns=(say("Unit"), *VALUES), line=tuple(map(_unit, army.unit)), clause="CW-05"),
        replace(attributes, line=tuple(line for line in attributes.line if line.cells[0] in traits)),
        _weapons(tables, weapons),
        _spells(tables, spells),
        *common,
    )
    return Sheet(id=army.id, title=Text(army.id), listing=parts, remark=remark)


def _or_more(value: int) -> Text:
    return say("{value}", value=f"{value}+")


def _unit(kind: UnitType) -> Line:
    abilities, piece = _abilities(kind), Text(kind.piece)
    more = say("{piece}: {abilities}", piece=piece, abilities=abilities) if abilities else piece
    return Line(cells=(Text(kind.id), *_values(kind)), more=more, piece=kind.piece)


def _values(kind: UnitType) -> tuple[Text, ...]:
    """Say the numbers of a unit, in the order of ``VALUES``."""
    most, move = counts.number(kind.max), counts.number(kind.move)
    return most, _some(kind.cost), move, _or_more(kind.save), counts.signed(kind.combat)


def _abilities(kind: UnitType) -> Text | None:
    armed = (_armed(kind),) if kind.weapon else ()
    abilities = (*armed, *speech.traits(kind), *map(Text, kind.spells))
    return speech.listed(abilities) if abilities else None


def _armed(kind: UnitType) -> Text:
    """Say what a unit shoots with, how far, and what its bow needs to hit."""
    assert kind.weapon is not None
    weapon = WEAPONS[kind.weapon]
    name = say("{weapon} {skill}+", weapon=Text(kind.weapon), skill=kind.skill) if weapon.bow else Text(kind.weapon)
    return say("{weapon} (range {range})", weapon=name, range=_range(weapon))


def _range(weapon: Weapon) -> Text:
    if not weapon.reach:
        return say("{nearest} or more", nearest=weapon.nearest)
    return counts.number(weapon.reach)


def _weapons(tables: Tables, weapons: Iterable[str]) -> Listing:
    table, rows = tables["weapons"], _rows(tables["weapons"])
    lines = (Line(cells=(Text(name), _range(WEAPONS[name])), more=rows[name].more) for name in weapons)
    return replace(table, columns=table.columns[:2], line=tuple(lines))


def _spells(tables: Tables, spells: Iterable[Spell]) -> Listing:
    rows = _rows(tables["spells"])
    rolled = {spell: _or_more(magic.WORKS) for spell in magic.ROLLED}
    lines = (
        Line(cells=(Text(spell), _when(spell), rows[spell].cells[1], rolled.get(spell, NONE)), more=rows[spell].more)
        for spell in spells
    )
    return replace(tables["spells"], line=tuple(lines))


def _when(spell: Spell) -> Text:
    if spell in INSTANT:
        return Text("instant")
    phase = Text(PHASE_OF[spell])
    return say("{one}, {two}", one=phase, two=Text("temporary")) if spell in TEMPORARY else phase


def _throwers(tables: Tables) -> Listing:
    lines = (
        Line(cells=(Text(name), counts.number(weapon.scatter), counts.number(weapon.scatter_indirect)))
        for name, weapon in WEAPONS.items()
        if weapon.scatter
    )
    return replace(tables["throwers"], line=tuple(lines))
