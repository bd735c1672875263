"""Games for tests: one by its methods, without chapters, and one that begins at a position."""

from __future__ import annotations

from copy import copy
from typing import Any

from companion.kit.game import Game
from companion.kit.ruling import Ruling
from companion.kit.text import Text


class PlainGame(Game[Any]):
    """What a game that needs none of them has by default; the rest is the test's."""

    starts = ()
    seated = None
    options_now = None
    lying_values = ()
    _again = None

    def __init__(self) -> None:
        pass


def posed(game: Game[Any], state: Any) -> Game[Any]:
    """The game, but beginning at a position."""
    beginning = copy(game)
    beginning.setup = lambda options, ask: Ruling(state, Text("posed"))
    return beginning
