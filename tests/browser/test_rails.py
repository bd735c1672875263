"""Above and beneath the board a tall phone says how both sides stand; a short one has no room for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser import test_tactics_2gm as tactics

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

TALL, SHORT = {"width": 390, "height": 844}, {"width": 360, "height": 640}


TOP = "(it) => it.getBoundingClientRect().top"


def order(phone: Phone) -> list[str]:
    """What stands above and beneath the board, from above."""
    parts = phone.at(".play-main > :is(.rail, .board)")
    tops = parts.evaluate_all("(all) => all.map((one) => [one.getBoundingClientRect().top, one.id])")
    return [name for _, name in sorted(tops)]


@pytest.mark.parametrize(("seat", "above", "beneath"), [("white", "black", "white"), ("black", "white", "black")])
def test_a_tall_phone_says_how_both_sides_stand(
    served: Serving, phones: Phones, seat: str, above: str, beneath: str
) -> None:
    table = served.sit().begin()
    table.correct("unit.bd.hits", "3")
    table.correct("unit.wa.square", "off")
    phone = phones("en", viewport=TALL).open(table.link(seat))
    assert order(phone) == [f"rail-{above}", "board", f"rail-{beneath}"]
    for part in (".rail", "#board"):
        for one in phone.at(part).all():
            expect(one).to_be_in_viewport(ratio=1)
    expect(phone.at("#rail-black")).to_have_text("Ben7 units left")
    expect(phone.at("#rail-black .hit")).to_have_count(3)
    expect(phone.at("#rail-white")).to_have_text("Ana6 units left")
    expect(phone.at("#rail-white .hit")).to_have_count(0)


def test_what_a_side_can_spend_stands_in_its_rail(served: Serving, phones: Phones) -> None:
    table = tactics.begun(served, "typed")
    phone = phones("es", viewport=TALL).open(table.link("allies"))
    expect(phone.at("#rail-allies")).to_contain_text("PI")
    expect(phone.at("#rail-allies")).to_contain_text("PA")
    expect(phone.at("#rail-allies .hits")).to_have_count(0)


def test_a_short_phone_has_no_rails_and_a_throw_only_the_one_above(served: Serving, phones: Phones) -> None:
    table = served.sit("typed").face_to_face()
    expect(phones("en", viewport=SHORT).open(table.link("white")).at(".rail:visible")).to_have_count(0)
    tall = phones("en", viewport=TALL).open(table.link("white"))
    expect(tall.at(".rail:visible")).to_have_count(2)
    tall.drawn()
    top = tall.at("#board").evaluate(TOP)
    table.act("white", "play_card", card="AH")
    table.act("white", "attack", unit="wc", target="bb")
    table.answer("black", value="no")
    expect(tall.at(".typing")).to_be_visible()
    expect(tall.at(".rail:visible")).to_have_count(1)
    tall.comes_to(f"document.getElementById('board').getBoundingClientRect().top === {top}", "the board stays")
