"""What one looks for is in sight in every state of a random game, on phones of every size (see ``walk.py``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.games import discover
from tests.browser.walk import Walk

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

GAMES = discover()
FEW, MANY = 4, 30


def first_break(served: Serving, chromium: Browser, name: str, states: int) -> str:
    """Describe the first state that breaks a rule, and keep its picture where somebody wants to look."""
    walk = Walk(served, chromium, GAMES[name], seed=3)
    phone: Phone
    try:
        for phone, found in walk.breaks(states):
            phone.save(f"in-sight-{name}")
            return f"{found.rule}: {found.what} ({found.state})"
        return ""
    finally:
        walk.leave()


@pytest.mark.parametrize("name", GAMES)
def test_question_answers_and_next_step_are_in_sight(served: Serving, chromium: Browser, name: str) -> None:
    assert first_break(served, chromium, name, FEW) == ""


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_they_are_in_sight_for_many_states(served: Serving, chromium: Browser, name: str) -> None:
    assert first_break(served, chromium, name, MANY) == ""
