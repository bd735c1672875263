"""What is a reason to wait before a phase or a turn is ended, and what is none, game by game."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.kit.action import Offer

NO_REASON: dict[str, set[str]] = {
    "chesswar": {"answering", "cast", "cover", "take_back"},
    "free_table": set(),
    "history_of_war": {"play_action", "take_up"},
    "pocket_tactics": set(),
    "tactics_2gm": {
        "assault",
        "cede",
        "claim_goal",
        "play_card",
        "set_up",
        "stand",
        "take_back",
        "take_terrain",
        "use_token",
    },
    "two_cities": set(),
}
"""Actions that undo something, keep for their moment, or may be done at any time."""


def still(game: str, offers: Iterable[Offer]) -> set[str]:
    """What can still be done and would be missed."""
    able = {offer.action for offer in offers if not (offer.ends or offer.aside or offer.grave or offer.hopeless)}
    return able - NO_REASON[game]
