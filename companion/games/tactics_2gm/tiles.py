"""The tiles of the battlefield, and the natural features that they show (G2-41, G2-129)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.tactics_2gm.pieces import Natural
from companion.games.tactics_2gm.sides import grid
from companion.kit.ruling import Reason, Refusal
from companion.kit.text import Text, listed, say

if TYPE_CHECKING:
    from companion.games.tactics_2gm import actions as do
    from companion.games.tactics_2gm.cards import Feature
    from companion.games.tactics_2gm.sides import Seat
    from companion.games.tactics_2gm.state import Phase, State
    from companion.kit.asking import Ask

OPEN: tuple[Phase, ...] = ("decks", "terrain")
"""Phases in which the battlefield is laid out, by anybody."""
WAYS = ("A↑", "A↓", "B↑", "B↓")
"""How a tile may come: with either of its sides up, either way round."""
WET: tuple[Feature, ...] = ("river", "sea")
NOTHING = say("none")


def dry(state: State, feature: str) -> Reason | None:
    """Say why a feature can not be there: in a pitched battle tiles of rivers and the sea are taken out (G2-41)."""
    if feature in WET and state.options.mode == "pitched":
        return Reason(say("In a pitched battle the tiles of rivers and the sea are taken out."), "G2-41")
    return None


def set_natural(state: State, action: do.SetNatural, ask: Ask) -> State:
    """Note the natural feature of a square, or that it has none (G2-127, G2-129)."""
    _check_open(state)
    if not state.mirrored:
        raise Refusal(say("At this table only the real battlefield knows where things are."), "G2-38", "to")
    if action.to not in grid(state.options):
        raise Refusal(say("There is no square {square} on the battlefield.", square=action.to), "G2-38", "to")
    natural = {place: one for place, one in state.natural.items() if place != action.to}
    if action.feature == "none":
        ask.tell(say("{square}: no natural feature", square=action.to), "G2-129")
        return state.but(natural=natural)
    never = dry(state, action.feature)
    if never is not None:
        raise Refusal(never.text, never.clause, "feature")
    natural[action.to] = Natural(action.feature, action.kind)
    ask.tell(
        say("{square}: {feature}, {kind}", square=action.to, feature=Text(action.feature), kind=Text(action.kind)),
        "G2-129",
    )
    return state.but(natural=dict(sorted(natural.items())))


def lay(state: State, seat: Seat, action: do.LayTiles, ask: Ask) -> State:
    """Shuffle the tiles and lay them in the order, with the side and the way round, as they come (G2-41)."""
    _check_open(state)
    numbers = tuple(str(number) for number in range(1, action.count + 1))
    why = say("The tiles of the battlefield")
    order = ask.draw(numbers, action.count, "tiles", why, by=seat)
    ways = (ask.draw(WAYS, 1, f"tile_{number}", why, by=seat)[0] for number in order)
    tiles = tuple(f"{number}{way}" for number, way in zip(order, ways, strict=True))
    shown = listed([say("{tile}", tile=tile) for tile in tiles], NOTHING)
    ask.tell(say("The tiles as they come: {tiles}", tiles=shown), "G2-41")
    return state.but(tiles=tiles)


def _check_open(state: State) -> None:
    if state.phase not in OPEN:
        raise Refusal(say("The battlefield is laid out before the battle."), "G2-41")
