"""The statistics while a game is played and when it is over: they follow by themselves, and are found at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import WIDE

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser


def overflowing(phone: Phone) -> bool:
    """Tell whether a page is wider than the phone."""
    return bool(phone.page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_statistics_follow_the_game_and_are_found_when_it_is_over(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed")
    sitting.attack().answer("black", value="no")
    ana, screen = phones("en"), phones("es", viewport=WIDE)
    ana.open(sitting.link("white"))
    ana.at("#menu summary").click()
    ana.at("#menu a[href$='/statistics']").click()
    expect(ana.at("h1")).to_contain_text("Statistics")
    expect(ana.at("#statistics")).not_to_contain_text("Dice with")
    assert not overflowing(ana)

    screen.open(f"{served.address}/t/{sitting.table}/statistics")
    sitting.answer("white", faces=[1, 3, 3, 3, 3])
    for phone, said in ((ana, "2.60"), (screen, "2,60")):
        expect(phone.at(".large b")).to_have_text(said)
    expect(ana.page.locator("tr", has_text="Light cavalry d4").locator("td").last).to_contain_text("1")
    expect(screen.page.locator("tr", has_text="Infantería pesada d3").locator("td").first).to_contain_text("1")
    ana.save("statistics-during")
    screen.save("statistics-during-wide")
    assert not overflowing(ana)

    ana.at(".crumbs a").first.click()
    sitting.act("black", "surrender")
    ana.at("#dock a[href$='/statistics']").click()
    expect(ana.at(".large b")).to_have_text("2.60")
    ana.page.locator("summary", has_text="What these numbers say").click()
    expect(ana.at(".prose li").first).to_be_visible()
    ana.save("statistics-after")
    ana.at("#statistics a[href$='/report']").click()
    expect(ana.at(".report > li").last).to_contain_text("surrenders")


def test_without_scripts_it_is_a_page_like_any_other(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed")
    sitting.attack().answer("black", value="no")
    sitting.answer("white", faces=[1, 3, 3, 3, 3])
    phone = phones("en", scripts=False).open(f"{served.address}/t/{sitting.table}/report")
    phone.at("a[href$='/statistics']").click()
    expect(phone.at(".large b")).to_have_text("2.60")
