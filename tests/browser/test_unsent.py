"""What was tapped without a connection: said once, sent by itself only soon and at the same version, never twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Tunnel
from tests.browser.test_away import TOLD, forgets, through, told, tunnel, warned

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Route

    from tests.browser.conftest import Phones
    from tests.browser.phones import Phone, Serving

__all__ = ["tunnel"]

pytestmark = pytest.mark.browser

SMALL = {"width": 360, "height": 640}
LARGE = "document.documentElement.style.fontSize = '200%'"


def posts(phone: Phone) -> int:
    return sum(request.startswith("POST") for request in phone.requests)


def cut_off(phone: Phone) -> None:
    """Wait until a phone knows that it is cut off."""
    expect(phone.at("main.is-away")).to_have_count(1)


def frozen(phone: Phone) -> None:
    """Stop the clock of a page: time passes there only when the test lets it."""
    phone.page.clock.pause_at(phone.page.evaluate("Date.now()") / 1000 + 1)


@pytest.mark.parametrize("tongue", ["en", "es"])
@pytest.mark.parametrize("ends", [Tunnel.silence, Tunnel.cut], ids=["silent", "cut"])
def test_a_phone_that_is_cut_off_says_so_within_eight_seconds(
    served: Serving, tunnel: Tunnel, phones: Phones, ends: Callable[[Tunnel], None], tongue: str
) -> None:
    ben = phones(tongue)
    ben.page.clock.install()
    told(ben, through(tunnel, served.sit().begin(), "black"))
    frozen(ben)
    ends(tunnel)
    ben.page.clock.run_for(8_000)
    expect(ben.at("#resting")).to_be_visible()
    expect(ben.at("#resting")).to_have_attribute("role", "status")
    words = {"en": "No connection to the table", "es": "Sin conexión con la mesa"}[tongue]
    expect(ben.at("#resting")).to_contain_text(words)


@pytest.mark.parametrize("how", [SMALL, SMALL | {"width": 844, "height": 390}], ids=["upright", "across"])
@pytest.mark.parametrize(("tongue", "scheme"), [("en", "light"), ("es", "dark")])
def test_one_line_says_that_there_is_no_connection(
    served: Serving, tunnel: Tunnel, phones: Phones, tongue: str, scheme: str, how: dict[str, int]
) -> None:
    sitting = served.sit().begin()
    ana = phones(tongue, viewport=how, color_scheme=scheme)
    ana.page.clock.install()
    told(ana, through(tunnel, sitting, "white"))
    before = sitting.version()
    lines = ana.at("[role='status']:visible").filter(has_text="e")
    tunnel.cut()
    cut_off(ana)
    expect(lines).to_have_count(1)
    name = f"unsent-{tongue}-{how['width']}"
    ana.save(f"{name}-away")
    ana.play("AH")
    warned(ana, {"en": "No connection", "es": "Sin conexión"}[tongue])
    expect(lines).to_have_count(1)
    ana.save(f"{name}-no")
    ana.page.evaluate(LARGE)
    expect(lines).to_have_count(1)
    button = ana.at("#unsent button").bounding_box()
    assert button
    assert button["height"] >= 44
    assert button["y"] + button["height"] <= how["height"]
    ana.save(f"{name}-no-large")
    forgets(ana)
    tunnel.mend()
    warned(ana, {"en": "Connected again", "es": "Vuelves a tener conexión"}[tongue])
    expect(lines).to_have_count(1)
    ana.save(f"{name}-back-large")
    ana.at("#unsent button").click()
    ana.sees(before + 1)
    expect(lines).to_have_count(0)


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_a_tap_goes_by_itself_when_the_connection_is_back_soon(
    served: Serving, tunnel: Tunnel, phones: Phones, tongue: str
) -> None:
    sitting = served.sit().begin()
    ana = told(phones(tongue), through(tunnel, sitting, "white"))
    before = sitting.version()
    tunnel.cut()
    ana.play("AH")
    expect(ana.at("#unsent")).to_be_visible()
    cut_off(ana)
    assert sitting.version() == before
    tunnel.mend()
    ana.sees(before + 1)
    expect(ana.at("#unsent")).to_be_hidden()
    expect(ana.at("#resting")).to_be_hidden()
    ana.settled(sitting.version)
    assert sitting.version() == before + 1


def test_typed_dice_go_by_themselves_too(served: Serving, tunnel: Tunnel, phones: Phones) -> None:
    sitting = served.sit(dice="typed").attack()
    sitting.answer("black", value="no")
    ana = told(phones("en"), through(tunnel, sitting, "white"))
    ana.tap(1, 1, 4, 4, 6)
    tunnel.cut()
    ana.at(".typing > button").click()
    expect(ana.at("#unsent")).to_be_visible()
    tunnel.mend()
    ana.shows(["1", "1", "4", "4", "6"])
    expect(ana.at("#unsent")).to_be_hidden()


def test_an_attack_goes_by_itself_from_its_sheet_unless_that_was_closed(
    served: Serving, tunnel: Tunnel, phones: Phones
) -> None:
    sitting = served.sit().face_to_face()
    sitting.act("white", "play_card", card="AH")
    ana = told(phones("en"), through(tunnel, sitting, "white"))
    before = sitting.version()
    for closes in (True, False):
        ana.odds("wc")
        tunnel.cut()
        ana.at("#plan button.main").click()
        expect(ana.at("#sheet #unsent")).to_be_visible()
        cut_off(ana)
        expect(ana.at("#resting")).to_be_hidden()
        if closes:
            ana.at("#sheet .close").click()
            expect(ana.at("#resting")).to_be_visible()
        tunnel.mend()
        if closes:
            expect(ana.at("main.is-away")).to_have_count(0)
            ana.page.evaluate("fetch('/now').then((answer) => answer.text())")
            assert sitting.version() == before
            ana.page.keyboard.press("Escape")
    expect(ana.at("#sheet")).to_be_hidden()
    expect(ana.dock).to_contain_text("Waiting for Ben")
    assert sitting.version() == before + 1


def test_a_tap_of_long_ago_stands_picked_and_waits_for_another(served: Serving, tunnel: Tunnel, phones: Phones) -> None:
    sitting = served.sit().begin()
    ana = phones("en")
    ana.page.clock.install()
    told(ana, through(tunnel, sitting, "white"))
    before, sent = sitting.version(), posts(ana)
    tunnel.cut()
    ana.play("AH")
    expect(ana.at("#unsent")).to_be_visible()
    forgets(ana)
    tunnel.mend()
    warned(ana, "Connected again. That was not sent: what you chose is still here.")
    expect(ana.at(".pick-card:checked")).to_have_count(1)
    assert (sitting.version(), posts(ana)) == (before, sent + 1)
    ana.at("#unsent button").click()
    ana.sees(before + 1)
    expect(ana.at("#unsent")).to_be_hidden()


def test_a_move_of_long_ago_waits_for_another_tap_where_the_phone_holds_two_seats(
    served: Serving, tunnel: Tunnel, phones: Phones
) -> None:
    sitting = served.sit().begin()
    sitting.act("white", "play_card", card="AH")
    ana = phones("en")
    ana.page.clock.install()
    ana.open(through(tunnel, sitting, "rulekeeper"))
    told(ana, through(tunnel, sitting, "white"))
    before, sent = sitting.version(), posts(ana)
    tunnel.cut()
    ana.move("wa", "a2")
    expect(ana.at("#unsent")).to_be_visible()
    forgets(ana)
    # What the other seat has to do is asked for as well, and answered.
    with ana.page.expect_response(lambda response: "/rulekeeper/" in response.url):
        tunnel.mend()
    warned(ana, "Connected again. That was not sent: what you chose is still here.")
    ana.page.evaluate("fetch('/now').then((answer) => answer.text())")
    assert (sitting.version(), posts(ana)) == (before, sent + 1)
    ana.at("#unsent button").click()
    ana.sees(before + 1)
    expect(ana.at("#unsent")).to_be_hidden()


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_a_tap_at_a_table_that_moved_on_stands_picked_and_is_not_sent(
    served: Serving, tunnel: Tunnel, phones: Phones, tongue: str
) -> None:
    sitting = served.sit().begin()
    ana = told(phones(tongue, viewport=SMALL), through(tunnel, sitting, "white"))
    sent = posts(ana)
    tunnel.cut()
    ana.play("AH")
    expect(ana.at("#unsent")).to_be_visible()
    sitting.correct("unit.bb.square", "d5")
    tunnel.mend()
    warned(ana, {"en": "The table has moved on", "es": "La mesa ha seguido adelante"}[tongue])
    ana.save(f"unsent-{tongue}-moved")
    expect(ana.at(".pick-card:checked")).to_have_count(1)
    assert posts(ana) == sent + 1
    ana.at("#unsent button").click()
    expect(ana.at("#unsent")).to_be_hidden()
    ana.do("action=play_card", "card=AH").click()
    ana.settled(sitting.version)
    assert (posts(ana), sitting.log()[-1]) == (sent + 2, "action")


def test_a_tap_is_not_sent_where_something_else_was_picked_since(
    served: Serving, tunnel: Tunnel, phones: Phones
) -> None:
    sitting = served.sit().begin()
    ana = told(phones("en"), through(tunnel, sitting, "white"))
    before = sitting.version()
    tunnel.cut()
    ana.play("AH")
    expect(ana.at("#unsent")).to_be_visible()
    ana.at("label[for^='card-'][for$='-2H']").click()
    tunnel.mend()
    warned(ana, "Connected again")
    assert sitting.version() == before


def test_what_the_table_has_done_is_not_done_again_where_its_answer_was_lost(
    served: Serving, tunnel: Tunnel, phones: Phones
) -> None:
    sitting = served.sit().begin()
    ana = told(phones("en"), through(tunnel, sitting, "white"))
    before, sent = sitting.version(), posts(ana)

    def loses(route: Route) -> None:
        route.fetch()
        tunnel.cut()
        route.abort()

    ana.page.route("**/act", loses, times=1)
    ana.play("AH")
    cut_off(ana)
    tunnel.mend()
    ana.sees(before + 1)
    expect(ana.at("main.is-away")).to_have_count(0)
    warned(ana, "The table has moved on")
    assert (posts(ana), sitting.version()) == (sent + 1, before + 1)


def test_what_another_did_in_the_same_moment_is_told_by_the_table(
    served: Serving, tunnel: Tunnel, phones: Phones
) -> None:
    sitting = served.sit().begin()
    ana = told(phones("en"), through(tunnel, sitting, "white"))

    def overtaken(route: Route) -> None:
        sitting.correct("unit.bb.square", "d5")
        route.continue_()

    tunnel.cut()
    ana.play("AH")
    expect(ana.at("#unsent")).to_be_visible()
    ana.page.route("**/act", overtaken)
    tunnel.mend()
    expect(ana.at("#refused")).to_contain_text("The table has moved on meanwhile: that was not done.")
    expect(ana.at("#unsent")).to_be_hidden()
    assert sitting.log()[-1] == "correction"


def test_a_page_that_had_not_all_of_itself_asks_when_the_connection_is_back(
    served: Serving, tunnel: Tunnel, phones: Phones
) -> None:
    sitting = served.sit().begin()
    ana = phones("en")
    ana.context.add_init_script(TOLD)
    ana.page.route("**/unsent.js", lambda route: route.abort())
    ana.open(through(tunnel, sitting, "white"))
    expect(ana.at("html")).to_have_attribute("data-told", "yes")
    tunnel.cut()
    ana.play("AH")
    warned(ana, "No connection: that was not sent")
    expect(ana.at("#unsent button")).to_be_hidden()
    ana.page.unroute("**/unsent.js")
    cut_off(ana)
    tunnel.mend()
    warned(ana, "Connected again")
    ana.at("#unsent button").click()
    expect(ana.at("#last .headline")).to_contain_text("One on the left")
    expect(ana.at("#unsent")).to_be_hidden()
