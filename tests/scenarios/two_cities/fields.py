"""Read the fields of a scenario of A Tale of Two Cities: units, terrain and the position they stand in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from companion.games.two_cities.activation import begin
from companion.games.two_cities.components import CARDS, KINDS, SIDES, rule_of
from companion.games.two_cities.game import GAME
from companion.games.two_cities.hand import piece_for
from companion.games.two_cities.options import Options
from companion.games.two_cities.state import State, Unit
from companion.kit.asking import Ask
from companion.kit.ruling import Refusal
from companion.kit.squares import CHESSBOARD
from companion.kit.text import say
from tests.scenarios.fields import objects, one_of
from tests.scenarios.runner import Unfit

if TYPE_CHECKING:
    from companion.kit.ruling import Ruling


def on_board(field: str, square: Any) -> None:
    if square not in CHESSBOARD:
        raise Refusal(say("There is no square {square} on the board.", square=str(square)), "TTC-01", field)


def player_of(given: dict[str, Any]) -> Any:
    return given.get("player", "white")


def units_of(given: dict[str, Any]) -> tuple[Unit, ...]:
    units: list[Unit] = []
    for entry in objects("units", given.get("units"), "id", "side", "type", "square", "hits", "mercenary"):
        square = entry.get("square")
        one_of("side", entry["side"], SIDES)
        one_of("type", entry["type"], KINDS)
        if any(unit.id == str(entry["id"]) for unit in units):
            raise Unfit(f"two units are called {entry['id']!r}")
        if square is not None:
            on_board("units", square)
        before = State(options=Options(), units=tuple(units))
        units.append(
            Unit(
                str(entry["id"]),
                entry["side"],
                entry["type"],
                square,
                entry.get("hits") or 0,
                home=square or "",
                mercenary=bool(entry.get("mercenary")),
                piece=piece_for(before, entry["side"], entry["type"]),
            )
        )
    return tuple(units)


def terrain_of(given: dict[str, Any]) -> dict[str, str]:
    terrain = dict(given.get("terrain") or {})
    for square, ground in terrain.items():
        on_board("terrain", square)
        one_of("terrain", ground, ("forest", "hill"))
    return terrain


def state_of(given: dict[str, Any], **more: Any) -> State:
    # No rule lays such a card on the table, so no rule can refuse it there.
    if (card := more.get("card")) is not None and card not in list(CARDS):
        raise Refusal(say("Only the {count} cards of the game are used.", count=len(CARDS)), "TTC-26", "card")
    options = msgspec.convert(given.get("options") or {}, Options)
    bought = given.get("purchases_before") or 0
    player = player_of(given)
    fields: dict[str, Any] = {
        "options": options,
        "units": units_of(given),
        "terrain": terrain_of(given),
        "active": player,
        "purchases": {side: bought if side == player else 0 for side in SIDES},
        "hands": dict.fromkeys(SIDES, ()),
    }
    return State(**(fields | more))


def acting(given: dict[str, Any], unit: str | None) -> State:
    """The position with the card in play; ``unit`` has moved where it says so, or is activated where no card is."""
    state = begin(state_of(given, phase="activations", card=given.get("card")))
    there = state.find(unit) if unit is not None else None
    if there is None or there.side != state.active or not there.mobile:
        return state
    card = rule_of(state.card)
    if state.card is None:
        state = state.with_unit(there.id, activated="any")
    if given.get("moved"):
        # Where it stood when the card was played is not known: it counts as activated if the card fits its kind.
        fits = there.kind in card.who if card.card_class == "special" else bool(card.left + card.right)
        if fits and not there.activated:
            part = "any" if card.who else "left" if card.left else "right"
            state = state.with_unit(there.id, activated=part, phalanx=card.contact)
        state = state.with_unit(there.id, moved=True)
    return state


def all_done(state: State) -> State:
    """The position after every unit of the active player has acted."""
    for unit in state.in_play(state.active):
        state = state.with_unit(unit.id, activated="any", done=True, attacks=1)
    return state


def rule(state: State, action: Any, ask: Ask) -> Ruling[State]:
    return GAME.rule(state, state.active, action, ask)
