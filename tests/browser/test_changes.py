"""Phones that were told only what changed show the same as a page that was loaded anew."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games import discover
from companion.kit.game import RULEKEEPER, SCREEN
from tests.browser.phones import PHONE, WIDE
from tests.browser.walk import RandomTable

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Page, Route

    from tests.browser.conftest import Phones
    from tests.browser.phones import Serving

pytestmark = pytest.mark.browser

STEPS, LOOKED, SELDOM = 24, 4, 8
"""So many changes of a table; after so many of them the page is compared, at full size and else."""

SHOWN = """
() => {
  const main = document.getElementById("main").cloneNode(true);
  for (const one of main.querySelectorAll("*")) {
    // what the reader opened, and what is measured on this screen
    for (const name of ["open", "style", "inert"]) one.removeAttribute(name);
    const laid = one.matches(".out-of-sight, .turner, .pages > *") ? ["hidden", "class", "data-shown"] : [];
    for (const name of laid) one.removeAttribute(name);
    // what is looked at because it has just come
    one.classList.remove("is-fresh", "has-rolled", "is-still");
  }
  for (const one of main.querySelectorAll("*")) {
    const has = [...one.attributes].map(({ name, value }) => [name, value]).sort();
    for (const [name] of has) one.removeAttribute(name);
    for (const [name, value] of has) if (name !== "class" || value.trim()) one.setAttribute(name, value.trim());
  }
  // what a script made of it, and seconds that run
  for (const made of main.querySelectorAll("#chips > *, .hurry > *, time, .end-course > *")) made.remove();
  for (const hurry of main.querySelectorAll(".hurry")) delete hurry.dataset.seconds;
  // the same words of HTML make another element within a picture than without
  for (const one of main.querySelectorAll("svg, svg *")) one.setAttribute("namespace", one.namespaceURI);
  main.normalize();
  const lines = main.innerHTML.replace(/>\\s+</g, "><").split("<");
  return lines.map((line) => line.trim()).filter((line) => line);
}
"""


def shown(page: Page) -> list[str]:
    found: list[str] = page.evaluate(SHOWN)
    return found


@pytest.mark.sized
@pytest.mark.parametrize("slug", sorted(discover()))
def test_what_changed_makes_the_page_that_one_loads_anew(
    served: Serving, phones: Phones, slug: str, full: bool
) -> None:
    table = next(one for seed in range(3, 40) if not (one := RandomTable(served, discover()[slug], seed)).alone)
    seats = [table.seats[0], table.seats[-1], RULEKEEPER, SCREEN]
    watching = {
        seat: phones(tongue, viewport=viewport).open(table.sitting.link(seat))
        for seat, tongue, viewport in zip(seats, ("es", "en", "es", "en"), (PHONE, WIDE, PHONE, WIDE), strict=True)
    }
    twins = {seat: phone.context.new_page() for seat, phone in watching.items()}
    for step in range(1, STEPS + 1):
        if table.over() or not table.step():
            break
        if step % (LOOKED if full else SELDOM):
            continue
        for seat, phone in watching.items():
            phone.sees(table.sitting.version())
            twins[seat].goto(phone.page.url)
            twins[seat].wait_for_function("() => document.documentElement.dataset.posted === '0'")
            assert shown(phone.page) == shown(twins[seat]), f"{slug}, {seat}, step {step}"


def test_a_map_that_grows_and_shrinks_stays_a_picture(served: Serving, phones: Phones) -> None:
    table = RandomTable(served, discover()["pocket_tactics"], 20)
    ana = phones("en").open(table.sitting.link(table.seats[0]))
    twin = ana.context.new_page()
    large = []
    for _ in range(30):
        assert table.step()
        ana.sees(table.sitting.version())
        large.append(ana.at(".board.many").count())
        if len(set(large[-2:])) == 2:
            twin.goto(ana.page.url)
            twin.wait_for_function("() => document.documentElement.dataset.posted === '0'")
            assert shown(ana.page) == shown(twin)
    assert sorted(set(pairwise(large))) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_a_phone_that_shows_another_version_gets_the_whole(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phones("en").open(sitting.link("black"))
    ben.sees(sitting.version())
    ben.page.evaluate(
        "document.getElementById('state').dataset.version = '1'; document.getElementById('rail-white').remove()"
    )
    sitting.act("white", "play_card", card=sitting.hand("white")[0])
    ben.sees(sitting.version())
    expect(ben.at("#rail-white")).to_have_count(1)


def test_what_was_opened_and_has_the_focus_stays_so_when_something_changes(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en").open(sitting.link("white"))
    ana.page.evaluate("location.hash = 'more'")
    ana.at("#board-words > summary").click()
    ana.at("#board-words > summary").focus()
    sitting.correct("unit.ba.hits", "1")
    ana.sees(sitting.version())
    expect(ana.at("#board-words")).to_have_attribute("open", "")
    expect(ana.at("#board-words > summary")).to_be_focused()


def test_a_refusal_is_no_news_once_something_else_has_happened(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en").open(sitting.link("white"))
    ana.page.evaluate("document.querySelector('#refused').textContent = 'No.'")
    sitting.correct("unit.ba.hits", "1")
    ana.sees(sitting.version())
    expect(ana.at("#refused")).to_be_empty()


def test_a_phone_that_lacks_a_part_gets_the_whole(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phones("en").open(sitting.link("black"))
    ben.sees(sitting.version())
    ben.page.evaluate("document.getElementById('stands-ba').remove()")
    sitting.correct("unit.ba.hits", "1")
    ben.sees(sitting.version())
    expect(ben.at("#stands-ba .hits-of")).to_have_text("1")


def test_a_language_that_is_chosen_elsewhere_makes_no_page_of_two_languages(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en").open(sitting.link("white"))
    other = ana.context.new_page()
    other.goto(f"{served.address}/?lang=es")
    sitting.correct("unit.ba.hits", "1")
    ana.sees(sitting.version())
    expect(ana.at("#last")).to_contain_text("corrects")
    ana.play(sitting.hand("white")[0])
    expect(ana.at("html")).to_have_attribute("lang", "es")
    ana.sees(sitting.version())
    expect(ana.at("#last")).to_contain_text("Las blancas juegan")


def test_whoever_acts_is_told_only_what_changed(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en").open(sitting.link("white"))
    before = sitting.version()
    sitting.correct("unit.ba.hits", "1")
    ana.sees(before + 1)
    with ana.page.expect_response(lambda came: came.request.method == "POST") as answer:
        ana.play(sitting.hand("white")[0])
    assert answer.value.text().startswith(f"<!--from {before + 1} to {sitting.version()} ")
    ana.answered()
    ana.sees(sitting.version())
    expect(ana.at("#state")).to_have_count(1)
    twin = ana.context.new_page()
    twin.goto(ana.page.url)
    twin.wait_for_function("() => document.documentElement.dataset.posted === '0'")
    assert shown(ana.page) == shown(twin)


def test_an_answer_that_comes_after_the_same_change_changes_nothing(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en").open(sitting.link("white"))
    held: list[Route] = []
    came: list[APIResponse] = []

    def hold(route: Route) -> None:
        came.append(route.fetch())
        held.append(route)

    ana.page.route("**/act", hold)
    before = sitting.version()
    ana.play(sitting.hand("white")[0])
    expect(ana.at("#state")).not_to_have_attribute("data-version", str(before))
    now = sitting.version()
    ana.sees(now)
    while not held:  # what the stream brought may be there before the answer that is held
        ana.drawn()
    assert came[0].text().startswith(f"<!--from {before} to {now} ")
    ana.page.evaluate("document.querySelector('#turn h2').textContent = 'Mine'")
    held[0].fulfill(response=came[0])
    ana.answered()
    ana.sees(now)
    expect(ana.at("#turn h2")).to_have_text("Mine")
    assert not ana.page.evaluate("document.querySelector('.pick-card:checked')")


def test_a_phone_that_comes_back_is_right_whatever_it_missed(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phones("en").open(sitting.link("black"))
    for number in (1, 2):
        ben.context.set_offline(True)
        sitting.correct("unit.ba.hits", str(number))
        sitting.correct("unit.bb.hits", str(number))
        ben.context.set_offline(False)
        ben.sees(sitting.version())
        for unit in ("ba", "bb"):
            expect(ben.at(f"#stands-{unit} .hits-of")).to_have_text(str(number))
