"""How something came about, read on a phone: its story is seen whole, and what can be done stays in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.phones import serving
from tests.browser.staged import STAGED, THROWN, begun, fought
from tests.browser.test_clash import DESTROYED, attacked
from tests.browser.walk import PICK

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = pytest.mark.browser

SMALL, ASIDE = {"width": 360, "height": 640}, {"width": 844, "height": 390}
ON_TOP = """(one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}"""
TOP_EDGE = """(one) => {
  const { left, top, width } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + 4));
}"""
LINES = "(one) => Math.round(one.clientHeight / parseFloat(getComputedStyle(one).lineHeight))"


def edges(one: Locator) -> tuple[float, float]:
    box = one.bounding_box()
    assert box is not None
    return box["y"], box["y"] + box["height"]


def any_asked(table: Sitting) -> Any:
    """Return what is asked now, of whom."""
    seens = (table.tables.seen(table.table, seat) for seat in ("blue", "red"))
    return next((seen.asked for seen in seens if seen.asked), None)


def read(phone: Phone) -> None:
    """Open how it came to this: it begins beneath the top of the window, and covers neither the strip nor the dock."""
    phone.at("#last-why > summary").click()
    story = phone.at("#last-why .told-why")
    expect(story.locator(".fighter").first).to_be_in_viewport(ratio=1)
    for kept in (phone.at("#turn .back button"), phone.at("#last-why > summary")):
        assert kept.evaluate(ON_TOP)
    assert edges(story)[1] <= edges(phone.dock)[1]


@pytest.mark.parametrize("size", [SMALL, ASIDE])
def test_a_story_begins_in_sight_and_shows_each_die_once(served: Serving, phones: Phones, size: dict[str, int]) -> None:
    sitting, *_ = attacked(served, phones)
    sitting.answer("black", value="no")
    sitting.answer("white", faces=list(DESTROYED))
    ana = phones("es", viewport=size).open(sitting.link("white"))
    dice = ana.at("#recap .die").locator("visible=true")
    expect(dice).to_have_count(len(DESTROYED))
    before = edges(ana.at("#last-why > summary"))
    assert ana.at("#last .headline").evaluate(LINES) == 2, "two lines of what happened have room"
    read(ana)
    expect(dice).to_have_count(len(DESTROYED))
    assert edges(ana.at("#last-why > summary")) == before, "a button never moves between two taps"


@pytest.mark.parametrize("size", [SMALL, ASIDE])
def test_opposed_dice_that_were_seen_leave_the_board_its_place(
    tmp_path: Path, phones: Phones, size: dict[str, int]
) -> None:
    with serving(tmp_path, STAGED) as served:
        table = fought(begun(served), *THROWN)
        while asked := any_asked(table):
            table.answer(asked.seat, value="pass")
        ana = phones("es", viewport=size).open(table.link("blue"))
        expect(ana.at("#last-why")).to_be_visible()
        assert edges(ana.recap)[1] <= edges(ana.dock)[0] + 1
        assert edges(ana.at("#last"))[1] <= edges(ana.dock)[0] + 1
        expect(ana.at(".duel").locator("visible=true")).to_have_count(0)
        read(ana)
        expect(ana.at(".duel").locator("visible=true")).to_have_count(2)


def test_what_a_picked_piece_says_lies_over_a_scene(served: Serving, phones: Phones) -> None:
    sitting, *_ = attacked(served, phones)
    ana = phones("es", viewport=SMALL).open(sitting.link("white"))
    expect(ana.at("#clash-now[open]")).to_be_visible()
    ana.at("#pick-wc").evaluate(PICK, arg=True)  # by the keyboard: a finger does not reach the board
    about = ana.at("#targets-wc .about")
    expect(about).to_be_visible()
    assert about.evaluate(TOP_EDGE)
