"""Taking stock on a phone: a tap for each line that is right, and what lies otherwise is set at once."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.finger import SMALL

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = pytest.mark.browser

DIFFERENCES = 20
LINES = ".stock-line"


def real_table(sitting: Sitting) -> dict[str, str]:
    """How twenty things lie on the real table that Companion believes elsewhere: pieces have changed places, hits."""
    rng = random.Random(7)
    known = sitting.tracked("white")
    units = [path for path, value in known.items() if path.endswith(".square") and value != "off"]
    moved = rng.sample(units, DIFFERENCES // 2)
    places = [known[path] for path in moved]
    real = dict(zip(moved, places[1:] + places[:1], strict=True))
    hurt = rng.sample([path for path in known if path.endswith(".hits")], DIFFERENCES // 2)
    return real | {path: "1" if known[path] == 0 else "0" for path in hurt}


def repair(phone: Phone, real: dict[str, str], *, steps: bool) -> int:
    """Go through the lines as somebody does who has the real table before him; return the taps on what is right."""
    right = 0
    for line in phone.at(LINES).all():
        fields = line.locator("[name^='v.']")
        names = [name.removeprefix("v.") for name in fields.evaluate_all("all => all.map((one) => one.name)")]
        wrong = [name for name in names if name in real]
        if not wrong:
            line.locator("label.right").tap() if steps else line.locator("label.right").click()
            right += 1
            continue
        line.locator(".not-so > summary").click()
        for name in wrong:
            field = line.locator(f"[name='v.{name}']")
            if name.endswith(".square"):
                field.select_option(real[name])
            elif steps:
                field.locator(
                    "xpath=following-sibling::button" if real[name] == "1" else "xpath=preceding-sibling::button"
                ).click()
            else:
                field.fill(real[name])
    return right


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_twenty_differences_are_found_and_repaired(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.sit().face_to_face()
    real, before = real_table(sitting), stays(sitting)
    known = sitting.tracked("white")
    assert len(real) == DIFFERENCES
    ana = phones(tongue, **SMALL).open(sitting.link("white")).open(sitting.page("white", "/stock-take"))
    right = repair(ana, real, steps=True)
    lines = ana.at(LINES).count()
    assert lines <= 12, "a few seconds each"
    expect(ana.at(".so-far")).to_contain_text(f"{right} " if tongue == "en" else f"{right} de {lines}")
    expect(ana.at(".so-far")).to_contain_text(str(DIFFERENCES))
    log = len(sitting.log())
    ana.at(".foot > .button").click()
    ana.page.wait_for_url(sitting.page("white"))
    assert {path: str(sitting.tracked("white")[path]) for path in real} == real
    assert stays(sitting) == before
    assert sitting.log()[log:] == ["correction"]
    expect(ana.recap).to_contain_text("20 correcciones" if tongue == "es" else "20 corrections")
    ana.at("#back button").click()
    ana.settled(sitting.version)
    assert sitting.tracked("white") == known, "one tap takes all of it back"


def test_it_works_without_scripts(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    real, before = real_table(sitting), stays(sitting)
    ana = phones("es", scripts=False, **SMALL).open(sitting.link("white")).open(sitting.page("white", "/stock-take"))
    repair(ana, real, steps=False)
    ana.at(".foot > .button").click()
    assert {path: str(sitting.tracked("white")[path]) for path in real} == real
    assert stays(sitting) == before


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_the_sheet_keeps_the_own_hand_folded_on_paper_too(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.sit().face_to_face()
    ana = phones(tongue, **SMALL).open(sitting.link("white")).open(sitting.page("white", "/pack-up"))
    hand = ana.at("#sealed .in-hand")
    expect(ana.at(".drawn-board .figure").first).to_be_visible()
    expect(ana.at(".is-piece")).to_have_count(16)
    expect(hand).to_be_hidden()
    assert ana.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ana.page.emulate_media(media="print")
    expect(ana.at("#sealed")).to_be_hidden()
    expect(ana.at(".drawn-board svg")).to_be_visible()
    ana.page.emulate_media(media="screen")
    ana.at("#sealed > summary").tap()
    expect(hand.locator("li")).to_have_count(len(sitting.hand("white")))
    ana.page.emulate_media(media="print")
    expect(hand).to_be_visible()


def stays(sitting: Sitting) -> list[Any]:
    return [sitting.hand("white"), sitting.hand("black"), sitting.tables.seen(sitting.table, "screen").view.to_move]
