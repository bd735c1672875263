"""The questions of hazards: where the opponent sends a unit, and which of two friends goes to reserve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.games.pocket_tactics import threats
from companion.kit.asking import Option
from companion.kit.text import say

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.games.pocket_tactics.hazards import Mover
    from companion.kit.asking import Ask
    from companion.kit.text import Text


def destination(mover: Mover, chooser: str, options: Sequence[Option], terrains: Iterable[str], ask: Ask) -> str:
    """Ask the opponent where a unit goes that is lost in a labyrinth (PT-77); returns an option's value.

    ``terrains`` are those of the options: which tests wait there is said before (PT-A28).
    """
    advice = threats.entering(mover, terrains) if mover.options.labyrinth_entry_tests else ()
    why = say("Where do you send {unit}?", unit=mover.name)
    return ask.choose(chooser, options, "opponent_choice", why, clause="PT-77", advice=advice)


def leaves(owner: str, unit: Text, friend: Text, ask: Ask) -> Literal["mover", "resident"]:
    """Ask the owner which of two friends on one tile goes to reserve (PT-86)."""
    options = (
        Option("mover", say("{unit}, who slides", unit=unit)),
        Option("resident", say("{unit}, who stands there", unit=friend)),
    )
    why = say("{unit} slides onto a friend: {friend}. Who goes back to reserve?", unit=unit, friend=friend)
    return "mover" if ask.choose(owner, options, "owner_choice", why, clause="PT-86") == "mover" else "resident"
