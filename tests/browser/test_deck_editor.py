"""A deck in its editor, on a small phone: the face of each card, what it does on a tap, and no name is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.kit.panels import Tracker
from tests.browser.phones import WIDE, Sitting
from tests.browser.test_axe import is_usable
from tests.browser.test_print import SPILT
from tests.support.sizes import first

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

SMALL_PHONE = {"width": 360, "height": 640}
DECKS = [
    ("history_of_war", "blue", "blue_sample"),
    ("tactics_2gm", "allies", "allies_sample"),
    ("pocket_tactics", "blue", None),
    ("history_of_war", "red", "red_sample"),
    ("tactics_2gm", "axis", "axis_sample"),
    ("pocket_tactics", "red", None),
]
"""Every sample deck, with the game and a seat that takes it; None: the first that the seat is offered."""
OF_GAMES = DECKS[:3]
SIZES = "(all) => all.map((one) => one.getBoundingClientRect()).map((box) => [box.width, box.height])"

CROWDED = """
(faces) => faces.filter((face) => {
  const [top, middle, foot] = [".art", ".card-numbers", ".card-name"].map((part) =>
    face.querySelector(part)?.getBoundingClientRect());
  return (middle && middle.bottom > foot.top + 0.5) || (middle && top && middle.top < top.bottom - 0.5)
    || (top && top.bottom > foot.top + 0.5);
}).map((face) => face.textContent)
"""
"""Faces on which one thing lies over another."""


def taken(served: Serving, game: str, seat: str, sample: str | None) -> Sitting:
    """A table at which a seat has a sample deck."""
    made = served.tables.create(game, "", {}, {"rulekeeper": "Ruth"}, "app")
    tokens = {**made.tokens, seat: served.tables.join(made.table, seat, "Ana")}
    sitting = Sitting(served, made.table, tokens)
    offers = served.tables.seen(made.table, seat).offers
    chosen = sample or next(one.given["sample"] for one in offers if one.action == "use_sample")
    sitting.act(seat, "use_sample", sample=chosen)
    return sitting


def opened(phone: Phone, sitting: Sitting, seat: str, part: str = "") -> Phone:
    phone.open(sitting.link(seat))
    return phone.open(sitting.page(seat, part)) if part else phone


@pytest.mark.parametrize("tongue", first("es", "en"))
@pytest.mark.parametrize(("game", "seat", "sample"), OF_GAMES)
def test_each_line_of_a_deck_shows_its_card_and_says_it_on_a_tap(
    served: Serving, phones: Phones, game: str, seat: str, sample: str | None, tongue: str
) -> None:
    sitting = taken(served, game, seat, sample)
    phone = opened(phones(tongue, viewport=SMALL_PHONE, has_touch=True), sitting, seat)
    faces = phone.at(".has-card .card-face")
    tracked = (panel for panel in sitting.tables.seen(sitting.table, seat).view.panels if isinstance(panel, Tracker))
    assert faces.count() == sum(row.card is not None for panel in tracked for row in panel.rows) > 5
    for what in (".card-name", ".card-face"):
        assert phone.at(f".reads {what}").evaluate_all(SPILT) == [], what
    assert faces.evaluate_all(CROWDED) == []
    assert min(min(size) for size in faces.evaluate_all(SIZES)) > 95
    assert phone.at(".has-card").evaluate_all(SPILT) == []
    is_usable(phone, f"editor-{game}-{tongue}", [])
    last = phone.at(".has-card").filter(has=phone.page.get_by_text("+1", exact=True)).last
    line = phone.at(f"[id='{last.get_attribute('id')}']")
    reads = line.locator(".reads")
    expect(reads.locator("ul")).to_be_hidden()
    reads.locator("summary").tap()
    expect(reads.locator("li").first).to_be_visible()
    assert line.evaluate_all(SPILT) == []
    before = line.locator(".value").inner_text()
    line.get_by_text("+1", exact=True).tap()
    expect(line.locator(".value")).not_to_have_text(before)
    expect(reads.locator("li").first).to_be_visible()


def test_a_long_name_is_seen_whole_in_the_editor(served: Serving, phones: Phones) -> None:
    sitting = taken(served, "history_of_war", "blue", "blue_sample")
    sitting.act("blue", "edit_action", name="W" * 40, ta_cost=1, count=1)
    sitting.act("blue", "edit_action", name="The Honourable Company of Sappers Miners", ta_cost=1, count=0)
    phone = opened(phones("en", viewport=SMALL_PHONE), sitting, "blue")
    assert phone.at(".reads .card-name").evaluate_all(SPILT) == []
    assert phone.at(".reads .card-face").evaluate_all(SPILT) == []
    expect(phone.at(".spent .card-name")).to_have_text("The Honourable Company of Sappers Miners")


def test_of_what_is_folded_the_names_and_how_many_there_are_stay(served: Serving, phones: Phones) -> None:
    sitting = taken(served, "history_of_war", "blue", "blue_sample")
    phone = opened(phones("en", viewport=SMALL_PHONE), sitting, "blue")
    line = phone.at("#tracker-unit .has-card").first
    expect(line.locator(".card-numbers")).to_be_visible()
    phone.at("#fold-unit > summary").click()
    for gone in (".card-numbers", ".art", ".corner", ".icon", ".steps-of .button"):
        expect(line.locator(gone).first).to_be_hidden()
    for stays in (".card-name", ".value"):
        expect(line.locator(stays)).to_be_visible()
    is_usable(phone, "editor-folded", [])


def test_the_shared_screen_shows_the_cards_of_a_faction_whole(served: Serving, phones: Phones) -> None:
    sitting = taken(served, "pocket_tactics", "blue", None)
    sitting.tables.join(sitting.table, "red", "Ben")
    screen = phones("es", viewport=WIDE).open(sitting.page("screen"))
    expect(screen.at(".has-card .card-face")).to_have_count(6)
    for what in (".card-face", ".card-name", ".card"):
        assert screen.at(f".has-card {what}").evaluate_all(SPILT) == [], what
    assert screen.at(".has-card .card-face").evaluate_all(CROWDED) == []
