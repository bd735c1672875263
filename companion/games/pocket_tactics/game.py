"""The game as the table and the web know it."""

from __future__ import annotations

from companion.games.pocket_tactics import turn
from companion.games.pocket_tactics.assault import assault
from companion.games.pocket_tactics.assault_odds import ASSAULT
from companion.games.pocket_tactics.bag import bag
from companion.games.pocket_tactics.cards import MOST_TYPES, PACKAGE
from companion.games.pocket_tactics.corrections import corrections, settled
from companion.games.pocket_tactics.dice import BASE_DICE, MOST_KICKER
from companion.games.pocket_tactics.factions import again, beginning, cards, factions, files
from companion.games.pocket_tactics.hazard_lookup import HAZARD
from companion.games.pocket_tactics.initial_deployment import STARTING, initial_deployment
from companion.games.pocket_tactics.map_building import map_building
from companion.games.pocket_tactics.movement import movement
from companion.games.pocket_tactics.options import Options
from companion.games.pocket_tactics.sheets import aid, sheets
from companion.games.pocket_tactics.skill_tests import SKILL_TEST, skill_tests
from companion.games.pocket_tactics.state import SEATS, State
from companion.games.pocket_tactics.terrain import TESTS
from companion.games.pocket_tactics.unit_editor import unit_editor
from companion.games.pocket_tactics.view import view
from companion.kit.game import Game
from companion.kit.ruling import Reason, Ruling
from companion.kit.text import say

GAME = Game(
    slug="pocket_tactics",
    name=say("Pocket-Tactics"),
    summary=say(
        "Two small armies on a map of tiles that is new each time: opposed dice, dangerous ground, and a base to take."
    ),
    package=PACKAGE,
    sheets=sheets,
    aid=aid,
    options=Options,
    state=State,
    seats=SEATS,
    setup=lambda options, _: Ruling(
        State(options=options), say("Take a faction each: a ready one, a file, or one of your own.")
    ),
    again=again,
    files=files,
    view=view,
    cards=cards,
    over=lambda state: state.over,
    headline=lambda _before, after, _seat: turn.over(after) if after.over else None,
    chapters=(
        unit_editor,
        factions,
        bag,
        beginning,
        map_building,
        initial_deployment,
        movement,
        assault,
        skill_tests,
        turn.giving_up,
    ),
    corrections=corrections,
    corrected=settled,
    lookups=(ASSAULT, SKILL_TEST, HAZARD),
    strangers=Reason(say("Only the players act."), "PT-25"),
    finished=Reason(say("The game is over."), "PT-64"),
    numbers={
        **{hazard: test.fails_to for hazard, test in TESTS.items()},
        "base_dice": BASE_DICE,
        "most_kicker": MOST_KICKER,
        "most_types": MOST_TYPES,
        "starting": STARTING,
    },
)
