"""Whoever is waited for is called: on that phone and no other, until it is touched, and once for each thing."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.phones import PHONE, WIDE
from tests.browser.test_sound import ON, UNTOUCHED, hears, kept, phone_with, tapped
from tests.support.sizes import first

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}
EDGE = ".called"
EDGES = """
["#knocks .icon:last-child", "#menu > summary"].map((one) => document.querySelector(one).getBoundingClientRect())
  .map(({ left, right }, at) => (at ? left : right))
"""
MARKED = re.compile("^● ")
MINUTE = 60_000
AWAY = "Object.defineProperty(document, 'hidden', { get: () => Boolean(window.isAway) });"


def ready(phone: Phone) -> Phone:
    """Wait until a page can call: that comes after it."""
    expect(phone.at("link[data-called]")).to_be_attached()
    phone.comes_to("document.querySelector('link[data-called]').sheet !== null", "its look has not come")
    return phone


def is_called(phone: Phone, page: Page | None = None) -> None:
    """Wait until a phone is called: by its edge, the title of its tab, and the picture of that."""
    expect((page or phone.page).locator(EDGE)).to_be_visible()
    expect(page or phone.page).to_have_title(MARKED)
    assert "circle" in ((page or phone.page).locator("link[rel=icon]").get_attribute("href") or "")


def is_not_called(phone: Phone, page: Page | None = None) -> None:
    """See that nothing calls, neither any more nor already."""
    expect((page or phone.page).locator(EDGE)).to_have_count(0)
    expect(page or phone.page).not_to_have_title(MARKED)
    assert "circle" not in ((page or phone.page).locator("link[rel=icon]").get_attribute("href") or "")


def look_away(phone: Phone, away: bool) -> None:
    phone.page.evaluate(f"isAway = {str(away).lower()}; document.dispatchEvent(new Event('visibilitychange'))")


def test_one_phone_is_called_until_it_is_touched_and_no_other(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = ready(phones("es", viewport=SMALL).open(sitting.link("white")))
    ben = ready(phones("en", viewport=SMALL, color_scheme="dark").open(sitting.link("black")))
    ruth = ready(phones("en").open(sitting.link("rulekeeper")))
    screen = phones("en", viewport=WIDE).open(sitting.link("screen"))
    is_called(ana)
    expect(ana.page).to_have_title(re.compile("^● Te toca: elegir carta · "))
    for other in (ben, ruth, screen):
        is_not_called(other)
    ana.at("#turn h2").click()
    is_not_called(ana)
    ready(ana.open(sitting.link("white")))
    is_not_called(ana)
    ana.play("2H")
    ana.settled(sitting.version)
    is_not_called(ana)
    sitting.act("white", "end_turn")
    is_called(ben)
    ben.save("called-dark-en-360")
    for other in (ana, ruth, screen):
        other.sees(sitting.version())
        is_not_called(other)
    ben.page.keyboard.press("Shift")
    is_not_called(ben)
    assert ben.at("link[rel=icon]").get_attribute("href") == ana.at("link[rel=icon]").get_attribute("href")


def test_who_is_asked_is_called_and_what_comes_of_an_own_tap_calls_nobody(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed").face_to_face()
    sitting.act("white", "play_card", card="AH")
    ana = ready(phones("en").open(sitting.link("white")))
    ben = ready(phones("es").open(sitting.link("black")))
    ana.page.keyboard.press("Shift")
    ana.attack("wc", "bb")
    is_called(ben)
    ana.settled(sitting.version)
    is_not_called(ana)
    expect(ben.at("#dock form[inert]")).to_have_count(0)
    ben.asked.first.click()
    ben.settled(sitting.version)
    is_not_called(ben)
    is_called(ana)  # it is for Ana to roll since Ben has answered
    ana.tap(1, 1, 4, 4, 6)
    is_not_called(ana)
    ana.at(".typing > button").click()
    expect(ana.at("#last .thrown .die")).to_have_count(5)
    ana.settled(sitting.version)
    is_not_called(ana)


def test_a_wish_and_a_knock_call_who_may_say_yes(served: Serving, phones: Phones) -> None:
    sitting = served.sit().attack()
    sitting.answer("black", value="no")
    ana = ready(phones("es").open(sitting.link("white")))
    ben = ready(phones("en", viewport=SMALL).open(sitting.link("black")))
    ana.page.keyboard.press("Shift")
    ana.at("form[action$='/undo'] button").click()
    is_called(ben)
    expect(ben.at("#dock .ask")).to_be_visible()
    ana.settled(sitting.version)
    is_not_called(ana)
    ben.at("#dock form[action$='/consent'] button[value='0']").click()
    ben.settled(sitting.version)
    is_not_called(ben)
    # Ruth plays White as well: on that page she is told who wants a seat.
    ruth = phones("en")
    for seat in ("rulekeeper", "white"):
        ruth.open(sitting.link(seat))
    ready(ruth)
    ruth.page.keyboard.press("Shift")
    is_not_called(ruth)
    sitting.tables.knock(sitting.table, "black", "Bo")
    is_called(ruth)
    expect(ruth.at("[role=status]").filter(has_text="A new phone wants a seat")).to_have_count(1)
    ruth.page.keyboard.press("Shift")
    is_not_called(ruth)
    ana.sees(sitting.version())
    is_not_called(ana)


@pytest.mark.parametrize(("tongue", "words"), [("en", "White: Your turn"), ("es", "Blancas: Te toca")])
def test_a_phone_of_two_seats_is_called_for_the_one_that_is_not_in_sight(
    served: Serving, phones: Phones, tongue: str, words: str
) -> None:
    sitting = served.sit().begin()
    both = phones(tongue, viewport=SMALL)
    for seat in ("white", "black"):
        both.open(sitting.link(seat))
    ready(both)
    is_called(both)
    expect(both.at("#knocks a")).to_contain_text(words)
    both.save(f"called-other-{tongue}")
    ends, menu = both.page.evaluate(EDGES)
    assert ends <= menu, "the way there lies beneath the menu"
    assert violations(both) == []
    both.page.keyboard.press("Shift")
    is_not_called(both)
    both.at("#knocks a").click()
    expect(both.at("#turn h2")).to_contain_text(words.partition(": ")[2])
    expect(both.at("#knocks a")).to_have_count(0)


def test_the_other_seat_of_a_phone_is_called_by_what_its_page_is_told(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    both = phones("en")
    for seat in ("white", "black"):
        both.open(sitting.link(seat))
    # The page asks by itself as well, which is too seldom.
    both.page.route(
        sitting.page("black"),
        lambda route: route.fulfill(
            response=(page := route.fetch()), body=page.text().replace("every 5s", "every 900s")
        ),
    )
    both.open(sitting.page("black"))
    assert "every 900s" in both.at("#knocks").inner_html()
    ready(both)
    both.page.keyboard.press("Shift")
    is_not_called(both)
    for on in (True, False):
        sitting.tables.pause(sitting.table, "rulekeeper", on, served.key())
    is_called(both)
    expect(both.at("#knocks a")).to_contain_text("White: Your turn")


def test_whose_turn_it_is_is_not_said_twice_to_who_listens(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = ready(phones("en").open(sitting.link("black")))
    sitting.act("white", "play_card", card="AH")
    sitting.act("white", "end_turn")
    is_called(ben)
    expect(ben.at("#turn h2[aria-live=polite]")).to_have_text("Your turn: choose a card")
    assert [said for said in ben.at("[role=status]").all_text_contents() if "Your turn" in said] == []
    expect(ben.at("body > .away[role=status]")).to_have_text("")


@pytest.mark.parametrize("tongue", first("es", "en"))
@pytest.mark.parametrize("size", first(SMALL, PHONE, WIDE), ids=lambda size: str(size["width"]))
@pytest.mark.parametrize("look", first("dark", "light"))
@pytest.mark.parametrize("large", [False, True], ids=["", "200 %"])
def test_a_call_lies_over_nothing_that_is_read_or_tapped(
    served: Serving, phones: Phones, tongue: str, size: dict[str, int], look: str, large: bool
) -> None:
    sitting = served.sit().attack()
    ben = phones(tongue, viewport=size, color_scheme=look)
    ready(ben.open(sitting.link("black")))
    if large:
        ben.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    is_called(ben)
    ben.drawn()
    ben.save(f"called-{tongue}-{look}-{size['width']}{'-large' if large else ''}")
    over = ben.page.evaluate("""() => [...document.querySelectorAll("#dock button, #menu > summary, #back")]
      .filter((one) => one.checkVisibility())
      .map((one) => [one, one.getBoundingClientRect()])
      .filter(([, { top, bottom }]) => top >= 0 && bottom <= innerHeight)
      .filter(([one, { x, y, width, height }]) => {
        const there = document.elementFromPoint(x + width / 2, y + height / 2);
        return !(one.contains(there) || there.contains(one)) || x < 5 || x + width > innerWidth - 4;
      })
      .map(([one]) => one.textContent)""")
    assert over == []
    wide = ben.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] == wide[1], "the page is moved sideways"
    assert violations(ben) == []
    expect(ben.at("#dock form[inert]")).to_have_count(0)
    ben.asked.first.press("Enter")
    is_not_called(ben)


def test_a_call_that_stands_is_heard_again_each_minute_and_not_for_ever(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phone_with(phones, kept(**ON))
    ben.page.clock.install()
    ready(tapped(ben, sitting.link("black")))
    sitting.act("white", "play_card", card="AH")
    hears(ben, "card")
    sitting.act("white", "end_turn")
    is_called(ben)
    hears(ben, "card", "card", "turn")
    felt = ben.page.evaluate("felt.length")
    for again in range(1, 5):
        ben.page.clock.fast_forward(MINUTE)
        hears(ben, "card", "card", *["turn"] * (1 + again))
        assert ben.page.evaluate("felt.length") == felt + again
    for _ in range(3):
        ben.page.clock.fast_forward(MINUTE)
    is_called(ben)
    hears(ben, "card", "card", *["turn"] * 5)
    ben.at("#turn h2").click()
    is_not_called(ben)


def test_a_call_that_was_touched_is_not_heard_again(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phone_with(phones, kept(**ON))
    ben.page.clock.install()
    ready(tapped(ben, sitting.link("black")))
    sitting.act("white", "play_card", card="AH")
    hears(ben, "card")
    sitting.act("white", "end_turn")
    is_called(ben)
    hears(ben, "card", "card", "turn")
    ben.at("#turn h2").click()
    for _ in range(3):
        ben.page.clock.fast_forward(MINUTE)
    is_not_called(ben)
    hears(ben, "card", "card", "turn")


def test_nothing_is_heard_before_a_tap(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phone_with(phones, UNTOUCHED, kept(**ON))
    ana.page.clock.install()
    ready(ana.open(sitting.link("white")))
    is_called(ana)
    ana.page.clock.fast_forward(MINUTE)
    assert ana.page.evaluate("[heard.length, felt.length, studios]") == [0, 0, 0]


def test_who_looked_away_is_called_on_coming_back(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phone_with(phones, AWAY, kept(**ON))
    ben.page.clock.install()
    ready(tapped(ben, sitting.link("black")))
    look_away(ben, away=True)
    sitting.act("white", "play_card", card="AH")
    sitting.act("white", "end_turn")
    look_away(ben, away=False)
    is_called(ben)
    hears(ben, "card", "turn")
    look_away(ben, away=True)
    for _ in range(7):
        ben.page.clock.fast_forward(MINUTE)
    hears(ben, "card", "turn")
    look_away(ben, away=False)
    is_called(ben)
    hears(ben, "card", "turn", "turn")
    ben.at("#turn h2").click()
    look_away(ben, away=True)
    look_away(ben, away=False)
    is_not_called(ben)
    hears(ben, "card", "turn", "turn")


def test_what_was_seen_in_one_tab_calls_in_no_other(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = ready(phones("en").open(sitting.link("white")))
    other = ana.context.new_page()
    other.goto(sitting.page("white"))
    is_called(ana)
    is_called(ana, other)
    other.keyboard.press("Shift")
    is_not_called(ana, other)
    is_not_called(ana)


def test_where_nothing_can_be_kept_a_call_still_ends(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en")
    ana.context.add_init_script("Storage.prototype.setItem = () => { throw new Error('full'); };")
    ready(ana.open(sitting.link("white")))
    is_called(ana)
    ana.page.keyboard.press("Shift")
    is_not_called(ana)
    sitting.correct("unit.wc.hits", "1")
    ana.sees(sitting.version())
    is_not_called(ana)


def test_the_edge_flashes_unless_less_motion_is_wanted(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    for motion, moves in (("no-preference", "1"), ("reduce", "0")):
        ana = phones("en", reduced_motion=motion)
        ana.context.add_init_script(
            "const animate = Element.prototype.animate;"
            "Element.prototype.animate = function (...how) {"
            "  if (this.matches('.called')) this.dataset.flashed = 1 + Number(this.dataset.flashed ?? 0);"
            "  return animate.apply(this, how);"
            "};"
        )
        ready(ana.open(sitting.link("white")))
        is_called(ana)
        assert ana.at(EDGE).get_attribute("data-flashed") == (moves if moves != "0" else None)


@pytest.mark.parametrize(
    ("tongue", "says", "then"), [("en", "since ", "for 3 min"), ("es", "desde las ", "desde hace 3 min")]
)
def test_the_shared_screen_says_whom_it_waits_for_and_since_when(
    served: Serving, phones: Phones, tongue: str, says: str, then: str
) -> None:
    sitting = served.sit().begin()
    since = datetime.fromisoformat(sitting.tables.seen(sitting.table, "screen").since).timestamp() * 1000
    later = [0]
    screen = phones(tongue, viewport=WIDE)
    screen.page.route("**/now", lambda route: route.fulfill(body=str(int(since) + later[0])))
    screen.page.clock.install()
    screen.open(sitting.link("screen"))
    expect(screen.at("#turn h2")).to_contain_text("Ana")
    expect(screen.at(".since")).to_have_text(re.compile(says))
    later[0] = 3 * MINUTE + 5_000
    with screen.page.expect_response("**/now"):
        screen.page.clock.fast_forward(MINUTE)
    expect(screen.at(".since")).to_have_text(then)
    screen.save(f"waits-{tongue}")
    sitting.act("white", "play_card", card="AH")
    expect(screen.at("#turn h2")).to_contain_text("Ana")
    expect(screen.at("#state")).to_have_attribute("data-version", str(sitting.version()))
    assert violations(screen) == []
