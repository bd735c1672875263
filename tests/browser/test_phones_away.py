"""Whose phone is away: seen on the shared screen and on the rulekeeper's phone, and gone when that phone is back."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.web.presence import Presence
from tests.browser.axe import violations
from tests.browser.phones import serving

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}
TV = {"width": 1920, "height": 1080}
AWAY = {"en": "phone away", "es": "sin conexión"}
BOTH = pytest.mark.parametrize(("tongue", "scheme"), [("en", "light"), ("es", "dark")])


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """Serve tables at which a phone is away as soon as it has no stream."""
    monkeypatch.setattr("companion.web.live.Presence", partial(Presence, 0.0, 0.0))
    with serving(tmp_path) as running:
        yield running


def leaves(phone: Phone) -> None:
    """Let a phone look at something else; it has been there before, or it would not be missed."""
    phone.listens()
    with phone.page.expect_event("requestfailed", lambda request: "/live?" in request.url):
        phone.page.goto("about:blank")


def marks(phone: Phone, where: str = "") -> Locator:
    return phone.at(f"{where} .phone-away:visible")


@BOTH
@pytest.mark.parametrize("size", [TV, SMALL], ids=["tv", "phone"])
def test_the_screen_says_that_the_phone_it_waits_for_is_away(
    hasty: Serving, phones: Phones, tongue: str, scheme: str, size: dict[str, int]
) -> None:
    sitting = hasty.sit().begin()
    screen = phones(tongue, viewport=size, color_scheme=scheme).open(sitting.page("screen"))
    ana, ben = (phones(tongue).open(sitting.link(seat)) for seat in ("white", "black"))
    leaves(ben)
    sitting.act("white", "play_card", card="AH")
    screen.sees(sitting.version())
    expect(marks(screen, "#turn")).to_have_count(0)
    expect(marks(screen, "#side-black")).to_have_text(AWAY[tongue])
    leaves(ana)
    expect(marks(screen, "#side-white")).to_have_text(AWAY[tongue])
    expect(marks(screen, "#turn")).to_have_text(AWAY[tongue])
    name = f"away-screen-{tongue}-{size['width']}"
    screen.save(f"{name}-turn")
    sitting.correct("unit.wc.square", "d3")
    sitting.correct("unit.bb.square", "d4")
    sitting.act("white", "attack", unit="wc", target="bb")
    screen.sees(sitting.version())
    expect(marks(screen, "#turn")).to_have_text(AWAY[tongue])
    screen.save(f"{name}-asked")
    assert violations(screen) == []
    ben.open(sitting.link("black"))
    expect(marks(screen)).to_have_count(1)
    expect(marks(screen, "#side-white")).to_have_text(AWAY[tongue])


@BOTH
def test_the_screen_names_who_is_away_of_several(hasty: Serving, phones: Phones, tongue: str, scheme: str) -> None:
    sitting = hasty.sit().clear()
    screen = phones(tongue, viewport=TV, color_scheme=scheme).open(sitting.page("screen"))
    ana, ben = (phones(tongue).open(sitting.link(seat)) for seat in ("white", "black"))
    leaves(ben)
    expect(marks(screen, "#turn")).to_have_text(f"Ben: {AWAY[tongue]}")
    leaves(ana)
    expect(marks(screen, "#turn")).to_have_text(f"Ana, Ben: {AWAY[tongue]}")
    screen.save(f"away-screen-{tongue}-several")


def test_the_screen_says_it_where_people_wait_for_the_game(hasty: Serving, phones: Phones) -> None:
    sitting = hasty.alone()
    token = hasty.tables.join(sitting.table, "white", "Ana")
    sitting.tokens["white"] = token
    screen = phones("en", viewport=TV).open(sitting.page("screen"))
    ana = phones("en").open(sitting.link("white"))
    leaves(ana)
    expect(marks(screen, "[data-seat='white']")).to_have_count(1)
    expect(marks(screen)).to_have_count(1)
    screen.save("away-screen-lobby")
    hasty.tables.release(sitting.table, "rulekeeper", "white", "k1")
    expect(marks(screen)).to_have_count(0)


@BOTH
def test_the_rulekeeper_sees_who_is_away_in_the_strip_and_in_the_list(
    hasty: Serving, phones: Phones, tongue: str, scheme: str
) -> None:
    sitting = hasty.sit().begin()
    ruth = phones(tongue, viewport=SMALL, color_scheme=scheme).open(sitting.link("rulekeeper"))
    ana, ben = (phones(tongue).open(sitting.link(seat)) for seat in ("white", "black"))
    leaves(ana)
    expect(marks(ruth, "#turn")).to_have_text(AWAY[tongue])
    ruth.save(f"away-keeper-{tongue}")
    assert violations(ruth) == []
    ruth.open_more()
    expect(marks(ruth, "#seat-white")).to_have_text(AWAY[tongue])
    expect(marks(ruth, "#people")).to_have_count(1)
    ruth.at("#people").scroll_into_view_if_needed()
    ruth.save(f"away-keeper-{tongue}-list")
    assert violations(ruth) == []
    ruth.page.keyboard.press("Escape")
    ruth.page.evaluate("document.documentElement.style.fontSize = '200%'")
    ruth.save(f"away-keeper-{tongue}-large")
    expect(ben.at("#phone-away")).to_have_count(0)
    assert ben.at("main[data-away]").count() == 0
    ana.open(sitting.link("white"))
    expect(ruth.at(".phone-away")).to_have_count(0)
    ana.play("AH")
    ruth.sees(sitting.version())
    ana.settled(sitting.version)
    ruth.sees(sitting.version())
    expect(ruth.at(".phone-away")).to_have_count(0)


def test_a_rulekeeper_who_plays_sees_it_at_the_seat_that_is_played(hasty: Serving, phones: Phones) -> None:
    sitting = hasty.sit().begin()
    both = phones("en").open(sitting.link("rulekeeper")).open(sitting.link("white"))
    ben = phones("en").open(sitting.link("black"))
    leaves(ben)
    expect(both.at("#seat-black .phone-away")).to_have_count(1)
    sitting.act("white", "play_card", card="AH")
    both.sees(sitting.version())
    expect(both.at("#seat-black")).to_contain_text(re.compile(AWAY["en"]))
    assert "away" not in both.page.title()


def test_a_page_that_is_loaded_again_shows_who_was_away_before(hasty: Serving, phones: Phones) -> None:
    sitting = hasty.sit().attack()
    ruth = phones("en").open(sitting.link("rulekeeper"))
    leaves(phones("en").open(sitting.link("black")))
    expect(marks(ruth, "#turn")).to_have_count(1)
    ruth.page.reload()
    expect(marks(ruth, "#turn")).to_have_count(1)
