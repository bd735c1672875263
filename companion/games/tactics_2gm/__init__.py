"""2GM Tactics: seven armies on a chessboard."""

from __future__ import annotations

from companion.games.tactics_2gm.game import GAME

__all__ = ["GAME"]
