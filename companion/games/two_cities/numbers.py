"""What the numbers of the rules are called in the words and in the rulebook: ``[hand]`` is how many cards are held."""

from __future__ import annotations

from companion.games.two_cities.combat import CLOSEST_SHOT
from companion.games.two_cities.components import CARDS, MOST_DICE
from companion.games.two_cities.fight import DRIVES
from companion.games.two_cities.setup import BESIDE_A_CITY
from companion.games.two_cities.state import HAND

NUMBERS = {
    "hand": HAND,
    "deck": len(CARDS),
    "most_dice": MOST_DICE,
    "closest_shot": CLOSEST_SHOT,
    "drives": DRIVES,
    "beside_a_city": BESIDE_A_CITY,
}
