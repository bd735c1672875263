"""Who lies knocked over is said once, wherever a piece is told: on phones, on the shared screen, on sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion import create_app
from companion.games.chesswar.game import GAME
from companion.kit.game import SCREEN
from tests.support.chesswar_positions import KINGS, position
from tests.support.phones import Table
from tests.support.plain_games import posed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("mirrored", [True, False])
def test_it_is_said_once_of_each(tmp_path: Path, mirrored: bool) -> None:
    options = {} if mirrored else {"board": "table"}
    state = position(f"{KINGS}, w1 or d4, w2 or f4", **options).with_unit("w1", down=True)
    at = Table(create_app(tmp_path, games={"chesswar": posed(GAME, state)}), "chesswar")
    for seat, part in (("white", ""), (SCREEN, ""), ("white", "/stock-take"), ("white", "/pack-up")):
        page = at.get(seat, part).text.replace("Lies knocked over", "")  # what a correction is called
        # A board has it where the piece is tapped, and in words.
        assert page.count("knocked over") == (2 if part == "" and mirrored else 1), (seat, part)
