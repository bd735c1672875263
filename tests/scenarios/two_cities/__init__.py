"""Read scenarios of A Tale of Two Cities and let its rules answer them through the game's public contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.two_cities.components import SIDES
from companion.games.two_cities.game import GAME
from tests.scenarios.fields import one_of
from tests.scenarios.runner import Given, Unfit
from tests.scenarios.two_cities import attacks, starts, turns

if TYPE_CHECKING:
    from collections.abc import Callable

    Answer = Callable[[Given, list[Any]], dict[str, Any]]

__all__ = ["GAME", "run"]

COMMON = {"kind", "player", "card", "units", "terrain", "options"}


def run(given: dict[str, Any], dice: list[Any]) -> dict[str, Any]:
    """Let the rules answer; raise Unfit for a kind or a field that nobody knows, Refusal where the rules refuse."""
    kind = given.get("kind")
    if not isinstance(kind, str) or kind not in KINDS_OF_SCENARIO:
        raise Unfit(f"unknown kind {kind!r}")
    fields, answer = KINDS_OF_SCENARIO[kind]
    if unknown := given.keys() - COMMON - fields:
        raise Unfit(f"unknown field {', '.join(sorted(unknown))}")
    one_of("player", given.get("player", "white"), SIDES)
    one_of("mode", given.get("mode"), attacks.MODES)
    return answer(Given(given), dice)


KINDS_OF_SCENARIO: dict[str, tuple[set[str], Answer]] = {
    "attack_check": (attacks.ATTACK, attacks.attack_check),
    "attack": (attacks.ATTACK | {"evasion", "protection"}, attacks.attack),
    "double_rain": ({"attacker", "moved", "shots"}, attacks.double_rain),
    "evasion_check": (attacks.ATTACK, attacks.evasion_check),
    "move": ({"unit", "to", "path"}, turns.move),
    "end_activation": ({"unit", "fought", "moved"}, turns.end_activation),
    "sector": ({"square"}, turns.sector),
    "playable": ({"hand", "purchases_before"}, turns.playable),
    "choose_card": ({"hand", "action", "purchases_before"}, turns.choose_card),
    "eligible": (set(), turns.eligible),
    "activate": ({"chosen"}, turns.activate),
    "discard": (set(), turns.discard),
    "end_turn": ({"card_used", "draw_pile", "discard_pile", "removed"}, turns.end_turn),
    "reinforce": ({"purchases_before", "remove", "place"}, turns.reinforce),
    "set_up": ({"terrain_list", "random_start"}, starts.set_up),
    "view": ({"viewer", "hands", "draw_pile", "discard_pile", "removed"}, starts.view),
    "deal": (set(), starts.deal),
    "surrender": (set(), turns.surrender),
    "odds": (attacks.ATTACK | {"event", "evasion", "shots"}, attacks.odds),
}
