"""What is said before it is done: the face that a shot needs on its square, a spell's lines, a box that folds up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.test_board import label
from tests.browser.test_chesswar import says, set_up, submit, way

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Serving

pytestmark = pytest.mark.browser


def test_a_spell_is_looked_at_before_it_is_cast(served: Serving, phones: Phones) -> None:
    sitting = set_up(served)
    ana = phones("es").open(sitting.link("white"))
    label(ana, "wq1").click()
    way(ana, "Tormenta").click()
    expect(ana.at("#plan .advice a.clause")).to_have_text(["CW-156", "CW-129", "CW-127"])
    ana.save("chesswar-spell-es")
    submit(ana)
    expect(ana.at("#sheet")).to_be_hidden()
    expect(ana.at(".waiting").or_(ana.at("#last"))).to_contain_text("Tormenta")


def test_the_squares_that_can_be_shot_at_say_the_face_that_is_needed(served: Serving, phones: Phones) -> None:
    sitting = set_up(served)
    sitting.correct("unit.wb1.square", "d4")
    sitting.correct("unit.bp1.square", "d5")
    sitting.act("white", "end_phase")
    ben = phones("en").open(sitting.link("white"))
    label(ben, "wb1").click()
    target = ben.at(".reach a[href*='target%3Dbp1']")
    expect(target.locator("small")).to_have_text("3+")
    expect(target).to_contain_text("Orcs d5: hits on 3+ (67%)")
    ben.save("chesswar-needed")
    target.click()
    expect(ben.at("#plan .settled")).to_contain_text("hits on 3+ (67%)")
    expect(ben.at("#plan .rests a.clause").first).to_have_text("CW-56")


def test_a_box_folds_up_when_it_is_saved_and_what_was_said_stays(served: Serving, phones: Phones) -> None:
    sitting = set_up(served)
    ana = phones("es").open(sitting.link("white"))
    before = ana.at("#last .headline").text_content()
    box = ana.at("details.offer").filter(has_text="Hechizos instantáneos")
    ana.at("#aside > summary").click()
    box.locator("summary").click()
    box.locator("[name='f.replies'][value='never'] + label").click()
    box.locator(".button.main").click()
    expect(ana.at(".log .line-setting").first).to_contain_text("instantáneos")
    expect(box).not_to_have_attribute("open", "")
    assert before is not None
    says(ana, before)
