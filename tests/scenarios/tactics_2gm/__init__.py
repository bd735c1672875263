"""Read scenarios of 2GM Tactics and let its rules answer them through the game's public contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.tactics_2gm.game import GAME
from tests.scenarios.runner import Given, Unfit
from tests.scenarios.tactics_2gm import air, chances, hands, movement, shots, turn
from tests.scenarios.tactics_2gm.answers import Script
from tests.scenarios.tactics_2gm.fields import TABLE

if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = Callable[[Given, Script], dict[str, Any]]

__all__ = ["GAME", "run"]


def run(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    """Let the rules answer; raise Unfit for an op or a field that nobody knows, Refusal where the rules refuse."""
    op = given.get("op")
    if not isinstance(op, str) or op not in OPS:
        raise Unfit(f"unknown op {op!r}")
    fields, answer = OPS[op]
    options = {"options", "opt", *TABLE, *(f"opt.{name}" for name in TABLE)}
    if fields is not None and (unknown := given.keys() - {"op"} - options - fields):
        raise Unfit(f"unknown field {', '.join(sorted(unknown))}")
    ask = Script(dice)
    found = answer(Given(given), ask)
    ask.finish("G2-03")
    return found


OPS: dict[str, tuple[set[str] | None, Answer]] = {
    "thresholds": (shots.THRESHOLDS, shots.thresholds),
    "shot": ({"shooter", "weapon", "distance", "modifiers", "target", "phase"}, shots.shot),
    "suppression": ({"shots"}, shots.suppression),
    "odds_shot": ({*shots.THRESHOLDS, "penetration", "armour", "target", "damage"}, chances.odds_shot),
    "odds_destroy": ({"shots", "armour", "wounds_left", "target"}, chances.odds_destroy),
    "odds_start": ({"bids"}, chances.odds_start),
    "supply": (turn.INCOME | {"stored"}, turn.supply),
    "hq_phase": (turn.INCOME | {"stored"}, turn.hq_phase),
    "team_hq_phase": (turn.INCOME | {"stored", "marshal_gives"}, turn.team_hq_phase),
    "split_ap": ({"amount", "marshal_gives"}, turn.split_ap),
    "spend": ({"ap", "cost"}, turn.spend),
    "turn_phase": ({"after"}, turn.turn_phase),
    "draw": ({"deck", "hand", "draw"}, turn.draw),
    "discard": ({"hand", "discarded"}, turn.discard),
    "defeat": ({"players", "active", "mode"}, turn.defeat),
    "flip": ({"token", "state", "flipped_on_turn", "current_turn", "phase"}, turn.flip),
    "flip_timeline": ({"flips", "wants_fire"}, turn.flip_timeline),
    "distance": (None, movement.between),
    "hq_distance": (None, movement.to_hq),
    "move_phase": ({"units", "other_allies", "enemies", "impassable", "difficult"}, movement.move_phase),
    "deploy": ({"ap", "unit", "equipment", "line", "column", "square_occupied", "phase"}, hands.deploy),
    "play_card": ({"phase", "ap", "card", "target_active_cards"}, hands.play_card),
    "deck_points": ({"cards", "limit"}, hands.deck_points),
    "mulligan": ({"hand", "deck", "returned", "already_used"}, hands.mulligan),
    "start_bid": ({"bids"}, hands.start_bid),
    "buy_terrain": ({"budget", "purchases", "game_started", "mode"}, hands.buy_terrain),
    "aa": ({"aa_units"}, air.anti_air),
    "air_attack": ({"plane", "aa_shots"}, air.air_attack),
    "paradrop": ({"unit", "paratrooper", "occupied_by", "building", "ruin", "impassable"}, air.paradrop),
}
"""How each op is answered, and its fields; None where their names are free."""
