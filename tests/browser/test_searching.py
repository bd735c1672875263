"""The rules are searched from wherever somebody is, and nothing is lost: not the table, not what is half filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

FIELD = "#q-sheet"
HITS = "#hits-sheet .found a"


def search(phone: Phone, typed: str) -> None:
    """Open the search from the page's frame and type into it."""
    if not phone.at(".seek").is_visible():
        phone.at("#menu > summary").click()  # beside a board the strip has the place
    phone.at(".seek:visible, .seek-too:visible").first.click()
    expect(phone.at(FIELD)).to_be_focused()
    phone.at(FIELD).press_sequentially(typed)


def opened(phone: Phone, selector: str) -> Page:
    """Tap what opens a tab of its own."""
    with phone.context.expect_page() as beside:
        phone.at(selector).click()
    return beside.value


def test_a_rule_is_looked_up_in_the_middle_of_typing_dice(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed").attack()
    sitting.answer("black", value="no")
    ana = phones("en").open(sitting.link("white"))
    address = ana.page.url
    ana.tap(1, 6, 3)
    search(ana, "forest")
    expect(ana.at(HITS).first).to_have_attribute("href", "/rules/two_cities/glossary#forest")
    expect(ana.at("#hits-sheet .shelf").first).to_have_text("A Tale of Two Cities")
    ana.at("label[for='only-sheet-chesswar']").click()
    expect(ana.at("#hits-sheet a[href*='/two_cities/']")).to_have_count(0)
    expect(ana.at("#hits-sheet a[href*='/chesswar/CW-168']")).to_be_visible()
    ana.at("label[for='only-sheet']").click()
    ana.at(FIELD).fill("ttc88")
    expect(ana.at(HITS).first).to_contain_text("TTC-88")
    ana.at(FIELD).press("Enter")
    ana.at(HITS).first.click()
    expect(ana.at("#sheet #entry-name")).to_contain_text("TTC-88")
    ana.at("#sheet a[href^='/rules/search']").click()
    expect(ana.at(FIELD)).to_have_value("ttc88")
    expect(ana.at(HITS).first).to_contain_text("TTC-88")
    ana.at("#sheet .close").click()
    assert ana.page.url == address
    expect(ana.at("button.typed")).to_have_count(3)
    ana.tap(5, 5)
    ana.at(".typing > button").click()
    ana.shows(["1", "6", "3", "5", "5"])


def test_a_rule_is_tried_beside_the_table(served: Serving, phones: Phones) -> None:
    sitting = served.sit().attack()
    ben = phones("es").open(sitting.link("black"))
    search(ben, "TTC-104")
    expect(ben.at(HITS).first).to_contain_text("TTC-104")
    ben.at(HITS).first.click()
    expect(ben.at("#sheet #entry-name")).to_contain_text("TTC-104")
    expect(ben.at("#sheet .trying a")).to_have_count(3)
    filled = opened(ben, "#sheet .trying a[href*='neighbour=yes']:not([href*='_dice'])")
    expect(filled.locator(".lookup input[name='neighbour'][value='1']")).to_be_checked()
    thrown = opened(ben, "#sheet .trying a[href*='formation_hit']")
    expect(thrown.locator(".quick-outcome")).to_have_text("retirada de 1 casilla", ignore_case=True)
    ben.at("#sheet .close").click()
    expect(ben.asked).to_have_count(2)


def test_a_correction_that_is_half_filled_in_outlasts_a_search(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ruth = phones("es").open(sitting.link("rulekeeper")).open(sitting.page("rulekeeper", "/corrections"))
    ruth.page.evaluate("document.querySelectorAll('main details').forEach((fold) => { fold.open = true; })")
    field = ruth.at("main select:visible").first
    last = field.locator("option").last.get_attribute("value") or ""
    field.select_option(last)
    search(ruth, "evasion")
    expect(ruth.at("#hits-sheet a[href*='TTC-123']")).to_be_visible()
    ruth.at("#sheet .close").click()
    expect(ruth.at("#sheet")).to_be_hidden()
    expect(field).to_have_value(last)


def test_a_misspelt_word_is_mended_with_a_tap(served: Serving, phones: Phones) -> None:
    phone = phones("es").open(served.address)
    search(phone, "formasion")
    phone.at("#hits-sheet > p a").filter(has_text="formación").click()
    expect(phone.at(FIELD)).to_have_value("formación")
    expect(phone.at("#hits-sheet mark").first).to_have_text("formación", ignore_case=True)


def test_without_scripts_the_search_opens_beside_the_table(served: Serving, phones: Phones) -> None:
    sitting = served.sit().attack()
    ben = phones("en", scripts=False).open(sitting.link("black"))
    ben.at("#menu > summary").click()
    beside = opened(ben, ".seek-too")
    beside.locator("#q").fill("forest")
    beside.locator("label[for='only-two_cities']").click()
    beside.locator("form[role='search'] button").click()
    expect(beside.locator("#hits a[href*='/chesswar/']")).to_have_count(0)
    beside.locator("#hits a[href='/rules/two_cities/TTC-88']").click()
    beside.locator(".trying a", has_text="From a forest").click()
    expect(beside.locator(".lookup input[name='attacker_terrain'][value='forest']")).to_be_checked()
    expect(ben.asked).to_have_count(2)
