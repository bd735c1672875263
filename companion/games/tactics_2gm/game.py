"""The game as the table and the web know it."""

from __future__ import annotations

from companion.games.tactics_2gm import (
    air,
    assault,
    corrections,
    deck_view,
    decks,
    deployment,
    editor,
    fire,
    income,
    lookups,
    movement,
    shot_lookups,
    speech,
    start,
    terrain,
    tokens,
    turn,
    victory,
    view,
)
from companion.games.tactics_2gm.cards import HAND, PACKAGE, SCENARIOS, START_AP, TERRAIN
from companion.games.tactics_2gm.options import Options, Seat, paired, seats, side_of
from companion.games.tactics_2gm.shooting import MOST_FOR_WOUNDS
from companion.games.tactics_2gm.state import State
from companion.games.tactics_2gm.turn import DRAWN, MOST_HAND
from companion.kit.asking import Ask
from companion.kit.game import Game, Role
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import Text, say

COLOURS: dict[Seat, str] = {
    "allies": "blue",
    "axis": "red",
    "allies_1": "blue",
    "allies_2": "white",
    "axis_1": "red",
    "axis_2": "black",
}


def _role(options: Options, seat: Seat) -> Role:
    side = side_of(seat)
    note = say("Plays with a partner for the {side}", side=Text(side)) if paired(options, side) else None
    return Role(seat, Text(seat), note, colour=COLOURS[seat])


def _setup(options: Options, ask: Ask) -> Ruling[State]:
    """Set the table up: everybody takes or builds a deck."""
    scenario = next(iter(SCENARIOS.values())) if options.mode == "scenario" else None
    state = State(options=options, scenario=scenario, terrain_deck=TERRAIN)
    return Ruling(state, say("Take a deck each: a ready one, a file, or one of your own."), tuple(ask.reasons))


GAME = Game(
    slug="tactics_2gm",
    name=say("2GM Tactics"),
    summary=say(
        "The Second World War with cards: action points, supply, equipment and fire. Destroy the enemy headquarters."
    ),
    package=PACKAGE,
    sheets=lambda _: speech.sheets(),
    options=Options,
    state=State,
    roles=lambda options: tuple(_role(options, seat) for seat in seats(options)),
    seats=lambda state: state.seats,
    setup=_setup,
    again=decks.again,
    files=decks.files,
    view=view.view,
    cards=deck_view.cards,
    over=lambda state: state.phase == "finished",
    headline=lambda _before, after, _seat: victory.said(after) if after.phase == "finished" else None,
    chapters=(
        decks.first_deck,
        editor.editor,
        decks.decks,
        terrain.terrain,
        start.start,
        movement.movement,
        assault.assault,
        deployment.deployment,
        deployment.support,
        tokens.tokens,
        fire.fire,
        air.air,
        turn.turn,
        income.action_points,
        victory.victory,
    ),
    corrections=corrections.corrections,
    lying_values=("set_up", "token"),
    settle=victory.check,
    lookups=(shot_lookups.SHOT, shot_lookups.SHOTS_TO_KILL, lookups.INCOME, lookups.BID, lookups.DECK_COST),
    strangers=Reason(say("Only the players act."), "G2-02"),
    finished=Reason(say("The battle is over."), "G2-02"),
    numbers={
        "start_ap": START_AP,
        "hand": HAND,
        "drawn": DRAWN,
        "most_hand": MOST_HAND,
        "most_for_wounds": MOST_FOR_WOUNDS,
    },
)
