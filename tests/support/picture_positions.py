"""Positions in which cards have pictures of their players' own: some lie open for all, one is held in secret."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.games.history_of_war.cards import DECKS
from tests.support import history_of_war_positions as war
from tests.support import pocket_tactics_positions as tiles
from tests.support import tactics_2gm_positions as battles
from tests.support.pictures import name_of, png

OPEN, FOE, SECRET = (png(seed=seed) for seed in (1, 2, 3))
"""The pictures of a card of the first seat, of the other one's, and of a card that the first seat holds."""
PICTURES = (OPEN, FOE, SECRET)


def drawn_on(cards: tuple[Any, ...], **pictures: bytes) -> tuple[Any, ...]:
    """Put pictures on the cards of some names."""
    return tuple(
        replace(card, picture=name_of(pictures[card.name])) if card.name in pictures else card for card in cards
    )


def battle(units: str = "a1 light_infantry d3, x1 heavy_infantry d4", **more: Any) -> Any:
    """A battle of 2GM Tactics in the fire phase; the Allies hold the tank, whose picture a mine has as well."""
    state = battles.battle(units, **({"hands": {"allies": "m4_sherman"}} | more))
    drawn = {"light_infantry": OPEN, "heavy_infantry": FOE, "m4_sherman": SECRET, "anti_tank_mine": SECRET}
    rosters = {
        seat: replace(deck, unit=drawn_on(deck.unit, **drawn), support=drawn_on(deck.support, **drawn))
        for seat, deck in state.rosters.items()
    }
    return state.but(rosters=rosters)


def struck(**more: Any) -> Any:
    """A battle of History of War in which Blue's tank is about to strike Red's; Blue holds rifles."""
    drawn = {"medium_tank": OPEN, "heavy_tank": FOE, "rifle_company": SECRET}
    decks = {seat: DECKS[f"{seat}_sample"] for seat in ("blue", "red")}
    rosters = {seat: replace(deck, unit=drawn_on(deck.unit, **drawn)) for seat, deck in decks.items()}
    written = "b medium_tank t1, r heavy_tank t1"
    return war.fought(written, "b medium_tank", rosters=rosters, **({"hands": {"blue": "rifle_company"}} | more))


def on_hexagons(units: str = "b blade_guard m2, r bulwark m3", **more: Any) -> Any:
    """A game of Pocket-Tactics in Blue's turn; Blue's guards and Red's bulwarks have pictures, in reserve as well."""
    drawn = {"blade_guard": OPEN, "bulwark": FOE}
    factions = {seat: replace(own, unit=drawn_on(own.unit, **drawn)) for seat, own in tiles.table().factions.items()}
    return tiles.game(units, factions=factions, **more)
