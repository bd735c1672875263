"""A chart on a board can be read on a phone: every chance stands in its square, in letters that are large enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Sitting, serving
from tests.browser.test_axe import inspect
from tests.support.sizes import first
from tests.support.toy_game import RANGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Serving

pytestmark = pytest.mark.browser

SMALLEST = 10
"""Pixels of a letter's height that can still be read in the hand."""
INSIDE = """
(maps) => maps.flatMap((map) => [...map.querySelectorAll("g")].map((group) => {
  const square = group.querySelector("rect").getBoundingClientRect();
  const words = group.querySelector("text").getBoundingClientRect();
  return [words.left - square.left, square.right - words.right, words.top - square.top, square.bottom - words.bottom];
}))
"""
NAMES = """
(maps) => maps.flatMap((map) => {
  const [whole, square] = [map, map.querySelector("g rect")].map((one) => one.getBoundingClientRect());
  return [...map.querySelectorAll(".heat-at")].map((name) => {
    const words = name.getBoundingClientRect();
    const within = words.left >= whole.left - 2 && words.right <= whole.right && words.bottom <= whole.bottom + 2;
    return within && words.width <= square.width && words.height <= square.height;
  });
})
"""
"""Tell of each name of a file or a rank whether it lies on the map, no larger than a square."""
LETTERS = """
(maps) => maps.flatMap((map) => [...map.querySelectorAll("g text")].map(
  (words) => parseFloat(getComputedStyle(words).fontSize) * map.getScreenCTM().a
))
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("tables"), {"range": RANGE}) as running:
        yield running


@pytest.mark.sized
@pytest.mark.parametrize("size", first(8, 16))
def test_every_chance_stands_legibly_in_its_square(served: Serving, phones: Phones, size: int) -> None:
    phone = phones("es").open(f"{served.address}/quick/range/shot?size={size}")
    maps = phone.at(".heat")
    assert maps.locator("g text").all_text_contents() == ["34", "8", "8"]
    assert min(min(gaps) for gaps in maps.evaluate_all(INSIDE)) >= 0
    assert min(maps.evaluate_all(LETTERS)) >= SMALLEST
    assert maps.evaluate_all(NAMES) == [True] * 2 * size
    assert phone.page.evaluate("document.documentElement.scrollWidth") == 390
    inspect(phone, f"heat-{size}")


@pytest.mark.sized
def test_the_odds_before_an_action_are_drawn_in_the_sheet(served: Serving, phones: Phones) -> None:
    made = served.tables.create("range")
    token = served.tables.join(made.table, "blue", "Blue")
    served.tables.act(made.table, "rulekeeper", {"action": "pass", "for": "red"}, served.key())
    phone = phones("en").open(Sitting(served, made.table, {"blue": token}).link("blue"))
    phone.at("a[data-sheet][href*='shoot']").click()
    expect(phone.at("#sheet .heat")).to_be_visible()
    expect(phone.at("#sheet .heat-at").first).to_have_text("h")
    assert min(min(gaps) for gaps in phone.at("#sheet .heat").evaluate_all(INSIDE)) >= 0
    inspect(phone, "heat-sheet")
