"""How people come to a table in the browser: a laptop makes it, two phones join by its link, a screen looks on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.phones import WIDE, Sitting

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving


def gathered(served: Serving, phones: Phones, ruth: Phone) -> tuple[Sitting, Phone, Phone, Phone]:
    """Make the table that a laptop has filled in for two sides, blue and red; returns it, both phones and a screen."""
    ruth.at("label[for='seat-none']").click()
    ruth.at("form .button.main.big").click()
    address = ruth.at(".invite .address").inner_text().strip()
    table = Sitting(served, address.rpartition("/")[2], {})
    screen, ana, ben = phones("en", viewport=WIDE), phones("es"), phones("en", color_scheme="dark")
    for phone, seat, name in ((ana, "blue", "Ana"), (ben, "red", "Ben")):
        phone.open(address)
        phone.at("#name").fill(name)
        with phone.page.expect_navigation():
            phone.at(f"button[name='seat'][value='{seat}']").click()
        expect(phone.at("#state")).to_be_visible()
    screen.open(table.link("screen"))
    return table, ana, ben, screen
