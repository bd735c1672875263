"""Read scenarios of Pocket-Tactics and let its rules answer them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.pocket_tactics.game import GAME
from tests.scenarios.pocket_tactics import assaults, cards, chances, map_building, moves, turns
from tests.scenarios.pocket_tactics.fields import TABLE
from tests.scenarios.runner import Given, Unfit

if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = Callable[[Given, list[Any]], dict[str, Any]]

__all__ = ["GAME", "run"]


def run(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    """Let the rules answer; raise Unfit for an op or a field that nobody knows, Refusal where the rules refuse."""
    op = given.get("op")
    if not isinstance(op, str) or op not in OPS:
        raise Unfit(f"unknown op {op!r}")
    fields, answer = OPS[op]
    options = {"options", "opt", *TABLE, *(f"opt.{name}" for name in TABLE)}
    if unknown := given.keys() - {"op"} - options - fields:
        raise Unfit(f"unknown field {', '.join(sorted(unknown))}")
    return answer(Given(given), dice)


OPS: dict[str, tuple[set[str], Answer]] = {
    "compare": (assaults.COMPARE, assaults.compare),
    "assault": (assaults.ASSAULT, assaults.assault),
    "rerolls": (assaults.ASSAULT, assaults.rerolls),
    "move": (moves.MOVE, moves.move),
    "random_move": (moves.RANDOM, moves.random_move),
    "deploy": (moves.DEPLOY, moves.deploy),
    "skill_test": (cards.TEST, cards.skill_test),
    "kicker_adjust": (cards.ADJUST, cards.kicker_adjust),
    "unit_card": (cards.CARD, cards.unit_card),
    "place_tile": (map_building.PLACE, map_building.place_tile),
    "second_base": (map_building.BASE, map_building.second_base),
    "initial_deploy": (map_building.DEPLOYED, map_building.initial_deploy),
    "turn": (turns.TURN, turns.play_turn),
    "victory": (turns.VICTORY, turns.victory),
    "first_player": (turns.FIRST, turns.first_player),
    "odds_hit": (chances.HIT, chances.odds_hit),
    "odds_assault": (chances.ASSAULT, chances.odds_assault),
    "odds_test": (chances.TEST, chances.odds_test),
    "odds_path": (chances.PATH, chances.odds_path),
    "odds_reroll": (chances.REROLL, chances.odds_reroll),
}
"""How each op is answered, and its fields."""
