"""ChessWar: seven armies on a chessboard."""

from companion.games.chesswar.game import GAME

__all__ = ["GAME"]
