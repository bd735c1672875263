"""Look-ups: rulings on typed-in facts, without a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics.assault_lookup import ASSAULT
from companion.games.pocket_tactics.hazard_lookup import HAZARD
from companion.games.pocket_tactics.skill_test_lookup import SKILL_TEST

if TYPE_CHECKING:
    from companion.kit.game import Lookup

LOOKUPS: dict[str, Lookup] = {lookup.slug: lookup for lookup in (ASSAULT, SKILL_TEST, HAZARD)}
