"""What leaves the game: destroyed and surplus cards in play go to their owner's scrapyard (HW-74, HW-76, HW-99)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.history_of_war.pieces import Played
    from companion.games.history_of_war.state import State


def scrap(state: State, played: Played) -> State:
    """Put a card in play on its owner's scrapyard; upgrades follow their unit (HW-A38)."""
    scrapyard = state.deck(played.seat).scrapyard
    state = state.with_deck(played.seat, scrapyard=(*scrapyard, played.code, *played.upgrades))
    return state.but(cards=tuple(card for card in state.cards if card.id != played.id))
