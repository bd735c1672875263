"""What the numbers of the rules are called in the words and in the rulebook: ``[base_dice]`` defend a base."""

from __future__ import annotations

from companion.games.pocket_tactics.cards import MOST_TYPES
from companion.games.pocket_tactics.dice import BASE_DICE, MOST_KICKER
from companion.games.pocket_tactics.setting_out import STARTING

NUMBERS = {
    "base_dice": BASE_DICE,
    "most_kicker": MOST_KICKER,
    "most_types": MOST_TYPES,
    "starting": STARTING,
}
