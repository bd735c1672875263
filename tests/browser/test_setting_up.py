"""Setting up with one thumb: a unit is placed, and the next tap is for another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Serving

pytestmark = pytest.mark.browser


def test_the_tap_after_a_placed_unit_picks_another_instead_of_changing_their_places(
    served: Serving, phones: Phones
) -> None:
    sitting = served.sit().clear()
    ana = phones("en").open(sitting.link("white"))
    for unit, square in (("wb", "b3"), ("wc", "c3")):
        ana.at(f"label[for='pick-{unit}']").first.click()
        ana.do("action=place", f"unit={unit}&", f"to={square}").click()
        expect(ana.at(".pick:checked")).to_have_count(0)
    units = sitting.tracked()
    assert (units["unit.wb.square"], units["unit.wc.square"]) == ("b3", "c3")


def test_a_unit_that_moved_in_its_turn_stays_picked_for_its_attack(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    sitting.correct("unit.we.square", "e3")
    sitting.correct("unit.be.square", "e6")
    ana = phones("en").open(sitting.link("white"))
    ana.play("10S")
    ana.move("we", "e4")
    expect(ana.at("#pick-we")).to_be_checked()
