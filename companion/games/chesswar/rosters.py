"""Units where only the real board knows their squares: those that nothing tells apart stand in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from companion.games.chesswar import speech
from companion.kit.asking import Option
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from companion.games.chesswar.sides import Side
    from companion.games.chesswar.state import State, Unit


class Line(NamedTuple):
    """Hold a unit and how many there are like it: pieces of one kind that have gone through the same."""

    unit: Unit
    many: int


def lines(state: State, units: Iterable[Unit]) -> tuple[Line, ...]:
    """Put units that nothing tells apart in one line; who fights, lies knocked over or holds a spell has its own.

    On a mirrored board each stands on a square of its own.
    """
    found: dict[Hashable, Line] = {}
    for unit in units:
        key = _likeness(state, unit)
        first = found.get(key)
        found[key] = Line(unit, 1) if first is None else Line(first.unit, first.many + 1)
    return tuple(found.values())


def _likeness(state: State, unit: Unit) -> Hashable:
    if state.mirrored or unit.engaged or unit.down or any(effect.caster == unit.id for effect in state.effects):
        return unit.id
    return replace(unit, id=""), tuple(unit.id in effect.covers for effect in state.effects)


def called(state: State, line: Line) -> Text:
    """Name a line under the heading of its side: by its kind alone where no other unit could be meant."""
    return Text(line.unit.type) if line.many > 1 else speech.short(state, line.unit)


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
    return speech.name(state, unit) if sides else speech.foe(state, unit)


def _told(state: State, line: Line, *, sides: bool) -> Text:
    unit = line.unit
    if line.many > 1:
        kind = say("{unit} ({side})", unit=Text(unit.type), side=Text(unit.side)) if sides else Text(unit.type)
        return say("{unit} ×{count}", unit=kind, count=line.many)
    who = _name(state, unit, sides=sides)
    foes = tuple(speech.foe(state, foe) for foe in state.opponents(unit))
    return say("{unit}, in melee with {units}", unit=who, units=speech.listed(foes)) if foes else who


def fallen(state: State) -> tuple[tuple[Text, Text], ...]:
    """List what each side has lost, for a table on which nobody else remembers it."""
    if state.mirrored or state.hidden:
        return ()
    return tuple(
        (say("{side} has lost", side=Text(side)), speech.listed(lost))
        for side in state.sides
        if (lost := _counted(state, side))
    )


def _counted(state: State, side: Side) -> tuple[Text, ...]:
    kinds = [unit.type for unit in state.units if unit.side == side and not unit.on_board]
    return tuple(
        say("{unit} ×{count}", unit=Text(kind), count=kinds.count(kind)) if kinds.count(kind) > 1 else Text(kind)
        for kind in dict.fromkeys(kinds)
    )
