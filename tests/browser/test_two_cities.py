"""A turn of A Tale of Two Cities by touch: few taps, and what each of them leads to is seen before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.finger import SMALL, Finger
from tests.browser.test_board import label

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Serving

pytestmark = pytest.mark.browser


CLEAR = """
(foe) => {
  const [dice, hits] = [`.reach [value*='target=${foe}'] small`, `#stands-${foe} .hits-of`].map(
    (one) => document.querySelector(one).getBoundingClientRect(),
  );
  return dice.bottom <= hits.top;
}
"""
"""Whether the dice against a piece are written clear of its hits."""


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)], ids=str)
def test_the_hits_of_who_is_attacked_are_read_beside_the_dice_against_it(
    served: Serving, phones: Phones, size: tuple[int, int]
) -> None:
    table = served.sit().face_to_face()
    table.correct("unit.bb.hits", "2")
    table.act("white", "play_card", card="AH")
    ana = phones(viewport={"width": size[0], "height": size[1]}).open(table.link("white"))
    label(ana, "wc").click()
    expect(ana.at(".reach [value*='target=bb'] small")).to_have_text("5")
    assert ana.page.evaluate(CLEAR, "bb")
    ana.save(f"hits-and-dice-{size[0]}")


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_a_cavalry_charge_of_two_units_takes_eight_taps(served: Serving, phones: Phones, tongue: str) -> None:
    table = served.sit()
    table.begin()
    for unit, square in (("wb", "b4"), ("wg", "g4"), ("ba", "b6"), ("bh", "g6")):
        table.correct(f"unit.{unit}.square", square)
    held = ",".join(("QS", *table.hand("white")[1:]))
    table.tables.correct(table.table, "white", "cards.white", held, served.key())
    ana = phones(tongue, **SMALL).open(table.link("white"))
    finger = Finger(ana)
    finger.tap(".hand label.card[for$='QS']")
    finger.tap(".card-ways:visible .button")
    ana.settled(table.version)
    for unit, foe, square in (("wb", "ba", "b5"), ("wg", "bh", "g5")):
        finger.tap(f"label[for='pick-{unit}']")
        expect(ana.at(f".reach [value*='target={foe}'] small")).to_have_text("3")
        finger.tap(f".reach [value$='to={square}']")
        ana.settled(table.version)
        finger.tap(f".reach [value*='mode=melee'][value*='target={foe}']")
        ana.settled(table.version)
    assert finger.taps == 8
    assert table.log()[-5:] == ["action"] * 5, "the card, two moves and two fights"
    expect(ana.at("#dock .button.main[data-ends]")).to_be_visible()
