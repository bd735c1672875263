"""The shared screen is read from three metres: nothing small, nothing cut off, nothing to scroll, whatever is played."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion.games import discover
from tests.browser.phones import WIDE, Sitting
from tests.browser.random_table import RandomTable
from tests.support.sizes import first, some

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

TV = {"width": 1920, "height": 1080}
SMALL = {"width": 1024, "height": 768}
GAMES = discover()
STATES = 4
"""States of each game in the fast suite, some steps apart."""
LEAST = 20
"""Pixels that a letter's size has at least."""

MEASURE = """
(least) => {
  const found = [];
  const say = (rule, element) => found.push(`${rule}: ${element.className?.baseVal ?? element.className} “${
    element.textContent.trim().slice(0, 40)}”`);
  const main = document.getElementById("main");
  const shown = (element) => element.checkVisibility({ visibilityProperty: true })
    && !element.closest(".away, .behind, .overlay, title");
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { currentNode: text } = walker;
    if (text.data.trim() && shown(text.parentElement) && !text.parentElement.closest(".skip, .menu-list, .bar-title")) {
      texts.push(text);
    }
  }
  if (!texts.length) found.push("nothing is said");
  const box = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()];
  };
  for (const text of texts) {
    const element = text.parentElement;
    const drawn = element.ownerSVGElement;
    const scale = drawn ? drawn.getScreenCTM().a : 1;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    if (size < least - .01) say(`small (${size.toFixed(1)})`, element);
    const place = element.closest(".pages");
    const edge = place?.getBoundingClientRect();
    for (const { left, right, top, bottom } of box(text)) {
      // What is on another page of its place lies beside it, whole.
      if (edge && (left >= edge.right - 1 || right <= edge.left + 1)) continue;
      const cut = edge && (left < edge.left - 2 || right > edge.right + 2 || bottom > edge.bottom + 4);
      if (left < -1 || right > innerWidth + 1 || top < -4 || bottom > innerHeight + 4 || cut) say("cut off", element);
    }
  }
  for (const element of main.querySelectorAll("*")) {
    if (!shown(element) || element.closest("svg, .pages") || element.scrollHeight === 0) continue;
    const { overflowX, overflowY } = getComputedStyle(element);
    const clips = (how) => how !== "visible";
    if (clips(overflowX) && element.scrollWidth > element.clientWidth + 1) say("wider than its place", element);
    if (clips(overflowY) && element.scrollHeight > element.clientHeight + 1) say("higher than its place", element);
  }
  const boxes = [...main.querySelectorAll(".scene, .turn, .event, .standing, .counted, .pieces, .people, .recent, .ask")]
    .filter(shown);
  const inside = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  };
  boxes.filter((one) => !inside(one)).forEach((one) => say("beyond the window", one));
  boxes.forEach((one, at) => boxes.slice(at + 1).forEach((other) => {
    const [a, b] = [one, other].map((each) => each.getBoundingClientRect());
    const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
    if (over) say(`lies over ${other.className}`, one);
  }));
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push("the page scrolls");
  if (!main.querySelector("#turn .now")?.textContent.trim()) found.push("nobody's turn");
  const event = main.querySelector(".event");
  if (event && !event.querySelector(".headline, .duel, .dice")?.checkVisibility()) say("no event", event);
  const board = main.querySelector("#board .squares");
  if (board && board.getBoundingClientRect().height < innerHeight / 2) say("a small board", board);
  return [...new Set(found)];
}
"""


def is_read_from_afar(screen: Phone, sitting: Sitting, state: str) -> None:
    """Measure what the shared screen shows; the first state that breaks a rule is named and its picture kept."""
    screen.sees(sitting.version())
    found = screen.page.evaluate(MEASURE, LEAST)
    if found and (folder := os.environ.get("SHOTS")):
        screen.page.screenshot(path=Path(folder) / f"screen-{state.replace(' ', '-')}.png")
    assert not found, (state, found)


@pytest.mark.parametrize("seed", first(1, *range(2, 12)))
@pytest.mark.parametrize("slug", GAMES)
def test_every_state_of_a_random_game_is_read_from_three_metres(
    served: Serving, phones: Phones, slug: str, seed: int
) -> None:
    table = RandomTable(served, GAMES[slug], seed)
    screen = phones("es" if seed % 2 else "en", viewport=WIDE).open(table.sitting.link("screen"))
    for state in range(STATES * (1 if seed == 1 else 8)):
        is_read_from_afar(screen, table.sitting, f"{slug} {seed} {state}")
        table.play(12 if seed == 1 else 5)
