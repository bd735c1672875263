"""How units, tiles and terrains are called in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics.sample import NAMES, TEXTS
from companion.games.pocket_tactics.terrain import known_as
from companion.kit.decks.samples import Said
from companion.kit.ruling import Fighter, Harm
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.state import State


SAID = Said(NAMES, TEXTS)
called, does = SAID.called, SAID.does


def terrain(name: str) -> Text:
    """Name a terrain: those that Companion knows in every language, others as they were written."""
    return called(known_as(name))


def kind(state: State, one: Unit) -> Text:
    """Name what a unit is; where its army has several of them, with its number."""
    card = state.card(one)
    name = called(card.name)
    return say("{unit} {number}", unit=name, number=str(one.copy)) if card.copies > 1 else name


def unit(state: State, one: Unit) -> Text:
    """Name a unit with its owner."""
    return say("{unit} ({side})", unit=kind(state, one), side=Text(one.seat))


def place(state: State, name: str) -> Text:
    """Name a tile of the map with its terrain (``m4, forest``), or a terrain where the map lies on the table."""
    if name == "base":
        return Text("base")
    tile = state.tile(name)
    return terrain(name) if tile is None else say("{square}, {terrain}", square=name, terrain=terrain(tile.terrain))


def fighter(state: State, one: Unit) -> Fighter:
    """Name a unit for the statistics."""
    return Fighter(one.id, one.seat, kind(state, one), one.at)


def gone(state: State, one: Unit, by: Unit | None = None) -> Harm:
    """Say for the statistics that a unit was captured."""
    return Harm(fighter(state, one), 0, "gone", fighter(state, by) if by else None)
