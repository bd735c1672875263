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
# What is measured and known to an element that no style sizes by it.
ELSEWHERE = """
() => ["--stage", "--room", "--dock", "--below", "--free"].filter((name) => (
  [document.documentElement, document.querySelector("#turn"), document.querySelector(".squares > svg")].some((one) => (
    one && /^\\d+(\\.\\d+)?px/.test(getComputedStyle(one).getPropertyValue(name))
  ))
))
"""
USED = {
    "two_cities": {"--stage"},
    "chesswar": {"--stage"},
    "pocket_tactics": {"--stage", "--room"},
    "history_of_war": set(),
}
OLD_BROWSER = "delete Document.prototype.adoptedStyleSheets; delete ShadowRoot.prototype.adoptedStyleSheets;"


@pytest.mark.parametrize("old", [False, True], ids=["", "without-sheets-of-scripts"])
@pytest.mark.parametrize("slug", USED)
def test_what_is_measured_is_known_wherever_a_style_uses_it(
    served: Serving, phones: Phones, slug: str, old: bool
) -> None:
    games = (RandomGame(served.tables, discover()[slug], seed) for seed in range(3, 20))
    game = next(game for game in games if not game.alone)
    game.play(20)
    phone = phones("es")
    if old:
        phone.page.add_init_script(OLD_BROWSER)
    phone.open(f"{served.address}/s/{game.table}/{game.seats[0]}/{game.tokens[game.seats[0]]}")
    phone.drawn()
    high = phone.page.evaluate("document.querySelector('.play-main').clientHeight")
    found = phone.page.evaluate(USES)
    assert {name for name, _ in found} >= {"--dock"} | USED[slug]
    if old:  # where properties can be registered all the same, only what is inherited comes from the page
        assert {"--below", "--free"} <= set(phone.page.evaluate(ELSEWHERE))
        return
    for name, value in found:
        assert f"{high}px" in value if name in {"--stage", "--room"} else value.endswith("px"), name
    assert phone.page.evaluate(ELSEWHERE) == [], "nothing else is styled anew for it"
