"""Read scenarios of History of War and let its rules answer them through the game's public contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.history_of_war.game import GAME
from tests.scenarios.history_of_war import building, ending, fighting, moving, starting
from tests.scenarios.history_of_war.reading import TABLE
from tests.scenarios.running import Given, Unfit

if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = Callable[[Given], dict[str, Any]]

__all__ = ["GAME", "run"]


def run(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    """Let the rules answer; raise Unfit for an op or a field that nobody knows, Refusal where the rules refuse."""
    op = given.get("op")
    if not isinstance(op, str) or op not in OPS:
        raise Unfit(f"unknown op {op!r}")
    if dice:
        raise Unfit("there are no dice in this game")
    fields, answer = OPS[op]
    options = {"options", "opt", *TABLE, *(f"opt.{name}" for name in TABLE)}
    if fields is not None and (unknown := given.keys() - {"op"} - options - fields):
        raise Unfit(f"unknown field {', '.join(sorted(unknown))}")
    return answer(Given(given))


OPS: dict[str, tuple[set[str] | None, Answer]] = {
    "start_territories": ({"victory_points"}, starting.start_territories),
    "deck": ({"depot"}, starting.deck),
    "mulligan": ({"base_expansions_in_hand", "already_used", "option"}, starting.mulligan),
    "draw": ({"depot", "hand"}, starting.draw),
    "base_expansion": ({"cards", "phase", "role"}, building.base_expansion),
    "use_scrapyard": (None, building.use_scrapyard),
    "build": ({"sources", "cards", "lock", "phase", "role"}, building.build),
    "ta": ({"sources"}, building.available),
    "upgrade": ({"phase", "unit_state", "location", "role", "kind", "cost"}, building.upgrade),
    "deploy_unit": ({"phase", "role", "unit_state", "from", "to"}, moving.deploy_unit),
    "retreat": ({"phase", "role", "unit_state", "from", "to"}, moving.retreat),
    "play_action": ({"phase", "cost", "ta_available", "role"}, building.play_action),
    "declare_attack": ({"phase", "role", "units"}, fighting.declare_attack),
    "declare_block": ({"phase", "role", "attackers", "units", "blocks"}, fighting.declare_block),
    "damage": ({"units", "attacks", "responses", "earlier_damage_this_round", "phase"}, fighting.damage),
    "conquest": ({"players", "flags_required", "victory_points", "cards", "keep", "phase"}, ending.conquered),
    "final": ({"players", "territories_left", "open_territories"}, ending.final),
    "round_end": ({"cards", "with_entrenchment", "markers", "entrenchment_markers"}, ending.round_end),
    "phase": ({"after"}, ending.phase),
}
"""How each op is answered, and its fields; None where their names are free."""
