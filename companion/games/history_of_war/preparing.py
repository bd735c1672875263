"""Stub."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.history_of_war import actions as do
    from companion.games.history_of_war.sides import Seat
    from companion.games.history_of_war.state import State
    from companion.kit.asking import Ask
    from companion.kit.game import Offer


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return []


def rule(state: State, seat: Seat, action: do.Preparing, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    return state


def check_ready(state: State, seat: Seat) -> None:
    """Refuse a deck that no game can begin with (HW-05, HW-20, HW-22)."""
