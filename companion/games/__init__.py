"""The games: found, never listed."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.kit.game import Game


def discover() -> dict[str, Game[Any]]:
    """Find every game: the folders here, and installed packages with a ``companion.games`` entry point.

    Returns slug -> game, by slug. Raises ValueError when two games claim one slug.
    """
    found = [import_module(f"{__name__}.{module.name}").GAME for module in iter_modules(__path__) if module.ispkg]
    found += [entry.load() for entry in entry_points(group="companion.games")]
    games: dict[str, Game[Any]] = {}
    for game in sorted(found, key=lambda game: str(game.slug)):
        if game.slug in games:
            raise ValueError(f"two games are called {game.slug}")
        games[game.slug] = game
    return games
