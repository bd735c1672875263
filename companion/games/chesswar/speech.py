"""How units, squares and counts are called in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.kit import text
from companion.kit.ruling import Fighter, Harm, Reason
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State, Unit

FACES = 6
ALONE = "unit"
"""What a lookup calls a unit that no other one can be taken for."""


def name(state: State, unit: Unit) -> Text:
    """Name a unit so that nobody takes it for another: by its square, or by its side and number.

    Without a table a unit is called by the part it plays, which is then its id (``attacker``), unless it is alone.
    """
    if unit.id == ALONE:
        return Text(unit.type)
    if unit.id.isalpha():
        return say("{unit} ({part})", unit=Text(unit.type), part=Text(unit.id))
    if state.mirrored and unit.square is not None:
        return say("{unit} {square}", unit=Text(unit.type), square=unit.square)
    if alone(state, unit):
        return say("{unit} ({side})", unit=Text(unit.type), side=Text(unit.side))
    return say("{unit} {number} ({side})", unit=Text(unit.type), number=unit.id[2:], side=Text(unit.side))


def healing_ahead(state: State, mage: Unit) -> Text:
    """Say which enemy unit a mage heals if it falls (CW-Q30)."""
    unit = state.find(mage.heals) if mage.heals else None
    if unit is None:
        return say("{unit}: Healing for no enemy unit", unit=name(state, mage))
    return say("{unit}: Healing for {enemy} if it falls", unit=name(state, mage), enemy=name(state, unit))


def to_heal(state: State, mage: Unit) -> Text | None:
    """Say whom a mage is to heal; nothing where he is to heal no enemy unit (CW-Q30)."""
    unit = state.find(mage.heals) if mage.heals else None
    return None if unit is None else say("heals {unit} if it falls", unit=name(state, unit))


def alone(state: State, unit: Unit) -> bool:
    """Tell whether a side never had another unit of that type."""
    return not any(one.type == unit.type and one.side == unit.side and one.id != unit.id for one in state.units)


def short(state: State, unit: Unit) -> Text:
    """Name a unit under a heading that says its side already."""
    if (state.mirrored and unit.square is not None) or unit.id.isalpha():
        return name(state, unit)
    return Text(unit.type) if alone(state, unit) else say("{unit} {number}", unit=Text(unit.type), number=unit.id[2:])


def fighter(state: State, unit: Unit) -> Fighter:
    """Name a unit for the statistics: by its square where a board shows it, else by its number."""
    if state.mirrored and unit.square is not None:
        return Fighter(unit.id, unit.side, Text(unit.type), unit.square)
    return Fighter(unit.id, unit.side, short(state, unit))


def gone(state: State, unit: Unit, by: Unit | None = None) -> tuple[Harm]:
    """Say for the statistics that a unit is out of the game."""
    return (Harm(fighter(state, unit), fate="gone", by=fighter(state, by) if by else None),)


def foe(state: State, unit: Unit) -> Text:
    """Name an enemy: where there are but two sides nobody asks whose it is."""
    return short(state, unit) if len(state.sides) == 2 else name(state, unit)


def with_side(state: State, unit: Unit) -> Text:
    """Name a unit and its side, where those of all sides stand in one list."""
    if state.mirrored and unit.square is not None:
        return say("{side}: {unit} {square}", side=Text(unit.side), unit=Text(unit.type), square=unit.square)
    return say("{side}: {unit}", side=Text(unit.side), unit=short(state, unit))


def own(unit: Unit, square: str) -> Text:
    """Name a unit to the player whose own it is, so that it is not taken for an enemy."""
    return say("{unit} {square}", unit=Text(f"own.{unit.type}"), square=square)


def melee(state: State, unit: Unit) -> Text | None:
    """Say with whom a unit is in melee; nothing where it is in none."""
    if not unit.engaged:
        return None
    return say("in melee with {units}", units=listed(tuple(foe(state, one) for one in state.opponents(unit))))


def chance(needed: int) -> Text:
    """Say the face that a die needs, and how likely it is."""
    faces = 7 - max(needed, 1)
    if faces <= 0:
        return say("{needed}+ (impossible)", needed=needed)
    return say("{needed}+ ({percent}%)", needed=needed, percent=round(100 * faces / 6))


def sides(of: tuple[Side, ...]) -> Text:
    """Name sides that do something together."""
    if len(of) < 2:
        return Text(of[0]) if of else say("nobody")
    return say("{one} and {two}", one=listed(tuple(Text(side) for side in of[:-1])), two=Text(of[-1]))


def allied(partners: tuple[Side, ...]) -> Text | None:
    """Say who fights at a side's side; nothing where nobody does."""
    return say("with {side}", side=sides(partners)) if partners else None


def hit(needed: int) -> Text:
    """Say the face that a shot needs, and how likely it is."""
    return say("hits on {chance}", chance=chance(needed))


def vain(needed: int, clause: str) -> Reason | None:
    """Say that no face is enough for a shot; nothing where one is."""
    return Reason(say("cannot hit: needs {needed}", needed=needed), clause) if needed > FACES else None


def harm(needed: int) -> Text:
    """Say the face from which the attack die strikes home, and how likely that is by itself."""
    return say("attack die {chance}, before saves", chance=chance(needed))


def save(needed: int) -> Text:
    """Say the face that a saving roll needs, and how likely it is."""
    return say("save {chance}", chance=chance(needed))


def on_the_face(modifier: Reason) -> Reason:
    """Turn a modifier of a die into what it adds to the face that is needed."""
    return replace(modifier, value=-(modifier.value or 0))


def listed(parts: tuple[Text, ...]) -> Text:
    """Say several things in a row."""
    return text.listed(parts, say("nobody"))
