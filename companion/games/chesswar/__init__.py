"""ChessWar: seven armies on a chessboard."""

from __future__ import annotations

from companion.games.chesswar.game import GAME

__all__ = ["GAME"]
