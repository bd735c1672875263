"""The questions of hazards: where the opponent sends a unit, and which of two friends goes to reserve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.kit.asking import Option
from companion.kit.text import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.kit.asking import Ask
    from companion.kit.text import Text


def destination(unit: Text, chooser: str, options: Sequence[Option], ask: Ask) -> str:
    """Ask the opponent where a unit goes that is lost in a labyrinth (PT-77); returns an option's value."""
    why = say("{unit} is lost in the labyrinth. Where do you send it?", unit=unit)
    return ask.choose(chooser, options, "opponent_choice", why, clause="PT-77")


def leaves(owner: str, unit: Text, friend: Text, ask: Ask) -> Literal["mover", "resident"]:
    """Ask the owner which of two friends on one tile goes to reserve (PT-86)."""
    options = (
        Option("mover", say("{unit}, who slides", unit=unit)),
        Option("resident", say("{unit}, who stands there", unit=friend)),
    )
    why = say("{unit} slides onto a friend: {friend}. Who goes back to reserve?", unit=unit, friend=friend)
    return "mover" if ask.choose(owner, options, "owner_choice", why, clause="PT-86") == "mover" else "resident"
