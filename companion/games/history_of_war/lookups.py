"""Look-ups: rulings on typed-in facts, without a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.kit.game import Lookup

LOOKUPS: dict[str, Lookup] = {}
