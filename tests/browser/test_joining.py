"""From the lobby to two phones and a shared screen; and a seat that goes to another phone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from companion.web.address_qr import qr_svg
from tests.browser.phones import WIDE
from tests.browser.test_large_letters import OUT_OF_THE_PAGE, SMALL, enlarge

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

pytestmark = pytest.mark.browser


def cards(phone: Phone) -> list[str]:
    """Read the cards of the hand that a phone shows."""
    expect(phone.at(".hand .card-face")).to_have_count(3)
    return sorted(phone.at(".hand .card-face").all_inner_texts())


def test_the_seats_follow_the_options_before_the_table_is_made(served: Serving, phones: Phones) -> None:
    ruth = phones("en").open(f"{served.address}/new/chesswar")
    ruth.at("#name").fill("Ruth")
    expect(ruth.at("#seats input")).to_have_count(3)
    ruth.at("label[for='seat-black']").click()
    ruth.at("label:text-is('Two against two')").click()
    expect(ruth.at("#seats input")).to_have_count(5)
    expect(ruth.at("#seat-black")).to_be_checked()
    expect(ruth.at("#name")).to_have_value("Ruth")
    ruth.at("label[for='seat-blue']").click()
    ruth.at("form .button.main.big").click()
    expect(ruth.at(".invite + .buttons")).to_have_text("Play as Blue")
    button, heading = ruth.at(".invite + .buttons").bounding_box(), ruth.at("main h2").first.bounding_box()
    assert button
    assert heading
    assert heading["y"] - (button["y"] + button["height"]) >= 12
    free = ruth.at("#seats > .row:has(form[action$='/join']) > .grow").first.bounding_box()
    assert free
    assert free["width"] >= 11 * 16, "who sits there is squeezed beside the button"


def test_a_table_is_made_in_the_lobby_and_joined_by_scanning(served: Serving, phones: Phones) -> None:
    ruth = phones("es").open(served.address)
    ruth.at("a.tile.main").click()
    ruth.at("a[href$='two_cities']").click()
    ruth.at("#name").fill("Ruth")
    ruth.at("#title").fill("La mesa de Ruth")
    ruth.at("label[for='seat-none']").click()
    ruth.at("form .button.main.big").click()
    expect(ruth.at(".invite svg")).to_be_visible()
    address = ruth.at(".invite .address").inner_text().strip()
    assert re.fullmatch(re.escape(served.address) + r"/t/[A-Z0-9]{6}", address)
    scanned = ruth.at(".invite svg path").get_attribute("d") or "nothing"
    assert scanned in qr_svg(address)
    assert scanned not in qr_svg(address + "0")

    screen = phones("en", viewport=WIDE).open(f"{address}/screen")
    expect(screen.at("#scan")).to_be_visible()
    ana, ben = phones("es"), phones("en")
    for phone, seat, name in ((ana, "white", "Ana"), (ben, "black", "Ben")):
        phone.open(address)
        phone.at("#name").fill(name)
        with phone.page.expect_navigation():
            phone.at(f"button[name='seat'][value='{seat}']").click()
        expect(phone.at("#state")).to_be_visible()
    expect(screen.at("#scan")).to_be_hidden()
    with ruth.page.expect_navigation():
        ruth.at(".crumbs a").click()
    for phone in (ana, ben, screen, ruth):
        phone.page.evaluate("window.same = true")
        seats = phone.at(".standing" if phone is screen else ".people")
        expect(seats).to_contain_text("Ana")
        expect(seats).to_contain_text("Ben")
    expect(ana.dock).to_contain_text("Mira la posición")
    expect(ben.dock).to_contain_text("Look at the position")
    ana.do("action=ready").click()
    expect(ben.at("#last .headline")).to_contain_text("White")
    expect(ana.do("action=ready")).to_have_count(0)
    ben.do("action=ready").click()
    expect(ana.dock).to_contain_text("Elige la carta")
    expect(ben.at("#turn h2")).to_have_text("Ana's turn: choose a card")
    expect(screen.dock).to_contain_text("Ana's turn")
    expect(screen.dock).to_contain_text("choose a card")
    assert cards(ana) != cards(ben)
    expect(screen.at(".hand")).to_have_count(0)
    assert all(phone.page.evaluate("window.same") for phone in (ana, ben, screen, ruth)), "a page was loaded again"


def test_a_code_is_enough_to_join(served: Serving, phones: Phones) -> None:
    sitting = served.sit()
    phone = phones("en").open(served.address)
    phone.at("#code").fill(f" {sitting.table[:3].lower()}-{sitting.table[3:].lower()}")
    phone.at(".join-code button").click()
    expect(phone.page).to_have_url(f"{served.address}/t/{sitting.table}")
    phone.open(served.address)
    phone.at("#code").fill("AAAAAA")
    phone.at(".join-code button").click()
    expect(phone.at(".wrong")).to_contain_text("AAAAAA")
    expect(phone.at("#code")).to_be_visible()


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_a_phone_that_was_here_sits_down_in_one_tap_after_a_scan_and_goes_back_in_one(
    served: Serving, phones: Phones, tongue: str
) -> None:
    before, table = served.free("Ruth"), served.tables.create("two_cities", "Saturday").table
    ana = phones(tongue, viewport=SMALL)
    ana.open(f"{served.address}/t/{before.table}")
    ana.at("#name").fill("Ana")
    ana.at("button[name='seat'][value='next']").click()
    expect(ana.at("#state")).to_be_visible()

    ana.open(f"{served.address}/t/{table}")
    ana.at("button[name='seat'][value='white']").click()
    expect(ana.page).to_have_url(f"{served.address}/t/{table}/white")
    assert [person.name for person in served.tables.summary(table).people if person.taken] == ["Ana", ""]

    ana.open(served.address)
    expect(ana.at(".own-seats a")).to_have_count(2)
    ana.at(".own-seats a").first.click()
    expect(ana.page).to_have_url(f"{served.address}/t/{table}/white")


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_from_the_code_of_the_laptop_to_a_seat_are_two_taps(served: Serving, phones: Phones, tongue: str) -> None:
    table = served.tables.create("two_cities", "Saturday").table
    laptop = phones(tongue, viewport=WIDE).open(served.host_link)
    code = laptop.at(".for-phones svg.qr").bounding_box()
    assert code
    assert code["width"] >= 320, "it is read from across the table"
    assert code["y"] + code["height"] <= WIDE["height"], "without scrolling"
    assert (laptop.at(".for-phones svg path").get_attribute("d") or "nothing") in qr_svg(served.address)
    ana = phones(tongue, viewport=SMALL).open(served.address)
    expect(ana.at(".for-phones")).to_have_count(0)
    ana.at(f".rows a[href$='{table}']").click()
    ana.at("button[name='seat'][value='white']").click()
    expect(ana.page).to_have_url(f"{served.address}/t/{table}/white")


def test_a_first_page_that_lies_open_shows_the_tables_of_now(served: Serving, phones: Phones) -> None:
    for number in range(6):
        served.tables.create("free_table", f"Before {number}", {}, {"rulekeeper": "Ruth"}, "app")
    laptop = phones("en", viewport=WIDE).open(served.address)
    expect(laptop.at("#at-play > .rows > li")).to_have_count(4)
    laptop.at("#at-play summary").click()
    laptop.at("#code").fill("K7Q")
    made = served.tables.create("free_table", "Friday", {}, {"rulekeeper": "Eva"}, "app")
    expect(laptop.at("#at-play > .rows > li").first).to_contain_text(made.table)
    expect(laptop.at("#at-play details")).to_have_attribute("open", "")
    expect(laptop.at("#code")).to_have_value("K7Q")
    served.tables.end(made.table, "rulekeeper", "over")
    expect(laptop.at("#at-play")).not_to_contain_text(made.table)


@pytest.mark.parametrize("tongue", ["es", "en"])
def test_the_first_page_is_whole_with_large_letters(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.sit().begin()
    sitting.tables.retitle(sitting.table, "rulekeeper", "Noche de los sábados en casa de Encarnación", served.key())
    for number in range(6):
        served.tables.create("history_of_war", f"Liga {number}")
    ana = phones(tongue, viewport=SMALL).open(sitting.link("white")).open(served.address)
    enlarge(ana)
    expect(ana.at(".own-seats .waits")).to_be_visible()
    assert not ana.page.evaluate(OUT_OF_THE_PAGE)
    back, new = ana.at(".own-seats a").bounding_box(), ana.at("a.tile").first.bounding_box()
    assert back
    assert new
    assert back["y"] < new["y"]
    ana.save(f"first-page-{tongue}")


def test_a_private_link_brings_seat_and_hand_to_another_phone(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    old, new = phones("en").open(sitting.link("white")), phones("en")
    hand = cards(old)
    old.at("#menu summary").click()
    old.at("#menu a[href$='/mine']").click()
    expect(old.at(".address a")).to_be_hidden()
    old.at("details.secret summary").click()
    link = old.at(".address a").get_attribute("href") or ""
    assert (old.at(".invite svg path").get_attribute("d") or "nothing") in qr_svg(link)
    new.open(link)
    expect(new.page).to_have_url(sitting.page("white"))
    assert cards(new) == hand
    new.play("AH")
    old.open(sitting.page("white"))
    expect(old.at("#last .headline")).to_have_text("White plays One on the left")


def test_the_rulekeeper_hands_over_a_taken_seat(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    old, ruth, new = phones("en").open(sitting.link("white")), phones("en"), phones("en")
    hand = cards(old)
    ruth.open(sitting.link("rulekeeper"))
    for word in ("0", "1"):
        new.open(f"{served.address}/t/{sitting.table}")
        new.at("#name-2").fill("Eva")
        new.at("form:has(#name-2) button[value='white']").click()
        expect(new.at("main [role=status]")).to_be_visible()
        expect(ruth.at("#dock .ask")).to_contain_text("A new phone wants a seat: White (Eva)")
        ruth.at(f"#dock .ask button[value='{word}']").click()
        expect(ruth.at("#dock .ask")).to_have_count(0)
        if word == "0":
            expect(new.at(".wrong")).to_be_visible()
            assert cards(old) == hand
    expect(new.page).to_have_url(sitting.page("white"))
    assert cards(new) == hand
    expect(old.page).to_have_url(f"{served.address}/t/{sitting.table}")
    expect(old.at(".hand")).to_have_count(0)


def test_a_knock_that_another_phone_has_answered_is_said_beside_the_table(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    first, late = phones("en"), phones("en")
    served.tables.knock(sitting.table, "white", "Eva")
    first.open(sitting.link("rulekeeper"))
    late.page.route("**/live?*", lambda route: route.abort())
    late.open(sitting.link("rulekeeper"))
    expect(late.at("#dock .ask")).to_contain_text("A new phone wants a seat: White (Eva)")
    first.at("#dock .ask button[value='0']").click()
    expect(first.at("#dock .ask")).to_have_count(0)
    late.at("#dock .ask button[value='1']").click()
    expect(late.at("#dock .wrong")).to_have_text("Nobody waits for that seat any more.")
    expect(late.at("#dock .ask")).to_have_count(0)
    expect(late.at("#board")).to_be_visible()


def test_a_seat_that_is_lost_is_said_beside_the_table(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en")
    ana.page.route("**/live?*", lambda route: route.abort())
    ana.open(sitting.link("white"))
    sitting.tables.release(sitting.table, "rulekeeper", "white", served.key())
    ana.play("AH")
    expect(ana.at("#dock .wrong")).to_contain_text("This phone does not hold that seat")
    ana.do("action=play_card", "card=AH").click()
    expect(ana.at("#dock .wrong")).to_have_count(1)
    expect(ana.at("#board")).to_be_visible()
    expect(ana.at(".hand .card-face")).to_have_count(3)
    ana.save("refused")
