"""What people print: one sheet of paper for each game, aids, chapters, reports and QR cards, on A4 and on US Letter."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games import discover
from tests.support.sizes import some

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

AIDS = {slug: len(game.rulebook.aid) for slug, game in discover().items() if game.rulebook.aid}
SHEETS = [(slug, sheet.id) for slug, game in discover().items() for sheet in game.rulebook.sheet]
PAPERS = {"A4": 210, "Letter": 215.9}
"""How wide they are, in millimetres."""
READ = ["es", pytest.param("en", marks=pytest.mark.long)]
PRINTED = ["A4", pytest.param("Letter", marks=pytest.mark.long)]
"""The other language and the other paper are tried at full size."""
MARGIN = 8
A_MILLIMETRE = 96 / 25.4
SMALLEST = 7.5 * 96 / 72
ON_A_SHEET = 8

SHOWN = """
() => [...document.querySelectorAll("body *")].filter(
  (one) => one.checkVisibility({visibilityProperty: true}) && one.getClientRects().length
    && !one.closest(".away, .skip")
)
"""
BEYOND = f"""
() => ({SHOWN})().filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
  .map((one) => `${{one.tagName}}.${{one.className}} ${{one.textContent.slice(0, 40)}}`)
"""
LETTERS = f"""
() => ({SHOWN})().filter((one) => [...one.childNodes].some((part) => part.nodeType === 3 && part.data.trim()))
  .map((one) => getComputedStyle(one))
  .map((look) => [parseFloat(look.fontSize), look.color])
"""
GROUNDS = f"""
() => [document.documentElement, document.body, ...({SHOWN})()]
  .filter((one) => !one.closest("svg")).map((one) => getComputedStyle(one).backgroundColor)
"""
SPILT = """
(cards) => cards.filter((one) => one.scrollHeight > one.clientHeight || one.scrollWidth > one.clientWidth)
  .map((one) => one.textContent.trim())
