"""2GM Tactics as it is seen on small phones: what is read without scrolling, and how it is read."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.options import SIDES
from tests.browser.phones import Sitting, serving
from tests.support import tactics_2gm_positions as battles
from tests.support.plain_games import posed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Serving

pytestmark = pytest.mark.browser

SMALL, ASIDE = {"width": 360, "height": 640}, {"width": 844, "height": 390}
UNITS = "a1 light_infantry d1, a2 heavy_infantry c2 1w +hmg, a3 m4_sherman d3 +mg_1, x1 light_infantry d4, x2 tiger e6"
HANDS = {"allies": "light_infantry medic heavy_infantry m4_sherman", "axis": "light_infantry medic"}
STAGE = copy(GAME)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("tables"), {GAME.slug: STAGE}) as running:
        yield running


def fighting(served: Serving, phase: str) -> Sitting:
    """Set a table in the midst of a battle, in a phase of the Allies' turn; both hold cards."""
    STAGE.setup = posed(GAME, battles.battle(UNITS, hands=HANDS, ap=6, phase=phase)).setup
    made = served.tables.create(GAME.slug, "", {}, {"rulekeeper": "Ruth"}, "typed")
    taken = {side: served.tables.join(made.table, side, side.capitalize()) for side in SIDES}
    return Sitting(served, made.table, {**made.tokens, **taken})


BEGINS = """(lines) => lines.map((line) => {
  const words = line.textContent.trim();
  const first = line.matches(":not(:has(> b:first-child))") && getComputedStyle(line, "::first-letter").textTransform;
  return first === "uppercase" ? words[0].toUpperCase() : words[0];
})"""
"""With what letter each line of a list is seen to begin."""


def test_each_line_of_how_it_came_to_this_begins_with_a_capital(served: Serving, phones: Phones) -> None:
    table = fighting(served, "fire")
    table.act("allies", "fire", unit="a3", weapon="w0", target="x1")
    table.answer("allies", faces=[7])
    ana = phones("en", viewport=SMALL).open(table.link("allies"))
    ana.page.goto(table.page("allies", "/replay"))
    ana.at("#last-why summary").click()
    lines = ana.at("#last-why :is(.reasons, .became) > li")
    expect(lines.filter(has_text="light infantry d4: 2 of 3 wounds")).to_be_visible()
    expect(lines.filter(has_text="light infantry (d4)")).to_be_visible()
    assert [letter for letter in lines.evaluate_all(BEGINS) if letter.islower()] == []
