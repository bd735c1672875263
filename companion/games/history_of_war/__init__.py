"""History of War: the card game of territories, technology assets and flags."""

from __future__ import annotations

from companion.games.history_of_war.game import GAME

__all__ = ["GAME"]
