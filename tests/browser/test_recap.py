"""Somebody looks away while the other one moves: a line says so, the recap tells it, the real board is set right."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.finger import SMALL, touching
from tests.browser.phones import WIDE
from tests.browser.test_board import held as held_back

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


def test_how_the_game_ended_is_not_covered_by_what_happened_before(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    ana = phones(**SMALL).open(sitting.link("black"))
    expect(ana.at("link[data-called]")).to_be_attached()
    ana.page.evaluate(LOOK, "away")
    sitting.correct("unit.wc.square", "d2")
    ana.page.evaluate(LOOK, "back")
    expect(ana.at(LINE)).to_be_visible()
    sitting.act("white", "surrender")
    expect(ana.at("#ending")).to_be_visible()
    expect(ana.at(LINE)).to_have_count(0)


@pytest.mark.parametrize("size", [{"width": 844, "height": 390}, {"width": 1280, "height": 800}])
def test_the_line_lies_on_the_stage_where_that_is_beside_the_rest(
    served: Serving, phones: Phones, size: dict[str, int]
) -> None:
    sitting = served.sit().face_to_face()
    ana = phones("es", viewport=size).open(sitting.link("white"))
    expect(ana.at("link[data-called]")).to_be_attached()
    ana.page.evaluate(LOOK, "away")
    sitting.correct("unit.bb.square", "d5")
    ana.page.evaluate(LOOK, "back")
    line, stage = ana.at(LINE), ana.at("#stage").bounding_box()
    expect(line).to_be_visible()
    box = line.bounding_box()
    assert box
    assert stage
    assert stage["x"] <= box["x"]
    assert box["x"] + box["width"] <= stage["x"] + stage["width"]
    for x in (12, box["width"] / 2, box["width"] - 12):
        line.click(position={"x": x, "y": box["height"] / 2}, trial=True)  # nothing lies over it


def test_on_a_laptop_the_board_stays_beside_what_is_to_be_done_on_it(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    since = sitting.version()
    for unit, to in (("wc", "d2"), ("bb", "d5"), ("wh", "h4"), ("bc", "c7")):
        sitting.correct(f"unit.{unit}.square", to)
    ana = phones("en", viewport=WIDE).open(sitting.link("white"))
    ana.open(sitting.page("white", f"/recap?since={since}"))
    rows = ana.at(".ticks > li")
    expect(rows).to_have_count(4)
    for row in (rows.first, rows.last):
        expect(row).to_be_in_viewport(ratio=1)
    ana.at(".told-steps li").last.scroll_into_view_if_needed()
    expect(ana.at("#board")).to_be_in_viewport(ratio=1)


def test_what_is_ticked_before_its_script_has_come_stays_ticked(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    since = sitting.version()
    sitting.correct("unit.bb.square", "d5")
    ana = phones("en", **SMALL).open(sitting.link("white"))
    tick = ana.at(".ticks input")
    with held_back(ana, "**/recap_ticks.js"):
        ana.page.goto(sitting.page("white", f"/recap?since={since}"), wait_until="commit")
        tick.check()
    ana.page.wait_for_load_state("load")
    ana.page.reload()
    expect(tick).to_be_checked()


BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
MENUS = (
    "addEventListener('contextmenu', (event) => { event.preventDefault(); event.stopImmediatePropagation(); }, true)"
)


def held(served: Serving, phones: Phones) -> tuple[Phone, Any, tuple[float, float]]:
    """A recap with one line, a finger for it, and where: no menu comes, and time stands still unless it is moved."""
    sitting = served.sit().face_to_face()
    ana = phones("es", **SMALL).open(sitting.link("white"))
    since = sitting.version()
    sitting.correct("unit.bb.square", "d5")
    ana.page.clock.install(time=BEGUN)
    ana.open(sitting.page("white", f"/recap?since={since}"))
    ana.page.clock.pause_at(BEGUN + timedelta(hours=1))
    ana.page.evaluate(MENUS)
    touch = touching(ana)
    box = ana.at(".ticks label").bounding_box()
    assert box

    return ana, touch, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_finger_that_rests_on_a_line_corrects_it(served: Serving, phones: Phones) -> None:
    ana, touch, at = held(served, phones)
    touch("touchStart", at)
    expect(ana.at(".ticks > .is-pressed")).to_have_count(1)
    ana.page.clock.run_for(450)
    expect(ana.at(".ticks > .is-pressed")).to_have_count(1)
    ana.page.clock.run_for(100)
    expect(ana.at("[id='at-unit.bb.square']")).to_be_in_viewport()
    touch("touchEnd")


@pytest.mark.parametrize("way", ["move", "up"])
def test_a_finger_that_moves_or_goes_up_holds_nothing(served: Serving, phones: Phones, way: str) -> None:
    ana, touch, (x, y) = held(served, phones)
    touch("touchStart", (x, y))
    expect(ana.at(".ticks > .is-pressed")).to_have_count(1)
    touch("touchMove", (x - 30, y)) if way == "move" else touch("touchEnd")
    expect(ana.at(".ticks > .is-pressed")).to_have_count(0)
    ana.page.clock.run_for(5000)
    touch("touchEnd") if way == "move" else expect(ana.at(".ticks input")).to_be_checked()
    expect(ana.at(".ticks")).to_be_visible()


def test_the_menu_of_a_mouse_corrects_a_line_and_ticks_nothing(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    ana = phones("en", **SMALL).open(sitting.link("white"))
    since = sitting.version()
    sitting.correct("unit.bb.square", "d5")
    ana.open(sitting.page("white", f"/recap?since={since}"))
    ana.at(".ticks label").click(button="right")
    expect(ana.at("[id='at-unit.bb.square']")).to_be_in_viewport()
    ana.page.go_back()
    expect(ana.at(".ticks input")).not_to_be_checked()
    assert sum("/corrections?" in one for one in ana.requests) == 1
