"""What an upgrade does not change: values that its unit does not have (HW-09, HW-A16)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war import speech
from companion.games.history_of_war.cards import CATEGORIES
from companion.games.history_of_war.describing import categories
from companion.kit.ruling import Reason
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.history_of_war.cards import Category, UpgradeCard
    from companion.games.history_of_war.pieces import Played
    from companion.games.history_of_war.state import State


def lacking(state: State, unit: Played, card: UpgradeCard) -> tuple[Category, ...]:
    """List the attack values that an upgrade changes and its unit does not have."""
    return tuple(one for one in CATEGORIES if getattr(card, f"av_{one}") and state.value(unit, one) is None)


def unchanged(state: State, unit: Played, card: UpgradeCard) -> Reason | None:
    """Say that an upgrade changes a value that its unit does not have; None when it has them all."""
    found = lacking(state, unit, card)
    if not found:
        return None
    text = say(
        "{unit} has no such attack value to change: {what}. If the card gives it one, tick it by hand.",
        unit=speech.card(state, unit),
        what=categories(found),
    )
    return Reason(text, "HW-A16")
