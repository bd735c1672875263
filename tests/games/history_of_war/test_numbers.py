"""The numbers of History of War: whoever says one, in a sentence or in the rulebook, says what the rule has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from companion.games.history_of_war import final, start
from companion.games.history_of_war.cards import START_POINTS
from companion.games.history_of_war.game import GAME
from companion.games.history_of_war.options import Options
from companion.web.forms import fields
from tests.support.altered_games import altered, check_said

if TYPE_CHECKING:
    from pathlib import Path

WORDS = {
    2: r"two|dos",
    5: r"five|cinco",
    8: r"eight|ocho",
}
"""Small numbers as they are written in a sentence."""


def says(number: int, text: str) -> bool:
    """Whether a text has a number, in figures or written."""
    return re.search(rf"\b({number}|{WORDS.get(number, number)})\b", text) is not None


def clause(name: str) -> tuple[str, str]:
    found = next(each for each in GAME.rulebook.clause if each.id == name)
    return found.en, found.es


def spoken(english: str) -> tuple[str, str]:
    spanish = GAME.words.find(english, "es")
    assert spanish is not None
    return english, spanish


@pytest.mark.parametrize(
    ("number", "texts"),
    [
        (Options().to_win, (clause("HW-01"), clause("HW-100"), spoken(GAME.summary.say))),
        (START_POINTS, (clause("HW-22"),)),
        (start.HAND, (clause("HW-25"), clause("HW-26"))),
        (start.HAND, (spoken("Shuffle, and draw eight cards. Keep them, or change them all once."),)),
        (start.FEW, (clause("HW-26"),)),
        (start.FEW, (spoken("A hand with two base expansions or more is kept: so it was agreed on."),)),
        (final.MOST_HAND, (clause("HW-97"), spoken("First the hands are reduced to eight cards."))),
        (final.MOST_UNITS, (clause("HW-98"), spoken("First the deployment areas are reduced to five units."))),
        (
            final.MOST_HAND,
            (spoken("No more than eight cards in the hand, and five units in the deployment area."),),
        ),
        (
            final.MOST_UNITS,
            (spoken("No more than eight cards in the hand, and five units in the deployment area."),),
        ),
    ],
)
def test_who_says_a_number_says_that_of_the_rule(number: int, texts: tuple[tuple[str, str], ...]) -> None:
    for text in (text for both in texts for text in both):
        assert says(number, text), text
        assert not says(number + 1, text), text


def test_the_option_says_how_many_victory_points_are_printed() -> None:
    (field,) = (field for field in fields(Options) if field.name == "to_win")
    assert field.hint is not None
    assert all(says(Options().to_win, text) for text in spoken(field.hint.say))


@pytest.mark.parametrize(
    ("number", "text", "there"),
    [
        (8, "no more than eight cards", True),
        (8, "worth 8 points", True),
        (15, "llegas a 15", True),
        (8, "worth 18 points", False),
        (2, "twofold", False),
    ],
)
def test_a_number_is_found_in_figures_and_written(number: int, text: str, there: bool) -> None:
    assert says(number, text) == there


ANOTHER: dict[str, tuple[tuple[str, str, str], set[str], set[str]]] = {
    "to win": (
        ("options", "TO_WIN = 15", "TO_WIN = 12"),
        {GAME.summary.say, "15 is the printed number."},
        {"HW-01", "HW-100"},
    ),
    "start": (("cards", "START_POINTS = 8", "START_POINTS = 9"), set(), {"HW-22"}),
    "first hand": (
        ("start", "HAND = 8", "HAND = 7"),
        {"Shuffle, and draw eight cards. Keep them, or change them all once."},
        {"HW-25", "HW-26"},
    ),
    "few": (
        ("start", "FEW = 2", "FEW = 3"),
        {"A hand with two base expansions or more is kept: so it was agreed on."},
        {"HW-26"},
    ),
    "most cards": (
        ("final", "MOST_HAND = 8", "MOST_HAND = 9"),
        {
            "First the hands are reduced to eight cards.",
            "No more than eight cards in the hand, and five units in the deployment area.",
        },
        {"HW-97"},
    ),
    "most units": (
        ("final", "MOST_UNITS = 5", "MOST_UNITS = 6"),
        {
            "First the deployment areas are reduced to five units.",
            "No more than eight cards in the hand, and five units in the deployment area.",
        },
        {"HW-98"},
    ),
}


@pytest.mark.parametrize("what", ANOTHER)
def test_another_number_is_said_wherever_it_is_said(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    change, sentences, clauses = ANOTHER[what]
    other = altered("history_of_war", tmp_path, monkeypatch, change)
    check_said(GAME, other, change[1:], (sentences, clauses))
