"""The game as the table and the web know it."""

from __future__ import annotations

from companion.games.history_of_war import view
from companion.games.history_of_war.battle import battle
from companion.games.history_of_war.battle_lookup import BATTLE
from companion.games.history_of_war.cards import DECKS, PACKAGE, START_POINTS
from companion.games.history_of_war.conquest import conquest
from companion.games.history_of_war.construction import construction
from companion.games.history_of_war.contests import CONQUEST
from companion.games.history_of_war.corrections import corrections
from companion.games.history_of_war.damage import damage
from companion.games.history_of_war.decks import again, decks, files
from companion.games.history_of_war.developments import developments
from companion.games.history_of_war.final import MOST_HAND, MOST_UNITS, final
from companion.games.history_of_war.hands import action_cards, base_expansion
from companion.games.history_of_war.movement import movement
from companion.games.history_of_war.options import TO_WIN, Options
from companion.games.history_of_war.payment import PAYMENT
from companion.games.history_of_war.pieces import SEATS
from companion.games.history_of_war.rounds import asked_again, go_on, rounds
from companion.games.history_of_war.speech import sheet
from companion.games.history_of_war.start import FEW, HAND, start
from companion.games.history_of_war.state import State
from companion.games.history_of_war.strike import striking
from companion.kit.game import Game
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import numbered, say

GAME = Game(
    slug="history_of_war",
    name=say("History of War"),
    summary=numbered(
        "A card game of territories: build, attack, block, and plant more flags than the enemy. First to [to_win] "
        "victory points.",
        to_win=TO_WIN,
    ),
    package=PACKAGE,
    sheets=lambda _: tuple(sheet(name, deck) for name, deck in DECKS.items()),
    options=Options,
    state=State,
    seats=SEATS,
    setup=lambda options, _: Ruling(
        State(options=options), say("Take a deck each: a ready one, a file, or one of your own.")
    ),
    again=again,
    files=files,
    view=view.view,
    cards=view.cards,
    over=lambda state: state.phase == "finished",
    chapters=(
        decks,
        start,
        base_expansion,
        construction,
        developments,
        action_cards,
        movement,
        battle,
        damage,
        striking,
        conquest,
        final,
        rounds,
    ),
    headline=lambda _, after, _seat: view.over(after) if after.phase == "finished" else None,
    settle=go_on,
    corrections=corrections,
    lying_values=("locked", "markers"),
    corrected=lambda state, _: asked_again(state),
    lookups=(BATTLE, CONQUEST, PAYMENT),
    strangers=Reason(say("Only the players act."), "HW-29"),
    finished=Reason(say("The game is over."), "HW-100"),
    numbers={
        "to_win": TO_WIN,
        "start_points": START_POINTS,
        "hand": HAND,
        "few": FEW,
        "most_hand": MOST_HAND,
        "most_units": MOST_UNITS,
    },
)
