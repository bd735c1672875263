"""A hand is on its own phone only: not in the page of another one, and not in a byte that it received."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Response

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

LISTEN = """
(() => {
  window.heard = [];
  const fetch = window.fetch;
  window.fetch = async (...what) => {
    const answer = await fetch(...what);
    (async () => {
      const reader = answer.clone().body?.getReader();
      const text = new TextDecoder();
      for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
        window.heard.push(text.decode(part.value, { stream: true }));
      }
    })().catch(() => {});
    return answer;
  };
})();
"""
ITS_CARDS = ("10S", "Wrath of God", "Activate any 3 units", "card=KD", "-KD")
"""How the two cards show that stay in White's hand for the whole test."""


class Ear:
    """Hear everything that a phone receives: pages, answers to its taps, and the live stream."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        self._answers: list[Response] = []
        phone.page.add_init_script(LISTEN)
        phone.page.on("response", self._answered)

    def _answered(self, answer: Response) -> None:
        self._answers.append(answer)

    def heard(self) -> str:
        pages = [one.text() for one in self._answers if one.request.resource_type == "document" and one.status == 200]
        streamed = self.phone.page.evaluate("window.heard.join('')")
        return "\n".join([*pages, streamed, self.phone.page.content()])


def test_the_other_phone_never_receives_a_card_of_the_hand(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    sitting.correct("cards.white", "10S,KD,AH")
    ana, ben, screen = phones("en"), phones("en"), phones("en")
    ears = {phone: Ear(phone) for phone in (ana, ben, screen)}
    ana.open(sitting.link("white"))
    ben.open(sitting.link("black"))
    screen.open(sitting.link("screen"))
    ana.play("AH")
    ana.attack("wc", "bb")
    ben.asked.filter(has_text="Stand and fight").click()
    expect(ben.asked).to_have_count(0)
    ana.sees(sitting.version())
    ana.at("form[action$='/undo'] button").click()
    expect(ana.at("#dock .ask")).to_have_count(1)
    ben.at("#dock form[action$='/consent'] button[value='0']").click()
    expect(ana.at("#dock .ask")).to_contain_text("refuses to undo")
    ana.do("action=end_turn").click()
    expect(ben.dock).to_contain_text("Choose a card")
    for phone in (ana, ben, screen):
        phone.sees(sitting.version())
    assert {"10S", "KD"} <= set(sitting.hand("white"))
    assert [card for card in ITS_CARDS if card not in ears[ana].heard()] == []
    for phone in (ben, screen):
        heard = ears[phone].heard()
        assert "data: " in heard, "the live stream was not heard"
        assert "One on the left" in heard
        assert [card for card in ITS_CARDS if card in heard] == []
        assert phone.at(".hand .card-face").count() == (3 if phone is ben else 0)


def test_another_phone_gets_to_nothing_of_a_seat_that_it_does_not_hold(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ben = phones("en").open(sitting.link("black"))
    kept = ("", "/log", "/mine", "/recap", "/replay", "/corrections", "/stock-take", "/pack-up", "/invite")
    for part in (*kept, "/plan?do=action%3Dplay_card%26card%3D2H"):
        ben.open(sitting.page("white", part))
        expect(ben.page).to_have_url(f"{served.address}/t/{sitting.table}")
        # The key of a form is random: by chance any three letters could stand in it.
        assert "10S" not in re.sub(r'name="key" value="[^"]*"', "", ben.page.content())
    ben.open(sitting.page("black", "/corrections"))
    field = ben.at("[id='c-cards-white']")
    assert field.locator("input[checked]").count() == 0
    assert ben.at("[id='c-cards-black'] input[checked]").count() == 3
