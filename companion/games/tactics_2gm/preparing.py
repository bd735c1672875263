"""Before the battle: decks are built, loaded and shared (G2-05 to G2-11, G2-146 to G2-150)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.tactics_2gm import actions as do
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State
    from companion.kit.asking import Ask
    from companion.kit.game import Offer


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return []


def rule(state: State, seat: Seat, action: do.Preparing, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    raise NotImplementedError
