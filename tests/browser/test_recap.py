"""Somebody looks away while the other one moves: a line says so, the recap tells it, the real board is set right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.finger import SMALL

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

LOOK = """(way) => {
  const hidden = way === "away";
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => hidden ? "hidden" : "visible" });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
LINE = ".away-line .meanwhile"


def overlaps(phone: Phone, one: str, other: str) -> bool:
    first, second = phone.at(one).bounding_box(), phone.at(other).bounding_box()
    assert first
    assert second
    return first["y"] < second["y"] + second["height"] and second["y"] < first["y"] + first["height"]


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_a_look_away_and_back(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.sit().face_to_face()
    ana = phones(tongue, **SMALL).open(sitting.link("black"))
    ben = phones(tongue, **SMALL).open(sitting.link("white"))
    expect(ana.at("link[data-called]")).to_be_attached()  # what comes after the page is there
    expect(ana.at(LINE)).to_have_count(0)
    ana.page.evaluate(LOOK, "away")
    sitting.act("white", "play_card", card="AH")
    sitting.correct("unit.wc.square", "d2")
    sitting.correct("unit.bb.hits", "1")
    ana.page.evaluate(LOOK, "back")
    expect(ana.at(LINE)).to_be_visible()
    expect(ana.at(LINE)).to_contain_text("d3 → d2 · ")
    assert not overlaps(ana, LINE, "#dock")
    assert not violations(ana)
    ana.save(f"line-{tongue}")
    ana.at("#turn").click()
    expect(ana.at(LINE)).to_have_count(0)
    ana.page.evaluate(LOOK, "away")
    sitting.correct("unit.bb.square", "d5")
    ana.page.evaluate(LOOK, "back")
    expect(ana.at(LINE)).to_be_visible()
    ana.at(LINE).click()
    ticks = ana.at(".ticks input")
    expect(ticks).to_have_count(1)
    expect(ana.at(".ticks")).to_contain_text("d4 → d5")
    assert not violations(ana)
    ana.save(f"recap-{tongue}")
    ticks.first.check()
    ana.page.reload()
    expect(ticks.first).to_be_checked()
    ana.at(".not-so").first.click()
    expect(ana.at("[id='at-unit.bb.square']")).to_be_in_viewport()
    assert not ben.wrong
