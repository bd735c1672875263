"""2GM Tactics as it is seen on small phones: what is read without scrolling, and how it is read."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games.tactics_2gm.game import GAME
from companion.games.tactics_2gm.options import SIDES
from tests.browser.phones import PHONE, Sitting, serving
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


def test_cards_that_are_low_on_a_short_phone_say_what_they_are(served: Serving, phones: Phones) -> None:
    ana = phones("es", viewport=SMALL).open(fighting(served, "fire").link("allies"))
    names = ana.at(".hand .card-name")
    for at in range(3):
        expect(names.nth(at)).to_be_in_viewport(ratio=1)
    ana = phones("es", viewport=SMALL).open(fighting(served, "deployment").link("allies"))
    card = ana.at(".hand .card").filter(has_text="M4 Sherman")
    card.click()
    expect(card.locator(".card-name")).to_be_in_viewport(ratio=1)
    expect(names.nth(1)).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [SMALL, ASIDE], ids=["small phone", "on its side"])
def test_a_chip_at_the_edge_says_that_there_is_more_to_take_along(
    served: Serving, phones: Phones, size: dict[str, int]
) -> None:
    ana = phones("en", viewport=size).open(fighting(served, "deployment").link("allies"))
    ana.at(".hand .card").filter(has_text="M4 Sherman").click()
    chips = ana.at(".card-ways .extra > span").locator("visible=true")
    expect(chips.nth(1)).to_be_in_viewport(ratio=1)
    expect(chips.nth(2)).to_be_in_viewport(ratio=0.1)
    expect(chips.nth(2)).not_to_be_in_viewport(ratio=1)
    chips.last.scroll_into_view_if_needed()
    expect(chips.last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [SMALL, ASIDE, PHONE], ids=["small phone", "on its side", "phone"])
def test_what_one_has_left_to_spend_is_in_sight_once(served: Serving, phones: Phones, size: dict[str, int]) -> None:
    ana = phones("en", viewport=size).open(fighting(served, "movement").link("allies"))
    for value in ("6 AP", "10 PI"):
        shown = ana.at(".own-values > span, #rail-allies > span").filter(has_text=value).locator("visible=true")
        expect(shown).to_have_count(1)
        expect(shown).to_be_in_viewport(ratio=1)
