"""The replay on a phone: a step, the slider and the keys show another entry, and the page is never loaded again."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations
from tests.browser.phones import Sitting
from tests.browser.test_board import held, reached
from tests.support.played_out import TableContest

if TYPE_CHECKING:
    from tests.browser.phones import Phone, Phones, Serving

pytestmark = pytest.mark.browser
SMALL = {"width": 360, "height": 640}
WORDS = {
    "en": ("Entry {at} of {last}", "Turns and bookmarks", "Bookmarks", "Through whose eyes", "Replay"),
    "es": (
        "Entrada {at} de {last}",
        "Turnos y momentos clave",
        "Momentos clave",
        "Con los ojos de quién",
        "Repetición de la partida",
    ),
}


def played(served: Serving, steps: int | None = 14) -> Sitting:
    """A game of two that is under way, or over."""
    contest = TableContest(served.tables, "two_cities", 0)
    while not contest.finished() and steps != 0:
        contest.turn()
        steps = None if steps is None else steps - 1
    return Sitting(served, contest.table, contest.tokens)


def in_sight(phone: Phone, what: str) -> bool:
    box = phone.at(what).bounding_box()
    assert box
    return box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= 360 and box["y"] + box["height"] <= 640


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_steps_slider_and_keys_show_another_entry_in_place(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = played(served)
    last = served.tables.seen(sitting.table, "white").log[0].seq
    entry, marks, bookmarks, _, replay = WORDS[tongue]
    ana = phones(tongue, viewport=SMALL).open(sitting.link("white"))
    ana.at("#menu summary").click()
    ana.page.get_by_role("link", name=replay, exact=True).click()
    where = ana.at(".replay-where b")
    expect(where).to_have_text(entry.format(at=last, last=last))
    ana.page.wait_for_load_state("load")
    ana.page.evaluate("window.still = true")
    ana.at("#replay-before").click()
    expect(where).to_have_text(entry.format(at=last - 1, last=last))
    expect(ana.page).to_have_url(re.compile(f"at={last - 1}"))
    ana.page.keyboard.press("ArrowLeft")
    expect(where).to_have_text(entry.format(at=last - 2, last=last))
    ana.page.keyboard.press("ArrowRight")
    expect(where).to_have_text(entry.format(at=last - 1, last=last))
    ana.at("#replay-slider").fill("7")
    expect(where).to_have_text(entry.format(at=7, last=last))
    expect(ana.at("#replay-slider")).to_have_value("7")
    assert ana.page.evaluate("window.still")
    for what in ("#board", ".replay-where", "#replay-slider", "#replay-before", "#replay-after", "#replay-marks"):
        assert in_sight(ana, what), what
    assert violations(ana) == []
    ana.page.get_by_role("link", name=marks).click()
    expect(ana.page.get_by_role("heading", name=bookmarks, exact=True)).to_be_visible()
    turn = ana.at(".has-parts").first
    expect(turn.locator("ol")).to_be_hidden()
    turn.locator("summary").click()
    assert turn.locator("ol a").count() > 1
    expect(turn.locator("ol a").last).to_be_visible()
    ana.at(".bookmarks a").first.click()
    expect(ana.at("#state.replay")).to_be_visible()


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_after_the_end_another_ones_eyes_are_chosen(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = played(served, None)
    ana = phones(tongue, viewport=SMALL).open(sitting.link("white"))
    ana.page.goto(f"{served.address}/t/{sitting.table}/white/replay?at=20")
    own = ana.at("#hands .card").count()
    assert own
    for what in ("#replay-after", "#replay-eyes", ".replay-try button"):
        assert in_sight(ana, what), what
    eyes = ana.page.get_by_label(WORDS[tongue][3])
    eyes.select_option("everybody")
    expect(ana.page).to_have_url(re.compile("eyes=everybody"))
    expect(ana.at("#stage .spread")).to_have_count(2)
    ana.at("#replay-after").click()
    expect(ana.page).to_have_url(re.compile("at=21"))
    expect(eyes).to_have_value("everybody")
    assert in_sight(ana, ".replay-try button")
    assert violations(ana) == []


def test_eyes_that_are_chosen_while_a_step_is_on_its_way_see_that_step(served: Serving, phones: Phones) -> None:
    sitting = played(served, None)
    ana = phones("en", viewport=SMALL).open(sitting.link("white"))
    ana.page.goto(f"{served.address}/t/{sitting.table}/white/replay?at=20")
    with held(ana, "**/replay?*at=21*") as waiting:
        ana.at("#replay-after").click()
        reached(ana, waiting)
        ana.page.get_by_label(WORDS["en"][3]).select_option("everybody")
    expect(ana.page).to_have_url(re.compile("at=21&eyes=everybody"))
    expect(ana.at(".replay-where b")).to_contain_text("Entry 21 of")
    expect(ana.at("#stage .spread")).to_have_count(2)


def test_without_scripts_it_is_links_and_a_form(served: Serving, phones: Phones) -> None:
    sitting = played(served)
    ana = phones("en", viewport=SMALL, java_script_enabled=False).open(sitting.link("white"))
    ana.page.goto(f"{served.address}/t/{sitting.table}/white/replay?at=5")
    ana.at("#replay-after").click()
    expect(ana.at(".replay-where b")).to_contain_text("Entry 6 of")
    ana.at("#replay-slider").fill("3")
    ana.page.get_by_role("button", name="Go there").click()
    expect(ana.at(".replay-where b")).to_contain_text("Entry 3 of")


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_a_shared_screen_shows_the_past_as_it_shows_the_game(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = played(served, None)
    screen = phones(tongue, viewport={"width": 1280, "height": 800})
    screen.page.goto(f"{served.address}/t/{sitting.table}/screen/replay?at=20")
    ana = phones(tongue, viewport=SMALL).open(sitting.link("white"))
    where = screen.at(".replay-where b")
    last = served.tables.seen(sitting.table, "screen").log[0].seq
    title = screen.page.title()
    for at in (20, 21, 22):
        ana.page.goto(f"{served.address}/t/{sitting.table}/white/replay?at={at}")
        expect(where).to_have_text(WORDS[tongue][0].format(at=at, last=last))
        expect(screen.at(".told-now .headline").first).to_have_text(ana.at("#last .headline").inner_text())
        expect(screen.at("#state")).to_have_attribute("data-at", str(at))
        assert screen.page.evaluate(
            "[document.documentElement.scrollHeight <= innerHeight, document.documentElement.scrollWidth <= innerWidth]"
        ) == [True, True]
        board, bar = screen.at("#board").bounding_box(), screen.at("#replay-bar").bounding_box()
        assert board
        assert bar
        assert board["y"] + board["height"] <= bar["y"]
        screen.page.keyboard.press("ArrowRight")
    assert screen.page.title() == title
    assert violations(screen) == []
    # Another one's eyes see a hand, too, which the page of a seat has room for.
    screen.page.get_by_label(WORDS[tongue][3]).select_option("white")
    expect(screen.at("#state.replay")).to_be_visible()
    screen.page.wait_for_load_state("load")
    assert screen.at("#hands .card").count()
    screen.page.get_by_label(WORDS[tongue][3]).select_option("screen")
    expect(screen.at("#state.show")).to_be_visible()
    expect(where).to_contain_text("23")
