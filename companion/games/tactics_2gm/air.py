"""Air combat: bombers, fighters, anti-aircraft (G2-138 to G2-144)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm.sides import other

if TYPE_CHECKING:
    from companion.games.tactics_2gm import actions as do
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import State, Unit
    from companion.kit.asking import Ask
    from companion.kit.game import Offer


def offers(state: State, seat: Seat) -> list[Offer]:
    """Offer a seat what this chapter lets it do now."""
    return []


def rule(state: State, seat: Seat, action: do.Bomb | do.Sortie, ask: Ask) -> State:
    """Rule on an action of this chapter; raise Refusal or Pending."""
    raise NotImplementedError


def fire_at_landing(state: State, unit: Unit, square: str | None, ask: Ask) -> State:
    """Let the enemy's anti-aircraft fire at paratroopers where they land (G2-142, G2-A31).

    ``unit`` is in play already, on that ``square`` (None: only the real battlefield knows it). It comes out wounded, or
    destroyed and out of play, where it was hit.
    """
    if any(state.card(one).subtype == "anti_aircraft" for one in state.on_ground(other(unit.side))):
        raise NotImplementedError(square, ask)
    return state
