"""Retreat: squares back, and hits for every square that is closed (TTC-110 to TTC-114)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.two_cities.speech import hits
from companion.games.two_cities.units import WHITE, Side
from companion.kit.counts import squares
from companion.kit.squares import CHESSBOARD
from companion.kit.text import say

if TYPE_CHECKING:
    from companion.games.two_cities.facts import Facts
    from companion.games.two_cities.options import Options
    from companion.kit.asking import Ask


def retreat(facts: Facts, retreats: int, ask: Ask) -> tuple[int, int]:
    """Go one square back for each retreat hit (TTC-111); each that is prevented is one hit (TTC-113).

    Returns (squares gone back, hits from closed squares).
    """
    steps = min(retreats, facts.behind)
    blocked = retreats - steps
    if steps:
        ask.tell(say("Retreat: {far} back", far=squares(steps)), "TTC-111", steps)
    if blocked:
        ask.tell(say("The retreat is closed: {hits}", hits=hits(blocked)), "TTC-113", blocked)
    return steps, blocked


def way_back(side: Side, attacker: str, target: str, rules: Options) -> tuple[int, int]:
    """Return the direction of a retreat as (files right, ranks up): along the file, homewards (TTC-02, TTC-112).

    Where the table says so, straight away from the attacker instead; then the file wins over the rank at a corner.
    """
    if not rules.retreat_away:
        return (0, -1) if side == WHITE else (0, 1)
    (file, rank), (from_file, from_rank) = CHESSBOARD.place(target), CHESSBOARD.place(attacker)
    across, up = file - from_file, rank - from_rank
    if abs(up) >= abs(across):
        return (0, 1) if up > 0 else (0, -1)
    return (1, 0) if across > 0 else (-1, 0)
