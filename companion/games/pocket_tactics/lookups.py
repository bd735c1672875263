"""Rulings without a table: an assault, a skill test, hazards."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.kit.game import Lookup

LOOKUPS: dict[str, Lookup] = {}
