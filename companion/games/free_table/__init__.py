"""The free table: trackers that people put together for any game that Companion does not know."""

from companion.games.free_table.game import GAME

__all__ = ["GAME"]
