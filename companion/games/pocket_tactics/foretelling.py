"""What follows from each choice of a re-roll, if both sides then play best: said beside it (PT-46, PT-50)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.pocket_tactics.best_play import TooMany
from companion.games.pocket_tactics.standing import Choice, Standing, choices
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.pocket_tactics.odds import Ends
    from companion.games.pocket_tactics.parties import Facts
    from companion.games.pocket_tactics.rerolls import Foretold
    from companion.games.pocket_tactics.windows import Window


def notes(facts: Facts) -> Foretold:
    """Return what says it; of more dice than can be worked out at once nothing is said."""

    def told(standing: Standing, left: tuple[Window, ...]) -> Mapping[Choice | None, Text]:
        try:
            found = choices(standing, left, (facts.attacker.worth, facts.defender.worth))
        except TooMany:
            return {}
        attacks = left[0].side == "attacker"
        return {choice: _said(ends, attacks=attacks, base=facts.base) for choice, ends in found.items()}

    return told


def _said(ends: Ends, *, attacks: bool, base: bool) -> Text:
    """Say how likely both captures are, to one of the two."""
    defender, attacker = ends.defender_captured + ends.both_captured, ends.attacker_captured + ends.both_captured
    if base:
        return say("the base falls {percent}%", percent=round(100 * defender))
    captures, falls = (defender, attacker) if attacks else (attacker, defender)
    return say("captures {captures}%, falls {falls}%", captures=round(100 * captures), falls=round(100 * falls))
