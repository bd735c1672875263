"""How units and squares are called: alone in a sentence, in lists, and to choose from."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import reduce
from typing import NamedTuple

from msgspec.structs import replace

from companion.games.chesswar.armies import UnitType
from companion.games.chesswar.options import Drift, Side
from companion.games.chesswar.state import State, Unit
from companion.kit import text
from companion.kit.action import Field
from companion.kit.questions import Option, square_options
from companion.kit.ruling import Fighter, Harm, Reason
from companion.kit.text import Text, say

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


def alone(state: State, unit: Unit) -> bool:
    """Tell whether a side never had another unit of that type."""
    return state.alike(unit) <= {unit.id}


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


def foes(state: State, unit: Unit) -> Text:
    """Name those with whom a unit is in melee."""
    return listed(tuple(foe(state, opponent) for opponent in state.opponents(unit)))


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
    return say("in melee with {units}", units=foes(state, unit)) if unit.engaged else None


def traits(kind: UnitType) -> tuple[Text, ...]:
    """Name the attributes of a unit; being undead is called so that nobody takes it for the army."""
    return tuple(Text("undead_trait" if trait == "undead" else trait) for trait in kind.traits)


def chance(needed: int) -> Text:
    """Say the face that a die needs, and how likely it is."""
    if needed > 6:
        return say("{needed}+ (impossible)", needed=needed)
    return say("{needed}+ ({percent}%)", needed=needed, percent=round(100 * (7 - max(needed, 1)) / 6))


def save(needed: int) -> Text:
    """Say the face that a saving roll needs, and how likely it is."""
    return say("save {chance}", chance=chance(needed))


def on_the_face(modifier: Reason) -> Reason:
    """Turn a modifier of a die into what it adds to the face that is needed."""
    return replace(modifier, value=-(modifier.value or 0))


def listed(parts: tuple[Text, ...]) -> Text:
    """Say several things in a row."""
    return text.listed(parts, say("nobody"))


def names(state: State, units: Iterable[Unit]) -> Text:
    """Name several units in a row."""
    return listed(tuple(name(state, unit) for unit in units))


class Line(NamedTuple):
    """A unit and how many there are like it: pieces of one kind that have gone through the same."""

    unit: Unit
    many: int


def lines(state: State, units: Iterable[Unit]) -> tuple[Line, ...]:
    """Put units that nothing tells apart in one line; who fights, lies knocked over or holds a spell has its own.

    On a mirrored board each stands on a square of its own.
    """
    alike: dict[Hashable, Line] = {}
    for unit in units:
        key = _likeness(state, unit)
        first, many = alike.get(key, (unit, 0))
        alike[key] = Line(first, many + 1)
    return tuple(alike.values())


def _likeness(state: State, unit: Unit) -> Hashable:
    if state.mirrored or unit.engaged or unit.down or any(effect.caster == unit.id for effect in state.effects):
        return unit.id
    return replace(unit, id=""), tuple(unit.id in effect.covers for effect in state.effects)


def called(state: State, line: Line) -> Text:
    """Name a line under the heading of its side: by its kind alone where no other unit could be meant."""
    return Text(line.unit.type) if line.many > 1 else short(state, line.unit)


def options(state: State, units: Iterable[Unit], *, sides: bool = False) -> tuple[Option, ...]:
    """List units to choose from, those in melee last with their opponents; with ``sides`` those of all armies.

    Where there are more than two sides each unit is named with its own.
    """
    sides = sides or len(state.sides) > 2
    told = sorted(lines(state, units), key=lambda line: line.unit.engaged)
    labels = [_told(state, line, sides=sides) for line in told]
    return tuple(
        Option(line.unit.id, label if labels.count(label) == 1 else _by_number(state, line, sides=sides))
        for line, label in zip(told, labels, strict=True)
    )


def _by_number(state: State, line: Line, *, sides: bool) -> Text:
    """Name a line by its first unit, where there is another one of as many units of that kind."""
    return say("{unit} ×{count}", unit=_name(state, line.unit, sides=sides), count=line.many)


def _name(state: State, unit: Unit, *, sides: bool) -> Text:
    return name(state, unit) if sides else foe(state, unit)


def _told(state: State, line: Line, *, sides: bool) -> Text:
    unit = line.unit
    if line.many > 1:
        kind = say("{unit} ({side})", unit=Text(unit.type), side=Text(unit.side)) if sides else Text(unit.type)
        return say("{unit} ×{count}", unit=kind, count=line.many)
    who = _name(state, unit, sides=sides)
    return say("{unit}, in melee with {units}", unit=who, units=foes(state, unit)) if unit.engaged else who


def fallen(state: State) -> tuple[tuple[Text, Text], ...]:
    """List what each side has lost, for a table on which nobody else remembers it."""
    if state.mirrored or state.hidden:
        return ()
    return tuple(
        (say("{side} has lost", side=Text(side)), listed(lost))
        for side in state.sides
        if (lost := _counted(state, side))
    )


def _counted(state: State, side: Side) -> tuple[Text, ...]:
    kinds = [unit.type for unit in state.units if unit.side == side and not unit.on_board]
    return tuple(
        say("{unit} ×{count}", unit=Text(kind), count=kinds.count(kind)) if kinds.count(kind) > 1 else Text(kind)
        for kind in dict.fromkeys(kinds)
    )


def to_square(names: Iterable[str]) -> Field:
    """Ask for the square that an action leads to."""
    return Field("to", say("Square"), "choice", square_options(names))


def drift_in_words(drift: Drift) -> Text:
    """Say where scatter dice move the impact, as the shooter sees it (CW-70 to CW-72)."""
    right, ahead = drift
    parts = (
        (say("{count} away from you", count=ahead), ahead > 0),
        (say("{count} towards you", count=-ahead), ahead < 0),
        (say("{count} to your right", count=right), right > 0),
        (say("{count} to your left", count=-right), right < 0),
    )
    return text.listed([part for part, holds in parts if holds], say("no scatter"))


def losses(*parts: tuple[str, tuple[Text, ...]], back: tuple[Text, ...] = ()) -> Text | None:
    """Say what became of units, each sentence with those of whom it is said; nothing where there are none.

    ``back`` are sentences of their own, each of one that came back.
    """
    said = [*(say(sentence, units=listed(units)) for sentence, units in parts if units), *back]
    return reduce(lambda one, two: say("{one}. {two}", one=one, two=two), said) if said else None


def cost(before: State, after: State, otherwise: Text) -> Text:
    """Say who was destroyed, knocked over or raised between two states; otherwise what is said."""
    now = {unit.id: unit for unit in after.units}
    gone = [unit for unit in before.units if unit.on_board and not now[unit.id].on_board]
    down = (unit for unit in before.units if unit.stands and now[unit.id].on_board and now[unit.id].down)
    new = after.units[len(before.units) :]
    back = {unit.id: (fell, unit) for unit in new if (fell := _before_it(before, gone, unit))}
    returned = {fell.id for fell, _ in back.values()}
    said = losses(
        ("Destroyed: {units}", tuple(name(before, unit) for unit in gone if unit.id not in returned)),
        ("Knocked over: {units}", tuple(name(before, unit) for unit in down)),
        ("Raised: {units}", tuple(name(after, unit) for unit in new if unit.id not in back)),
        back=tuple(
            say("{unit} fell and came back as {new}", unit=name(before, fell), new=_come_back(after, fell, unit))
            for fell, unit in back.values()
        ),
    )
    return said or otherwise


def _before_it(state: State, gone: list[Unit], raised: Unit) -> Unit | None:
    """Find which of the units that are gone was raised: the one on its square, or at a table the only one."""
    if not state.mirrored:
        return gone[0] if len(gone) == 1 else None
    return next((unit for unit in gone if unit.square == raised.square), None)


def _come_back(state: State, fell: Unit, raised: Unit) -> Text:
    """Name a unit that was raised beside the one that fell, on whose square it stands."""
    if not state.mirrored:
        return name(state, raised)
    kind = Text(raised.type)
    return kind if raised.side == fell.side else say("{unit} ({side})", unit=kind, side=Text(raised.side))


def target(state: State, units: Iterable[Unit]) -> Field:
    """Ask for the target on the real board: the only one there is, or that of the shot before, is filled in."""
    choices = options(state, units)
    latest = state.last.target if state.last else None
    chosen = [option.value for option in choices if len(choices) == 1 or option.value == latest]
    return Field("target", say("Target"), "choice", choices, value=chosen[0] if chosen else None)
