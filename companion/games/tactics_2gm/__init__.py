"""2GM Tactics: the Second World War with cards, action points and fire."""

from __future__ import annotations

from companion.games.tactics_2gm.game import GAME

__all__ = ["GAME"]
