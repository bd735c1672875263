"""The button that ends a turn stays where it is while less and less is left to do, and leads on when nothing is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from tests.browser.phones import Phone, Phones, Serving

pytestmark = pytest.mark.browser
SMALL = {"width": 360, "height": 640}


def foot(phone: Phone) -> tuple[float, float, float]:
    """Where the button ends: left, right and bottom."""
    box = phone.dock.locator("[data-ends]").bounding_box()
    assert box is not None
    return box["x"], box["x"] + box["width"], box["y"] + box["height"]


@pytest.mark.parametrize(
    ("tongue", "said", "last"),
    [
        ("en", "3 units could still act", "1 unit could still act"),
        ("es", "3 unidades aún pueden actuar", "1 unidad aún puede actuar"),
    ],
)
def test_ending_the_turn_is_quiet_until_every_unit_is_done(
    served: Serving, phones: Phones, tongue: str, said: str, last: str
) -> None:
    sitting = served.sit().begin()
    sitting.correct("cards.white", "6S,AH,10S")
    ana = phones(tongue, viewport=SMALL).open(sitting.link("white"))
    sitting.act("white", "play_card", card="10S")
    ana.sees(sitting.version())
    end = ana.dock.locator("[data-ends]")
    expect(end).to_contain_text(said)
    expect(ana.at("#state .button.main")).to_have_count(0)
    places = [foot(ana)]
    for unit in ("wa", "wb", "wc"):
        if unit == "wc":
            expect(end).to_contain_text(last)
        sitting.act("white", "stand", unit=unit)
        ana.sees(sitting.version())
        places.append(foot(ana))
    assert len(set(places)) == 1, "a button never moves between two taps"
    expect(end).to_have_class("button main big")
    expect(end.locator("small")).to_have_count(0)
    end.click()
    expect(ana.at("#turn.is-mine")).to_have_count(0)
    assert sitting.tables.seen(sitting.table, "white").view.to_move == ("black",)
