"""What the page measures is known wherever a style uses it, and nowhere else: nothing else is styled anew for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.games import discover
from tests.support.random_game import RandomGame

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Serving

pytestmark = pytest.mark.browser

# Every element that a style gives a size that follows from a measured one, and what is measured there.
USES = """
() => {
  const found = [];
  const read = (rules) => {
    for (const rule of rules) {
      if (rule.media && !matchMedia(rule.media.mediaText).matches) continue;
      if (rule.selectorText && !rule.selectorText.includes("::")) {
        for (const [, name] of rule.style.cssText.matchAll(/var\\((--(?:stage|room|dock|below|free))\\b(?!-)/g)) {
          for (const element of document.querySelectorAll(rule.selectorText)) {
            found.push([name, getComputedStyle(element).getPropertyValue(name)]);
          }
        }
      }
      if (rule.cssRules) read(rule.cssRules);
    }
  };
  [...document.styleSheets].forEach((sheet) => read(sheet.cssRules));
  return found;
}
"""
STYLED = "(name) => getComputedStyle(document.querySelector('.squares > svg')).getPropertyValue(name)"


@pytest.mark.parametrize("slug", ["two_cities", "chesswar", "pocket_tactics", "history_of_war"])
def test_what_is_measured_is_known_wherever_a_style_uses_it(served: Serving, phones: Phones, slug: str) -> None:
    games = (RandomGame(served.tables, discover()[slug], seed) for seed in range(3, 20))
    game = next(game for game in games if not game.alone)
    game.play(20)
    phone = phones("es").open(f"{served.address}/s/{game.table}/{game.seats[0]}/{game.tokens[game.seats[0]]}")
    phone.drawn()
    high = phone.page.evaluate("document.querySelector('.play-main').clientHeight")
    found = phone.page.evaluate(USES)
    assert {name for name, _ in found} >= {"--dock"} | ({"--stage"} if slug != "history_of_war" else set())
    for name, value in found:
        assert f"{high}px" in value if name in {"--stage", "--room"} else value.endswith("px"), name
    if slug != "history_of_war":
        assert phone.page.evaluate(STYLED, "--stage") != f"{high}px", "the squares are not styled anew for it"
