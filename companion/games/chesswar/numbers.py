"""What the numbers of the rules are called in the words and in the rulebook, where ``[healing]`` is Healing's reach."""

from __future__ import annotations

from companion.games.chesswar.magic import PATIENCE, REACH, STORM_SCATTERS, WORKS
from companion.games.chesswar.options import ENOUGH_FOR_MORE
from companion.games.chesswar.shooting import FAR, HARDER
from companion.games.chesswar.traits import SAVES
from companion.games.chesswar.turn import STANDS_UP

NUMBERS = {
    **{spell: REACH[spell] for spell in ("raise_dead", "healing", "flight", "zap")},
    **SAVES,
    **{f"{why}_takes": -less for why, less in HARDER.items()},
    "works": WORKS,
    "stands_up": STANDS_UP,
    "storm": STORM_SCATTERS,
    "far": FAR,
    "patience": PATIENCE,
    "enough": ENOUGH_FOR_MORE,
}
