"""The squares around the one that is aimed at, as the shooter sees them: who is told to stand there (CW-70, CW-71)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.games.chesswar.sides import AHEAD, edge, grid
from companion.kit.text import Text, say

if TYPE_CHECKING:
    from companion.games.chesswar.options import Options
    from companion.games.chesswar.sides import Side

Place = Literal["ahead_left", "ahead", "ahead_right", "left", "right", "back_left", "back", "back_right"]
Drift = tuple[int, int]
"""How far an impact is from the square aimed at: to the shooter's right, and away from the shooter."""

LIES: dict[Place, Drift] = {
    "ahead_left": (-1, 1),
    "ahead": (0, 1),
    "ahead_right": (1, 1),
    "left": (-1, 0),
    "right": (1, 0),
    "back_left": (-1, -1),
    "back": (0, -1),
    "back_right": (1, -1),
}
ARROWS: dict[Place, Text] = {
    "ahead_left": say("↖"),
    "ahead": say("↑"),
    "ahead_right": say("↗"),
    "left": say("←"),
    "right": say("→"),
    "back_left": say("↙"),
    "back": say("↓"),
    "back_right": say("↘"),
}
LABELS_AROUND = {place: arrow.say for place, arrow in ARROWS.items()}


class Around(NamedTuple):
    """Hold who stands on the square aimed at, and on which squares beside it enemies and own units stand."""

    target: Text | None = None
    enemies: tuple[Place, ...] = ()
    own: tuple[Place, ...] = ()


def scattered(faces: tuple[int, ...]) -> Drift:
    """Add up scatter dice as the shooter sees them; their order does not matter (CW-70, CW-72)."""
    return faces.count(2) - faces.count(4), faces.count(1) - faces.count(3)


def drift_between(options: Options, side: Side, aimed_at: str, landed: str) -> Drift:
    """Return how far an impact is from the square aimed at, as a side sees it."""
    board, (across, up) = grid(options), AHEAD[edge(options, side)]
    files, ranks = (
        board.files.index(landed[0]) - board.files.index(aimed_at[0]),
        int(landed[1:]) - int(aimed_at[1:]),
    )
    return files * up - ranks * across, files * across + ranks * up
