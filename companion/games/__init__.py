"""The games: found, never listed."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from companion.kit.trials import trials

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.kit.game import Game


def discover(left_out: Callable[[str, Exception], None] | None = None) -> dict[str, Game[Any]]:
    """Find every game: the folders here, and installed packages with a ``companion.games`` entry point.

    Returns slug -> game, by slug. Raises ValueError when two games claim one slug, and what is wrong with a game; with
    ``left_out`` a package's game is left out instead, and that is told (the package's name, why).
    """
    games: dict[str, Game[Any]] = {}
    for module in iter_modules(__path__):
        if module.ispkg:
            _add(games, import_module(f"{__name__}.{module.name}").GAME)
    for entry in entry_points(group="companion.games"):
        try:
            _add(games, entry.load())
        except Exception as wrong:
            if left_out is None:
                raise
            left_out(entry.dist.name if entry.dist else entry.value, wrong)
    return dict(sorted(games.items()))


def _add(games: dict[str, Game[Any]], game: Game[Any]) -> None:
    if game.slug in games:
        raise ValueError(f"two games are called {game.slug}")
    tuple(trials(game))  # a trial that fits no look-up is found now, and not when somebody opens its clause
    games[game.slug] = game
