"""Look-ups: rulings on typed-in facts, without a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.history_of_war.battle_lookup import BATTLE
from companion.games.history_of_war.conquest_lookup import CONQUEST
from companion.games.history_of_war.payment_lookup import PAYMENT

if TYPE_CHECKING:
    from companion.kit.game import Lookup

LOOKUPS: dict[str, Lookup] = {lookup.slug: lookup for lookup in (BATTLE, CONQUEST, PAYMENT)}
