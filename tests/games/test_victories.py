"""Games between players who want to win end by their own victory.

``python -m tests.support.victories N SEED`` plays more.
"""

from __future__ import annotations

import pytest

from companion.games import discover
from tests.support.victories import ENDINGS, play
from tests.support.watch import Watch
from tests.support.winning_players import PLAYERS

GAMES = 10
"""So many show every way in which each game ends."""


@pytest.mark.sized
@pytest.mark.parametrize("name", PLAYERS)
def test_players_who_want_to_win_end_the_game_by_its_own_victory(name: str, full: bool) -> None:
    watch = Watch(discover()[name])
    won = [play(name, seed, watch) for seed in range(GAMES if full else 1)]
    assert None not in won, "a game that does not end"
    ended = {one.kind for one in won if one}
    assert ended == set(ENDINGS[name]) if full else ended <= set(ENDINGS[name])


def test_every_game_with_a_victory_of_its_own_has_players_who_want_it() -> None:
    assert set(discover()) - set(PLAYERS) == {"free_table"}, "whose games only the people at the table can end"
    assert set(ENDINGS) == set(PLAYERS)
