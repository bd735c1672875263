"""How cards and territories are called in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war.sample import NAMES, TEXTS
from companion.kit.decks import kind_of
from companion.kit.decks.samples import Said
from companion.kit.ruling import Fighter, Harm
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.history_of_war.pieces import Played, Territory
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State


SAID = Said(NAMES, TEXTS)
called, does = SAID.called, SAID.does


def code(state: State, seat: Seat, card: str) -> Text:
    """Name a card by its code; a face-down one is just a card."""
    found = state.find_card(seat, card)
    return say("a card") if found is None else called(found.name)


def card(state: State, played: Played) -> Text:
    """Name a card in play by what it is; where its owner has several of them in play, with its number."""
    name, kind = called(state.card(played).name), kind_of(played.code)
    alike = any(one.seat == played.seat and one.id != played.id and kind_of(one.code) == kind for one in state.cards)
    return say("{unit} {number}", unit=name, number=str(played.number)) if alike else name


def unit(state: State, played: Played) -> Text:
    """Name a card in play with its owner."""
    return say("{unit} ({side})", unit=card(state, played), side=Text(played.seat))


def territory(state: State, one: Territory) -> Text:
    """Name a territory; where there are two of the name, by who brought it."""
    name = called(state.land(one).name)
    if any(other.id != one.id and state.land(other).name == state.land(one).name for other in state.territories):
        return say("{unit} ({side})", unit=name, side=Text(one.seat))
    return name


def place(state: State, where: str) -> Text:
    """Name where a card lies."""
    found = state.territory(where)
    return Text(where) if found is None else territory(state, found)


def fighter(state: State, played: Played) -> Fighter:
    """Name a card for the statistics."""
    return Fighter(played.id, played.seat, card(state, played))


def gone(state: State, played: Played, by: Played | None = None, hits: int = 0) -> Harm:
    """Say for the statistics that a card is out of the game."""
    return Harm(fighter(state, played), hits, "gone", fighter(state, by) if by else None)
