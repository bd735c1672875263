"""What the numbers of the rules are called in the words and in the rulebook: ``[hand]`` is how many cards are drawn."""

from __future__ import annotations

from companion.games.history_of_war.cards import START_POINTS
from companion.games.history_of_war.final import MOST_HAND, MOST_UNITS
from companion.games.history_of_war.options import TO_WIN
from companion.games.history_of_war.start import FEW, HAND

NUMBERS = {
    "to_win": TO_WIN,
    "start_points": START_POINTS,
    "hand": HAND,
    "few": FEW,
    "most_hand": MOST_HAND,
    "most_units": MOST_UNITS,
}
