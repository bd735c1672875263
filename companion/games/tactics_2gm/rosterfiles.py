"""Decks, terrain and scenarios as files, read whole or refused with the place; a deck cut to what it may cost."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.games.tactics_2gm.cards import HeadquartersCard, Roster, Scenario, TerrainDeck
from companion.games.tactics_2gm.sample import DECKS, SCENARIOS, TERRAIN
from companion.kit.decks import samples
from companion.kit.ruling import Refusal
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm.options import Side


def deck(text: str, side: Side) -> Roster:
    """Read a deck for a side; raise Refusal naming its row and field, or because it is the enemy's (G2-06).

    It may cost more than the limit: that is seen to when the player is ready. ``sample`` is what is Companion's own.
    """
    found = samples.brought(text, Roster, DECKS.values())
    if found.side not in {None, side}:
        raise Refusal(say("This deck is for the {side}.", side=Text(str(found.side))), "G2-06", "text")
    return replace(found, side=side, headquarters=found.headquarters or HeadquartersCard())


def terrain(text: str) -> TerrainDeck:
    """Read a terrain deck; raise Refusal naming its row and field (G2-05)."""
    return samples.brought(text, TerrainDeck, (TERRAIN,))


def scenario(text: str) -> Scenario:
    """Read a scenario; raise Refusal naming its row and field (G2-09)."""
    return samples.brought(text, Scenario, SCENARIOS.values())


@lru_cache(maxsize=64)
def within(roster: Roster, limit: int) -> Roster:
    """Take so many copies of each card of a deck that they cost no more than a limit, as they are among each other."""
    counts = samples.shares([card.count for card in roster.cards], [card.cost for card in roster.cards], limit)
    units = len(roster.unit)
    return replace(
        roster,
        unit=tuple(replace(card, count=count) for card, count in zip(roster.unit, counts[:units], strict=True)),
        support=tuple(replace(card, count=count) for card, count in zip(roster.support, counts[units:], strict=True)),
    )
