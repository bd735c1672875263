"""How cards, units and squares are called in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm.sample import NAMES, TEXTS
from companion.kit.asking import Option
from companion.kit.decks.samples import Said
from companion.kit.ruling import Fighter, Harm
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.tactics_2gm.pieces import Ground, Headquarters, Unit
    from companion.games.tactics_2gm.state import State

SAID = Said(NAMES, TEXTS)
called, does = SAID.called, SAID.does


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


def squares(places: Iterable[str]) -> tuple[Option, ...]:
    """List squares to choose from, so that they can be tapped on the board."""
    return tuple(Option(place, say("{square}", square=place), place=place) for place in places)


def hq(state: State, one: Headquarters) -> Text:
    """Name a headquarters, by its number where a side has two."""
    if state.options.two_copies:
        return say("headquarters {number} ({side})", number=str(one.board + 1), side=Text(one.side))
    return say("headquarters ({side})", side=Text(one.side))


def fighter(state: State, one: Unit) -> Fighter:
    """Name a unit for the statistics."""
    if one.square is not None:
        return Fighter(one.id, one.seat, card(state, one), one.square)
    return Fighter(one.id, one.seat, unit(state, one))


def gone(state: State, one: Unit, by: Unit | None = None, hits: int = 0) -> Harm:
    """Say for the statistics that a unit is out of the game."""
    return Harm(fighter(state, one), hits, "gone", fighter(state, by) if by else None)
