"""A Tale of Two Cities: cards wake units on a chessboard, and one city falls."""

from companion.games.two_cities.game import GAME

__all__ = ["GAME"]
