"""The numbers of 2GM Tactics: another one beside its rule is another one wherever it is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.games.tactics_2gm.game import GAME
from tests.support.altered_games import altered, check_said

if TYPE_CHECKING:
    from pathlib import Path

ANOTHER: dict[str, tuple[tuple[str, str, str], set[str], set[str]]] = {
    "action points": (
        ("cards", "START_AP = 5", "START_AP = 6"),
        {"Of 5 AP. They are added to the die, buy terrain, and are gone."},
        {"G2-42", "G2-43"},
    ),
    "first hand": (("cards", "HAND = 5", "HAND = 4"), set(), {"G2-52"}),
    "drawn": (("turn", "DRAWN = 2", "DRAWN = 3"), {"Draw two; in a pair, one each."}, set()),
    "most cards": (
        ("turn", "MOST_HAND = 7", "MOST_HAND = 8"),
        {"Down to seven cards.", "First discard down to seven cards.", "You hold no more than seven cards."},
        {"G2-56", "G2-122"},
    ),
    "wounds": (
        ("shooting", "MOST_FOR_WOUNDS = 3", "MOST_FOR_WOUNDS = 4"),
        {"Each wound of the shooter, three at most"},
        set(),
    ),
}


@pytest.mark.parametrize("what", ANOTHER)
def test_another_number_is_said_wherever_it_is_said(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change, sentences, clauses = ANOTHER[what]
    other = altered("tactics_2gm", tmp_path, monkeypatch, change)
    check_said(GAME, other, change[1:], (sentences, clauses))
