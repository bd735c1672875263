"""Seats are people's: given by a code, left, swapped, and that of a rulekeeper whose phone is dead; and a PIN."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.axe import COLOURS, violations
from tests.browser.phones import PHONE, WIDE
from tests.browser.test_joining import cards
from tests.browser.test_large_letters import OUT_OF_THE_PAGE, enlarge

if TYPE_CHECKING:
    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving, Sitting

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}
TOO_SMALL = """
() => [...document.querySelectorAll(
  "main.page :is(button, summary, input:not([type=hidden]), .rows a, a.button), .ask button")]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
  .map((one) => one.outerHTML.slice(0, 120))
"""


def looks_right(phone: Phone, name: str) -> None:
    """Look at a page in every size and look: nothing sticks out, all can be tapped, and axe finds nothing."""
    found: list[str] = []
    phone.page.wait_for_load_state("load")  # the words of a page are there before its look
    for size in (SMALL, WIDE, PHONE):
        phone.page.set_viewport_size(size)
        assert phone.page.evaluate(OUT_OF_THE_PAGE) == [], name
        assert phone.page.evaluate(TOO_SMALL) == [], name
        for look in ("light", "dark") if phone.full or size is PHONE else ("light",):
            phone.page.emulate_media(color_scheme=look, reduced_motion="reduce")
            phone.save(f"{name}-{size['width']}-{look}")
            if size is PHONE:
                found += violations(phone, COLOURS if look == "dark" else ())
    phone.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    assert found == [], name


def ranks(phone: Phone) -> list[str]:
    """Read what stands on the cards of a hand in any language."""
    return [card.split("\n")[0] for card in cards(phone)]


def my_seat(phone: Phone) -> Phone:
    """Go to the page of one's seat by the menu of the table."""
    phone.at("#menu summary").click()
    with phone.page.expect_navigation():
        phone.at("#menu a[href$='/mine']").click()
    return phone


def unfold(phone: Phone, what: str) -> None:
    """Open what holds a button, and tap that."""
    phone.at(f"details:not([open]):has({what}) > summary").last.click()
    phone.at(what).click()


def lobby(sitting: Sitting) -> str:
    return f"{sitting.serving.address}/t/{sitting.table}"


