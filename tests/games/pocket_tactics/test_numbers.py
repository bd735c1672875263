"""The numbers of Pocket-Tactics: another one beside its rule is another one wherever it is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.games.pocket_tactics.game import GAME
from tests.support.altered_games import altered, check_said

if TYPE_CHECKING:
    from pathlib import Path

ANOTHER: dict[str, tuple[tuple[str, str, str], set[str], set[str]]] = {
    "base": (
        ("dice", "BASE_DICE = 3", "BASE_DICE = 4"),
        {"three blue dice, no counter", "A base: three dice"},
        {"PT-67"},
    ),
    "kicker": (
        ("dice", "MOST_KICKER = 6", "MOST_KICKER = 7"),
        {"A kicker is never below 0 nor above 6."},
        {"PT-94"},
    ),
    "types": (
        ("cards", "MOST_TYPES = 6, 3", "MOST_TYPES = 6, 4"),
        {"A unit has up to three types.", "Up to three, with commas between them."},
        {"PT-03"},
    ),
    "starting": (("initial_deployment", "STARTING = 3", "STARTING = 4"), set(), {"PT-21"}),
}


@pytest.mark.parametrize("what", ANOTHER)
def test_another_number_is_said_wherever_it_is_said(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change, sentences, clauses = ANOTHER[what]
    other = altered("pocket_tactics", tmp_path, monkeypatch, change)
    check_said(GAME, other, change[1:], (sentences, clauses))
