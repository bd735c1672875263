"""Look-ups: rulings on typed-in facts, without a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm.deck_lookup import DECK_COST
from companion.games.tactics_2gm.income_lookup import INCOME
from companion.games.tactics_2gm.shot_lookup import SHOT, SHOTS_TO_KILL
from companion.games.tactics_2gm.starting_lookup import BID

if TYPE_CHECKING:
    from companion.kit.game import Lookup

LOOKUPS: dict[str, Lookup] = {lookup.slug: lookup for lookup in (SHOT, SHOTS_TO_KILL, INCOME, BID, DECK_COST)}