"""


def pages(phone: Phone, paper: str) -> int:
    """Print what a phone shows, and count the pages: both by the page objects and by what their tree says."""
    phone.page.emulate_media(media="print")
    pdf = phone.page.pdf(format=paper)
    found = len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))
    tree = re.findall(rb"/Type\s*/Pages\b[^>]*?/Count (\d+)|/Count (\d+)[^>]*?/Type\s*/Pages\b", pdf)
    assert max(int(one or other) for one, other in tree) == found
    return found


def on_paper(phone: Phone, paper: str) -> None:
    """Lay a page out as wide as a paper leaves it."""
    width = round((PAPERS[paper] - 2 * MARGIN) * A_MILLIMETRE)
    phone.page.set_viewport_size({"width": width, "height": 1000})
    phone.page.emulate_media(media="print")


@pytest.mark.parametrize("paper", PRINTED)
@pytest.mark.parametrize("tongue", READ)
@pytest.mark.parametrize("slug", some(AIDS, every=3))
def test_everything_on_one_sheet_is_one_sheet(
    served: Serving, phones: Phones, slug: str, tongue: str, paper: str
) -> None:
    phone = phones(tongue).open(f"{served.address}/rules/{slug}/aid")
    assert AIDS[slug] <= 2, "a sheet has two sides"
    assert pages(phone, paper) == AIDS[slug]
    on_paper(phone, paper)
    assert phone.page.evaluate(BEYOND) == []


@pytest.mark.parametrize("slug", some(AIDS, every=3))
def test_the_sheet_is_black_on_white_and_large_enough_in_the_dark_too(
    served: Serving, phones: Phones, slug: str
) -> None:
    phone = phones("es", color_scheme="dark").open(f"{served.address}/rules/{slug}/aid?theme=dark")
    expect(phone.at("[data-print]")).to_be_visible()
    on_paper(phone, "A4")
    letters = phone.page.evaluate(LETTERS)
    assert len(letters) > 100
    assert min(size for size, _ in letters) >= SMALLEST - 0.01
    assert {colour for _, colour in letters} == {"rgb(0, 0, 0)"}
    assert set(phone.page.evaluate(GROUNDS)) <= {"rgba(0, 0, 0, 0)", "rgb(255, 255, 255)"}
    for tapped in (".top", "button", "nav", "dialog", ".part > summary .icon"):
        assert [one for one in phone.at(tapped).all() if one.is_visible()] == [], tapped
    title = phone.at(".side > h2").first
    expect(title).to_contain_text(phone.page.title().rpartition(" · ")[2])
    expect(phone.at(".side > footer").first).to_contain_text(f"/rules/{slug}")


def test_what_is_folded_on_the_phone_stands_on_paper_all_the_same(served: Serving, phones: Phones) -> None:
    for scripts in (True, False):
        phone = phones("en", scripts=scripts).open(f"{served.address}/rules/two_cities/aid")
        fold = phone.at(".part").first
        table = fold.locator("table")
        fold.locator("summary").click()
        expect(table).to_be_hidden()
        if scripts:
            phone.page.evaluate("dispatchEvent(new Event('beforeprint'))")
        phone.page.emulate_media(media="print")
        expect(table).to_be_visible()


def test_the_button_prints(served: Serving, phones: Phones) -> None:
    phone = phones("en")
    phone.page.add_init_script("window.print = () => { document.documentElement.dataset.printed = 'yes'; };")
    phone.open(f"{served.address}/rules/two_cities/aid")
    phone.at("[data-print]").click()
    expect(phone.at("html")).to_have_attribute("data-printed", "yes")


@pytest.mark.parametrize("tongue", READ)
@pytest.mark.parametrize("slug", some(AIDS, every=3))
def test_the_sheet_fits_a_phone(served: Serving, phones: Phones, slug: str, tongue: str) -> None:
    phone = phones(tongue).open(f"{served.address}/rules/{slug}/aid")
    assert phone.page.evaluate(BEYOND) == []
    phone.at(".jump a").last.click()
    expect(phone.at(".part h3").last).to_be_in_viewport()


def test_tables_of_many_words_fit_the_smallest_phone(served: Serving, phones: Phones) -> None:
    phone = phones("es")
    phone.page.set_viewport_size({"width": 360, "height": 640})
    for address in ("chesswar/aid", "chesswar/sheet/undead", "pocket_tactics/sheet/hazards"):
        phone.open(f"{served.address}/rules/{address}")
        assert phone.page.evaluate("document.documentElement.scrollWidth") == 360, address


@pytest.mark.parametrize("paper", PRINTED)
@pytest.mark.parametrize("tongue", READ)
def test_an_aid_for_one_purpose_is_one_page(served: Serving, phones: Phones, tongue: str, paper: str) -> None:
    phone = phones(tongue)
    for slug, sheet in SHEETS:
        phone.open(f"{served.address}/rules/{slug}/sheet/{sheet}")
        assert pages(phone, paper) == 1, sheet
        on_paper(phone, paper)
        assert phone.page.evaluate(BEYOND) == [], sheet


@pytest.mark.parametrize(
    "address",
    [
        "/rules/two_cities/chapter/combat",
        "/rules/chesswar/examples",
        "/rules/chesswar/glossary",
        "/rules/chesswar/CW-52",
        "report",
        "statistics",
    ],
)
def test_what_is_only_for_tapping_is_not_printed(served: Serving, phones: Phones, address: str) -> None:
    if address in {"report", "statistics"}:
        sitting = served.sit()
        sitting.begin()
        address = f"/t/{sitting.table}/{address}"
    phone = phones("es", color_scheme="dark").open(f"{served.address}{address}")
    on_paper(phone, "A4")
    assert phone.page.evaluate(BEYOND) == []
    for tapped in (".top", ".crumbs", ".button", ".beside", "button", "form"):
        assert [one for one in phone.at(tapped).all() if one.is_visible()] == [], tapped
    assert {colour for _, colour in phone.page.evaluate(LETTERS)} == {"rgb(0, 0, 0)"}
    expect(phone.at("h1")).to_be_visible()


@pytest.mark.parametrize("paper", PRINTED)
@pytest.mark.parametrize("tongue", READ)
def test_eight_cards_go_on_a_sheet(served: Serving, phones: Phones, tongue: str, paper: str) -> None:
    made = served.tables.create(
        "chesswar", "", {"sides": "four", "size": 16, "massacre": True}, {"rulekeeper": "Ruth"}, "app"
    )
    phone = phones(tongue).open(f"{served.address}/s/{made.table}/rulekeeper/{made.tokens['rulekeeper']}")
    phone.open(f"{served.address}/t/{made.table}/rulekeeper/cards")
    cards = phone.at(".qr-card")
    assert pages(phone, paper) == math.ceil(cards.count() / ON_A_SHEET)
    on_paper(phone, paper)
    assert cards.evaluate_all(SPILT) == []
    assert phone.page.evaluate(BEYOND) == []