def owner(sitting: Sitting, seat: str) -> str:
    return next(person.name for person in sitting.tables.summary(sitting.table).people if person.seat == seat)


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_a_seat_is_given_by_a_code_that_opens_once(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.sit().begin()
    old, new, late = phones(tongue).open(sitting.link("white")), phones(tongue), phones(tongue)
    hand = cards(old)
    my_seat(old)
    looks_right(old, f"mine-{tongue}")
    old.at("button[name='on']").click()
    link = old.at(".address a").get_attribute("href") or ""
    looks_right(old, f"handing-over-{tongue}")
    assert old.page.request.get(link).ok, "whoever only looks at it takes nothing"
    new.open(link)
    looks_right(new, f"taking-{tongue}")
    assert owner(sitting, "white") == "Ana"
    new.at("#name").fill("Eva")
    late.open(link)
    with new.page.expect_navigation():
        new.at("form .button.main").click()
    expect(new.page).to_have_url(sitting.page("white"))
    assert cards(new) == hand
    expect(old.page).to_have_url(lobby(sitting))
    told = {"en": "White: your seat is on another phone now (Eva).", "es": "Blancas: tu asiento"}[tongue]
    expect(old.at("main [role=status]")).to_contain_text(told)
    expect(old.at("main [role=status]")).to_contain_text("Eva")
    late.at("#name").fill("Tom")
    late.at("form .button.main").click()
    expect(late.at(".wrong")).to_contain_text("Eva")
    looks_right(late, f"taken-{tongue}")
    late.at("main a.button.main").click()
    expect(late.page).to_have_url(lobby(sitting))
    assert owner(sitting, "white") == "Eva"


def test_a_code_that_is_taken_back_or_too_old_leads_back_to_the_seat(served: Serving, phones: Phones) -> None:
    sitting = served.sit()
    ana = my_seat(phones("en").open(sitting.link("white")))
    ana.at("button[name='on']").click()
    link = ana.at(".address a").get_attribute("href") or ""
    ana.at("button[name='on'][value='0']").click()
    expect(ana.page).to_have_url(sitting.page("white", "/mine"))
    assert phones("en").open(link).at(".wrong, h1").count()
    assert owner(sitting, "white") == "Ana"


@pytest.mark.parametrize("scripts", [True, False])
def test_two_swap_seats_and_each_phone_finds_its_seat(served: Serving, phones: Phones, scripts: bool) -> None:
    sitting = served.sit().begin()
    ana, ben, asleep = phones("en", scripts=scripts), phones("es", scripts=scripts), phones("en")
    asleep.open(sitting.link("white")).open("about:blank")
    for phone, seat in ((ana, "white"), (ben, "black")):
        phone.open(sitting.link(seat))
    hands = ranks(ana), ranks(ben)
    ana.open(sitting.page("white", "/mine"))
    unfold(ana, "button[name='other'][value='black']")
    expect(ana.page).to_have_url(sitting.page("white"))
    if not scripts:
        ben.page.reload()
    expect(ben.at("#dock .ask")).to_contain_text("Propuesta de Ana (blancas): cambiar los asientos")
    expect(ana.at("#dock .ask")).to_contain_text("You asked to swap seats: Ben (Black)")
    if scripts:
        looks_right(ben, "swap-asked")
        looks_right(ana, "swap-waits")
    ben.at("#dock .ask button[value='1']").click()
    expect(ben.page).to_have_url(sitting.page("white"))
    if not scripts:
        ana.page.reload()
    expect(ana.page).to_have_url(sitting.page("black"))
    assert (ranks(ben), ranks(ana)) == hands, "each has what lies at the other's seat"
    asleep.open(sitting.page("white"))
    expect(asleep.page).to_have_url(sitting.page("black"))
    asleep.open(lobby(sitting))
    expect(asleep.at("ul.own-seats a[href$='/black']")).to_have_count(1)
    assert (owner(sitting, "white"), owner(sitting, "black")) == ("Ben", "Ana")


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_who_leaves_frees_the_seat_from_his_own_phone(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.sit()
    ana, ben = phones(tongue).open(sitting.link("white")), phones(tongue).open(sitting.link("black"))
    my_seat(ana)
    ana.at("#name").fill("Anita")
    ana.at(".with-button button").click()
    expect(ana.at("#name")).to_have_value("Anita")
    unfold(ana, ".grave")
    expect(ana.page).to_have_url(lobby(sitting))
    expect(ana.at("main [role=status]")).to_have_count(0)
    expect(ben.at("#log")).to_contain_text("Anita")
    expect(ana.at("button[name='seat'][value='white']")).to_be_visible()


def test_who_moves_to_a_free_seat_is_led_there(served: Serving, phones: Phones) -> None:
    sitting = served.sit()
    sitting.tables.release(sitting.table, "rulekeeper", "black", served.key())
    ana, other = phones("es").open(sitting.link("white")), phones("es").open(sitting.link("white"))
    my_seat(ana)
    unfold(ana, "button[name='other'][value='black']")
    expect(ana.page).to_have_url(sitting.page("black"))
    expect(other.page).to_have_url(sitting.page("black"))


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_two_players_give_away_the_seat_of_a_rulekeeper_whose_phone_is_dead(
    served: Serving, phones: Phones, tongue: str
) -> None:
    sitting = served.sit().begin()
    ana, ben = phones(tongue).open(sitting.link("white")), phones(tongue).open(sitting.link("black"))
    ruth = phones(tongue).open(sitting.link("rulekeeper"))
    ana.open(sitting.page("white", "/invite"))
    ana.at("details.box summary").click()
    looks_right(ana, f"propose-{tongue}")
    ana.at("button[name='other'][value='black']").click()
    expect(ana.page).to_have_url(sitting.page("white"))
    expect(ruth.at("#dock .ask")).to_contain_text("Ben")
    expect(ruth.at("#log")).to_contain_text({"en": "Ana proposes: Ben", "es": "A propuesta de Ana"}[tongue])
    looks_right(ruth, f"refuse-{tongue}")
    expect(ben.at("#dock .ask")).to_contain_text("Ben")
    looks_right(ben, f"agree-{tongue}")
    ben.at("#dock .ask button[value='1']").click()
    expect(ruth.at("#dock .ask")).to_have_count(0)
    expect(ben.at("#dock .ask")).to_have_count(1)
    looks_right(ben, f"claim-{tongue}")
    ben.at("#dock .ask form[action$='/claim'] button").click()
    expect(ben.page).to_have_url(sitting.page("rulekeeper"))
    expect(ruth.page).to_have_url(lobby(sitting))
    expect(ruth.at("main [role=status]")).to_contain_text("Ben")
    looks_right(ruth, f"rulekeeper-lost-{tongue}")
    expect(ana.at("#log")).to_contain_text({"en": "Ben takes over from Ruth", "es": "Ben en lugar de Ruth"}[tongue])
    ben.open(sitting.page("black"))
    expect(ben.at("#board")).to_be_visible()


def test_a_rulekeeper_who_is_there_says_so_also_on_his_players_page(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    ruth = phones("en").open(sitting.link("rulekeeper")).open(sitting.link("white"))
    sitting.tables.propose_rulekeeper(sitting.table, "black", "black", served.key())
    ruth.at("#knocks a").click()
    ruth.at("#dock .ask button[value='0']").click()
    expect(ruth.at("#dock .ask")).to_have_count(0)
    expect(ruth.at("#log")).to_contain_text("Ruth says no: the rulekeeper stays")


def test_one_phone_that_holds_two_seats_can_not_agree_with_itself(served: Serving, phones: Phones) -> None:
    sitting = served.sit().begin()
    both = phones("en").open(sitting.link("white")).open(sitting.link("black"))
    sitting.tables.propose_rulekeeper(sitting.table, "white", "white", served.key())
    both.at("#dock .ask button[value='1']").click()
    expect(both.at("#dock .wrong")).to_contain_text("Another phone has to agree")
    expect(both.at("#board")).to_be_visible()


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_the_laptop_gives_the_rulekeepers_seat_at_once(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.sit()
    sitting.tables.release(sitting.table, "rulekeeper", "black", served.key())
    ana, laptop = phones(tongue).open(sitting.link("white")), phones(tongue, viewport=WIDE)
    ana.open(sitting.page("white", "/invite"))
    ana.at("details.box summary").click()
    expect(ana.at("details.box")).to_contain_text({"en": "laptop", "es": "portátil"}[tongue])
    expect(ana.at("details.box button")).to_have_count(0)
    ana.open(sitting.page("white"))
    laptop.open(served.host_link).open(lobby(sitting))
    laptop.at("details.box:has(form[action$='/give']) > summary").click()
    looks_right(laptop, f"laptop-{tongue}")
    laptop.at("form[action$='/give'] button[value='white']").click()
    ana.at("#dock .ask form[action$='/claim'] button").click()
    expect(ana.page).to_have_url(sitting.page("rulekeeper"))


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_a_locked_table_asks_for_its_pin_once(served: Serving, phones: Phones, tongue: str) -> None:
    sitting = served.alone()
    ruth, eva, screen = phones(tongue).open(sitting.link("rulekeeper")), phones(tongue), phones(tongue, viewport=WIDE)
    ruth.open(sitting.page("rulekeeper", "/settings"))
    ruth.at("#pin").fill("12")
    ruth.at("form:has(#pin) button").click()
    expect(ruth.at(".wrong")).to_be_visible()
    ruth.at("#pin").fill("4815")
    ruth.at("form:has(#pin) button").click()
    expect(ruth.at("button[name='off']")).to_be_visible()
    looks_right(ruth, f"locked-{tongue}")
    eva.open(lobby(sitting))
    looks_right(eva, f"pin-{tongue}")
    eva.at("#name").fill("Eva")
    for typed in ("", "4816"):
        eva.at("#pin").fill(typed)
        eva.at("button[name='seat'][value='white']").click()
        expect(eva.at(".wrong")).to_contain_text("PIN")
        expect(eva.at("#name")).to_have_value("Eva")
    looks_right(eva, f"wrong-pin-{tongue}")
    eva.at("#pin").fill("48 15")
    eva.at("button[name='seat'][value='white']").click()
    expect(eva.page).to_have_url(sitting.page("white"))
    unfold(my_seat(eva), ".grave")
    expect(eva.at("#name")).to_be_visible()
    expect(eva.at("#pin")).to_have_count(0)
    screen.open(sitting.page("screen"))
    expect(screen.at("#scan")).to_be_visible()


def test_pages_of_seats_fit_with_letters_twice_as_large(served: Serving, phones: Phones) -> None:
    sitting = served.sit()
    sitting.tables.change_seats(sitting.table, "black", "white", served.key())
    sitting.tables.propose_rulekeeper(sitting.table, "black", "white", served.key())
    sitting.tables.lock(sitting.table, "4815", served.key())
    ana = phones("es", viewport=SMALL)
    enlarge(ana)
    ana.open(sitting.link("white"))
    for path in ("", "/mine", "/invite"):
        ana.open(sitting.page("white", path))
        ana.page.evaluate("document.querySelectorAll('main details').forEach((fold) => { fold.open = true; })")
        ana.save(f"large{path.replace('/', '-')}")
        assert ana.page.evaluate(OUT_OF_THE_PAGE) == [], path
    ana.open(sitting.page("white", "/mine"))
    ana.at("button[name='on']").click()
    link = ana.at(".address a").get_attribute("href") or ""
    ana.save("large-handing-over")
    assert ana.page.evaluate(OUT_OF_THE_PAGE) == []
    eva = phones("es", viewport=SMALL)
    enlarge(eva)
    for address in (link, lobby(sitting)):
        eva.open(address)
        eva.save(f"large-{re.sub('[^a-z]', '', address[-6:])}")
        assert eva.page.evaluate(OUT_OF_THE_PAGE) == [], address
