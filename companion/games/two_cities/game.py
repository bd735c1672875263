"""The game as the table and the web know it."""

from __future__ import annotations

from companion.games.two_cities.activation import activation
from companion.games.two_cities.attack import attack
from companion.games.two_cities.combat import CLOSEST_SHOT
from companion.games.two_cities.components import CARDS, MOST_DICE, PACKAGE, SIDES, card_names
from companion.games.two_cities.corrections import corrections
from companion.games.two_cities.fight import DRIVES
from companion.games.two_cities.hand import hand
from companion.games.two_cities.lookups import LOOKUPS
from companion.games.two_cities.movement import movement
from companion.games.two_cities.options import Options
from companion.games.two_cities.setup import BESIDE_A_CITY, set_up, setup
from companion.games.two_cities.sheets import aid
from companion.games.two_cities.state import HAND, State
from companion.games.two_cities.turn import turn
from companion.games.two_cities.view import view
from companion.kit.game import Game
from companion.kit.ruling import Reason
from companion.kit.text import say

GAME = Game(
    slug="two_cities",
    name=say("A Tale of Two Cities"),
    summary=say("Cards wake your units on a chessboard. Destroy the enemy city. Two players, 45 to 60 minutes."),
    package=PACKAGE,
    aid=lambda _: aid(),
    names=card_names,
    options=Options,
    state=State,
    seats=SIDES,
    setup=set_up,
    view=view,
    over=lambda state: state.phase == "finished",
    chapters=(setup, hand, activation, movement, attack, turn),
    corrections=corrections,
    lookups=LOOKUPS,
    strangers=Reason(say("Only the two players act."), "TTC-01"),
    finished=Reason(say("The game is over."), "TTC-128"),
    numbers={
        "hand": HAND,
        "deck": len(CARDS),
        "most_dice": MOST_DICE,
        "closest_shot": CLOSEST_SHOT,
        "drives": DRIVES,
        "beside_a_city": BESIDE_A_CITY,
    },
)
