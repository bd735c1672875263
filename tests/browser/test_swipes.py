"""A hand by finger: a card is swiped up to be played, sideways to read the next one; let go early it is only picked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.finger import touching
from tests.browser.test_hands import of_a_deck, of_cities, of_war

if TYPE_CHECKING:
    from playwright.sync_api import Locator

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

TALL = {"width": 390, "height": 844}


def held(phones: Phones, address: str) -> Phone:
    """Return a phone with a touch screen, when it has read what a finger does to a hand."""
    phone = phones("en", viewport=TALL, has_touch=True, is_mobile=True)
    with phone.page.expect_response("**/hand.js"):
        phone.open(address)
    phone.answered()
    return phone


@contextmanager
def finger(phone: Phone, on: Locator) -> Iterator[Finger]:
    """Put a finger on the middle of something, and lift it at the end."""
    one = Finger(phone, on)
    yield one
    one.touch("touchEnd")


class Finger:
    """A finger that moves in small steps, as fingers do."""

    def __init__(self, phone: Phone, on: Locator) -> None:
        box = on.bounding_box()
        assert box is not None
        self.x, self.y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.touch = touching(phone)
        self.touch("touchStart", (self.x, self.y))

    def goes(self, across: float, up: float) -> None:
        for _ in range(5):
            self.x, self.y = self.x + across / 5, self.y - up / 5
            self.touch("touchMove", (self.x, self.y))


def test_a_card_that_is_swiped_up_is_played(served: Serving, phones: Phones) -> None:
    table, seat = of_cities(served)
    ana = held(phones, table.link(seat))
    with finger(ana, ana.at("label[for='card-JS']")) as one:
        one.goes(4, 90)
        expect(ana.at("label.card.is-far")).to_have_count(1)
    expect(ana.recap.locator(".headline")).to_contain_text("Infantry charge")
    expect(ana.at("label.card.is-going, label.card.is-far")).to_have_count(0)


def test_a_card_that_is_let_go_early_is_picked_and_read(served: Serving, phones: Phones) -> None:
    table, seat = of_cities(served)
    version = table.version()
    ana = held(phones, table.link(seat))
    with finger(ana, ana.at("label[for='card-2S']")) as one:
        one.goes(0, 40)
        expect(ana.at("label.card.is-going")).to_have_count(1)
    expect(ana.at("#card-2S")).to_be_checked()
    expect(ana.at(".card-does:visible")).to_contain_text("right sector")
    expect(ana.at("label.card.is-going")).to_have_count(0)
    assert table.version() == version


def test_a_finger_along_the_hand_looks_at_one_card_after_another(served: Serving, phones: Phones) -> None:
    table, seat = of_cities(served)
    ana = held(phones, table.link(seat))
    cards = ana.at(".hand label.card")
    with finger(ana, cards.first) as one:
        one.goes(120, 0)
        expect(ana.at(".hand .pick-card").nth(1)).to_be_checked()
        one.goes(120, 0)
        expect(ana.at(".hand .pick-card").nth(2)).to_be_checked()
    expect(ana.at(".card-ways:visible")).to_have_count(1)


def test_what_is_read_of_a_card_is_swiped_to_the_next_and_back(served: Serving, phones: Phones) -> None:
    table, seat = of_war(served)
    ana = held(phones, table.link(seat))
    picks, words = ana.at(".hand .pick-card"), ana.at(".card-does:visible")
    ana.at(".hand label.card").first.tap()
    for across, which in ((-90, 1), (-90, 2), (90, 1), (20, 1)):
        with finger(ana, words) as one:
            one.goes(across, 0)
        expect(picks.nth(which)).to_be_checked()
        expect(words).to_have_count(1)


def test_a_card_that_can_not_be_played_is_read_instead(served: Serving, phones: Phones) -> None:
    table, seat = of_war(served)
    version = table.version()
    ana = held(phones, table.link(seat))
    card = ana.at(".card.is-barred").filter(has_text="Battleship")
    card.scroll_into_view_if_needed()
    with finger(ana, card) as one:
        one.goes(0, 100)
    expect(ana.at(".card-does:visible b")).to_contain_text("It costs 6 TA")
    assert table.version() == version


def test_a_playing_card_is_swiped_to_the_table_unless_the_hand_is_hidden(served: Serving, phones: Phones) -> None:
    table, seat = of_a_deck(served)
    ana = held(phones, table.link(seat))
    cards = ana.at(".spread-own label.card")
    with finger(ana, cards.first) as one:
        one.goes(0, 90)
    expect(cards).to_have_count(19)
    expect(ana.at(".spread-open .card")).to_have_count(1)
    version = table.version()
    ana.settled(table.version)
    ana.at(".spread-own h2 label").tap()
    expect(ana.at(".hide-cards")).to_be_checked()
    with finger(ana, cards.first) as one:
        one.goes(0, 90)
    expect(ana.at(".pick-of-many:checked")).to_have_count(0)
    assert table.version() == version


def test_a_hand_that_is_longer_than_the_phone_is_moved_by_a_finger_and_nothing_is_picked(
    served: Serving, phones: Phones
) -> None:
    table, seat = of_war(served)
    ana = held(phones, table.link(seat))
    row = ana.at(".hand .cards")
    with finger(ana, row.locator("label.card").nth(1)) as one:
        one.goes(-120, 0)
    ana.comes_to("document.querySelector('.hand .cards').scrollLeft > 50", "the row was not moved")
    expect(ana.at(".pick-card:checked")).to_have_count(0)


def test_cards_that_are_only_looked_through_scroll_under_the_finger(served: Serving, phones: Phones) -> None:
    sitting = served.free("Ana")
    sitting.act("player_1", "set_deck", which="52", peek="everyone")
    sitting.act("player_1", "search", tracker="t1")
    ana = held(phones, sitting.link("player_1"))
    laid = ana.at(".spread-looked_at .laid")
    with finger(ana, laid.locator("label.card").nth(6)) as one:
        one.goes(0, 120)
    ana.comes_to("document.querySelector('.spread-looked_at .laid').scrollTop > 50", "nothing was scrolled")
    expect(ana.at(".pick-of-many:checked")).to_have_count(0)


def test_a_card_that_is_swiped_goes_alone_unless_it_was_picked_with_others(served: Serving, phones: Phones) -> None:
    table, seat = of_a_deck(served)
    ana = held(phones, table.link(seat))
    cards, lying = ana.at(".spread-own label.card"), ana.at(".spread-open .card")
    cards.first.tap()
    with finger(ana, cards.nth(2)) as one:
        one.goes(0, 90)
    expect(lying).to_have_count(1)
    ana.settled(table.version)
    cards.first.tap()
    cards.nth(1).tap()
    with finger(ana, cards.nth(1)) as one:
        one.goes(0, 90)
    expect(lying).to_have_count(3)
