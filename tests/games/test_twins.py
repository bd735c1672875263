"""Two tables that differ in hidden cards only answer everybody else alike; and a game that leaks is found out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.games import discover
from tests.support.leaking_games import Drawing
from tests.support.twins import play

if TYPE_CHECKING:
    from pathlib import Path

GAMES = discover()
SEEDS = {"free_table": 55, "history_of_war": 1, "tactics_2gm": 24, "two_cities": 1}
"""Of each game that hides cards a table where it does so early."""


def play_some(game: Drawing, folder: Path) -> None:
    for seed in range(6):
        play(game, seed, folder / str(seed), most=6)


@pytest.mark.sized
@pytest.mark.parametrize("name", GAMES)
def test_nobody_else_gets_another_byte(name: str, tmp_path: Path, full: bool) -> None:
    first = SEEDS.get(name, 0)
    seeds = range(40) if full else range(first, first + 3)
    found = (play(GAMES[name], seed, tmp_path / str(seed), most=12 if full else 2) for seed in seeds)
    answers = next((answers for answers in found if answers), 0)
    assert answers > 200 or name not in SEEDS


def test_a_game_that_keeps_its_secrets_is_played_through(tmp_path: Path) -> None:
    assert play(Drawing(), 0, tmp_path, most=10) > 200


@pytest.mark.parametrize("leak", ["offers", "refusal", "headline", "reason", "view", "corrections"])
def test_a_game_that_leaks_is_found_out(leak: str, tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="differs"):
        play_some(Drawing(leak), tmp_path)
