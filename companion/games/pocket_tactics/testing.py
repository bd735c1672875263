"""Skill tests, and kickers that effects change (PT-91 to PT-98)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.pocket_tactics import actions as do
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.kit.asking import Ask
    from companion.kit.game import Offer


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return []


def rule(state: State, seat: Seat, action: do.Testing, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    return state
