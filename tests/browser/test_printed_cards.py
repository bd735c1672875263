"""The cards of a deck on paper: sheets of nine to cut apart, and nothing on a card is cut off."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from companion.games import discover
from companion.games.history_of_war.cards import Roster, TerritoryCard, UnitCard
from companion.kit import rosters
from tests.browser.test_axe import is_usable
from tests.browser.test_deck_editor import CROWDED, DECKS, OF_GAMES, SIZES, SMALL_PHONE, opened, taken
from tests.browser.test_print import BEYOND, LETTERS, SPILT, on_paper, pages
from tests.support.sizes import first, some

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser

A_MILLIMETRE = 96 / 25.4
ON_A_SHEET = 9
GREETINGS = "Goblin,9,Bites\nKeeper of the Seven Keys,1,Opens\nOrc"
LONGEST = "Whoever holds this card may look at the hand of the enemy and choose one card of it. " * 3
APART = """
(all) => all.map((one) => one.getBoundingClientRect())
  .filter((box, at, boxes) => boxes.some((other, to) => to > at && box.right > other.left + 0.5
    && other.right > box.left + 0.5 && box.bottom > other.top + 0.5 && other.bottom > box.top + 0.5)).length
"""


def nothing_is_cut(phone: Phone) -> None:
    """Every card has room for all that is on it, and none lies on another."""
    for what in (".paper-card", ".paper-card > .card-face", ".card-name:not(.away)", ".paper-does"):
        assert phone.at(what).evaluate_all(SPILT) == [], what
    assert phone.at(".paper-card").evaluate_all(APART) == 0
    assert phone.at(".paper-card > .card-face:not(.is-playing)").evaluate_all(CROWDED) == []


@pytest.mark.parametrize("tongue", first("es", "en"))
@pytest.mark.parametrize(("game", "seat", "sample"), DECKS)
def test_nine_cards_of_63_by_88_mm_go_on_a_sheet_and_nothing_is_cut(
    served: Serving, phones: Phones, game: str, seat: str, sample: str | None, tongue: str
) -> None:
    sitting = taken(served, game, seat, sample)
    phone = opened(phones(tongue, color_scheme="dark"), sitting, seat, "/print/deck")
    count = sum(many for _, many in sitting.tables.printed(sitting.table, seat, "deck").cards)
    cards = phone.at(".paper-card")
    expect(cards).to_have_count(count)
    assert pages(phone, "A4") == math.ceil(count / ON_A_SHEET)
    on_paper(phone, "A4")
    sizes = cards.evaluate_all(SIZES)
    assert {(round(width / A_MILLIMETRE, 1), round(height / A_MILLIMETRE, 1)) for width, height in sizes} == {(63, 88)}
    assert phone.at(".card-sheet").first.locator(".paper-card").count() == min(ON_A_SHEET, count)
    nothing_is_cut(phone)
    assert {colour for _, colour in phone.page.evaluate(LETTERS)} == {"rgb(0, 0, 0)"}
    assert phone.page.evaluate(BEYOND) == []


def test_the_longest_card_that_somebody_may_write_has_room(served: Serving, phones: Phones) -> None:
    card: dict[str, Any] = {
        "category": "ground",
        "ta_cost": 10,
        "flags": 10,
        "av_ground": 10,
        "av_air": 10,
        "av_naval": 10,
        "dv": 10,
        "ta_provided": 10,
        "subtype": "Heavy armoured train",
        "insignia": "Kingdom of Two Sicilies",
        "year": "1939-1945",
        "may_also_block": ("air", "naval"),
        "may_also_attack": ("air", "naval"),
    }
    text = LONGEST[:300]
    roster = Roster(
        name="Mine",
        unit=(UnitCard(name="W" * 40, text=text, **card), UnitCard(name="Guard", text="m" * 300, **card)),
        territory=(TerritoryCard(name="i" * 40, flags=4, victory_points=5, text=text),),
    )
    sitting = taken(served, "history_of_war", "blue", "blue_sample")
    sitting.act("blue", "load_deck", text=rosters.write(roster))
    phone = opened(phones("en"), sitting, "blue", "/print/deck")
    on_paper(phone, "A4")
    nothing_is_cut(phone)


@pytest.mark.parametrize("own", [{"which": "own", "own": GREETINGS}, {"which": "52", "jokers": 2}, {"which": "40"}])
def test_a_free_table_prints_playing_cards_and_a_list_of_its_own(
    served: Serving, phones: Phones, own: dict[str, Any]
) -> None:
    sitting = served.free("Ana", "Ben")
    sitting.act("player_1", "set_deck", name="Cards", **own)
    phone = opened(phones("en"), sitting, "player_2")
    phone.at("#tools-t1 > summary").click()
    phone.at("#tools-t1 a[href*='/print/']").click()
    count = phone.at(".paper-card").count()
    assert count in {11, 54, 40}
    assert pages(phone, "A4") == math.ceil(count / ON_A_SHEET)
    on_paper(phone, "A4")
    nothing_is_cut(phone)


@pytest.mark.parametrize(("game", "seat", "sample"), some(OF_GAMES, every=3))
def test_the_sheets_are_seen_on_a_phone_first(
    served: Serving, phones: Phones, game: str, seat: str, sample: str | None
) -> None:
    sitting = taken(served, game, seat, sample)
    phone = opened(phones("es", viewport=SMALL_PHONE), sitting, seat)
    phone.at("#tools-deck > summary").click()
    phone.page.get_by_role("link", name="Imprimir las cartas").click()
    expect(phone.at(".card-sheet").first).to_be_visible()
    phone.page.wait_for_load_state("load")
    assert phone.page.evaluate(BEYOND) == []
    nothing_is_cut(phone)
    is_usable(phone, f"printed-cards-{game}", ["Imprimir las cartas"])


def test_every_game_with_cards_for_paper_is_tried() -> None:
    having = {slug for slug, game in discover().items() if game.prints}
    assert having == {*(game for game, _, _ in DECKS), "free_table"}
