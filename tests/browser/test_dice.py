"""Dice on a phone: thrown in two taps, put together by tapping, kept, typed, and told where they are wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import WIDE
from tests.browser.test_axe import inspect
from tests.browser.test_board import held

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser


def tap(phone: Phone, *taps: str) -> None:
    for value in taps:
        phone.at(f"[name=tap][value='{value}']").click()


def test_a_throw_is_two_taps_from_the_first_page(served: Serving, phones: Phones) -> None:
    ana = phones("en").open(served.address)
    ana.at(".tile[href='/dice']").click()
    ana.at("#at-once").get_by_role("button", name="d20", exact=True).click()
    expect(ana.at(".thrown-total b")).to_have_text(re.compile(r"^\d+$"))
    expect(ana.at("#result .cast li")).to_have_count(1)


def test_a_throw_is_put_together_by_tapping_however_quickly(served: Serving, phones: Phones) -> None:
    ana = phones("es").open(f"{served.address}/dice")
    loaded = len([request for request in ana.requests if request.startswith("GET") and "/dice" in request])
    assert loaded
    ana.page.evaluate(
        "for (const value of ['add.6', 'add.6', 'add.6', 'add.20', 'add.6'])"
        " document.querySelector(`[name=tap][value='${value}']`).click();"
    )
    expect(ana.at("#notation")).to_have_value("4d6+1d20")
    expect(ana.page).to_have_url(re.compile(r"n=4d6%2B1d20$"))
    tap(ana, "take.20")
    expect(ana.at("#notation")).to_have_value("4d6")
    tap(ana, "kh.")
    expect(ana.at("[value='kh.']")).to_have_attribute("aria-pressed", "true")
    tap(ana, "kh.1", "kh.1")
    expect(ana.at("#notation")).to_have_value("4d6kh3")
    expect(ana.at("#odds")).to_contain_text("12,24 de media")
    ana.at("#tray .main").click()
    expect(ana.at("#result .is-dropped")).to_have_count(1)


def test_on_a_small_phone_one_throws_again_without_scrolling(served: Serving, phones: Phones) -> None:
    ana = phones("es", viewport={"width": 360, "height": 640}).open(f"{served.address}/dice")
    ana.at("#notation").fill("4d6kh3+2")
    ana.at("#tray .main").click()
    expect(ana.at("#result .cast li")).to_have_count(4)
    expect(ana.at("#tray .main")).to_be_in_viewport(ratio=1)
    expect(ana.at(".dice-dock > :last-child")).to_be_in_viewport(ratio=1)


def test_what_is_typed_changes_the_tray_and_its_odds(served: Serving, phones: Phones) -> None:
    ana = phones("en").open(f"{served.address}/dice")
    ana.at("#notation").fill("2d6+1")
    expect(ana.at("#odds .chart").first).to_contain_text("on average 8")
    expect(ana.page).to_have_url(re.compile(r"n=2d6%2B1$"))
    ana.at("#notation").press("End")
    ana.at("#notation").press("9")
    expect(ana.at("#odds .chart").first).to_contain_text("on average 26")
    expect(ana.at("#notation")).to_have_value("2d6+19")
    ana.at("#notation").press("Enter")
    expect(ana.at("#result .cast li")).to_have_count(2)


def test_the_odds_are_those_of_what_was_typed_last_however_late_answers_come(served: Serving, phones: Phones) -> None:
    ana = phones("en").open(f"{served.address}/dice")
    with held(ana, "**/dice?*"):
        for typed in ("2d6", "3d6", "4d6"):
            with ana.page.expect_request(f"**/dice?n={typed}"):
                ana.at("#notation").fill(typed)
    expect(ana.at("#odds .chart").first).to_contain_text("on average 14")
    expect(ana.at("#notation")).to_have_value("4d6")


def test_favourites_are_kept_and_thrown_by_one_tap(served: Serving, phones: Phones) -> None:
    ana = phones("en").open(f"{served.address}/dice?n=4d6kh3")
    ana.at("#favourites summary").click()
    ana.at("#favourite").fill("Stats $& more")
    ana.at("#favourites [data-keep]").click()
    expect(ana.at("#favourites [role=status]")).to_have_text("Stats $& more is kept on this phone.")
    ana.open(f"{served.address}/dice")
    ana.at("#at-once").get_by_role("button", name="Stats $& more").click()
    expect(ana.at("#result .cast li")).to_have_count(4)
    ana.at("#favourites summary").click()
    for _ in range(2):
        ana.at("#favourites [data-forget]").click()
    expect(ana.at("#at-once .is-favourite")).to_have_count(0)
    ana.open(f"{served.address}/dice")
    expect(ana.at("#at-once .is-favourite")).to_have_count(0)


def test_the_throws_of_a_phone_are_remembered_newest_first_and_only_once(served: Serving, phones: Phones) -> None:
    ana, ben = phones("en"), phones("en")
    ana.open(f"{served.address}/dice?n=d2")
    ana.at("#tray .main").click()
    expect(ana.at("#thrown-before li")).to_have_count(1)
    shared = ana.page.url
    said = ana.at("#result").get_attribute("data-said")
    ana.at("#at-once").get_by_role("button", name="3d6").click()
    expect(ana.at("#result .cast li")).to_have_count(3)
    expect(ana.at("#thrown-before li")).to_have_count(2)
    ana.page.reload()
    ana.at("#history summary").click()
    expect(ana.at("#thrown-before b")).to_have_text([re.compile("^3d6: "), re.compile(f"^{said}$")])
    ben.open(shared)
    expect(ben.at("#result")).to_be_visible()
    expect(ben.at("#thrown-before li")).to_have_count(0)
    ana.at("#thrown-before a").last.click()
    expect(ana.page).to_have_url(shared)
    expect(ana.at("#thrown-before li")).to_have_count(2)
    ana.at("#history summary").click()
    ana.at("[data-forget-all]").click()
    expect(ana.at("#thrown-before li")).to_have_count(0)


def test_real_dice_are_tapped_group_by_group(served: Serving, phones: Phones) -> None:
    ana = phones("en").open(f"{served.address}/dice?n=3d6!%2B1d20")
    ana.page.get_by_role("button", name="Type real dice").click()
    ana.tap(6, 2, 3)
    ana.at("#typing .main").click()
    expect(ana.at("#typing h2")).to_have_text("exploded, one more each: 1d6")
    ana.tap(4)
    ana.at("#typing .main").click()
    ana.at("#typing input[type=number]").fill("17")
    ana.at("#typing .main").click()
    expect(ana.at(".thrown-total b")).to_have_text("32")
    expect(ana.at("#thrown-before li")).to_have_count(1)


@pytest.mark.sized
def test_a_wrong_notation_is_told_and_marked_while_it_is_typed(served: Serving, phones: Phones) -> None:
    ana = phones("es").open(f"{served.address}/dice")
    ana.at("#notation").fill("4d6kh5")
    expect(ana.at(".misread .wrong")).to_have_text("Solo hay 4 dados.")
    expect(ana.at(".misread mark")).to_have_text("k")
    expect(ana.at(".misread")).to_contain_text("en el carácter 4")
    inspect(ana, "misread")
    ana.at("#notation").press("Backspace")
    ana.at("#notation").press("3")
    expect(ana.at(".misread")).to_have_count(0)
    expect(ana.at("#notation")).to_have_value("4d6kh3")


def test_without_scripts_dice_are_tapped_and_thrown(served: Serving, phones: Phones) -> None:
    ana = phones("en", scripts=False).open(f"{served.address}/dice")
    expect(ana.at("#favourites")).to_be_hidden()
    tap(ana, "add.8", "add.8", "success.")
    expect(ana.at("#notation")).to_have_value("2d8>=5")
    ana.at("#tray .main").click()
    expect(ana.at("#result .cast li")).to_have_count(2)


@pytest.mark.sized
def test_everybody_can_use_the_dice(served: Serving, phones: Phones) -> None:
    ana = phones("es")
    for query in (
        "",
        "?n=4d6kh3",
        "?n=6d6!10kh5%2B2d10r1%2B1d4&by=roll&dice=6+1+2+3+4+5+1+2+3+4",
        "?n=4d10%3E%3D7f1&by=roll&dice=10+1+7+3",
        "?n=3d%7B1%3Dhit+2%3Dmiss%7D&by=roll&dice=1+2+2",
        "?n=2d%7B1%3Dhit+2%3Dmiss%7D&by=type",
        "?n=2d6%2B1d20&by=type",
        "?n=1000d10000",
    ):
        ana.open(f"{served.address}/dice{query}")
        inspect(ana, f"dice{query}")


def test_dice_of_a_free_table_lie_in_a_tray_beneath_who_rolled_them(served: Serving, phones: Phones) -> None:
    table = served.free("Ana", "Ben", begin="wargame")
    ana, ben = (phones("en").open(table.link(seat)) for seat in ("player_1", "player_2"))
    screen = phones("en", viewport=WIDE).open(table.link("screen"))
    table.act("player_2", "roll", tracker="t5", dice="2d20kh1")
    for phone in (ana, ben, screen):
        phone.sees(table.version())
        expect(phone.at("#last .roller")).to_contain_text("Ben")
        expect(phone.at("#last .thrown .die")).to_have_count(2)
        expect(phone.at("[data-throw]")).to_have_class(re.compile("has-rolled"))
    faces = [phone.at("#last .thrown .die").all_inner_texts() for phone in (ana, ben, screen)]
    assert faces[0] == faces[1] == faces[2]
    assert all(face.isdecimal() for face in faces[0]), "a die with twenty sides shows digits"
    expect(ana.at(".thrown.baize")).to_have_css("border-top-style", "solid")
    # What is looked at anew does not fall once more.
    ana.open(table.link("player_1"))
    expect(ana.at("#last .roller")).to_contain_text("Ben")
    expect(ana.at("[data-throw]")).not_to_have_class(re.compile("has-rolled"))


def test_on_a_laptop_a_roll_of_somebody_else_moves_no_page(served: Serving, phones: Phones) -> None:
    table = served.free("Ana", "Ben", begin="wargame")
    ana = phones("en", viewport=WIDE).open(table.link("player_1"))
    table.act("player_2", "roll", tracker="t5", dice="4d6kh3")
    ana.sees(table.version())
    expect(ana.at("#last .thrown.baize")).to_be_in_viewport(ratio=1)
    assert ana.page.evaluate("scrollY") == 0
