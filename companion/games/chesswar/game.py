"""The game as the table and the web know it."""

from __future__ import annotations

from companion.games.chesswar import (
    catapults,
    charge,
    combat,
    deployment,
    destruction,
    magic,
    movement,
    raising,
    sheets,
    shooting,
    spells,
    turn,
    victory,
)
from companion.games.chesswar.armies import PACKAGE
from companion.games.chesswar.corrections import corrections
from companion.games.chesswar.lookups import LOOKUPS
from companion.games.chesswar.magic import PATIENCE, REACH, STORM_SCATTERS, WORKS
from companion.games.chesswar.options import ENOUGH_FOR_MORE, Options, allied, sides
from companion.games.chesswar.shooting import FAR, HARDER
from companion.games.chesswar.state import State
from companion.games.chesswar.traits import SAVES
from companion.games.chesswar.turn import STANDS_UP
from companion.games.chesswar.view import view
from companion.kit.game import Game, Role
from companion.kit.ruling import Reason
from companion.kit.text import Text, say

GAME = Game(
    slug="chesswar",
    name=say("ChessWar"),
    summary=say("Seven fantasy armies on a chessboard: move, shoot, fight, cast. Destroy the enemy general."),
    package=PACKAGE,
    options=Options,
    state=State,
    roles=lambda options: tuple(Role(side, Text(side), allied(options, side)) for side in sides(options)),
    seats=lambda state: state.sides,
    setup=deployment.set_up,
    again=raising.again,
    view=view,
    over=lambda state: state.phase == "finished",
    chapters=(
        raising.raising,
        deployment.deployment,
        turn.turn,
        movement.movement,
        charge.charge,
        shooting.shooting,
        catapults.catapults,
        combat.combat,
        spells.spells,
        magic.magic,
        destruction.destruction,
        victory.victory,
    ),
    corrections=corrections,
    lying_values=("down",),
    settle=turn.go_on,
    reveals=lambda before, after: before.hidden and not after.hidden,
    lookups=LOOKUPS,
    sheets=sheets.sheets,
    aid=sheets.aid,
    strangers=Reason(say("Only the players act."), "CW-01"),
    finished=None,
    numbers={
        **{spell: REACH[spell] for spell in ("raise_dead", "healing", "flight", "zap")},
        **SAVES,
        **{f"{why}_takes": -less for why, less in HARDER.items()},
        "around": REACH["protection"],
        "works": WORKS,
        "stands_up": STANDS_UP,
        "storm": STORM_SCATTERS,
        "far": FAR,
        "patience": PATIENCE,
        "enough": ENOUGH_FOR_MORE,
    },
)
