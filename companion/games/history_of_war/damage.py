"""Damage: who strikes what, who answers, and what is destroyed (HW-62 to HW-78, HW-83)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from companion.games.history_of_war.state import State


def wear_off(state: State) -> State:
    """Return the state after a damage phase: damage is undone, and its attacks are over (HW-75)."""
    cards = tuple(replace(card, damage=0) if card.damage else card for card in state.cards)
    return state.but(cards=cards, attacks=(), struck=False)
