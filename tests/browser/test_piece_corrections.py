"""Corrections by touch, at the piece that they are about: two taps for a hit, three for a square."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games.tactics_2gm.game import GAME as TACTICS_2GM
from tests.browser.finger import SMALL, Finger
from tests.browser.phones import WIDE, sitting_at
from tests.browser.test_reach import tab_to
from tests.support import tactics_2gm_positions

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

PICKED = ".pick:checked + label + .targets"


def more(phone: Phone) -> Locator:
    return phone.at(f"{PICKED} .step").nth(1)


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_a_hit_takes_two_taps_and_a_square_three(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.sit().face_to_face()
    sitting.act("white", "play_card", card="2H")
    ana = phones(tongue, **SMALL).open(sitting.link("white"))
    finger = Finger(ana)
    finger.tap("label[for='pick-wc']")
    finger.on(more(ana))
    ana.settled(sitting.version)
    assert (finger.taps, sitting.tracked()["unit.wc.hits"]) == (2, 1)
    expect(ana.at("#pick-wc")).to_be_checked()
    finger.on(more(ana))
    ana.settled(sitting.version)
    assert sitting.tracked()["unit.wc.hits"] == 2, "the piece is still picked: each further hit is one tap"
    expect(ana.at(f"{PICKED} .hit")).to_have_count(2)
    ana.at(".let-go:visible").tap()
    finger.taps = 0
    finger.tap("label[for='pick-bb']")
    finger.tap(f"{PICKED} .place")
    finger.on(ana.do("path=unit.bb.square", "value=f6"))
    ana.settled(sitting.version)
    assert (finger.taps, sitting.tracked()["unit.bb.square"]) == (3, "f6")
    expect(ana.at("#pick-bb")).to_be_checked()
    assert sitting.log()[-3:] == ["correction"] * 3


@pytest.mark.parametrize("tongue", ["es", "en"])
@pytest.mark.parametrize("board", ["mirrored", "table"])
def test_wounds_take_two_taps_on_a_board_and_in_a_list(tmp_path: Path, phones: Phones, tongue: str, board: str) -> None:
    where = ("d2", "d4") if board == "mirrored" else ("", "")
    battle = tactics_2gm_positions.battle("a1 light_infantry {} 1w, x1 light_infantry {}".format(*where), board=board)
    with sitting_at(tmp_path, TACTICS_2GM, battle, ("allies", "axis"), board=board) as sitting:
        ana = phones(tongue, **SMALL).open(sitting.link("axis"))
        finger = Finger(ana)
        if board == "mirrored":
            finger.tap("label[for='pick-a1']")
            finger.on(more(ana))
        else:
            finger.tap("#correction-a1 > summary")
            finger.on(ana.at("#correction-a1 .step").nth(1))
        ana.settled(sitting.version)
        assert (finger.taps, sitting.tracked()["unit.a1.wounds"]) == (2, 2)
        last = ana.at("#correction-a1 .step" if board == "table" else f"{PICKED} .step").nth(1)
        expect(last).to_have_attribute("aria-disabled", "true")
        last.dispatch_event("click")
        ana.settled(sitting.version)
        assert sitting.log().count("correction") == 1


UNCOVERED = """
(one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}
"""


def test_who_only_looks_on_corrects_nothing_and_who_waits_later(served: Serving, phones: Phones) -> None:
    sitting = served.sit().attack()
    screen, ana = phones("en", viewport=WIDE).open(sitting.link("screen")), phones("en").open(sitting.link("white"))
    expect(screen.at("#board")).to_be_visible()
    assert screen.at(".step, .place, form[action$='/correct-piece']").count() == 0
    ana.pick("wc")
    expect(ana.at(f"{PICKED} .step")).to_have_count(2)
    last, place = ana.at(f"{PICKED} .step").last, ana.at(f"{PICKED} .place")
    for one in (last, place):
        expect(one).to_have_accessible_description("Answer the open question first")
        expect(one).to_have_css("border-style" if one is last else "cursor", "dashed" if one is last else "default")
    before = sitting.log()
    for way in (last, place):
        way.click()
        wait = ana.at("#wait")
        expect(wait).to_be_focused()
        expect(wait).to_have_text("Answer the open question first")
        expect(ana.at(".pick:checked")).to_have_count(0)
        assert wait.evaluate(UNCOVERED), "no sheet lies over it"
        ana.pick("wc")
    assert sitting.log() == before
    expect(ana.at(".reach button[value^='path=']")).to_have_count(0)


def test_where_a_piece_stands_is_asked_for_until_it_is_said(served: Serving, phones: Phones) -> None:
    """Somebody else does something meanwhile; a second tap, or another piece, ends it."""
    sitting = served.sit().face_to_face()
    sitting.act("white", "play_card", card="2H")
    ana = phones("en", **SMALL).open(sitting.link("white"))
    ana.pick("wc")
    ana.at(f"{PICKED} .place").click()
    expect(ana.at(f"{PICKED} .reach button[value^='path=']")).to_have_count(64 - 16)
    expect(ana.at(f"{PICKED} .place")).to_have_text("Correct its place: tap where it stands")
    sitting.correct("unit.bb.hits", "1")
    ana.sees(sitting.version())
    expect(ana.at(f"{PICKED} .reach button[value^='path=']")).to_have_count(64 - 16)
    assert ana.at(f"{PICKED} .reach :is(button, a)[value*='action='], {PICKED} .reach a").count() == 0
    ana.at(f"{PICKED} .place").click()
    expect(ana.at(f"{PICKED} .reach button[value^='path=']")).to_have_count(0)
    expect(ana.at(f"{PICKED} .reach button[value*='action=move']").first).to_be_attached()
    ana.at(f"{PICKED} .place").click()
    ana.pick("bb")
    expect(ana.at(f"{PICKED} .reach button")).to_have_count(0)


def test_a_hit_is_corrected_with_the_keyboard_alone(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    sitting.act("white", "play_card", card="2H")
    ana = phones("en").open(sitting.link("white"))
    ana.at("#pick-wc").focus()
    ana.page.keyboard.press("Space")
    tab_to(ana, value="path=unit.wc.hits&value=1")
    ana.page.keyboard.press("Enter")
    ana.settled(sitting.version)
    assert sitting.tracked()["unit.wc.hits"] == 1
    expect(more(ana)).to_be_focused()
    expect(more(ana)).to_have_accessible_name("One more: White heavy infantry d3")


def test_without_scripts_the_buttons_and_the_list_do_it(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    ana = phones("es", scripts=False, **SMALL).open(sitting.link("white"))
    ana.at("label[for='pick-wc']").first.click()
    more(ana).click()
    expect(ana.at("#state")).to_have_attribute("data-version", str(sitting.version()))
    assert sitting.tracked()["unit.wc.hits"] == 1
    ana.at("label[for='pick-wc']").first.click()
    ana.at(f"{PICKED} .place").click()
    ana.at("#c-unit-wc-square").select_option("f5")
    ana.at("details[open] .save").click()
    expect(ana.at(".note[role='status']").first).to_be_visible()
    assert sitting.tracked()["unit.wc.square"] == "f5"


def test_what_a_piece_can_do_is_done_though_its_place_was_to_be_corrected(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    sitting.correct("cards.white", "10S,AH,2H")
    sitting.act("white", "play_card", card="10S")
    ana = phones("en", **SMALL).open(sitting.link("white"))
    ana.pick("wc")
    buttons = ana.at(f"{PICKED} .about > .buttons")
    expect(buttons).to_be_visible()
    ana.at(f"{PICKED} .place").click()
    expect(buttons).to_be_hidden()
    ana.at(f"{PICKED} .place").click()
    version = sitting.version()
    buttons.locator("button").first.click()
    ana.sees(version + 1)
    expect(ana.at("#told .wrong")).to_have_count(0)
