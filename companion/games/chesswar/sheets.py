"""Player aids: a page for each army, and one with everything that is common to all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import get_args

from companion.games.chesswar import magic, shooting, speech, turn
from companion.games.chesswar.armies import (
    ARMIES,
    INSTANT,
    PHASE_OF,
    TEMPORARY,
    WEAPONS,
    Army,
    Spell,
    Trait,
    UnitType,
    Weapon,
)
from companion.games.chesswar.magic import REACH
from companion.games.chesswar.traits import SAVES
from companion.kit import counts
from companion.kit.rulebook import Line, Listing, Sheet
from companion.kit.text import Text, numbered, say

WEAPON_DOES: dict[str, Text] = {
    "bows": say("Also after moving, and at what only another unit sees."),
    "longbows": say("As bows."),
    "crossbows": say("Not after moving, and only at what the shooter sees."),
    "catapult": say("At any square that it or another unit of its side sees."),
    "terror_catapult": say("As a catapult; whoever is not brave is destroyed without a save."),
    "rocks": say("As a catapult with one scatter die, also after moving."),
    "plague_bombs": numbered(
        "As rocks; saves at [+bomb], no harm to those immune to plague; in a melee all are struck.", bomb=SAVES["bomb"]
    ),
}
TRAITS: tuple[Trait, ...] = get_args(Trait)
SPELLS: tuple[Spell, ...] = get_args(Spell)
VALUES = (say("Max."), say("Cost"), say("Move"), say("Save"), say("Com."))
NONE = say("–")


def trait_does(trait: Trait) -> Text:
    """Say in a line what an attribute does."""
    does: dict[Trait, Text] = {
        "aggressive": say("+1 combat in the turn in which it charged in the movement phase."),
        "brave": say("No save to charge the dreadful, and better in melee with them."),
        "dreadful": say("Who is not brave needs a save to charge it, and does worse in melee with it."),
        "undead": numbered(
            "Brave and dreadful, immune to plague, [+undead] on saves against bows and crossbows.",
            undead=SAVES["undead"],
        ),
        "plague": numbered(
            "If it is destroyed in melee its opponents save at [+plague] or are destroyed. Immune to plague.",
            plague=SAVES["plague"],
        ),
        "regeneration": numbered(
            "Knocked over, not destroyed: it stands up at the end of the turn on [stands_up] or more, "
            "unless another unit entered its square.",
            stands_up=turn.STANDS_UP,
        ),
        "teleport": say("Placed on a free square within its movement, past other units and out of a melee."),
    }
    return does[trait]


def spell_does(spell: Spell) -> Text:
    """Say in a line what a spell does."""
    does: dict[Spell, Text] = {
        "raise_dead": say("A unit just destroyed comes back at once as one of the undead army."),
        "contagion": say("All units of the own side carry the plague."),
        "counterspell": say("The spell just cast has no effect."),
        "healing": say("A unit just destroyed fights on."),
        "dispel": say("One temporary spell ends."),
        "strike": numbered(
            "Instead of an attack: an opponent saves at [+strike] or is destroyed.", strike=SAVES["strike"]
        ),
        "fear": say("All units of the own side are dreadful."),
        "protection": numbered(
            "The mage and own units around him: [+protection] on saves, brave, immune to plague.",
            protection=SAVES["protection"],
        ),
        "storm": numbered(
            "Bows: −1 for every square. Catapults and the like: a scatter die more for every [storm|square|squares].",
            storm=magic.STORM_SCATTERS,
        ),
        "flight": numbered(
            "An own unit that has not moved goes to a free square within [flight] that the mage sees, and is brave "
            "until the end of the phase.",
            flight=REACH["flight"],
        ),
        "zap": say("The target saves or is destroyed."),
    }
    return does[spell]


def range_of(spell: Spell) -> Text:
    """Say how far a spell reaches."""
    match spell:
        case "raise_dead" | "healing" | "protection":
            return counts.number(REACH[spell])
        case "strike":
            return say("his melee")
        case "flight":
            return say("in sight")
        case "zap":
            return say("{reach}, in sight", reach=REACH[spell])
        case _:
            return say("anywhere")


def in_a_storm() -> Text:
    """Say how many scatter dice a storm adds."""
    return numbered(
        "In a storm one die more for every [storm|square|squares], rounded down.", storm=magic.STORM_SCATTERS
    )


def sheets() -> tuple[Sheet, ...]:
    """Make the player aids."""
    return (*map(_army, ARMIES.values()), _common())


def aid() -> tuple[Sheet, ...]:
    """Put everything on one sheet of paper: the rules and their tables on the front, the armies on the back."""
    front = (
        Listing(title=say("The turn"), quotes=("CW-21", "CW-25", "CW-26")),
        Listing(title=say("Movement"), quotes=("CW-28", "CW-29", "CW-31", "CW-33")),
        Listing(title=say("Charge"), quotes=("CW-36", "CW-38", "CW-40", "CW-43")),
        Listing(title=say("Shooting"), quotes=("CW-47", "CW-48")),
        _arsenal(),
        _bows(),
        _into_melee(),
        _scatter(),
        _melee(),
        _saves(),
        Listing(title=say("Continuation move"), quotes=("CW-97", "CW-99", "CW-101")),
        _attributes(TRAITS),
        Listing(title=say("Victory"), quotes=("CW-164",)),
    )
    back = (*map(_army_list, ARMIES.values()), _spells(SPELLS))
    return (
        Sheet(id="front", title=say("Turn, shooting and melee"), listing=front),
        Sheet(id="back", title=say("The seven armies and their spells"), listing=back),
    )


def _army_list(army: Army) -> Listing:
    title = say(
        "{army}: initiative {initiative}, {points} points",
        army=Text(army.id),
        initiative=army.initiative,
        points=army.points,
    )
    columns = (say("Unit"), say("Piece"), *VALUES)
    return _listing(title, columns, map(_in_a_list, army.unit), "CW-05")


def _in_a_list(kind: UnitType) -> Line:
    abilities = _abilities(kind)
    more = speech.listed(abilities) if abilities else None
    return Line(cells=(Text(kind.id), Text(kind.piece), *_values(kind)), more=more, piece=kind.piece)


def _arsenal() -> Listing:
    """List all weapons, with the scatter dice of those that are thrown."""
    lines = (
        _line(Text(name), _range(weapon), _dice(weapon.scatter), _dice(weapon.scatter_indirect), more=WEAPON_DOES[name])
        for name, weapon in WEAPONS.items()
    )
    columns = (say("Weapon"), say("Range"), say("Scatter dice: it sees the square"), say("It does not"))
    return _listing(say("Weapons"), columns, lines, "CW-55", in_a_storm())


def _dice(count: int) -> Text:
    return counts.number(count) if count else NONE


def _army(army: Army) -> Sheet:
    weapons = [weapon for weapon in WEAPONS if any(kind.weapon == weapon for kind in army.unit)]
    traits = [trait for trait in TRAITS if any(trait in kind.traits for kind in army.unit)]
    spells = [spell for spell in SPELLS if any(spell in kind.spells for kind in army.unit)]
    remark = say(
        "Initiative {initiative}. {points} points. The general is free.", initiative=army.initiative, points=army.points
    )
    parts = (_units(army), _attributes(traits), _weapons(weapons), _spells(spells), *_tables())
    return Sheet(id=army.id, title=Text(army.id), listing=parts, remark=remark)


def _common() -> Sheet:
    parts = (_attributes(TRAITS), _weapons(WEAPONS), _spells(SPELLS), *_tables())
    return Sheet(id="all", title=say("Tables for every army"), listing=parts)


def _listing(
    title: Text, columns: tuple[Text, ...], lines: Iterable[Line], clause: str, remark: Text | None = None
) -> Listing:
    return Listing(title=title, columns=columns, line=tuple(lines), clause=clause, remark=remark)


def _line(*cells: Text, more: Text | None = None) -> Line:
    return Line(cells=cells, more=more)


def _or_more(value: int) -> Text:
    return say("{value}", value=f"{value}+")


def _units(army: Army) -> Listing:
    return _listing(say("Units"), (say("Unit"), *VALUES), map(_unit, army.unit), "CW-05")


def _unit(kind: UnitType) -> Line:
    abilities, piece = _abilities(kind), Text(kind.piece)
    more = say("{piece}: {abilities}", piece=piece, abilities=speech.listed(abilities)) if abilities else piece
    return Line(cells=(Text(kind.id), *_values(kind)), more=more, piece=kind.piece)


def _values(kind: UnitType) -> tuple[Text, ...]:
    """Say the numbers of a unit, in the order of ``VALUES``."""
    cost = counts.number(kind.cost) if kind.cost else NONE
    return counts.number(kind.max), cost, counts.number(kind.move), _or_more(kind.save), counts.signed(kind.combat)


def _abilities(kind: UnitType) -> tuple[Text, ...]:
    return (
        *((_armed(kind),) if kind.weapon else ()),
        *(_trait_name(trait) for trait in kind.traits),
        *(Text(spell) for spell in kind.spells),
    )


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


def _trait_name(trait: Trait) -> Text:
    return Text("undead_trait" if trait == "undead" else trait)


def _attributes(traits: Iterable[Trait]) -> Listing:
    lines = (_line(_trait_name(trait), more=trait_does(trait)) for trait in traits)
    return _listing(say("Special attributes"), (say("Attribute"),), lines, "CW-107")


def _weapons(weapons: Iterable[str]) -> Listing:
    lines = (_line(Text(weapon), _range(WEAPONS[weapon]), more=WEAPON_DOES[weapon]) for weapon in weapons)
    return _listing(say("Weapons"), (say("Weapon"), say("Range")), lines, "CW-55")


def _spells(spells: Iterable[Spell]) -> Listing:
    columns = (say("Spell"), say("When"), say("Range"), say("Roll"))
    lines = (
        _line(Text(spell), _when(spell), range_of(spell), _roll(spell), more=spell_does(spell)) for spell in spells
    )
    remark = say("One spell a turn for each mage; an instant in the enemy's turn costs him his own next one.")
    return _listing(say("Spells"), columns, lines, "CW-122", remark)


def _roll(spell: Spell) -> Text:
    return _or_more(magic.WORKS) if spell in magic.ROLLED else NONE


def _when(spell: Spell) -> Text:
    if spell in INSTANT:
        return Text("instant")
    phase = Text(PHASE_OF[spell])
    return say("{one}, {two}", one=phase, two=Text("temporary")) if spell in TEMPORARY else phase


def _tables() -> tuple[Listing, ...]:
    return _melee(), _bows(), _into_melee(), _scatter(), _throwers(), _saves()


def _melee() -> Listing:
    lines = (
        _line(
            say("6 or more"),
            say("The defender is destroyed."),
            more=say(
                "A 6 on the die always counts. If the defender is dreadful and the attacker is not brave: as a 5."
            ),
        ),
        _line(counts.number(5), say("The defender makes two saves or is destroyed; a brave one makes only one.")),
        _line(counts.number(4), say("The defender makes one save or is destroyed.")),
        _line(say("2 or 3"), say("Nothing happens: the melee goes on")),
        _line(
            say("1 or less"),
            say("The attacker makes one save or is destroyed; a dreadful one only if the defender is brave."),
        ),
    )
    title = say("Melee: die + combat of the attacker − combat of the defender")
    return _listing(title, (say("Total"), say("What happens")), lines, "CW-85")


def _bows() -> Listing:
    harder = shooting.HARDER
    lines = (
        _line(say("The shooter moved"), counts.signed(harder["moved"])),
        _line(numbered("[far|square|squares] away or more", far=shooting.FAR), counts.signed(harder["far"])),
        _line(say("The shooter does not see the target"), counts.signed(harder["unseen"])),
        _line(say("In a storm, instead of that for the distance"), say("−1 a square")),
    )
    return _listing(say("Bows: die + modifiers against the skill"), (say("Case"), say("Modifier")), lines, "CW-56")


def _into_melee() -> Listing:
    lines = (
        _line(say("5 or 6"), say("The target")),
        _line(say("3 or 4"), say("The target and one of its opponents, drawn at random")),
        _line(say("1 or 2"), say("One of its opponents, drawn at random")),
    )
    remark = say("Plague bombs strike all of them, without a die.")
    return _listing(say("Shot into a melee"), (say("Die"), say("Who is struck")), lines, "CW-52", remark)


def _scatter() -> Listing:
    lines = (
        _line(counts.number(1), say("↑ one square away from you")),
        _line(counts.number(2), say("→ one square to your right")),
        _line(counts.number(3), say("↓ one square towards you")),
        _line(counts.number(4), say("← one square to your left")),
        _line(say("5 or 6"), say("no scatter")),
    )
    return _listing(say("Scatter die"), (say("Die"), say("Impact")), lines, "CW-70")


def _throwers() -> Listing:
    lines = (
        _line(Text(name), counts.number(weapon.scatter), counts.number(weapon.scatter_indirect))
        for name, weapon in WEAPONS.items()
        if weapon.scatter
    )
    columns = (say("Weapon"), say("It sees the square"), say("It does not"))
    return _listing(say("How many scatter dice"), columns, lines, "CW-69", in_a_storm())


def _saves() -> Listing:
    lines = (
        _line(Text("protection"), counts.signed(SAVES["protection"])),
        _line(say("Undead, against bows and crossbows"), counts.signed(SAVES["undead"])),
        _line(say("Plague, and plague bombs"), counts.signed(SAVES["plague"])),
        _line(say("In a forest, against shots"), counts.signed(SAVES["forest"])),
        _line(Text("strike"), counts.signed(SAVES["strike"])),
    )
    remark = say("A 1 on the die always fails.")
    return _listing(say("Saves: die + modifiers"), (say("Case"), say("Modifier")), lines, "CW-06", remark)
