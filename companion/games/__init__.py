"""The games: found, never listed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from typing import Any

from companion.kit.game import CONTRACT, Game, trials

GROUPS = "companion.games"
GROUP = f"{GROUPS}.{CONTRACT}"
"""The entry points of packages that are made for the contract of today; without a number it was the first."""


class OtherContract(ValueError):
    """A package was made for another version of what a game is."""

    why: Mapping[str, str] = {
        "en": "it was made for another Companion. Its tables are kept, and can be read and exported; "
        "install a package made for this one.",
        "es": "está hecho para otro Companion. Sus mesas se conservan, y se pueden leer y exportar; "
        "instala un paquete hecho para este.",
    }


def discover(left_out: Callable[[str, Exception], None] | None = None) -> dict[str, Game[Any]]:
    """Find every game: the folders here, and installed packages with an entry point of ``GROUP``.

    A folder has its game in ``game.py``, or all of it in ``__init__.py``. Returns slug -> game, by slug. Raises
    ValueError when two games claim one slug, and what is wrong with a game; with ``left_out`` a package's game is left
    out instead, and that is told (the package's name, why). Nothing is run of a package that was made for another
    contract.
    """
    games: dict[str, Game[Any]] = {}
    for folder in files(__name__).iterdir():
        if (folder / "game.py").is_file():
            _add(games, import_module(f"{__name__}.{folder.name}.game").GAME)
        elif (folder / "__init__.py").is_file():
            _add(games, import_module(f"{__name__}.{folder.name}").GAME)
    groups = sorted(group for group in entry_points().groups if group == GROUPS or group.startswith(f"{GROUPS}."))
    for entry in (entry for group in groups for entry in entry_points(group=group)):
        try:
            _add(games, _load(entry))
        except Exception as wrong:
            if left_out is None:
                raise
            left_out(entry.dist.name if entry.dist else entry.value, wrong)
    return dict(sorted(games.items()))


def _load(entry: EntryPoint) -> Game[Any]:
    if entry.group != GROUP:
        raise OtherContract(entry.group)
    game = entry.load()
    if not isinstance(game, Game):
        raise TypeError(f"{entry.value} is no {Game.__module__}.{Game.__qualname__}")
    return game


def _add(games: dict[str, Game[Any]], game: Game[Any]) -> None:
    if game.slug in games:
        raise ValueError(f"two games are called {game.slug}")
    tuple(trials(game))  # a trial that fits no look-up is found now, and not when somebody opens its clause
    games[game.slug] = game
