"""Letters twice as large as usual: every game is a page that scrolls downwards only, and nothing is cut off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games import discover
from tests.browser.phones import PHONE
from tests.browser.walk import RandomTable

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}
STATES = (2, 25)
"""Moments of a random game: before it begins, and in the midst of it."""

OUT_OF_THE_PAGE = """
() => {
  const moves = (element) => getComputedStyle(element).overflowX !== "visible";
  const within = (element) => {
    for (let one = element.parentElement; one !== document.body; one = one.parentElement) {
      if (moves(one) && one.getBoundingClientRect().right <= innerWidth + 1) return true;
    }
    return false;
  };
  const out = (element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1;
  return [...document.querySelectorAll("body *")]
    .filter((element) => out(element) && !within(element)).map((element) => element.outerHTML.slice(0, 120));
}
"""
SCROLLS_WITHIN = """
() => [".play", ".play-main", ".dock", ".story"].filter((place) => {
  const it = document.querySelector(place);
  return it && (it.scrollHeight > it.clientHeight + 1 || it.scrollWidth > it.clientWidth + 1);
})
"""


def enlarge(phone: Phone) -> None:
    """Let the browser's own setting for letters be twice what it is."""
    session = phone.context.new_cdp_session(phone.page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_the_switches_of_the_menu_are_read_whole(served: Serving, phones: Phones, tongue: str) -> None:
    phone = phones(tongue, viewport=SMALL)
    enlarge(phone)
    phone.open(served.sit().link("white"))
    phone.at("#menu > summary").click()
    expect(phone.at("#awake")).to_be_visible()
    out = phone.page.evaluate("""() => [...document.querySelectorAll(".menu-list .switch > :not([hidden])")]
      .filter((one) => one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right)
      .map((one) => one.textContent)""")
    assert out == []


@pytest.mark.parametrize("slug", sorted(discover()))
def test_letters_twice_as_large_stay_within_the_page(served: Serving, phones: Phones, slug: str) -> None:
    table = next(one for seed in range(20) if not (one := RandomTable(served, discover()[slug], seed)).alone)
    played = 0
    for state in STATES:
        table.play(state - played)
        played = state
        phone = phones("es", viewport=SMALL)
        enlarge(phone)
        phone.open(table.sitting.link((table.who_acts() or table.seats)[0]))
        phone.sees(table.sitting.version())
        assert phone.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        assert phone.page.evaluate(OUT_OF_THE_PAGE) == []
        assert phone.page.evaluate("document.documentElement.scrollWidth") == SMALL["width"]
        assert phone.page.evaluate(SCROLLS_WITHIN) == []


def test_a_turn_is_played_with_letters_twice_as_large(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed").attack()
    ben = phones("es", viewport=PHONE)
    enlarge(ben)
    ben.open(sitting.link("black"))
    ben.at("#dock [value='no']").click()
    expect(ben.asked).to_have_count(0)
    ana = phones("es", viewport=PHONE)
    enlarge(ana)
    ana.open(sitting.link("white"))
    expect(ana.at(".pad-faces button")).to_have_count(6)
    for place in ana.at(".pad-faces button, #dock .typing .main").all():
        place.click(trial=True)


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small phone"])
def test_a_question_comes_with_its_answers_with_letters_twice_as_large(
    served: Serving, phones: Phones, size: dict[str, int]
) -> None:
    ben = phones("es", viewport=size)
    enlarge(ben)
    ben.open(served.sit().attack().link("black"))
    expect(ben.asked).to_have_count(2)
    expect(ben.at("#dock > .now")).to_be_in_viewport(ratio=1)
    for answer in ben.asked.all():
        expect(answer).to_be_in_viewport(ratio=1)
    ben.save(f"large-{size['width']}")


WORDS_IN_TWO = r"""
() => {
  const walk = document.createTreeWalker(document.querySelector("body"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {
    const text = walk.currentNode;
    if (!text.parentElement.checkVisibility() || text.parentElement.closest(".away, svg, script")) continue;
    for (const { 0: word, index } of text.data.matchAll(/[\p{L}\d]+/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width).map(({ top }) => Math.round(top)));
      if (lines.size > 1 && text.parentElement.getBoundingClientRect().width > 1) found.push(word);
    }
  }
  return found;
}
"""
STORY = ("recap?since=1", "stock-take", "pack-up", "replay", "replay/marks")


def test_the_story_of_a_table_is_read_with_letters_twice_as_large(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    sitting.act("white", "play_card", card="AH")
    phone = phones("es", viewport=SMALL)
    enlarge(phone)
    phone.open(sitting.link("white"))
    for page in STORY:
        phone.open(sitting.page("white", f"/{page}"))
        phone.drawn()
        assert phone.page.evaluate("document.documentElement.scrollWidth") == SMALL["width"], page
        assert phone.page.evaluate(OUT_OF_THE_PAGE) == [], page
        assert phone.page.evaluate(WORDS_IN_TWO) == [], page
