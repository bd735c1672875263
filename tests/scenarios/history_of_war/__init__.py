"""Read scenarios of History of War and let its rules answer them through the game's public contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.history_of_war.game import GAME
from tests.scenarios.history_of_war import battle, construction, movement, start, victory
from tests.scenarios.history_of_war.fields import TABLE
from tests.scenarios.runner import Given, Unfit

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
    "start_territories": ({"victory_points"}, start.start_territories),
    "deck": ({"depot"}, start.deck),
    "mulligan": ({"base_expansions_in_hand", "already_used", "option"}, start.mulligan),
    "draw": ({"depot", "hand"}, start.draw),
    "base_expansion": ({"cards", "phase", "role"}, construction.base_expansion),
    "use_scrapyard": (None, construction.use_scrapyard),
    "build": ({"sources", "cards", "lock", "phase", "role"}, construction.build),
    "ta": ({"sources"}, construction.available),
    "upgrade": ({"phase", "unit_state", "location", "role", "kind", "cost"}, construction.upgrade),
    "deploy_unit": ({"phase", "role", "unit_state", "from", "to"}, movement.deploy_unit),
    "retreat": ({"phase", "role", "unit_state", "from", "to"}, movement.retreat),
    "play_action": ({"phase", "cost", "ta_available", "role"}, construction.play_action),
    "declare_attack": ({"phase", "role", "units"}, battle.declare_attack),
    "declare_block": ({"phase", "role", "attackers", "units", "blocks"}, battle.declare_block),
    "damage": ({"units", "attacks", "responses", "earlier_damage_this_round", "phase"}, battle.damage),
    "conquest": ({"players", "flags_required", "victory_points", "cards", "keep", "phase"}, victory.conquered),
    "final": ({"players", "territories_left", "open_territories"}, victory.final),
    "round_end": ({"cards", "with_entrenchment", "markers", "entrenchment_markers"}, victory.round_end),
    "phase": ({"after"}, victory.phase),
}
"""How each op is answered, and its fields; None where their names are free."""
