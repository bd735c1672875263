"""What the numbers of the rules are called in the words and in the rulebook: ``[hand]`` are the first cards."""

from __future__ import annotations

from companion.games.tactics_2gm.cards import HAND, START_AP
from companion.games.tactics_2gm.shooting import MOST_FOR_WOUNDS
from companion.games.tactics_2gm.turn import DRAWN, MOST_HAND

NUMBERS = {
    "start_ap": START_AP,
    "hand": HAND,
    "drawn": DRAWN,
    "most_hand": MOST_HAND,
    "most_for_wounds": MOST_FOR_WOUNDS,
}
