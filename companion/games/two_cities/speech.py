"""How units, squares and counts are called in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.kit.ruling import Fighter
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.two_cities.state import State, Unit


def kind_name(unit: Unit) -> Text:
    """Name a unit by its side and kind."""
    return Text(f"{unit.side}_{unit.kind}")


def name(state: State, unit: Unit) -> Text:
    """Name a unit so that nobody takes it for another: by its square, or by where it started."""
    if state.mirrored and unit.square is not None:
        return say("{unit} {square}", unit=kind_name(unit), square=unit.square)
    if unit.mercenary:
        return say("{unit} (reinforcement)", unit=kind_name(unit))
    if unit.home:
        return say("{unit} (from {square})", unit=kind_name(unit), square=unit.home)
    return kind_name(unit)


def fighter(state: State, unit: Unit) -> Fighter:
    """Name a unit for the statistics: by its square where a board shows it, else by where it started."""
    if state.mirrored and unit.square is not None:
        return Fighter(unit.id, unit.side, Text(unit.kind), unit.square)
    if unit.mercenary:
        return Fighter(unit.id, unit.side, say("{unit} (reinforcement)", unit=Text(unit.kind)))
    return Fighter(unit.id, unit.side, say("{unit} (from {square})", unit=Text(unit.kind), square=unit.home))


def short_name(unit: Unit) -> Text:
    """Name a unit in as few words as tell it from the others of its side, where no board shows its square."""
    kind = Text(f"short_{unit.kind}")
    if unit.mercenary:
        return say("{unit}, reinforcement", unit=kind)
    return say("{unit} from {square}", unit=kind, square=unit.home) if unit.mobile else kind


def hits(count: int) -> Text:
    """Say a number of hits."""
    return say("{count} hit|{count} hits", count=count)


def harm(count: int, back: Text | None) -> Text | None:
    """Say new hits and the way back, whichever there are; None when there is neither."""
    if not count:
        return back
    return say("{hits}, {back}", hits=hits(count), back=back) if back else hits(count)
