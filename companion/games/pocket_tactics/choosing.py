"""The questions of hazards: where the opponent sends a unit, and which of two friends goes to reserve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.games.pocket_tactics import speech
from companion.kit.asking import Option
from companion.kit.text import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.pocket_tactics.land import Spot
    from companion.games.pocket_tactics.pieces import Unit
    from companion.games.pocket_tactics.sides import Seat
    from companion.games.pocket_tactics.state import State
    from companion.kit.asking import Ask


def destination(state: State, unit: Unit, chooser: Seat, options: Sequence[Option], ask: Ask) -> str:
    """Ask the opponent where a unit goes that is lost in a labyrinth (PT-77); returns an option's value."""
    why = say("{unit} is lost in the labyrinth. Where do you send it?", unit=speech.unit(state, unit))
    return ask.choose(chooser, options, "opponent_choice", why, clause="PT-77")


def leaves(state: State, unit: Unit, spot: Spot, ask: Ask) -> Literal["mover", "resident"]:
    """Ask the owner which of two friends on one tile goes to reserve (PT-86)."""
    friend = speech.kind(state, state.unit(spot.unit))
    who = speech.kind(state, unit)
    options = (
        Option("mover", say("{unit}, who slides", unit=who)),
        Option("resident", say("{unit}, who stands there", unit=friend)),
    )
    why = say("{unit} slides onto a friend: {friend}. Who goes back to reserve?", unit=who, friend=friend)
    return "mover" if ask.choose(unit.seat, options, "owner_choice", why, clause="PT-86") == "mover" else "resident"
