"""Units where only the real board knows their squares: those that nothing tells apart stand in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from companion.games.chesswar import speech
from companion.games.chesswar.state import BEFORE
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
    """List units to choose from, those in melee last with their opponents; with ``sides`` those of all armies."""
    told = sorted(lines(state, units), key=lambda line: line.unit.engaged)
    return tuple(Option(line.unit.id, _told(state, line, sides=sides)) for line in told)


def _told(state: State, line: Line, *, sides: bool) -> Text:
    unit = line.unit
    if line.many > 1:
        kind = say("{unit} ({side})", unit=Text(unit.type), side=Text(unit.side)) if sides else Text(unit.type)
        return say("{unit} ×{count}", unit=kind, count=line.many)
    who = speech.name(state, unit) if sides else speech.foe(state, unit)
    foes = tuple(speech.foe(state, foe) for foe in state.opponents(unit))
    return say("{unit}, in melee with {units}", unit=who, units=speech.listed(foes)) if foes else who


def fallen(state: State) -> tuple[tuple[Text, Text], ...]:
    """List what each side has lost, for a table on which nobody else remembers it."""
    if state.mirrored or state.phase in BEFORE:
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
