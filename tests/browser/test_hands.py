"""Hands on a small phone: one row of cards with whole names, and beneath it what the picked one does, or why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.games.history_of_war.cards import DECKS as OF_WAR
from companion.games.tactics_2gm.cards import DECKS as OF_2GM
from tests.browser import test_history_of_war as war
from tests.browser import test_tactics_2gm as tactics

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}
HIGHEST = 120
CUT = """(all) => all
  .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
  .map((one) => one.textContent)"""
SIZES = """() => [...document.querySelectorAll(".cards, .in-row")].map((row) => {
  const cards = [...row.querySelectorAll(".card")].map((card) => card.getBoundingClientRect());
  const rows = new Set(cards.map(({ top }) => Math.round(top)));
  return [row.offsetHeight, rows.size, Math.min(...cards.map(({ width }) => width))];
})"""
"""Of each row its height, in how many lines its cards stand, and how wide the narrowest is."""


def of_cities(served: Serving) -> tuple[Sitting, str]:
    table = served.sit().begin()
    table.correct("cards.white", "JS,QD,2S")
    return table, "white"


def of_cities_waiting(served: Serving) -> tuple[Sitting, str]:
    return of_cities(served)[0], "black"


def of_war(served: Serving) -> tuple[Sitting, str]:
    table = war.begun(served, "construction")
    war.hold(table, "blue", *(card.name for card in OF_WAR["blue_sample"].cards))
    return table, "blue"


def of_2gm(served: Serving) -> tuple[Sitting, str]:
    table = tactics.begun(served, "typed")
    table.act("allies", "income")
    tactics.hand(table, "allies", *(card.name for card in OF_2GM["allies_sample"].cards))
    return table, "allies"


OWN = """Goblin,2,Fights with two dice.
Dragon of the mountain,1
A long name of a healing potion,3,Heals three and is thrown away."""


def of_an_own_deck(served: Serving) -> tuple[Sitting, str]:
    table = served.free("Ana", "Ben")
    table.act("player_1", "set_deck", which="own", own=OWN)
    table.act("player_1", "draw", tracker="t1", count=6)
    return table, "player_1"


def of_a_deck(served: Serving) -> tuple[Sitting, str]:
    table = served.free("Ana", "Ben", begin="cards")
    table.act("player_1", "draw", tracker="t1", count=20)
    return table, "player_1"


Hand = Callable[["Serving"], tuple["Sitting", str]]
HANDS: tuple[Hand, ...] = (of_cities, of_cities_waiting, of_war, of_2gm, of_a_deck, of_an_own_deck)


def one_row(phone: Phone) -> None:
    """Find one row that is not too high, with cards that a thumb meets, and nothing that makes the page wider."""
    ((height, rows, width),) = phone.page.evaluate(SIZES)
    assert height <= HIGHEST
    assert rows == 1
    assert width >= 44
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("tongue", ["es", "en"])
def test_a_hand_is_one_row_of_cards_with_whole_names(served: Serving, phones: Phones, hand: Hand, tongue: str) -> None:
    table, seat = hand(served)
    phone = phones(tongue, viewport=SMALL).open(table.link(seat))
    one_row(phone)
    assert phone.at(".card-name:not(.away), .card-face").evaluate_all(CUT) == []


def test_a_picked_card_is_lifted_with_its_words_and_its_button_in_sight(served: Serving, phones: Phones) -> None:
    table, seat = of_cities(served)
    phone = phones("es", viewport=SMALL).open(table.link(seat))
    card = phone.at("label[for$='-JS']")
    card.click()
    words, button = phone.at(".card-does:visible"), phone.at(".card-ways .button:visible")
    expect(words).to_have_count(1)
    expect(words).to_contain_text("Activa toda tu infantería")
    for part in (card, words, button):
        expect(part).to_be_in_viewport(ratio=1)
    tops = phone.at(".hand .card").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)")
    assert sorted(tops) == [tops[0], tops[0] + 8, tops[0] + 8]
    width, height = button.evaluate("(it) => [it.offsetWidth, it.offsetHeight]")
    assert (width > 300, height >= 52) == (True, True)
    card.click()
    expect(phone.at(".card-ways:visible")).to_have_count(0)


def test_a_card_that_is_picked_lets_a_piece_go(served: Serving, phones: Phones) -> None:
    table, seat = of_cities(served)
    phone = phones("es", viewport={"width": 932, "height": 430}).open(table.link(seat))
    phone.at(".squares label.own").first.click()
    expect(phone.at(".pick:checked + label + .targets .about")).to_be_visible()
    phone.at(".pick-card[id$='-JS']").press("Space")
    expect(phone.at(".pick:checked")).to_have_count(0)
    expect(phone.at(".card-ways .button:visible")).to_be_in_viewport(ratio=1)


def test_another_card_is_picked_far_along_the_row_and_stays_in_sight(served: Serving, phones: Phones) -> None:
    table, seat = of_2gm(served)
    phone = phones("es", viewport=SMALL).open(table.link(seat))
    for which in (-1, 0):
        card = phone.at(".hand .card").nth(which)
        card.click()
        expect(card).to_be_in_viewport(ratio=0.95)
        expect(phone.at(".card-ways:visible")).to_have_count(1)
        expect(phone.at(".card-ways:visible")).to_be_in_viewport(ratio=1)


def test_a_dimmed_card_says_why(served: Serving, phones: Phones) -> None:
    table, seat = of_war(served)
    phone = phones("en", viewport=SMALL).open(table.link(seat))
    card = phone.at(".card.is-barred").filter(has_text="Battleship")
    card.click()
    expect(phone.at(".card-does:visible b")).to_contain_text("It costs 6 TA")
    expect(phone.at(".card-ways .button:visible")).to_have_count(0)


def test_a_hand_is_read_while_the_other_one_plays(served: Serving, phones: Phones) -> None:
    table, seat = of_cities_waiting(served)
    phone = phones("en", viewport=SMALL).open(table.link(seat))
    phone.at("label[for$='-2D']").click()
    expect(phone.at(".card-does:visible")).to_contain_text("in your left sector")
    expect(phone.at(".card-ways .button:visible")).to_have_count(0)
    expect(phone.at(".is-barred")).to_have_count(0)


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_a_waiting_hand_is_whole_where_nothing_is_to_be_done(served: Serving, phones: Phones, tongue: str) -> None:
    table, seat = of_cities_waiting(served)
    phone = phones(tongue, viewport=SMALL).open(table.link(seat))
    for name in phone.at(".card-name").all():
        expect(name).to_be_in_viewport(ratio=1)
    assert phone.at(".cards").evaluate("(row) => row.clientHeight + 1 >= row.scrollHeight")


def test_the_text_of_picked_cards_is_read_once_beneath_their_row(served: Serving, phones: Phones) -> None:
    table, seat = of_an_own_deck(served)
    phone = phones("en", viewport=SMALL).open(table.link(seat))
    for which in range(4):
        phone.at(".spread-own .card").nth(which).click()
    words = phone.at(".card-words:visible")
    expect(words).to_have_text(
        ["Goblin Fights with two dice.", "A long name of a healing potion Heals three and is thrown away."]
    )
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("hand", HANDS)
def test_letters_twice_as_large_keep_one_row(served: Serving, phones: Phones, hand: Hand) -> None:
    table, seat = hand(served)
    phone = phones("es", viewport=SMALL).open(table.link(seat))
    phone.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    ((height, rows, _width),) = phone.page.evaluate(SIZES)
    assert height <= 2 * HIGHEST
    assert rows == 1
    assert phone.at(".card-name:not(.away), .card-face").evaluate_all(CUT) == []


def test_a_question_takes_the_place_of_a_card_that_is_read(served: Serving, phones: Phones) -> None:
    sitting = served.sit().face_to_face()
    sitting.act("white", "play_card", card="AH")
    ben = phones("en", viewport=SMALL).open(sitting.link("black"))
    ben.at(".hands .card").first.click()
    expect(ben.at(".pick-card:checked")).to_have_count(1)
    ben.page.evaluate("location.hash = 'more'")
    expect(ben.at("#more")).to_be_visible()
    sitting.act("white", "attack", unit="wc", target="bb")
    ben.sees(sitting.version())
    expect(ben.at(".pick-card:checked")).to_have_count(0)
    expect(ben.at("#more")).to_be_hidden()
    expect(ben.asked).to_have_count(2)
    for button in ben.asked.all():
        expect(button).to_be_in_viewport(ratio=1)


LITTLE_ROOM = [(360, 640), (390, 664), (844, 390), (932, 430)]
"""Phones that show of a hand only the edge while its holder is asked."""
PLACES = "(all) => all.map((one) => Object.values(one.getBoundingClientRect().toJSON()))"


@pytest.mark.parametrize(("width", "height"), LITTLE_ROOM)
def test_whoever_is_asked_sees_the_edge_of_his_cards_and_reads_one_beside_the_question(
    served: Serving, phones: Phones, width: int, height: int
) -> None:
    sitting = served.sit().attack()
    ben = phones("es", viewport={"width": width, "height": height}).open(sitting.link("black"))
    hand, cards = ben.at(".hands"), ben.at(".hands .card")
    assert hand.evaluate("(it) => it.offsetHeight") == 50
    expect(cards).to_have_count(3)
    for card in cards.all():
        expect(card).to_be_in_viewport(ratio=0.95)
        for part in (".corner b", ".corner svg", ".card-name"):
            expect(card.locator(part)).to_be_in_viewport(ratio=1)
    assert ben.at(".hands .card-name").evaluate_all(CUT) == []
    expect(ben.at(".clash .opponents")).to_be_in_viewport(ratio=1)
    asking = ben.at("#dock .now, #dock form[action$='/answer'] button")
    places = asking.evaluate_all(PLACES)
    for picked in (cards.nth(1), cards.nth(2)):
        picked.click()
        words = ben.at(".card-does:visible")
        expect(words).to_have_count(1)
        expect(words).to_be_in_viewport(ratio=1)
        assert asking.evaluate_all(PLACES) == places
        expect(asking).to_have_count(3)
        for part in asking.all():
            expect(part).to_be_in_viewport(ratio=1)
            part.click(trial=True)
    picked.click()
    expect(ben.at(".card-does:visible")).to_have_count(0)
    assert ben.dock.evaluate("(dock) => dock.scrollHeight <= dock.clientHeight")


def test_where_a_question_needs_the_room_the_hand_gives_way(served: Serving, phones: Phones) -> None:
    sitting = served.sit(dice="typed").attack()
    sitting.answer("black", value="no")
    ana = phones("en", viewport=SMALL).open(sitting.link("white"))
    expect(ana.at(".pad-faces button")).to_have_count(6)
    expect(ana.at(".hands")).to_be_hidden()
    for part in ana.at(".pad-faces button, #dock .typing .main").all():
        expect(part).to_be_in_viewport(ratio=1)


def test_a_card_is_laid_down_by_keys_and_without_scripts(served: Serving, phones: Phones) -> None:
    table, seat = of_cities(served)
    ana = phones("en", viewport=SMALL).open(table.link(seat))
    ana.at(".pick-card").first.focus()
    ana.page.keyboard.press("Space")
    expect(ana.at(".hands .pick-card:checked")).to_have_count(1)
    expect(ana.at("#dock .now")).to_be_hidden()
    ana.page.keyboard.press("Escape")
    expect(ana.at("#dock .now")).to_be_visible()
    plain = phones("en", viewport=SMALL, scripts=False).open(table.link(seat))
    plain.at(".hands .card").first.click()
    plain.at(".card-ways > .let-go:visible").click()
    expect(plain.at(".card-ways:visible")).to_have_count(0)


def test_whoever_uses_keys_sees_where_no_card_and_no_piece_is_picked(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en").open(sitting.link("white"))
    for none, around in (("#card-none", ".cards"), ("#pick-none", "#overlay")):
        expect(ana.at(around)).to_have_css("outline-style", "none")
        ana.page.keyboard.press("Tab")
        ana.at(none).focus()
        expect(ana.at(around)).to_have_css("outline-style", "solid")


def test_a_first_hand_is_whole_though_none_of_its_cards_can_be_played_yet(served: Serving, phones: Phones) -> None:
    ana = phones("es", viewport=SMALL).open(tactics.dealt(served, "typed").link("allies"))
    expect(ana.at(".hands .card")).not_to_have_count(0)
    assert ana.at(".cards").evaluate("(row) => row.offsetHeight") > 100
    expect(ana.at(".card-name").first).to_be_in_viewport(ratio=1)
    expect(ana.do("action=keep")).to_be_in_viewport(ratio=1)
