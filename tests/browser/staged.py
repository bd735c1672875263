"""Tables of Pocket-Tactics for the browser tests that begin in a position, not before the game."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from companion.games.pocket_tactics.game import GAME
from companion.games.pocket_tactics.state import SEATS
from tests.browser.phones import Sitting
from tests.support import pocket_tactics_positions as tiles
from tests.support.plain_games import posed

if TYPE_CHECKING:
    from companion.games.pocket_tactics.state import State
    from tests.browser.phones import Serving

GROUND = (
    "m2 field, l1 field, l2 swamp, n2 village, m3 field, l3 cave, n3 forest, m4 field, n4 ice, l4 water, o3 labyrinth"
)
UNITS = "b blade_guard m2, b shield_captain n2, r bulwark m3, r ravager n3"
BLADE, BULWARK = "b3.1", "r2.1"
ASSAULT = {"unit": BLADE, "target": BULWARK, "kind": "melee", "skill": "melee"}


STAGE = copy(GAME)
STAGED = {GAME.slug: STAGE}


def sit(served: Serving, laid: State | None = None) -> Sitting:
    """Set a table at which both sit, before the game or in a position."""
    STAGE.setup = posed(GAME, laid).setup if laid else GAME.setup
    made = served.tables.create(GAME.slug, "", {}, {"rulekeeper": "Ruth"}, "typed")
    taken = {seat: served.tables.join(made.table, seat, seat.capitalize()) for seat in SEATS}
    return Sitting(served, made.table, {**made.tokens, **taken})


def begun(served: Serving, **more: Any) -> Sitting:
    """Set a table in Blue's first turn."""
    return sit(served, tiles.game(UNITS, ground=GROUND, **more))


def building(served: Serving) -> Sitting:
    """Set a table at which Blue has drawn a tile: three tiles lie, and others are in the bag."""
    laid = tiles.game(ground="l1 field, n1 forest, m2 water").but(bases={"blue": "m1"}, phase="tiles", turn=0)
    return sit(served, laid.but(drawn=0, left=(0, 1, 2)))


def fought(table: Sitting, *thrown: tuple[int, ...]) -> Sitting:
    """Let Blue assault, and the dice be thrown, pool by pool."""
    table.act("blue", "assault", **ASSAULT)
    for seat, faces in zip(("blue", "blue", "red", "red"), thrown, strict=False):
        table.answer(seat, faces=list(faces))
    return table


THROWN = ((6, 4, 2), (5, 4), (5, 2, 1), (6, 3, 1))
"""The bulwark is captured, the blade guard is not."""
