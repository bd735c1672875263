"""The end of a game on phones: a scene over the board, and one tap each to the rematch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import WIDE, Sitting
from tests.support.played_out import TableContest

if TYPE_CHECKING:
    from tests.browser.phones import Phone, Phones, Serving

pytestmark = pytest.mark.browser
SMALL, ASIDE = {"width": 360, "height": 640}, {"width": 844, "height": 390}
PLAYERS = ("white", "black")
ON_TOP = "document.elementFromPoint(innerWidth / 2, innerHeight / 3)"


def before_the_end(served: Serving) -> tuple[TableContest, Sitting]:
    """A game of two who want to win, one action before its end."""
    contest = TableContest(served.tables, "two_cities", 0)
    while not contest.finished():
        contest.turn()
    contest.tables.take_back(contest.table, "rulekeeper", contest.key())
    for seat in PLAYERS:
        if (consent := contest.tables.seen(contest.table, seat).consent) and consent.mine_to_give:
            contest.tables.consent(contest.table, seat, yes=True, key=contest.key())
    contest._read()
    assert not contest.finished()
    return contest, Sitting(served, contest.table, contest.tokens)


def table_of(phone: Phone) -> str:
    return phone.page.url.split("/")[4]


def test_two_phones_see_the_end_and_meet_again_with_one_tap_each(served: Serving, phones: Phones) -> None:
    contest, sitting = before_the_end(served)
    ana, ben = (phones(tongue).open(sitting.link(seat)) for tongue, seat in (("es", "white"), ("en", "black")))
    for phone in (ana, ben):
        expect(phone.at("#ending")).to_have_count(0)
    while not contest.finished():
        contest.turn()
    for phone, won in ((ana, "Gana"), (ben, "wins")):
        phone.sees(sitting.version())
        expect(phone.at("#ending .won h2")).to_contain_text(won)
        expect(phone.at("#ending .won h2")).to_be_visible()
        expect(phone.at("#last")).to_be_hidden()
    ana.comes_to(f"{ON_TOP}.closest('#ending')", "the scene lies over the board")
    ana.at("#ending > summary").click()
    expect(ana.at("#ending .won h2")).to_be_hidden()
    ana.comes_to(f"{ON_TOP}.closest('#board')", "the final position is one tap away")
    ana.dock.get_by_role("button", name="Revancha", exact=True).click()
    expect(ana.at("#ending")).to_have_count(0)
    new = table_of(ana)
    assert new != sitting.table
    expect(ben.dock).to_contain_text(f"Rematch at table {new}")
    ben.dock.get_by_role("button", name="Go to your seat").click()
    expect(ben.at(".bar-title small")).to_contain_text(new)
    assert (table_of(ben), ben.page.url.split("/")[5]) == (new, "black")
    people = {one.seat: (one.name, one.taken) for one in served.tables.summary(new).people}
    assert [people[seat] for seat in PLAYERS] == [("Ana", True), ("Ben", True)]
    served.tables.act(new, "white", {"action": "ready"}, served.key())
    ben.sees(served.tables.version(new))


@pytest.mark.parametrize("how", [SMALL, ASIDE], ids=["upright", "across"])
def test_who_surrenders_has_the_answers_in_sight_and_then_nothing_lies_over_the_end(
    served: Serving, phones: Phones, how: dict[str, int]
) -> None:
    sitting = served.sit().begin()
    ana, ben = (phones("en", viewport=how).open(sitting.link(seat)) for seat in PLAYERS)
    for phone in (ana, ben):
        phone.open_more()
    grave = ana.at("#more details.grave")
    grave.locator("summary").click()
    for button in grave.locator("button").all():
        expect(button).to_be_in_viewport(ratio=1)
    grave.locator("button").first.click()
    for phone in (ana, ben):
        expect(phone.at("#ending .won h2")).to_be_visible()
        phone.comes_to(f"{ON_TOP}.closest('#ending')", "the scene lies over the stage, and nothing over the scene")


def test_the_shared_screen_goes_along_by_itself(served: Serving, phones: Phones) -> None:
    contest, sitting = before_the_end(served)
    while not contest.finished():
        contest.turn()
    screen = phones("es", viewport=WIDE).open(sitting.link("screen"))
    laptop = phones("es", viewport=WIDE).open(sitting.link("rulekeeper")).open(sitting.link("screen"))
    ana, ben = (phones(tongue).open(sitting.link(seat)) for tongue, seat in (("es", "white"), ("en", "black")))
    expect(screen.at("#ending, .event.ending")).to_be_visible()
    ana.dock.get_by_role("button", name="Revancha", exact=True).click()
    expect(ana.at("#ending")).to_have_count(0)
    new = table_of(ana)
    for shown in (screen, laptop):
        expect(shown.page).to_have_url(re.compile(f"/t/{new}/screen$"))
        expect(shown.at(".bar-title small")).to_contain_text(new)
    served.tables.act(new, "white", {"action": "ready"}, served.key())
    screen.sees(served.tables.version(new))
    ben.dock.get_by_role("button", name="Go to your seat").click()
    expect(ben.at(".bar-title small")).to_contain_text(new)
    laptop.open(f"{served.address}/t/{new}/rulekeeper")
    expect(laptop.page).to_have_url(re.compile(f"/t/{new}/rulekeeper$"))


def test_a_screen_that_is_opened_later_has_the_way_there(served: Serving, phones: Phones) -> None:
    contest, sitting = before_the_end(served)
    while not contest.finished():
        contest.turn()
    new = served.tables.rematch(sitting.table, "white").table
    for scripts in (True, False):
        screen = phones("en", viewport=WIDE, java_script_enabled=scripts).open(sitting.link("screen"))
        expect(screen.at(".won h2")).to_be_visible()
        expect(screen.page).to_have_url(re.compile(f"/t/{sitting.table}/screen$"))
        screen.page.get_by_role("link", name=f"Rematch at table {new}").click()
        expect(screen.page).to_have_url(re.compile(f"/t/{new}/screen$"))


@pytest.mark.parametrize("size", [SMALL, ASIDE])
def test_all_that_is_said_fits_a_small_phone(served: Serving, phones: Phones, size: dict[str, int]) -> None:
    contest, sitting = before_the_end(served)
    while not contest.finished():
        contest.turn()
    ana = phones("es", viewport=size).open(sitting.link("white"))
    parts = (ana.at(f"#ending {one}") for one in (".podium", ".won", ".turning", ".luck"))
    for shown in (*parts, ana.dock.locator(".button.main")):
        box = shown.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size["height"]
    foot, dock = ana.at(".luck").bounding_box(), ana.dock.bounding_box()
    assert foot is not None
    assert dock is not None
    beside = foot["x"] + foot["width"] <= dock["x"]
    assert beside or foot["y"] + foot["height"] <= dock["y"] + 1, "nothing is beneath the buttons"
    ana.open(f"{served.address}/t/{sitting.table}/statistics")
    assert ana.page.evaluate("document.documentElement.scrollWidth") == size["width"], "the page is moved sideways"


def test_the_shared_screen_says_who_won_on_its_first_page(served: Serving, phones: Phones) -> None:
    contest, sitting = before_the_end(served)
    while not contest.finished():
        contest.turn()
    screen = phones("es", viewport=WIDE).open(sitting.link("screen"))
    expect(screen.at("#event .turner")).to_be_visible()
    expect(screen.at(".luck")).to_be_attached()
    won, page = screen.at("#event .won").bounding_box(), screen.at("#event-pages").bounding_box()
    assert won is not None
    assert page is not None
    assert won["x"] < page["x"] + page["width"]
    assert won["y"] + won["height"] <= page["y"] + page["height"] + 1


def test_it_works_without_scripts(served: Serving, phones: Phones) -> None:
    contest, sitting = before_the_end(served)
    while not contest.finished():
        contest.turn()
    ana = phones("en", java_script_enabled=False).open(sitting.link("white"))
    expect(ana.at("#ending .won h2")).to_be_visible()
    ana.dock.get_by_role("button", name="Rematch, sides swapped").click()
    expect(ana.page).to_have_url(re.compile(r"/t/(?!" + sitting.table + r")\w+/black$"))
