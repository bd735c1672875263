"""Pocket-Tactics: two small armies on a map of tiles."""

from __future__ import annotations

from companion.games.pocket_tactics.game import GAME

__all__ = ["GAME"]
